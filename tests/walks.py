"""How are games played through by the hundred? Random walks over legal moves, and what is always true on the way.

`always_true` is the last paragraph of the rulebook's cases, `true_meanwhile` as much of it as holds inside a commit.
`Walk` plays one game and keeps its log beside it as JSON.
"""

import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from events.errors import BadRules
from events.game.cards import Card, pack
from events.game.decide import Command, Create, ExpireClock, Forfeit, MakeMove, Resign, decide
from events.game.events import CardPlayed, CardsDrawn, Event, Events, GameEnded, Origin, Position, SeatInfo
from events.game.evolve import evolve, fold
from events.game.fast.codes import MOVE_TEXTS
from events.game.fast.sight import sight_of
from events.game.legality import legal_moves, misfit
from events.game.moves import Discard, FromPayoff, Move, Play, parse_move
from events.game.position import check_position, position_of
from events.game.rules import Rules, check
from events.game.state import Game, Turn
from events.game.views import View, bare_view
from workers.bots.registry import find

FULL: Final = os.environ.get("MALICE_FULL") == "1"
"""Play the big numbers: 2,000 games over more than sixty rules."""
Choice: TypeAlias = Callable[[View, Sequence[Move], random.Random], Move]
_EVENT: Final = msgspec.json.Decoder(Event)


def cards_on(game: Game) -> Counter[Card]:
    """Every card of the table, wherever it lies."""
    found: Counter[Card] = Counter()
    for pile in (*game.piles, game.stock, game.aside):
        found.update(pile)
    for player in game.players:
        for pile in (player.payoff, player.hand, *player.sides):
            found.update(pile)
    return found


def always_true(game: Game, cards: Counter[Card]) -> None:
    """What holds after every commit of every game. Raises AssertionError that says what does not."""
    found = cards_on(game)
    if found != cards:
        raise AssertionError(f"cards lost {cards - found}, cards too many {found - cards}")
    full = [pile for pile, cards in enumerate(game.piles) if len(cards) >= game.rules.top_rank]
    if full and (game.result is None or game.result.reason != "payoff"):
        raise AssertionError(f"centre piles {full} are complete and lie on the table")
    for number, pile in enumerate(game.piles):
        for index in range(len(pile)):
            if misfit(pile[index], pile[:index], game.rules) is not None and game.start == "dealt":
                raise AssertionError(f"{pile[index]} cannot have come to index {index} of centre pile {number}")
    if game.turn is not None and game.turn.number > game.rules.turn_limit:
        raise AssertionError(f"turn {game.turn.number} of at most {game.rules.turn_limit}")
    if game.turn is not None and game.result is None:
        if game.players[game.turn.seat].resigned:
            raise AssertionError(f"seat {game.turn.seat} has left and is to move")
        if not legal_moves(bare_view(game, game.turn.seat, name=None, version=0)):
            raise AssertionError(f"seat {game.turn.seat} is to move and has no legal move")


def true_meanwhile(game: Game, event: Event, cards: Counter[Card]) -> None:
    """What holds after every single event, this one the last: inside a commit too. Raises AssertionError.

    No card is ever between two places, since a completed pile lies aside until its shuffle. A full pile lies there for
    the one event between its last card and its completion; whether a legal move exists is asked when a commit is done.
    """
    found = cards_on(game)
    if found != cards and found:
        raise AssertionError(f"after {event}: cards lost {cards - found}, cards too many {found - cards}")
    full = [pile for pile, cards in enumerate(game.piles) if len(cards) >= game.rules.top_rank]
    if full and not isinstance(event, CardPlayed | GameEnded):
        raise AssertionError(f"after {event}: centre piles {full} are complete")
    if isinstance(event, CardsDrawn) and len(game.players[event.seat].hand) > game.rules.hand:
        raise AssertionError(f"after {event}: more than {game.rules.hand} cards in hand")


def bot(name: str) -> Choice:
    """A registered bot; like all bots it is handed its seat's view."""
    strategy = find(name).choose

    def choose(view: View, legal: Sequence[Move], rng: random.Random) -> Move:
        return parse_move(MOVE_TEXTS[strategy(sight_of(view), rng)])

    return choose


def uniform(view: View, legal: Sequence[Move], rng: random.Random) -> Move:
    """Any legal move."""
    return rng.choice(legal)


def eager(view: View, legal: Sequence[Move], rng: random.Random) -> Move:
    """A payoff card while one can be played, else any other play, else whatever ends the turn: piles get completed."""
    plays = [move for move in legal if isinstance(move, Play)]
    payoff = [move for move in plays if isinstance(move.source, FromPayoff)]
    return rng.choice(payoff or plays or list(legal))


def tidy(view: View, legal: Sequence[Move], rng: random.Random) -> Move:
    """Eager, and discards high cards, each rank on a stack of its own."""
    discards = [move for move in legal if isinstance(move, Discard)]
    if len(discards) < len(legal):
        return eager(view, legal, rng)
    ranks = "**KQJT98765432A"
    return min(
        discards,
        key=lambda move: (ranks.index(move.card[0]), (ranks.index(move.card[0]) + move.side) % view.rules.side_stacks),
    )


class Walk:
    """One game from its deal or a position on. Every event is checked, and folded a second time from its JSON."""

    def __init__(
        self, rules: Rules, number: int, choose: Choice, *, leaving: float = 0.0, position: Position | None = None
    ) -> None:
        self.rules = rules
        self.rng = random.Random(f"walk {number}")
        self.seed = self.rng.randbytes(64)
        self.choose = choose
        self.leaving = leaving
        """How likely it is, before each move, that some seat resigns, times out or fails."""
        # A position of real play holds the whole pack too.
        self.pack = Counter(pack(rules.decks, rules.jokers))
        seats = tuple(SeatInfo(f"bot {seat}", "bot", "uniform", "") for seat in range(rules.seats))
        self.commits: list[Events] = []
        self.lines: list[bytes] = []
        self.replayed: Game | None = None
        self.last: Command
        """The command of the last commit."""
        origin = None if position is None else Origin("walk", number)
        create = Create(game="walk", rules=rules, seats=seats, position=position, forked_from=origin)
        self.game = self._commit(create, None)

    def to_the_end(self, each: "Callable[[Walk], None] | None" = None) -> "Walk":
        """Plays until the game is over; `each` looks at it after every commit."""
        while self.game.result is None:
            self.step()
            if each is not None:
                each(self)
        return self

    def step(self) -> None:
        """One command: nearly always a legal move of the seat to move."""
        self.game = self._commit(self._command(), self.game)

    @property
    def turn(self) -> Turn:
        """Whose turn it is."""
        if self.game.turn is None:
            raise AssertionError("the game has no turn")
        return self.game.turn

    def view(self) -> View:
        """The table as the seat to move sees it."""
        return bare_view(self.game, self.turn.seat, name=None, version=len(self.commits))

    def refold(self) -> Game:
        """The game, folded anew from the whole log as JSON."""
        return fold(event for line in self.lines for event in read(line))

    def _command(self) -> Command:
        view, to_move = self.view(), self.turn.seat
        if self.rng.random() < self.leaving:
            playing = self.game.playing()
            return self.rng.choice(
                [Resign(self.rng.choice(playing)), ExpireClock(to_move), Forfeit(to_move, "illegal_move")]
            )
        return MakeMove(to_move, self.choose(view, legal_moves(view), self.rng))

    def _commit(self, command: Command, game: Game | None) -> Game:
        events = decide(command, game, self.seed)
        self.last = command
        line = msgspec.json.encode(events)
        self.commits.append(events)
        self.lines.append(line)
        decoded = read(line)
        if decoded != events:
            raise AssertionError(f"events changed on their way through JSON: {events} became {decoded}")
        for event, again in zip(events, decoded, strict=True):
            game, self.replayed = evolve(game, event), evolve(self.replayed, again)
            if msgspec.json.encode(game) != msgspec.json.encode(self.replayed):
                raise AssertionError(f"the replayed game differs in version {len(self.commits)}, after {event}")
            true_meanwhile(game, event, self.pack)
        game = fold((), game)
        always_true(game, self.pack)
        if game.result is None:
            check_position(game.rules, position_of(game))
        return game


def read(line: bytes) -> Events:
    """The events of a commit, each decoded as `Event` from its JSON."""
    return tuple(_EVENT.decode(raw) for raw in msgspec.json.decode(line, type=list[msgspec.Raw]))


def drawn_rules(number: int) -> Rules:
    """Valid rules drawn by lot over every knob, the same for the same number. Games under them stay short."""
    rng = random.Random(f"rules {number}")
    while True:
        try:
            return check(_some_rules(rng))
        except BadRules:
            continue


def _some_rules(rng: random.Random) -> Rules:
    seats = rng.choice([2, 2, 3, 4, 4, 5, 6, 7, 8])
    jokers = rng.choice([0, 0, rng.randint(1, 16)])
    top: Literal["Q", "K"] = rng.choice(["Q", "K"])
    wild = jokers > 0 or top == "Q"
    exhaustion: Any = rng.choice(["blocked", "fewest", "draw"])
    teams = seats >= 4 and seats % 2 == 0 and rng.random() < 0.6
    points: Any = None if teams else rng.choice([None, "left"])
    return Rules(
        seats=seats,
        decks=rng.randint(1, 8),
        jokers=jokers,
        payoff=rng.choice([rng.randint(1, 8), rng.randint(1, 40)]),
        hand=rng.randint(1, 10),
        centre_piles=rng.randint(1, 8),
        side_stacks=rng.randint(1, 8),
        top=top,
        wild="K" if top == "Q" else None,
        wild_may_start=rng.random() < 0.5 if wild else None,
        wild_on_wild=rng.random() < 0.5 if wild else None,
        completed=rng.choice(["stock", "aside"]),
        starter=rng.choice(["highest", "lowest", "random", "first"]),
        refill=rng.random() < 0.6,
        must_play=rng.choice(["never", "aces", "aces_and_twos", "always"]),
        discard=rng.choice(["any", "no_aces", "no_wilds"]),
        exhaustion=exhaustion,
        exhaustion_at=None if exhaustion == "blocked" else rng.choice(["zero", "short"]),
        teams=teams,
        team_win=rng.choice(["all", "first"]) if teams else None,
        points=points,
        match=None if points is None else rng.choice([None, 1, 50]),
        turn_limit=rng.choice([10, 60, 150, 300]),
    )
