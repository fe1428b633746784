"""Damages that the chain or the form of the file tells of: `damage.BROKEN` and `damage.MISPRINTED`."""

import json

from tests.log.damage import (
    MISPRINTED,
    Commits,
    another,
    broken,
    edit_lines,
    first,
    misprinted,
    replaced,
    respaced,
    turn_end,
)
from tests.log.games import plain


@broken()
def one_card_changed(commits: Commits) -> int:
    version, discarded = first(commits, "CardDiscarded")
    discarded["card"] = another(discarded["card"])
    return version


@broken()
def one_hidden_card_changed(commits: Commits) -> int:
    _, dealt = first(commits, "CardsDealt")
    dealt["stock"][0] = another(dealt["stock"][0])
    return 1


@broken()
def a_commit_dropped(commits: Commits) -> int:
    at = turn_end(commits)
    del commits[at]
    return at + 1


@broken()
def the_first_commit_dropped(commits: Commits) -> int:
    del commits[0]
    return 1


@broken()
def the_last_commit_dropped(commits: Commits) -> int:
    del commits[-1]
    return len(commits) + 1


@broken()
def all_commits_dropped(commits: Commits) -> int:
    commits.clear()
    return 1


@broken()
def two_commits_swapped(commits: Commits) -> int:
    at = turn_end(commits)
    commits[at], commits[at + 1] = commits[at + 1], commits[at]
    return at + 1


@broken()
def a_commit_doubled(commits: Commits) -> int:
    at = turn_end(commits)
    commits.insert(at, commits[at])
    return at + 2


@broken()
def a_hash_changed(commits: Commits) -> int:
    commits[6]["hash"] = ("0" if commits[6]["hash"][0] != "0" else "1") + commits[6]["hash"][1:]
    return 7


@broken()
def a_hash_in_capital_letters(commits: Commits) -> int:
    commits[6]["hash"] = commits[6]["hash"].upper()
    return 7


@broken()
def two_hashes_swapped(commits: Commits) -> int:
    commits[3]["hash"], commits[4]["hash"] = commits[4]["hash"], commits[3]["hash"]
    return 4


@broken()
def a_version_number_changed(commits: Commits) -> int:
    commits[6]["version"] = 8
    return 7


@broken()
def a_time_changed(commits: Commits) -> int:
    commits[2]["at"] = commits[2]["at"].replace("2026", "2025")
    return 3


@broken()
def a_key_changed(commits: Commits) -> int:
    commits[2]["key"] = "another key"
    return 3


@broken()
def the_last_seed_changed(commits: Commits) -> int:
    commits[-1]["events"][-1]["seed"] = "00" * 64
    return len(commits)


MISPRINTED.update(
    an_unknown_event=replaced(rb'"type":"\w+"', b'"type":"CardEaten"'),
    an_unknown_field=replaced(rb'"version":', b'"weather":"fine","version":'),
    an_unknown_field_of_an_event=replaced(rb',"seat":', b',"sat":0,"seat":'),
    a_field_left_out=replaced(rb'"key":[^,]+,', b""),
    a_field_of_an_event_left_out=replaced(rb'"seat":\d,', b""),
    a_key_twice=replaced(rb'"version":3', b'"version":3,"version":3'),
    a_key_twice_with_another_value=replaced(rb'"version":3', b'"version":9,"version":3'),
    a_space_in_a_line=replaced(rb'"version":', b'"version": '),
    a_space_at_the_end_of_a_line=replaced(rb"$", b" "),
    a_number_with_a_point=replaced(rb'"version":3', b'"version":3.0'),
    a_number_too_big=replaced(rb'"version":3', b'"version":' + b"3" * 5000),
    a_number_as_text=replaced(rb'"version":3', b'"version":"3"'),
    a_needless_escape=replaced(rb'"by":"seat:', rb'"by":"\\u0073eat:'),
    an_escaped_slash=replaced(rb'"key":[^,]+,', rb'"key":"\\/",'),
    no_json=replaced(rb"^.*$", b"not JSON"),
    no_object=replaced(rb"^.*$", b"[]"),
    no_text=replaced(rb'"by":"', b'"by":"\xff'),
    a_zero_byte=replaced(rb"$", b"\0"),
    a_bottomless_line=replaced(rb'"events":\[\{', b'"events":[{"a":' + b"[" * 100_000),
    a_card_that_is_none=replaced(rb'"card":"..', b'"card":"1x'),
    an_unknown_format=replaced(rb"malice-log/1", b"malice-log/2", line=0),
    a_head_with_more_in_it=replaced(rb"^\{", b'{"by":"me",', line=0),
    a_head_without_a_game=replaced(rb',"game":"\w+"', b"", line=0),
    a_head_with_spaces=replaced(rb":", b": ", line=0),
    a_mark_of_byte_order=replaced(rb"^", b"\xef\xbb\xbf", line=0),
    a_complete_log_that_says_it_goes_on=replaced(rb'"complete":true', b'"complete":false', line=0),
)


@misprinted
def an_empty_file(file: bytes) -> tuple[bytes, int]:
    return b"", 0


@misprinted
def an_empty_line_alone(file: bytes) -> tuple[bytes, int]:
    return b"\n", 0


@misprinted
def a_head_alone(file: bytes) -> tuple[bytes, int]:
    return file.splitlines(keepends=True)[0], 1


@misprinted
def a_missing_head(file: bytes) -> tuple[bytes, int]:
    return file.partition(b"\n")[2], 0


@misprinted
def a_head_twice(file: bytes) -> tuple[bytes, int]:
    return file.splitlines(keepends=True)[0] + file, 1


@misprinted
def line_ends_of_another_system(file: bytes) -> tuple[bytes, int]:
    return file.replace(b"\n", b"\r\n"), 0


@misprinted
def one_line_end_of_another_system(file: bytes) -> tuple[bytes, int]:
    def change(lines: list[bytes]) -> int:
        lines[4] += b"\r"
        return 4

    return edit_lines(file, change)


@misprinted
def line_ends_of_an_old_system(file: bytes) -> tuple[bytes, int]:
    return file.replace(b"\n", b"\r"), 0


@misprinted
def a_blank_line(file: bytes) -> tuple[bytes, int]:
    def change(lines: list[bytes]) -> int:
        lines.insert(5, b"")
        return 5

    return edit_lines(file, change)


@misprinted
def a_blank_line_before_all(file: bytes) -> tuple[bytes, int]:
    return b"\n" + file, 0


@misprinted
def a_blank_line_after_all(file: bytes) -> tuple[bytes, int]:
    return file + b"\n", file.count(b"\n")


@misprinted
def a_line_of_keys_that_are_not_sorted(file: bytes) -> tuple[bytes, int]:
    def change(lines: list[bytes]) -> int:
        fields = json.loads(lines[2])
        turned = dict(reversed(fields.items()))
        lines[2] = json.dumps(turned, separators=(",", ":"), ensure_ascii=False).encode()
        return 2

    return edit_lines(file, change)


@misprinted
def a_file_of_lines_with_spaces(file: bytes) -> tuple[bytes, int]:
    def change(lines: list[bytes]) -> int:
        lines[1:] = [respaced(json.loads(line)) for line in lines[1:]]
        return 1

    return edit_lines(file, change)


@misprinted
def a_file_of_ascii_only(file: bytes) -> tuple[bytes, int]:
    def change(lines: list[bytes]) -> int:
        fields = json.loads(lines[1])
        lines[1] = json.dumps(fields, separators=(",", ":"), sort_keys=True).encode()
        return 1

    return edit_lines(file, change)


@misprinted
def a_file_cut_in_the_middle_of_a_line(file: bytes) -> tuple[bytes, int]:
    kept = file[: len(file) // 2]
    return kept, kept.count(b"\n")


@misprinted
def a_file_cut_between_two_lines(file: bytes) -> tuple[bytes, int]:
    lines = file.splitlines(keepends=True)
    return b"".join(lines[:10]), 10


@misprinted
def a_running_log_that_says_it_is_complete(file: bytes) -> tuple[bytes, int]:
    def change(lines: list[bytes]) -> int:
        del lines[-3:]
        return len(lines)

    return edit_lines(file, change)


@misprinted
def a_line_after_the_end(file: bytes) -> tuple[bytes, int]:
    return file + b"the end\n", file.count(b"\n")


@misprinted
def two_files_in_one(file: bytes) -> tuple[bytes, int]:
    return file + file, file.count(b"\n")


@misprinted
def two_commits_on_a_line(file: bytes) -> tuple[bytes, int]:
    def change(lines: list[bytes]) -> int:
        lines[4:6] = [lines[4] + lines[5]]
        return 4

    return edit_lines(file, change)


@misprinted
def a_file_as_one_list(file: bytes) -> tuple[bytes, int]:
    return plain({"log": [json.loads(line) for line in file.splitlines()]}), 0


@misprinted
def a_head_alone_of_a_game_that_goes_on(file: bytes) -> tuple[bytes, int]:
    return file.splitlines(keepends=True)[0].replace(b"true", b"false"), 1
