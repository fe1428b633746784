"""R22 to R24 over several games: what a game brings to its match, when the match is over, and who has won it."""

from typing import Any

import pytest
from hypothesis import given as any_of
from hypothesis import strategies as some

from events.errors import Reason, Rejected
from events.game import match as rules_of_matches
from events.game.events import SeatInfo
from events.game.match import (
    MOST_GAMES,
    GameScored,
    Match,
    MatchEnded,
    MatchEvent,
    MatchStarted,
    evolve_match,
    fold_match,
    score,
    start,
)
from events.game.state import Result

SEATS = (SeatInfo("Ada", "human", None, ""), SeatInfo("Ben", "human", None, ""))


def standing(*totals: int, target: int = 50) -> Match:
    """A match at these totals."""
    begun = fold_match(start("m", target, SEATS))
    return evolve_match(begun, GameScored("g0", "won", (0,), totals, totals)) if any(totals) else begun


def won(seat: int, points: int, reason: Any = "payoff") -> Result:
    """A game won by this seat."""
    return Result("won", (seat,), reason, (points, 0) if seat == 0 else (0, points))


DRAWN = Result("drawn", (), "exhausted", (0, 0))
ABANDONED = Result("aborted", (), "abandoned", (0, 0))


def test_a_match_starts_at_nought_for_every_seat() -> None:
    """R23: given the agreement, then the totals are zeros and nobody has won."""
    assert start("m", 50, SEATS) == (MatchStarted("m", 50, SEATS),)
    assert fold_match(start("m", 50, SEATS)) == Match("m", 50, SEATS, (0, 0))


@pytest.mark.parametrize(("target", "seats"), [(0, SEATS), (-1, SEATS), (50, SEATS[:1]), (50, ())])
def test_no_match_starts_that_nobody_can_play(target: int, seats: tuple[SeatInfo, ...]) -> None:
    """R23: a target of at least 1 point, and two who meet."""
    with pytest.raises(ValueError, match="no match"):
        start("m", target, seats)


def test_a_game_that_is_won_adds_its_points_and_the_match_goes_on() -> None:
    """R22, R23: given 8:14, when seat 0 wins with 7 left to the other, then 15:14."""
    events = score(standing(8, 14), "g", won(0, 7))
    assert events == (GameScored("g", "won", (0,), (7, 0), (15, 14)),)


def test_the_target_reached_ends_the_match_in_the_same_commit_and_totals_are_not_capped() -> None:
    """R23, case 31: given 48:49, when seat 0 wins with 20 left, then 68:49, over."""
    scored, ended = score(standing(48, 49), "g", won(0, 20))
    assert scored == GameScored("g", "won", (0,), (20, 0), (68, 49))
    assert ended == MatchEnded(0, (68, 49))


def test_just_the_target_is_enough_and_one_less_is_not() -> None:
    """R23: until a total reaches 50."""
    assert score(standing(30, 40), "g", won(1, 10))[1:] == (MatchEnded(1, (30, 50)),)
    assert score(standing(30, 40), "g", won(1, 9))[1:] == ()


def test_a_drawn_game_scores_nothing_and_another_follows() -> None:
    """R22, R23, case 32: given 40:40, when the game is drawn, then 40:40 and the next game."""
    assert score(standing(40, 40), "g", DRAWN) == (GameScored("g", "drawn", (), (0, 0), (40, 40)),)


@pytest.mark.parametrize("reason", ["resigned", "clock", "forfeit"])
def test_a_game_left_scores_as_one_won(reason: str) -> None:
    """R24, R22: resigning loses the game, with points; the match goes on unless they reach the target."""
    assert score(standing(0, 10), "g", won(1, 20, reason))[1:] == ()
    assert score(standing(0, 30), "g", won(1, 20, reason))[1:] == (MatchEnded(1, (0, 50)),)


def test_an_abandoned_game_ends_the_match_without_a_winner() -> None:
    """R23, read so: nobody is there to play another."""
    assert score(standing(40, 12), "g", ABANDONED) == (
        GameScored("g", "aborted", (), (0, 0), (40, 12)),
        MatchEnded(None, (40, 12)),
    )


def test_a_match_of_a_thousand_games_is_over_without_a_winner() -> None:
    """R23, read so: a target may be out of reach, and bots never tire."""
    match = fold_match(start("m", 2**53 - 1, SEATS))
    events: tuple[MatchEvent, ...] = ()
    for number in range(MOST_GAMES):
        assert len(events) < 2
        events = score(match, f"g{number}", won(number % 2, 20))
        match = fold_match(events, match)
    assert MOST_GAMES == 1000
    assert events[1:] == (MatchEnded(None, (10_000, 10_000)),)
    assert (match.ended, match.winner, len(match.games)) == (True, None, 1000)


def test_the_last_of_a_thousand_games_may_still_win_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """R23: the target comes before the number of games."""
    monkeypatch.setattr(rules_of_matches, "MOST_GAMES", 2)
    assert score(standing(40, 0), "g", won(0, 10))[1:] == (MatchEnded(0, (50, 0)),)


@pytest.mark.parametrize("last", [won(0, 20), ABANDONED])
def test_nothing_is_scored_after_the_end(last: Result) -> None:
    """R23: nothing can be played after the end."""
    match = standing(48, 49)
    over = fold_match(score(match, "g", last), match)
    with pytest.raises(Rejected) as refusal:
        score(over, "h", won(1, 20))
    assert refusal.value.reason is Reason.GAME_OVER


def test_rules_without_points_are_not_for_matches() -> None:
    """R22: a game that scores none says null, not zeros."""
    with pytest.raises(ValueError, match="points"):
        score(standing(0, 0), "g", Result("won", (0,), "payoff", None))


@pytest.mark.parametrize(
    "events",
    [
        (),
        (GameScored("g", "drawn", (), (0, 0), (0, 0)),),
        (MatchEnded(None, (0, 0)),),
        (*start("m", 50, SEATS), *start("m", 50, SEATS)),
    ],
)
def test_a_match_begins_once_and_with_its_start(events: tuple[MatchEvent, ...]) -> None:
    """R23: what is no history of a match cannot be folded."""
    with pytest.raises(ValueError, match="match"):
        fold_match(events)


@any_of(some.integers(1, 200), some.lists(some.tuples(some.integers(-1, 2), some.integers(1, 40)), max_size=40))
def test_a_match_ends_with_the_first_total_that_reaches_the_target(target: int, played: list[tuple[int, int]]) -> None:
    """R22, R23: whatever the games bring, totals are their sums, and the winner alone has reached the target."""
    seats = (*SEATS, SeatInfo("Eve", "human", None, ""))
    match = fold_match(start("m", target, seats))
    for number, (winner, points) in enumerate(played):
        brought = tuple(points if seat == winner else 0 for seat in range(3))
        result = Result("won", (winner,), "payoff", brought) if winner >= 0 else Result("drawn", (), "blocked", brought)
        before, events = match, score(match, f"g{number}", result)
        match = fold_match(events, match)
        assert match.totals == tuple(map(sum, zip(before.totals, brought, strict=True)))
        assert match.ended == (max(match.totals) >= target) == (len(events) == 2)
        if match.ended:
            assert match.winner == winner
            assert max(before.totals) < target
            break
    assert match.totals == tuple(sum(game.points[seat] for game in match.games) for seat in range(3))
