"""Forgeries of people: who sat, who moved, who left.

A forgery changes a good log and returns the version to blame; the whole chain is built anew (`damage.forged`).
"""

from tests.log.damage import Commits, first, forged, read


@forged()
def an_abandoned_game_by_a_seat(commits: Commits) -> int:
    seed = commits[-1]["events"][-1]["seed"]
    ended = {
        "type": "GameEnded",
        "result": "aborted",
        "winners": [],
        "reason": "abandoned",
        "points": None,
        "seed": seed,
    }
    commits[-1] |= {"by": "seat:0", "events": [ended | {"seed": seed}]}
    return len(commits)


@forged()
def a_move_by_the_other_seat(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed")
    commits[version - 1]["by"] = f"seat:{1 - played['seat']}"
    return version


@forged()
def a_move_of_a_person_by_a_bot(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed")
    commits[version - 1]["by"] = f"bot:{played['seat']}"
    return version


@forged("bots")
def a_move_of_a_bot_by_a_person(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed")
    commits[version - 1]["by"] = f"seat:{played['seat']}"
    return version


@forged()
def a_creation_by_a_seat(commits: Commits) -> int:
    commits[0]["by"] = "seat:0"
    return 1


@forged()
def a_move_by_nobody(commits: Commits) -> int:
    commits[4]["by"] = ""
    return 5


@forged("sitting-and-leaving")
def a_clock_stopped_by_a_seat(commits: Commits) -> int:
    version, expired = first(commits, "ClockExpired")
    commits[version - 1]["by"] = f"seat:{expired['seat']}"
    return version


@forged("sitting-and-leaving")
def a_clock_of_a_seat_that_is_not_to_move(commits: Commits) -> int:
    version, expired = first(commits, "ClockExpired")
    expired["seat"] = 0
    return version


@forged("sitting-and-leaving")
def a_seat_that_resigned_for_another(commits: Commits) -> int:
    version, resigned = first(commits, "SeatResigned")
    resigned["seat"] = 0
    return version


@forged("sitting-and-leaving")
def a_forfeit_by_the_system(commits: Commits) -> int:
    version, _ = first(commits, "SeatForfeited")
    commits[version - 1]["by"] = "system"
    return version


@forged("open")
def a_person_who_forfeits_as_only_bots_do(commits: Commits) -> int:
    moved = commits[-1]["events"][0]
    seat = moved["seat"]
    seed = first(read("bots"), "GameEnded")[1]["seed"]  # of the same number, so of the same seed
    ended = {"type": "GameEnded", "result": "won", "winners": [1 - seat], "reason": "forfeit", "points": None}
    forfeited = {"type": "SeatForfeited", "seat": seat, "cause": "error"}
    commits[-1] |= {"by": f"seat:{seat}", "events": [forfeited, ended | {"seed": seed}]}
    return len(commits)


@forged("open")
def a_seat_taken_by_another_seat(commits: Commits) -> int:
    commits[1]["by"] = "seat:0"
    return 2


@forged("open")
def a_seat_taken_that_was_not_open(commits: Commits) -> int:
    commits[1]["events"][0]["seat"] = 0
    return 2


@forged("open")
def a_seat_taken_twice(commits: Commits) -> int:
    commits[2]["events"] = commits[1]["events"][:1]
    return 3


@forged("open")
def a_seat_taken_with_too_much_entropy(commits: Commits) -> int:
    commits[1]["events"][0]["entropy"] = "x" * 129
    return 2


@forged("open")
def a_seat_taken_with_two_lines_of_entropy(commits: Commits) -> int:
    commits[1]["events"][0]["entropy"] = "one\ntwo"
    return 2


@forged("open")
def a_move_before_all_seats_are_taken(commits: Commits) -> int:
    del commits[1]
    for version, commit in enumerate(commits, start=1):
        commit["version"] = version
    return 2


@forged("open")
def an_open_seat_with_a_name(commits: Commits) -> int:
    commits[0]["events"][0]["seats"][1]["name"] = "Rui"
    return 1


@forged("open")
def an_open_seat_with_entropy(commits: Commits) -> int:
    commits[0]["events"][0]["seats"][1]["entropy"] = "dados"
    return 1


@forged("bots")
def a_bot_without_its_name(commits: Commits) -> int:
    commits[0]["events"][0]["seats"][1]["bot"] = None
    return 1


@forged()
def entropy_that_was_another(commits: Commits) -> int:
    commits[0]["events"][0]["seats"][1]["entropy"] = "loaded dice"
    return 1


@forged()
def entropy_of_two_lines(commits: Commits) -> int:
    commits[0]["events"][0]["seats"][0]["entropy"] = "one\ntwo"
    return 1


@forged()
def a_seat_too_many(commits: Commits) -> int:
    seats = commits[0]["events"][0]["seats"]
    seats.append(dict(seats[0]))
    return 1
