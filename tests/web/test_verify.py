"""Does the page find out whether a log is true? Its own check, in the browser, against logs good and damaged.

Law kept: the page's check is written from the contract alone (sections 3 and 4) and asks no rule of play: it has
to find what those sections promise.
"""

import hashlib
import random
from collections.abc import Callable, Generator
from typing import Any, Final, TypeAlias

import pytest
from playwright.sync_api import Browser

from events.game.commands import Abandon
from events.game.events import SeatInfo
from tests.game.plain_log import plain_log
from tests.game.plain_play import played
from tests.live import Live
from tests.log.damage import BROKEN, MISPRINTED, source
from tests.log.damages import DAMAGES
from tests.log.games import SHORT, Book, seed_of
from tests.log.recipes import RECIPES
from tests.log.test_another_implementation import fork_of, rules_for
from tests.walks import FULL, drawn_rules

Verdict: TypeAlias = dict[str, Any]
Check: TypeAlias = Callable[..., list[Verdict]]

WALKS: Final = 120 if FULL else 12
PLAIN: Final = 80 if FULL else 8
PLACES: Final = 2000 if FULL else 60
RULES_ALONE: Final = {
    "a_bot_without_its_name",
    "a_card_played_by_the_other_seat",
    "a_clock_of_a_seat_that_is_not_to_move",
    "a_clock_stopped_by_a_seat",
    "a_creation_by_a_seat",
    "a_draw_before_its_turn",
    "a_forfeit_by_the_system",
    "a_fork_without_a_position",
    "a_hand_card_played_as_from_a_side_stack_too",
    "a_move_by_nobody",
    "a_move_by_the_other_seat",
    "a_move_of_a_bot_by_a_person",
    "a_move_of_a_person_by_a_bot",
    "a_next_turn_left_out",
    "a_position_and_a_turn",
    "a_position_that_is_won_already",
    "a_seat_that_resigned_for_another",
    "a_time_in_other_digits",
    "a_time_of_another_zone",
    "a_time_that_is_none",
    "a_time_with_a_space",
    "a_time_without_milliseconds",
    "a_turn_of_the_wrong_seat",
    "a_turn_too_many",
    "a_wrong_reason",
    "a_wrong_result",
    "a_wrong_turn_number",
    "a_wrong_winner",
    "an_abandoned_game_by_a_seat",
    "an_end_too_early",
    "no_points",
    "points_where_none_are_scored",
    "two_moves_in_one_commit",
    "wrong_points",
}
"""Forgeries that move no card and change no shuffle: who did it, whose turn, who won. The service's verification finds
them, by the rules; the page says so."""
_SCRIPT: Final = """async ([files, known]) => {
  const { verifyLog } = await import(new URL("verify.js", document.querySelector("script[type=module]").src));
  const bytes = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const verdicts = [];
  for (const file of files) verdicts.push(await verifyLog(bytes(file), known));
  return verdicts;
}"""


@pytest.fixture(scope="module")
def judged(browser: Browser, live: Live) -> Generator[Check]:
    """`judged([file, …], commitment=…)`: what the page says of these log files."""
    page = browser.new_page(base_url=live.url)
    page.goto("/")
    yield lambda files, **known: page.evaluate(_SCRIPT, [[file.decode("latin-1") for file in files], known])
    page.close()


def told(verdict: Verdict) -> dict[str, bool | None]:
    """Each check's `ok` by its name."""
    return {check["name"]: check["ok"] for check in verdict["checks"]}


def open_game(entropy: str = "dados") -> Book:
    """Somebody sits down after the seed is promised, and adds to it; then the game is played to its end."""
    seats = (SeatInfo("Ana", "human", None, "dés"), SeatInfo(None, "open", None, ""))
    return Book(SHORT, 3, seats=seats).sit(1, entropy).moves()


def test_good_logs_verify(judged: Check) -> None:
    """Sections 3 and 4: the golden logs, games of bots, and games by lot under all kinds of rules."""
    logs = [source(name) for name in (*RECIPES, "bots")]
    logs += [Book(drawn_rules(number), number).moves().file() for number in range(WALKS)]
    logs += [Book("spite-and-malice").moves(moves).do(Abandon(), "system").file() for moves in (0, 7)]
    for log, verdict in zip(logs, judged(logs), strict=True):
        assert (verdict["ok"], verdict["version"]) == (True, None), verdict
        assert verdict["versions"] == log.count(b"\n") - 1
        assert False not in told(verdict).values()


def test_logs_of_another_program_verify(judged: Check) -> None:
    """Given whole games of another program, forks among them, when the page judges them, then it agrees."""
    games = [fork_of(number) if number % 8 == 7 else played(rules_for(number), number) for number in range(PLAIN)]
    for game, verdict in zip(games, judged([plain_log("00plain", game.commits) for game in games]), strict=True):
        assert (verdict["ok"], verdict["version"]) == (True, None), verdict
        first = [event["type"] for event in game.commits[0][1]]
        assert told(verdict)["deal"] == (None if "PositionSet" in first or verdict["start"] is None else True)


def test_every_damage_is_found_but_those_that_the_rules_alone_tell(judged: Check) -> None:
    """Given each known damage, when the page judges, then it is refused, at its line if chain or form tell."""
    done = {name: make() for name, make in DAMAGES.items()}
    verdicts = dict(zip(done, judged([file for file, _ in done.values()]), strict=True))
    assert {name for name, verdict in verdicts.items() if verdict["ok"]} == RULES_ALONE
    as_a_whole = {"no_text", "a_head_alone_of_a_game_that_goes_on"}  # no line of theirs is read
    for name in {*BROKEN, *MISPRINTED} - as_a_whole:
        assert verdicts[name]["version"] == done[name][1], name


def test_any_letter_changed_anywhere_is_found(judged: Check) -> None:
    """Section 3: the chain holds every byte; given one changed, when the page judges, then that very line is wrong."""
    file, lot = source("short"), random.Random(8)
    places = [place for place in lot.sample(range(len(file)), PLACES) if file[place : place + 1] != b"\n"]
    damaged = [file[:place] + bytes([file[place] ^ 1]) + file[place + 1 :] for place in places]
    for place, verdict in zip(places, judged(damaged), strict=True):
        assert verdict["version"] == file[:place].count(b"\n") or place < file.index(b"\n"), place
        assert not verdict["ok"]


def test_another_seed_than_the_one_promised_at_the_start_is_found(judged: Check) -> None:
    """Section 4: a game made anew from another seed is sound in itself, but not what one saw at the start."""
    book = open_game()
    promise = hashlib.sha256(book.seed).hexdigest()
    (kept,) = judged([book.file()], commitment=promise)
    assert (kept["ok"], told(kept)["promise"]) == (True, True)
    (broken,) = judged([book.file()], commitment=hashlib.sha256(seed_of(999)).hexdigest())
    assert (broken["ok"], told(broken)["promise"], broken["version"]) == (False, False, 1)
    (unseen,) = judged([book.file()])
    assert (unseen["ok"], told(unseen)["promise"]) == (True, None)


def test_what_one_added_oneself_has_to_be_in_it(judged: Check) -> None:
    """Section 4: given the log says that seat 1 added something else, when its person checks, then it says no."""
    for entropy, right in (("dados", True), ("loaded dice", False)):
        (verdict,) = judged([open_game(entropy).file()], seat=1, entropy="dados")
        assert (verdict["ok"], told(verdict)["entropy"], verdict["joined"]) == (right, right or False, [1])
        assert verdict["version"] == (None if right else 2)


def test_the_log_is_that_of_the_game_asked_for(judged: Check) -> None:
    """Section 3: the head names the game."""
    for game, right in (("00book", True), ("00other", False)):
        (verdict,) = judged([open_game().file()], game=game)
        assert (verdict["ok"], verdict["version"]) == (right, None if right else 0)


def test_a_game_from_a_position_has_no_deal_to_check(judged: Check) -> None:
    """Section 4: there the first shuffle is number 1; the checks of a deal do not apply, all others do."""
    (verdict,) = judged([source("from-a-position")])
    assert [name for name, ok in told(verdict).items() if ok is None] == ["promise", "entropy", "deal", "starter"]
