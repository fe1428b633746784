"""Is a commit true? It is judged by deciding its command again and comparing what follows.

With the seed every shuffle is repeated. Without it a shuffle is taken as recorded and only its cards are compared.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, assert_never

import msgspec

from events.errors import BadPosition, BadRules, Malformed, Rejected, Unreadable
from events.game.cards import Card, Cards, in_order
from events.game.commands import Abandon, Command, Create, ExpireClock, Forfeit, MakeMove, Resign, Sit
from events.game.decide import decide_by
from events.game.events import (
    CardDiscarded,
    CardPlayed,
    CardsDealt,
    ClockExpired,
    Event,
    Events,
    GameCreated,
    GameEnded,
    PayoffsReshuffled,
    Position,
    PositionSet,
    SeatForfeited,
    SeatResigned,
    SeatTaken,
    StockShuffled,
    TurnPassed,
    TurnStarted,
)
from events.game.evolve import fold
from events.game.moves import Discard, FromHand, FromPayoff, FromSide, Pass, Play, Source
from events.game.shuffle import SeededDice, commitment
from events.game.state import Game
from events.log.commit import Commit

_SEED: Final = re.compile(r"[0-9a-f]{128}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")


def judge(commit: Commit, game: Game | None, seed: bytes | None) -> Game:
    """The game after this commit, if the rules bring about just its events. Raises `Unreadable` else."""
    version, events = commit.version, commit.events
    if not events:
        raise Unreadable(version, "it holds no event")
    try:
        command = command_of(events)
        if (game is None) != isinstance(command, Create):
            raise Unreadable(version, f"a game cannot go on with {_type(events[0])} here")
        dice = SeededDice(seed) if seed is not None else RecordedDice(events)
        expected = decide_by(command, game, dice).events
        after = fold(events, game)
    except (Rejected, BadRules, BadPosition, Malformed) as error:
        raise Unreadable(version, f"against the rules: {error}") from None
    except (ValueError, LookupError) as error:
        raise Unreadable(version, f"does not follow from the game before it: {error}") from None
    for number, event in enumerate(events):
        if number >= len(expected) or event != expected[number]:
            wanted = _type(expected[number]) if number < len(expected) else "nothing more"
            raise Unreadable(version, f"event {number}, {_type(event)}, is not what follows by the rules ({wanted})")
    if len(expected) > len(events):
        raise Unreadable(version, f"{_type(expected[len(events)])} is missing at its end")
    if commit.by not in _actors(command, events[0], after):
        raise Unreadable(version, f"by is {commit.by!r}, who cannot have done this")
    if isinstance(events[-1], GameEnded) and not keeps_promise(events[-1].seed, after.commitment):
        raise Unreadable(version, "the seed revealed is not the one that was promised")
    return after


def command_of(events: Events) -> Command:
    """The command that a commit's first event tells of. Raises ValueError where no command begins so."""
    match events[0]:
        case GameCreated(game, rules, seats, _, match_id, origin):
            second = events[1] if len(events) > 1 else None
            position = Position(**msgspec.structs.asdict(second)) if isinstance(second, PositionSet) else None
            return Create(game=game, rules=rules, seats=seats, match=match_id, forked_from=origin, position=position)
        case SeatTaken(seat, name, entropy):
            return Sit(name, entropy, seat)
        case CardPlayed() as played:
            return MakeMove(played.seat, Play(_source(played), played.pile))
        case CardDiscarded(seat, card, side):
            return MakeMove(seat, Discard(card, side))
        case TurnPassed(seat):
            return MakeMove(seat, Pass())
        case SeatResigned(seat):
            return Resign(seat)
        case ClockExpired(seat):
            return ExpireClock(seat)
        case SeatForfeited(seat, cause):
            return Forfeit(seat, cause)
        case GameEnded(reason="abandoned"):
            return Abandon()
        case other:
            raise ValueError(f"no commit begins with {_type(other)}")


class RecordedDice:
    """Chance as a commit has recorded it, for a game whose seed is not known. A shuffle must keep its cards."""

    def __init__(self, events: Events) -> None:
        self._events = events
        self._shuffles = _recorded_shuffles(events)

    def commitment(self) -> str:
        promise = next(event.commitment for event in self._events if isinstance(event, GameCreated))
        if _HASH.fullmatch(promise) is None:
            raise ValueError(f"the commitment is {promise!r}, not a SHA-256 in hex")
        return promise

    def reveal(self) -> str:
        return next((event.seed for event in self._events if isinstance(event, GameEnded)), "")

    def shuffle(self, entropies: Sequence[str], number: int, cards: Sequence[Card]) -> Cards:
        del entropies  # only the seed would mix them in
        pile = next(self._shuffles, None)
        if pile is None or in_order(pile) != in_order(cards):
            raise ValueError(f"shuffle {number} does not hold the cards that were shuffled")
        return pile

    def lot(self, entropies: Sequence[str], number: int, seats: Sequence[int]) -> int:
        del entropies, number
        seat = next((event.seat for event in self._events if isinstance(event, TurnStarted)), seats[0])
        if seat not in seats:
            raise ValueError(f"the lot fell on seat {seat}, which is not there")
        return seat


def _recorded_shuffles(events: Events) -> Iterator[Cards]:
    for event in events:
        match event:
            case CardsDealt(payoffs, hands, stock):
                dealt: list[Card] = [card for pile in (*payoffs, *hands) for card in pile]
                yield (*stock, *reversed(dealt))
            case PayoffsReshuffled(payoffs):
                yield from payoffs.values()
            case StockShuffled(stock, _):
                yield stock
            case _:
                pass


def keeps_promise(seed: str, promise: str) -> bool:
    """Is this hex text the seed whose hash was promised at creation?"""
    return _SEED.fullmatch(seed) is not None and commitment(bytes.fromhex(seed)) == promise


def _source(played: CardPlayed) -> Source:
    match played.source:
        case "hand":
            return FromHand(played.card)
        case "payoff":
            return FromPayoff(None if played.owner == played.seat else played.owner)
        case "side":
            return FromSide(-1 if played.side is None else played.side)
        case _:
            assert_never(played.source)


def _actors(command: Command, done: Event, game: Game) -> set[str]:
    match command:
        case Create() | ExpireClock() | Abandon():
            return {"system"}
        case Sit():
            return {f"seat:{done.seat}"} if isinstance(done, SeatTaken) else set()
        case MakeMove(seat, _):
            return {actor(game, seat), "system"}
        case Resign(seat):
            return {actor(game, seat)}
        case Forfeit(seat, _):
            return {actor(game, seat)} if game.players[seat].kind == "bot" else set()
        case _:
            assert_never(command)


def actor(game: Game, seat: int) -> str:
    """Who moves for a seat, as `by` says it."""
    return f"bot:{seat}" if game.players[seat].kind == "bot" else f"seat:{seat}"


def _type(event: Event) -> str:
    return type(event).__name__
