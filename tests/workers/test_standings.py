"""Standings, worked out by hand."""

import random
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean

import msgspec
import pytest

from events.game.events import EndReason, Outcome
from workers.arena.ratings import Contest, ratings
from workers.arena.report import meetings
from workers.arena.schedule import labels
from workers.arena.standings import Row, Standing, interval, standings


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


def of(bot: str, bots: Sequence[str], rows: Iterable[Row], group: int = 2) -> Standing:
    return next(each for each in standings(bots, rows, group) if each.bot == bot)


def split(deals: int, won: float = 0.0, seed: int = 1) -> Iterator[Contest]:
    """Deals on which a wins both games with this chance, and each bot one otherwise."""
    dice = random.Random(seed)
    for deal in range(deals):
        second = float(dice.random() < won)
        yield Contest(deal, {"a": 1.0, "b": 0.0})
        yield Contest(deal, {"a": second, "b": 1.0 - second})


def test_a_draw_counts_half_a_win() -> None:
    rows = [row(0, "ab", [0]), row(1, "ba", [1]), row(2, "ab", reason="blocked"), row(3, "ba", [0])]
    first = of("a", "ab", rows)
    assert (first.games, first.wins, first.draws, first.losses, first.score) == (4, 2, 1, 1, 0.625)
    assert first.reasons == {"blocked": 1, "payoff": 3}
    assert of("b", "ab", rows).score == 0.375


def test_the_best_score_stands_first_and_equals_keep_their_order() -> None:
    rows = [row(0, "ab", [1]), row(1, "ba", [0])]
    assert [each.bot for each in standings("ab", rows, 2)] == ["b", "a"]
    assert [each.bot for each in standings("abc", [], 2)] == ["a", "b", "c"]


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


@pytest.mark.parametrize("chances", [(0.25, 0.5, 0.25), (0.05, 0.9, 0.05), (0.02, 0.08, 0.9)])
@pytest.mark.parametrize("groups", [2, 5, 20])
def test_an_interval_holds_the_true_score_as_often_as_it_says(chances: tuple[float, ...], groups: int) -> None:
    """Given pairs that end 0, 1 or 2 with these chances, then at least 95 of 100 intervals hold their mean."""
    dice = random.Random(5)
    truth = chances[1] / 2 + chances[2]
    drawn = [interval(dice.choices((0.0, 0.5, 1.0), chances, k=groups)) for _ in range(400)]
    held = [found is not None and found[0] <= truth <= found[1] for found in drawn]
    assert fmean(held) >= 0.94


def test_ratings_are_elo_points_about_the_mean_of_all() -> None:
    """Given bots of which each beats the next 3 games of 4, then they stand log10(3) times 400 points apart: 191."""
    contests = [
        Contest(deal, {one: float(deal % 4 > 0), other: float(deal % 4 == 0)})
        for deal in range(2000)
        for one, other in ("ab", "bc")
    ]
    found = ratings("abc", contests, 1)
    assert [found[bot].elo for bot in "abc"] == pytest.approx([191, 0, -191], abs=12)
    assert sum(found[bot].elo for bot in "abc") == pytest.approx(0)


def test_the_error_of_a_rating_is_taken_over_deals() -> None:
    """Given deals that are split nearly always, then far less is left open than by as many games on their own."""
    on_one_deal = list(split(500, 0.1))
    apart = [Contest(number, contest.scores) for number, contest in enumerate(on_one_deal)]
    bound, free = (ratings("ab", contests, group)["a"] for contests, group in ((on_one_deal, 2), (apart, 1)))
    assert bound.elo == free.elo == pytest.approx(17, abs=5)
    assert bound.error < 0.5 * free.error


def test_the_interval_of_a_rating_holds_the_true_one_as_often_as_it_says() -> None:
    """Given a bot that takes 55 % of the points, 34.9 Elo more than the other, half of that above the mean."""
    held = []
    for seed in range(60):
        found = ratings("ab", list(split(120, 0.1, seed)), 2)["a"]
        held.append(abs(found.elo - 34.9 / 2) <= 1.96 * found.error)
    assert fmean(held) >= 0.9


def test_a_draw_brings_ratings_together() -> None:
    won = [Contest(0, {"a": 1.0, "b": 0.0})]
    drawn = [*won, Contest(1, {"a": 0.5, "b": 0.5})]
    assert 0 < ratings("ab", drawn, 1)["a"].elo < ratings("ab", won, 1)["a"].elo


def test_of_three_parties_only_the_winner_is_compared() -> None:
    """Given that a alone wins, then nothing is known of b against c."""
    contests = [Contest(deal, {"a": 1.0, "b": 0.0, "c": 0.0}) for deal in range(50)]
    found = ratings("abc", contests, 1)
    assert found["b"].elo == pytest.approx(found["c"].elo, abs=10)
    assert found["a"].elo > 100 + found["b"].elo


def test_bots_that_win_a_third_each_at_three_seats_have_one_rating() -> None:
    rows = [row(number, ("abc", "bca", "cab")[number % 3], [number // 3 % 3], pair=number // 3) for number in range(90)]
    assert [each.rating for each in standings("abc", rows, 3)] == pytest.approx([0, 0, 0], abs=12)


def test_a_game_gives_a_bot_one_result_however_many_seats_it_holds() -> None:
    rows = [row(0, "aab", [1], pair=0), row(1, "abb", [1], pair=0), row(2, "aba", result="drawn", pair=0)]
    first, second = of("a", "ab", rows), of("b", "ab", rows)
    assert (first.games, first.wins, first.draws, first.losses, first.score) == (3, 1, 1, 1, 0.5)
    assert (second.games, second.wins, second.draws, second.losses, second.score) == (3, 1, 1, 1, 0.5)


def test_a_bot_wins_with_its_team() -> None:
    rows = [row(0, "abab", [0, 2], pair=0), row(1, "baba", [0, 2], pair=0)]
    first = of("a", "ab", rows)
    assert (first.games, first.wins, first.losses) == (2, 1, 1)
    assert of("b", "ab", rows).score == 0.5


def test_points_are_those_of_all_seats_of_a_bot_per_game() -> None:
    scored = [msgspec.structs.replace(row(0, "ab", [0]), points=(7, 0)), row(1, "ba", [1])]
    assert of("a", "ab", scored[:1]).points == 7
    assert of("b", "ab", scored[:1]).points == 0
    assert of("a", "ab", scored[1:]).points is None


def test_how_games_were_lost_is_told_apart() -> None:
    rows = [row(0, "ab", [0], reason="forfeit"), row(1, "ba", [1]), row(2, "ab", [1])]
    assert of("b", "ab", rows).losses_by == {"forfeit": 1, "payoff": 1}
    assert of("a", "ab", rows).losses_by == {"payoff": 1}


def test_a_meeting_counts_the_five_outcomes_of_its_complete_pairs() -> None:
    rows = [row(0, "ab", [0]), row(1, "ba", [1]), row(2, "ab", [0]), row(3, "ba"), row(4, "ab", [1]), row(5, "ba", [0])]
    rows += [row(6, "ab", [0]), row(7, "ba", [0]), row(8, "ab", [0])]
    (meeting,) = meetings("ab", rows, 2)
    assert meeting.outcomes == (1, 0, 1, 1, 1)
    assert (meeting.games, meeting.score) == (9, pytest.approx(5.5 / 9))
    assert meetings("ab", [row(0, "aab", [0], pair=0)], 6)[0].outcomes is None


def test_an_aborted_game_counts_for_nothing() -> None:
    rows = [row(0, "ab", [0]), row(1, "ba", result="aborted", reason="abandoned")]
    first = of("a", "ab", rows)
    assert (first.games, first.wins, first.reasons) == (1, 1, {"payoff": 1})


def test_a_bot_without_a_game_stands_at_nothing() -> None:
    first = of("a", "ab", [])
    assert (first.games, first.score, first.ci95, first.rating, first.reasons) == (0, 0.0, None, 0.0, {})
    assert (first.rating_ci95, first.points) == (None, None)


def test_the_same_bot_twice_has_two_standings() -> None:
    bots = labels(["greedy", "greedy"])
    rows = [row(0, bots, [0]), row(1, bots[::-1], [0])]
    assert [(each.bot, each.wins) for each in standings(bots, rows, 2)] == [("greedy", 1), ("greedy#2", 1)]
