"""Which arenas are found, and in which order? On each kind of store."""

from collections.abc import Sequence

import pytest

from events.game.presets import resolve
from events.log.listing import Place
from events.log.store import Store
from workers.arena import ledger, listing
from workers.arena.terms import STATUSES, Arena, Status

RULES = resolve({"preset": "gato-e-rato", "payoff": 5})
BOTS = ("greedy", "uniform")


def begun(store: Store, *, private: bool = False) -> Arena:
    return ledger.start(store, BOTS, 2, RULES, "x", private=private)


def names(store: Store, limit: int, statuses: Sequence[Status] = STATUSES) -> list[list[str]]:
    """The ids on each page."""
    pages: list[list[str]] = []
    before: Place | None = None
    while True:
        found, before = listing.page(store, statuses, before, limit)
        pages.append([arena.arena for arena, _ in found])
        if before is None:
            return pages


def test_pages_are_newest_first_and_neither_skip_nor_repeat(store: Store) -> None:
    made = [begun(store).arena for _ in range(7)]
    assert names(store, 3) == [made[:3:-1], made[3:0:-1], made[:1]]
    assert names(store, 7) == [made[::-1]], "and the last page knows that it is the last"


def test_a_private_arena_is_on_no_list(store: Store) -> None:
    begun(store, private=True)
    shown = begun(store)
    assert names(store, 10) == [[shown.arena]]


def test_an_arena_started_twice_is_listed_once_where_it_was(store: Store) -> None:
    first = begun(store)
    other = begun(store)
    ledger.start(store, BOTS, 2, RULES, "x", arena=first.arena)
    assert names(store, 10) == [[other.arena, first.arena]]


def test_a_page_of_one_status_looks_at_so_many_arenas_and_no_more(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given few that stand as asked for, then pages may be short, and following them finds all."""
    monkeypatch.setattr(listing, "CHUNK", 2)
    monkeypatch.setattr(listing, "MOST_READ", 4)
    made = [begun(store).arena for _ in range(9)]
    for name in (made[0], made[8]):
        ledger.cancel(store, name)
    assert names(store, 5, ("cancelled",)) == [[made[8]], [], [made[0]]]
    assert names(store, 1, ("cancelled",)) == [[made[8]], [], [made[0]]]


def test_an_arena_whose_record_is_gone_is_left_out(store: Store) -> None:
    lost, kept = begun(store), begun(store)
    store.client.delete(ledger.arena_key(lost.arena))
    assert names(store, 10) == [[kept.arena]]
