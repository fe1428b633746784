"""Who meets whom: every seating of every deal, in an order that does not change when the arena grows."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, permutations
from math import comb

import pytest

from workers.arena.schedule import MOST_SEATINGS, Fixture, fixture, group_size, labels, shards

TABLES = [(1, 2), (2, 2), (3, 2), (5, 2), (3, 3), (4, 3), (2, 3), (2, 4), (3, 4), (5, 4), (5, 5), (2, 6)]
LARGE = [(2, 8), (3, 8), (7, 8), (8, 8), (6, 6), (7, 6), (10, 8)]
"""Tables with more seatings than are played on a deal."""


def schedule(bots: Sequence[str], games: int, seats: int) -> list[Fixture]:
    """The first fixtures of an arena, in order."""
    return [fixture(number, len(bots), seats) for number in range(games)]


def names(count: int) -> list[str]:
    return [f"bot{index}" for index in range(count)]


def round_of(bots: int, seats: int) -> list[Fixture]:
    """All fixtures until every lineup has had one deal."""
    games = group_size(bots, seats) * comb(bots, min(bots, seats))
    return schedule(names(bots), games, seats)


def test_two_bots_play_each_deal_twice_with_seats_swapped() -> None:
    assert [(each.number, each.deal, each.pair, each.seats) for each in schedule(["a", "b"], 4, 2)] == [
        (0, 0, 0, (0, 1)),
        (1, 0, 0, (1, 0)),
        (2, 1, 1, (0, 1)),
        (3, 1, 1, (1, 0)),
    ]


def test_three_bots_meet_in_turn_two_by_two() -> None:
    pairs = [each.seats for each in schedule(["a", "b", "c"], 12, 2)]
    assert pairs == [(1, 2), (2, 1), (0, 2), (2, 0), (0, 1), (1, 0)] * 2


def test_three_bots_at_three_seats_sit_in_all_six_orders() -> None:
    assert {each.seats for each in schedule(["a", "b", "c"], 6, 3)} == set(permutations(range(3)))


def test_two_bots_at_three_seats_share_them_in_all_six_ways() -> None:
    seatings = [each.seats for each in schedule(["a", "b"], 6, 3)]
    assert seatings == [(0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0)]


def test_a_bot_alone_plays_itself() -> None:
    assert [each.seats for each in schedule(["a"], 3, 2)] == [(0, 0)] * 3


@pytest.mark.parametrize(("bots", "seats"), TABLES)
def test_a_deal_is_played_once_with_every_seating_of_its_lineup(bots: int, seats: int) -> None:
    for _, group in groupby(round_of(bots, seats), key=lambda each: each.pair):
        games = list(group)
        lineup = set(games[0].seats)
        assert len(games) == len({each.seats for each in games}) == group_size(bots, seats)
        assert all(set(each.seats) == lineup for each in games)
        assert len(lineup) == min(bots, seats)


@pytest.mark.parametrize(("bots", "seats"), LARGE)
def test_of_very_many_seatings_a_deal_is_played_with_a_few_in_which_all_sit_everywhere(bots: int, seats: int) -> None:
    size = group_size(bots, seats)
    assert seats <= size <= MOST_SEATINGS
    orders = set()
    for deal in range(6):
        games = [fixture(deal * size + number, bots, seats) for number in range(size)]
        lineup = set(games[0].seats)
        assert len(lineup) == min(bots, seats)
        assert all(set(each.seats) == lineup and each.pair == deal for each in games)
        sat = Counter((seat, bot) for each in games for seat, bot in enumerate(each.seats))
        assert len(sat) == len(lineup) * seats
        assert len(set(sat.values())) == 1, "each of them equally often at each seat"
        orders.add(games[0].seats)
    assert len(orders) == 6, "another order on every deal"


@pytest.mark.parametrize("bots", [3, 4, 7, 10, 64])
def test_in_a_whole_round_every_two_bots_meet_once_at_either_side(bots: int) -> None:
    met = Counter(each.seats for each in schedule(names(bots), bots * (bots - 1), 2))
    assert met == Counter(permutations(range(bots), 2))


@pytest.mark.parametrize(("bots", "most"), [(4, 2), (7, 4), (10, 2), (64, 2)])
@pytest.mark.parametrize("games", [20, 90, 1000])
def test_however_early_it_ends_all_bots_have_played_about_as_many_games(bots: int, most: int, games: int) -> None:
    played = Counter(bot for each in schedule(names(bots), games, 2) for bot in each.seats)
    counts = [played[bot] for bot in range(bots)]
    assert max(counts) - min(counts) <= most


def test_of_many_bots_at_many_seats_none_is_kept_waiting() -> None:
    played = Counter(bot for each in schedule(names(64), 2000, 8) for bot in each.seats)
    assert len(played) == 64
    assert max(played.values()) < 2.5 * min(played.values())


@pytest.mark.parametrize(("bots", "seats"), TABLES)
def test_in_a_whole_round_every_bot_sits_equally_often_at_every_seat(bots: int, seats: int) -> None:
    sat = Counter((seat, bot) for each in round_of(bots, seats) for seat, bot in enumerate(each.seats))
    assert len(sat) == bots * seats
    assert len(set(sat.values())) == 1


@pytest.mark.parametrize(("bots", "seats"), TABLES)
def test_a_longer_schedule_begins_with_the_shorter_one(bots: int, seats: int) -> None:
    long = schedule(names(bots), 40, seats)
    for games in (0, 1, 7, 39):
        assert schedule(names(bots), games, seats) == long[:games]


def test_a_far_fixture_is_found_without_those_before_it() -> None:
    for bots in (12, 64):
        meeting = fixture(10**12 + 1, bots, 8)
        assert meeting.number == 10**12 + 1
        assert len(set(meeting.seats)) == 8


@pytest.mark.parametrize("group", [1, 2, 6, 24])
@pytest.mark.parametrize("size", [1, 5, 16, 100])
@pytest.mark.parametrize("games", [0, 1, 50, 97])
def test_shards_hold_every_game_once_and_split_no_group(games: int, size: int, group: int) -> None:
    ranges = list(shards(games, size, group))
    assert [number for numbers in ranges for number in numbers] == list(range(games))
    assert all(numbers.start % group == 0 for numbers in ranges)
    assert all(len(numbers) <= max(size, group) for numbers in ranges)


def test_the_second_bot_of_a_name_is_told_apart() -> None:
    assert labels(["greedy", "uniform", "greedy", "greedy"]) == ("greedy", "uniform", "greedy#2", "greedy#3")
