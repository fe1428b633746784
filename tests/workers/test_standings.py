"""Standings, worked out by hand."""

from collections.abc import Iterable, Sequence

import pytest

from events.game.events import EndReason, Outcome
from workers.arena.schedule import labels
from workers.arena.standings import RATING_CAP, Row, Standing, interval, rating, standings


def row(
    number: int,
    seats: Sequence[str],
    winners: Sequence[int] = (),
    *,
    pair: int | None = None,
    reason: EndReason = "payoff",
    result: Outcome | None = None,
) -> Row:
    return Row(
        number=number,
        game=None,
        pair=number // len(seats) if pair is None else pair,
        seats=tuple(seats),
        result=result or ("won" if winners else "drawn"),
        winners=tuple(winners),
        reason=reason,
        points=None,
        moves=200,
        turns=70,
    )


def of(bot: str, bots: Sequence[str], rows: Iterable[Row]) -> Standing:
    return next(each for each in standings(bots, rows) if each.bot == bot)


def test_a_draw_counts_half_a_win() -> None:
    rows = [row(0, "ab", [0]), row(1, "ba", [1]), row(2, "ab", reason="blocked"), row(3, "ba", [0])]
    first = of("a", "ab", rows)
    assert (first.games, first.wins, first.draws, first.losses, first.score) == (4, 2, 1, 1, 0.625)
    assert first.reasons == {"blocked": 1, "payoff": 3}
    assert of("b", "ab", rows).score == 0.375


def test_the_best_score_stands_first_and_equals_keep_their_order() -> None:
    rows = [row(0, "ab", [1]), row(1, "ba", [0])]
    assert [each.bot for each in standings("ab", rows)] == ["b", "a"]
    assert [each.bot for each in standings("abc", [])] == ["a", "b", "c"]


def test_the_interval_is_taken_over_pairs() -> None:
    # Pair means of a: 1, 1/2, 1/2, 0, and 0 and 1 added. Mean 1/2, sample variance 1/5, so 1.96 · sqrt(1/30) = 0.358.
    rows = [row(0, "ab", [0]), row(1, "ba", [1])]
    rows += [row(2, "ab", [0]), row(3, "ba", [0]), row(4, "ab"), row(5, "ba")]
    rows += [row(6, "ab", [1]), row(7, "ba", [0])]
    first = of("a", "ab", rows)
    assert first.score == 0.5
    assert first.ci95 == pytest.approx((0.142, 0.858), abs=0.001)


def test_a_few_pairs_that_all_went_one_way_still_leave_doubt_and_many_leave_little() -> None:
    split = [row(number, "ab" if number % 2 == 0 else "ba", [0]) for number in range(400)]
    assert of("a", "ab", split[:6]).ci95 == pytest.approx((0.190, 0.810), abs=0.001)
    assert of("a", "ab", split).ci95 == pytest.approx((0.5, 0.5), abs=0.01)
    won = [row(number, "ab" if number % 2 == 0 else "ba", [number % 2]) for number in range(20)]
    first = of("a", "ab", won)
    assert first.ci95 is not None
    assert first.ci95[0] < 0.9 < first.score == first.ci95[1] == 1.0


def test_half_a_pair_counts_for_the_score_and_not_for_the_interval() -> None:
    rows = [row(0, "ab", [0]), row(1, "ba", [1]), row(2, "ab", [0])]
    first = of("a", "ab", rows)
    assert (first.games, first.score, first.ci95) == (3, 1.0, None)
    assert of("a", "ab", [*rows, row(3, "ba", [1])]).ci95 == pytest.approx((0.26, 1.0), abs=0.001)


def test_the_interval_stays_between_nothing_and_everything() -> None:
    assert interval([1.0, 1.0, 0.5]) == (pytest.approx(0.308, abs=0.001), 1.0)
    assert interval([0.0, 0.0, 0.5]) == (0.0, pytest.approx(0.692, abs=0.001))
    assert interval([1.0]) is None


def test_a_bot_that_met_only_others_has_an_interval_over_its_own_pairs() -> None:
    rows = [row(0, "ab", [0]), row(1, "ba", [1]), row(2, "ac", [0]), row(3, "ca", [1])]
    rows += [row(4, "bc", [0]), row(5, "cb", [0])]
    assert of("a", "abc", rows).ci95 == pytest.approx((0.26, 1.0), abs=0.001)
    assert of("b", "abc", rows).ci95 == pytest.approx((0.0, 0.844), abs=0.001)


def test_a_rating_is_the_elo_of_the_score() -> None:
    assert rating(0.5, 0.5) == 0
    assert rating(0.75, 0.5) == pytest.approx(190.85, abs=0.01)
    assert rating(0.25, 0.5) == pytest.approx(-190.85, abs=0.01)
    assert rating(10 / 11, 0.5) == pytest.approx(400)


def test_a_rating_is_capped() -> None:
    assert rating(1.0, 0.5) == RATING_CAP == -rating(0.0, 0.5)
    assert rating(0.9999, 0.5) == RATING_CAP


def test_with_three_seats_a_third_of_the_games_is_par() -> None:
    rows = [row(number, "abc", [number % 3], pair=0) for number in range(3)]
    assert [each.rating for each in standings("abc", rows)] == [pytest.approx(0)] * 3


def test_a_seat_wins_with_its_team() -> None:
    rows = [row(0, "abab", [0, 2], pair=0), row(1, "baba", [0, 2], pair=0), row(2, "aabb", [1, 3], pair=1)]
    first = of("a", "ab", rows)
    assert (first.games, first.wins, first.losses) == (6, 3, 3)
    assert of("b", "ab", rows).score == 0.5


def test_a_bot_counts_once_for_every_seat_that_it_holds() -> None:
    first = of("a", "ab", [row(0, "aab", [1], pair=0)])
    assert (first.games, first.wins, first.losses, first.score) == (2, 1, 1, 0.5)


def test_an_aborted_game_counts_for_nothing() -> None:
    rows = [row(0, "ab", [0]), row(1, "ba", result="aborted", reason="abandoned")]
    first = of("a", "ab", rows)
    assert (first.games, first.wins, first.reasons) == (1, 1, {"payoff": 1})


def test_a_bot_without_a_game_stands_at_nothing() -> None:
    first = of("a", "ab", [])
    assert (first.games, first.score, first.ci95, first.rating, first.reasons) == (0, 0.0, None, 0.0, {})


def test_the_same_bot_twice_has_two_standings() -> None:
    bots = labels(["greedy", "greedy"])
    rows = [row(0, bots, [0]), row(1, bots[::-1], [0])]
    assert [(each.bot, each.wins) for each in standings(bots, rows)] == [("greedy", 1), ("greedy#2", 1)]
