"""A commit's one JSON form, the chain, and the golden logs: what was written once can be read for ever."""

import hashlib
import hmac
import json
from typing import Any

import fakeredis
import msgspec
import pytest

from events.errors import Unreadable
from events.game.commands import Create
from events.game.events import CardsDealt, Event, GameCreated, GameEnded, PayoffsReshuffled, SeatTaken, TurnPassed
from events.log.append import Request
from events.log.commit import GENESIS, Body, Commit, body_of, canonical, chained, read_json, read_line, seal, with_hash
from events.log.judge import command_of
from events.log.record import export, read_log, write_log
from events.log.store import Store
from events.log.submit import create, submit
from events.log.verify import verify
from tests.conftest import SHARDS
from tests.log import games
from tests.log.games import Book, log_file, plain, read_file, ticking
from tests.log.recipes import GOLDEN, ODD_TEXT, RECIPES, golden
from tests.walks import FULL, drawn_rules

NAMES = tuple(RECIPES)
GAMES = 200 if FULL else 16


def body(**changes: Any) -> Body:
    fields: dict[str, Any] = {
        "version": 7,
        "at": "2026-01-31T12:00:00.123Z",
        "by": "seat:1",
        "key": None,
        "events": (TurnPassed(1),),
    }
    return Body(**fields | changes)


def test_the_form_is_json_with_sorted_keys_and_no_spaces() -> None:
    """Section 3, letter by letter; the type of an event is sorted in among its fields."""
    assert canonical(body(key="k")) == (
        b'{"at":"2026-01-31T12:00:00.123Z","by":"seat:1","events":[{"seat":1,"type":"TurnPassed"}],'
        b'"key":"k","version":7}'
    )
    assert canonical(PayoffsReshuffled({"3": ("Ac",), "0": ("Kd", "2h")})) == (
        b'{"payoffs":{"0":["Kd","2h"],"3":["Ac"]},"type":"PayoffsReshuffled"}'
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("\b\t\n\f\r", rb"\b\t\n\f\r"),
        ("\x00\x01\x0b\x1a\x1f", rb"\u0000\u0001\u000b\u001a\u001f"),
        ('"', rb"\""),
        ("\\", rb"\\"),
        ("/", b"/"),
        ("\x7f", b"\x7f"),
        ("é", b"\xc3\xa9"),
        ("\u2028\u2029", b"\xe2\x80\xa8\xe2\x80\xa9"),
        ("\ufeff", b"\xef\xbb\xbf"),
        ("😀", b"\xf0\x9f\x98\x80"),
        ("<&'>", b"<&'>"),
    ],
)
def test_only_what_json_must_escape_is_escaped(text: str, written: bytes) -> None:
    """Section 3: \\b \\t \\n \\f \\r short, other controls \\u00xx in lower case, nothing else."""
    line = canonical(body(key=text))
    assert b'"key":"' + written + b'"' in line
    assert read_json(line, 7).key == text


def test_every_character_has_one_form() -> None:
    """Section 3: over the whole basic plane and some of the others, as the json module writes it."""
    for first in [*range(0, 0xD800, 64), *range(0xE000, 0x10000, 64), 0x10000, 0x1F600, 0x10FFC0]:
        text = "".join(map(chr, range(first, first + 64)))
        assert canonical(body(key=text)) == plain(msgspec.to_builtins(body(key=text)))


def test_the_hash_is_of_the_one_before_and_the_body() -> None:
    """Section 3: SHA-256 of the previous hash in ASCII and the canonical body; 64 zeros before the first."""
    assert GENESIS == "0" * 64
    commit, packed = seal(GENESIS, body(key=ODD_TEXT))
    assert commit.hash == hashlib.sha256(b"0" * 64 + packed).hexdigest() == chained(GENESIS, packed)
    follower, packed = seal(commit.hash, body(version=8))
    assert follower.hash == hashlib.sha256(commit.hash.encode("ascii") + packed).hexdigest()
    assert packed == canonical(body(version=8))
    assert body_of(follower) == body(version=8)
    assert with_hash(body(version=8), follower.hash) == follower


@pytest.mark.parametrize("number", range(GAMES))
def test_random_games_are_written_as_plain_json_and_plain_sha256_would(number: int) -> None:
    """Section 3: program and standard library agree to the byte, over every knob of the rules."""
    book = Book(drawn_rules(number), number).moves()
    previous, lines = GENESIS, [canonical(read_log(book.file()).head) + b"\n"]
    for one in book.bodies:
        commit, packed = seal(previous, msgspec.convert(one, Body))
        assert packed == plain(one)
        previous = commit.hash
        lines.append(canonical(commit) + b"\n")
    assert b"".join(lines) == book.file()
    assert verify(book.file()).ok


@pytest.mark.parametrize("number", range(GAMES))
def test_what_was_read_is_written_as_it_was(number: int) -> None:
    """Section 3: exported, imported and exported again, a log is the same to the byte."""
    file = Book(drawn_rules(number), number).moves(40).file()
    assert write_log(read_log(file)) == file


@pytest.mark.parametrize(
    "line",
    [b"", b"{}", b"[]", b"null", b"\xff", b'{"at":"\\ud800"}', b"{" * 100_000, b'{"events":[{"a":' + b"[" * 100_000],
    ids=["empty", "no field", "list", "null", "no UTF-8", "half a surrogate", "deep", "deep before the type"],
)  # fmt: skip
def test_what_is_no_commit_is_unreadable(line: bytes) -> None:
    """Section 3: the error names the version that is wrong, whatever stands there."""
    for read in (read_line, read_json):
        with pytest.raises(Unreadable) as unreadable:
            read(line, 5)
        assert unreadable.value.version == 5


def test_a_line_in_another_form_is_unreadable() -> None:
    """Section 3: a line in another form does not verify, even if it says the same."""
    commit, _ = seal(GENESIS, body(key="é/"))
    line = canonical(commit)
    assert read_line(line, 7) == commit
    value = json.loads(line)
    others = [
        json.dumps(value, sort_keys=True, ensure_ascii=False).encode(),
        json.dumps(value, sort_keys=True, separators=(",", ":")).encode(),
        json.dumps(dict(reversed(value.items())), separators=(",", ":"), ensure_ascii=False).encode(),
        line.replace(b"/", b"\\/"),
        line.replace(b'"version":7', b'"version":7.0'),
        line.replace(b'"version":7', b'"version":7e0'),
        line.replace(b'"version":7', b'"version":6,"version":7'),
        line + b" ",
        b" " + line,
        line + b"\r",
        b"\xef\xbb\xbf" + line,
    ]
    for other in others:
        assert other != line
        with pytest.raises(Unreadable):
            read_line(other, 7)


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_log_still_verifies(name: str) -> None:
    """Section 2: a golden log of every schema ever shipped stays in the tests."""
    verdict = verify(golden(name).read_bytes())
    assert (verdict.ok, verdict.why, verdict.version) == (True, None, None)
    assert verdict.complete
    assert verdict.shuffles


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_log_is_written_again_to_the_same_bytes(name: str) -> None:
    """Section 3, by the program and by the standard library."""
    file = golden(name).read_bytes()
    log = read_log(file)
    assert write_log(log) == file
    head, commits = read_file(file)
    assert log_file(head["game"], head["complete"], games.chained(commits)) == file
    assert [msgspec.convert(commit, Commit) for commit in commits] == log.commits


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_game_played_again_from_its_seed_has_the_same_log(name: str) -> None:
    """Section 4: the seed that the log reveals, and the commands it tells of, bring about the same bytes."""
    file = golden(name).read_bytes()
    commits = read_log(file).commits
    ended = commits[-1].events[-1]
    assert isinstance(ended, GameEnded)
    times = iter([commit.at for commit in commits])
    with fakeredis.FakeRedis(server=fakeredis.FakeServer(), version=(7,), protocol=2, legacy_responses=True) as client:
        store = Store(client, shards=SHARDS, now=lambda: next(times))
        for commit in commits:
            command = command_of(commit.events)
            request = None if commit.key is None else Request(commit.by, commit.key, "digest")
            if isinstance(command, Create):
                create(store, command, seed=bytes.fromhex(ended.seed), by=commit.by, request=request)
            else:
                submit(store, "00golden", command, by=commit.by, request=request)
        assert export(store, "00golden") == file


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_deal_is_that_of_its_seed_and_entropies(name: str) -> None:
    """Section 4, computed here with nothing but the standard library: shuffle 0, dealt from its top."""
    commits = read_log(golden(name).read_bytes()).commits
    events = [event for commit in commits for event in commit.events]
    created, ended = events[0], events[-1]
    assert isinstance(created, GameCreated)
    assert isinstance(ended, GameEnded)
    seed = bytes.fromhex(ended.seed)
    assert hashlib.sha256(seed).hexdigest() == created.commitment
    dealt = next((event for event in events if isinstance(event, CardsDealt)), None)
    if dealt is None:
        return
    entropies = [seat.entropy for seat in created.seats]
    for event in events:
        if isinstance(event, SeatTaken):
            entropies[event.seat] = event.entropy
    pack = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs" for _ in range(created.rules.decks)]
    pack += ["**"] * created.rules.jokers
    pile = shuffled(seed, "\n".join(entropies), pack)
    for cards in (*dealt.payoffs, *dealt.hands):
        assert list(cards) == [pile.pop() for _ in cards]
    assert list(dealt.stock) == pile


def shuffled(seed: bytes, entropies: str, cards: list[str]) -> list[str]:
    key = hmac.digest(seed, entropies.encode(), "sha512")
    stream = b"".join(hmac.digest(key, f"shuffle:0:{block}".encode(), "sha512") for block in range(80))
    words = iter(int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4))
    for last in range(len(cards) - 1, 0, -1):
        bound = 2**32 // (last + 1) * (last + 1)
        other = next(word for word in words if word < bound) % (last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def test_the_golden_logs_hold_every_event_there_is() -> None:
    """Section 2: no event of the schema is without a golden line, and every file has its recipe."""
    logs = [read_log(golden(name).read_bytes()) for name in NAMES]
    held = {type(event) for log in logs for commit in log.commits for event in commit.events}
    assert held == set(Event.__args__)
    assert {path.name for path in GOLDEN.iterdir()} == {golden(name).name for name in NAMES}


def test_the_clock_of_the_tests_ticks_by_itself() -> None:
    """What makes two runs the same to the byte."""
    one, other = ticking(), ticking()
    assert [one() for _ in range(3)] == [other() for _ in range(3)]
