"""How fast is `eventsourcing` on SQLite? An aggregate with the events of our games, replayed to its state and appended.

The games come as a file of events, so that both sides keep the very same facts: `python aggregate.py replay GAMES`.
"""

# pyright: reportMissingImports=false, reportUntypedBaseClass=false, reportGeneralTypeIssues=false
import json
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any, Final
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate
from rounds import rounds

A_SAVE: Final = 4
"""Events that are appended together."""

Fact = dict[str, Any]


class Table(Aggregate):
    """A game in place; an event does to it what `events.game.evolve` does."""

    class Created(Aggregate.Created):
        rules: Fact
        seats: list[Fact]
        commitment: str

    class CardsDealt(Aggregate.Event):
        payoffs: list[list[str]]
        hands: list[list[str]]
        stock: list[str]

        def apply(self, aggregate: Any) -> None:
            aggregate.payoffs = [list(cards) for cards in self.payoffs]
            aggregate.hands = [list(cards) for cards in self.hands]
            aggregate.stock = list(self.stock)

    class PayoffsReshuffled(Aggregate.Event):
        payoffs: dict[str, list[str]]

        def apply(self, aggregate: Any) -> None:
            for seat, cards in self.payoffs.items():
                aggregate.payoffs[int(seat)] = list(cards)

    class TurnStarted(Aggregate.Event):
        seat: int
        turn: int

        def apply(self, aggregate: Any) -> None:
            aggregate.seat, aggregate.turn = self.seat, self.turn

    class CardsDrawn(Aggregate.Event):
        seat: int
        cards: list[str]

        def apply(self, aggregate: Any) -> None:
            aggregate.hands[self.seat] += self.cards
            del aggregate.stock[len(aggregate.stock) - len(self.cards) :]

    class CardPlayed(Aggregate.Event):
        seat: int
        source: str
        owner: int | None
        side: int | None
        card: str
        pile: int
        rank: int
        turned: str | None

        def apply(self, aggregate: Any) -> None:
            if self.source == "hand":
                aggregate.hands[self.seat].remove(self.card)
            elif self.source == "side":
                aggregate.sides[self.seat][self.side].pop()
            else:
                aggregate.payoffs[self.owner].pop()
            aggregate.piles[self.pile].append(self.card)

    class PileCompleted(Aggregate.Event):
        pile: int
        cards: list[str]
        to: str

        def apply(self, aggregate: Any) -> None:
            aggregate.piles[self.pile].clear()

    class StockShuffled(Aggregate.Event):
        stock: list[str]
        returned: int

        def apply(self, aggregate: Any) -> None:
            aggregate.stock = list(self.stock)

    class CardDiscarded(Aggregate.Event):
        seat: int
        card: str
        side: int

        def apply(self, aggregate: Any) -> None:
            aggregate.hands[self.seat].remove(self.card)
            aggregate.sides[self.seat][self.side].append(self.card)

    class GameEnded(Aggregate.Event):
        result: str
        winners: list[int]
        reason: str
        points: list[int] | None
        seed: str

        def apply(self, aggregate: Any) -> None:
            aggregate.result = (self.result, self.winners, self.reason)

    def __init__(self, rules: Fact, seats: list[Fact], commitment: str) -> None:
        self.rules, self.names, self.commitment = rules, seats, commitment
        self.payoffs: list[list[str]] = []
        self.hands: list[list[str]] = []
        self.stock: list[str] = []
        self.sides: list[list[list[str]]] = [[[] for _ in range(rules["side_stacks"])] for _ in seats]
        self.piles: list[list[str]] = [[] for _ in range(rules["centre_piles"])]
        self.seat = self.turn = 0
        self.result: Any = None


def append(app: Application[UUID], facts: list[Fact]) -> UUID:
    """A game's events, a few a save."""
    created = facts[0]
    table = Table(rules=created["rules"], seats=created["seats"], commitment=created["commitment"])
    for number, fact in enumerate(facts[1:], start=1):
        fields = {name: value for name, value in fact.items() if name != "type"}
        table.trigger_event(getattr(Table, fact["type"]), **fields)
        if number % A_SAVE == 0:
            app.save(table)
    app.save(table)
    return table.id


def main(what: str, file: str) -> None:
    games: list[list[Fact]] = json.loads(Path(file).read_text())
    events = sum(map(len, games))
    with tempfile.TemporaryDirectory() as folder:
        app = Application[UUID](
            env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": f"{folder}/events.db"}
        )
        kept = [append(app, facts) for facts in games] if what == "replay" else []

        def one_round() -> dict[str, Any]:
            began = perf_counter()
            if what == "append":
                for facts in games:
                    append(app, facts)
            tables = [app.repository.get(game) for game in kept]
            seconds = perf_counter() - began
            if not all(table.result for table in tables):
                raise RuntimeError("a game that had ended was not replayed to its end")
            return {"count": events, "seconds": seconds, "games": len(games)}

        rounds("eventsourcing", one_round)
        app.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
