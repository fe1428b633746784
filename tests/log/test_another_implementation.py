"""Is a log taken that another program wrote? Whole games by `tests.game.plain_game`.

Its writer follows section 3 of the contract alone: what it writes verifies, comes in, and goes out the same to the
byte.
"""

from collections import Counter
from typing import Any, Final

import msgspec
import pytest

from events.log.incoming import Imported, import_log
from events.log.record import export
from events.log.store import Store
from events.log.verify import verify
from tests.game.plain_game import PRESETS, PlainGame, plain_seat
from tests.game.plain_log import plain_log
from tests.game.plain_play import Lot, do, played
from tests.walks import FULL, drawn_rules

GAMES: Final = 200 if FULL else 24
STORED: Final = 3


def rules_for(number: int) -> dict[str, Any]:
    """A preset for one game in three, else rules by lot."""
    if number % 3:
        return msgspec.to_builtins(drawn_rules(number))
    return PRESETS[tuple(PRESETS)[number // 3 % 3]]


def fork_of(number: int) -> PlainGame:
    """A game that goes on from the table of another one's twelfth version, to its end."""
    lot = Lot(number)
    lot.leaving = 0
    origin = lot.create(PRESETS[tuple(PRESETS)[number % 3]])
    while len(origin.commits) < 12:
        do(origin, lot.command(origin))
    fork = PlainGame(
        origin.rules, origin.table, lot.seed, origin.position(), forked_from={"game": "elsewhere", "version": 12}
    )
    while not fork.over:
        do(fork, lot.command(fork))
    return fork


def takes(store: Store, game: PlainGame, name: str) -> None:
    """The store takes the game's log, and gives it out again as it came."""
    file = plain_log(name, game.commits)
    assert import_log(store, file, derive=str.encode) == Imported(name, replayed=False)
    assert export(store, name) == file


def test_logs_of_another_program_verify() -> None:
    """Given whole games of another program, when their logs are judged, then every line is right."""
    ends: Counter[str] = Counter()
    for number in range(GAMES):
        game = fork_of(number) if number % 8 == 7 else played(rules_for(number), number)
        verdict = verify(plain_log("00plain", game.commits))
        assert (verdict.ok, verdict.why) == (True, None), f"game {number}"
        assert (verdict.versions, verdict.complete, verdict.shuffles) == (len(game.commits), True, True)
        joined = [event["seat"] for _, events in game.commits for event in events if event["type"] == "SeatTaken"]
        assert set(verdict.joined) <= set(joined)
        ends[game.commits[-1][1][-1]["reason"]] += 1
    assert len(ends) >= 4


@pytest.mark.parametrize("number", range(STORED))
def test_a_log_written_by_another_program_is_taken_and_goes_out_the_same_to_the_byte(store: Store, number: int) -> None:
    """Section 3, for a game of each preset and one by lot, on every kind of store."""
    takes(store, played(rules_for(3 * number), 3 * number), f"0{number}plain")
    takes(store, played(rules_for(3 * number + 1), 3 * number + 1), f"0{number}lot")


def test_a_fork_written_by_another_program_is_taken(store: Store) -> None:
    """A log that begins with a position is a log as any other."""
    takes(store, fork_of(1), "00fork")


def test_open_seats_may_be_taken_in_any_order() -> None:
    """Section 5 says "take an open seat", not which: given seats taken from the last to the first, the log verifies."""
    lot = Lot(5)
    game = PlainGame(PRESETS["gatto-e-topo"] | {"seats": 4, "decks": 4}, [plain_seat(None)] * 4, lot.seed)
    for seat in (3, 1, 2, 0):
        game.sit(seat, f"guest {seat}", f"dados {seat}")
    game.abandon()
    verdict = verify(plain_log("00plain", game.commits))
    assert (verdict.why, verdict.joined) == (None, (3, 1, 2, 0))


@pytest.mark.parametrize("seat", [-1, 0, 4])
def test_a_seat_that_is_not_open_is_not_taken(seat: int) -> None:
    """Given seat 0 is taken and there are four, when a log says that 0, 4 or -1 is taken, then it does not verify."""
    game = PlainGame(PRESETS["gatto-e-topo"] | {"seats": 4, "decks": 4}, [plain_seat(None)] * 4, Lot(5).seed)
    game.sit(0, "Ana")
    game.commits.append((f"seat:{seat}", [{"type": "SeatTaken", "seat": seat, "name": "Eva", "entropy": ""}]))
    game.abandon()
    assert verify(plain_log("00plain", game.commits)).version == 3
