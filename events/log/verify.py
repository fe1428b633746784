"""Is a log true? Every line in form and in the chain, every move legal, every consequence and every shuffle right.

Each commit is judged by deciding its command again. While the seed is known (the game has ended) that repeats every
shuffle; before, a shuffle is taken as recorded and only its cards are counted.
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
    SeatInfo,
    SeatResigned,
    SeatTaken,
    StockShuffled,
    TurnPassed,
    TurnStarted,
)
from events.game.evolve import fold
from events.game.moves import Discard, FromHand, FromPayoff, FromSide, Pass, Play, Source
from events.game.rules import check
from events.game.shuffle import SeededDice, check_entropy, commitment
from events.game.state import Game
from events.log.commit import GENESIS, Commit, body_of, canonical, chained, read_line
from events.log.record import lines_of, read_head

_AT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_SEED: Final = re.compile(r"[0-9a-f]{128}")


class Verification(msgspec.Struct, frozen=True):
    """What `malice verify` says. `version` is the lowest that is missing or wrong, null when all is well."""

    ok: bool
    game: str
    versions: int
    """Commits that are there and right, from the first on."""
    complete: bool
    shuffles: bool
    """Were the shuffles checked against the seed? Only an ended game has shown it."""
    version: int | None
    why: str | None


def verify(file: bytes) -> Verification:
    """Judge a whole log file; never raises for what it holds."""
    first, rest = lines_of(file)
    good = 0
    game, complete, seeded = "", False, False
    try:
        head = read_head(first)
        game, complete = head.game, head.complete
        seed = promised_seed(rest)
        seeded = seed is not None
        ended = False
        for commit, table in _judged(rest, seed):
            good, ended = commit.version, table.result is not None
        if good == 0 or (complete and not ended):
            raise Unreadable(good + 1, "missing: the head says that the log goes to the end of the game")
        if ended and not complete:
            raise Unreadable(0, "the head says that the game goes on, and it has ended")
        return Verification(True, game, good, complete, seeded, None, None)
    except Unreadable as error:
        return Verification(False, game, good, complete, seeded, error.version, error.why)


def _judged(lines: Sequence[bytes], seed: bytes | None) -> Iterator[tuple[Commit, Game]]:
    previous, game = GENESIS, None
    for version, line in enumerate(lines, start=1):
        commit = read_line(line, version)
        _check_line(commit, version, previous)
        game = judge(commit, game, seed)
        previous = commit.hash
        yield commit, game


def _check_line(commit: Commit, version: int, previous: str) -> None:
    if commit.version != version:
        raise Unreadable(version, f"missing: version {commit.version} stands in its place")
    if chained(previous, canonical(body_of(commit))) != commit.hash:
        raise Unreadable(version, "its hash does not follow from its content and the hash before it")
    if not _AT.fullmatch(commit.at):
        raise Unreadable(version, f"at is {commit.at!r}, not a time such as 2026-01-31T12:00:00.123Z")


def judge(commit: Commit, game: Game | None, seed: bytes | None) -> Game:
    """The game after this commit, if the rules bring about just its events. Raises `Unreadable` else."""
    version, events = commit.version, commit.events
    if not events:
        raise Unreadable(version, "it holds no event")
    try:
        command = command_of(events)
        if game is None and isinstance(command, Create):
            _check_created(command)
        if (game is None) != isinstance(command, Create):
            raise Unreadable(version, f"a game cannot go on with {_type(events[0])} here")
        dice = SeededDice(seed) if seed is not None else RecordedDice(events)
        expected = decide_by(command, game, dice)
        after = fold(events, game)
    except (Rejected, BadRules, BadPosition, Malformed) as error:
        raise Unreadable(version, f"against the rules: {error}") from None
    except (ValueError, IndexError) as error:
        raise Unreadable(version, f"does not follow from the game before it: {error}") from None
    for number, event in enumerate(events):
        if number >= len(expected) or event != expected[number]:
            wanted = _type(expected[number]) if number < len(expected) else "nothing more"
            raise Unreadable(version, f"event {number}, {_type(event)}, is not what follows by the rules ({wanted})")
    if len(expected) > len(events):
        raise Unreadable(version, f"{_type(expected[len(events)])} is missing at its end")
    if commit.by not in _actors(command, after):
        raise Unreadable(version, f"by is {commit.by!r}, who cannot have done this")
    if isinstance(events[-1], GameEnded) and not _keeps_promise(events[-1].seed, after.commitment):
        raise Unreadable(version, "the seed revealed is not the one that was promised")
    return after


def command_of(events: Events) -> Command:
    """The command that a commit's first event tells of. Raises ValueError where no command begins so."""
    match events[0]:
        case GameCreated(game, rules, seats, _, match_id, origin):
            second = events[1] if len(events) > 1 else None
            position = Position(**msgspec.structs.asdict(second)) if isinstance(second, PositionSet) else None
            return Create(game=game, rules=rules, seats=seats, match=match_id, forked_from=origin, position=position)
        case SeatTaken(_, name, entropy):
            return Sit(name, entropy)
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
        return next(event.commitment for event in self._events if isinstance(event, GameCreated))

    def reveal(self) -> str:
        return next((event.seed for event in self._events if isinstance(event, GameEnded)), "")

    def shuffle(self, entropies: Sequence[str], number: int, cards: Sequence[Card]) -> Cards:
        pile = next(self._shuffles, None)
        if pile is None or in_order(pile) != in_order(cards):
            raise ValueError(f"shuffle {number} does not hold the cards that were shuffled")
        return pile

    def lot(self, entropies: Sequence[str], number: int, seats: Sequence[int]) -> int:
        return next((event.seat for event in self._events if isinstance(event, TurnStarted)), seats[0])


def _recorded_shuffles(events: Events) -> Iterator[Cards]:
    for event in events:
        match event:
            case CardsDealt(payoffs, hands, stock):
                dealt = [card for pile in (*payoffs, *hands) for card in pile]
                yield (*stock, *reversed(dealt))
            case PayoffsReshuffled(payoffs):
                yield from payoffs.values()
            case StockShuffled(stock, _):
                yield stock
            case _:
                pass


def promised_seed(lines: Sequence[bytes]) -> bytes | None:
    """The seed that the log's last commit reveals, if it is the one that its first commit promised."""
    if not lines:
        return None
    try:
        first, last = read_line(lines[0], 1), read_line(lines[-1], len(lines))
    except Unreadable:
        return None
    created = next((event for event in first.events if isinstance(event, GameCreated)), None)
    ended = next((event for event in last.events if isinstance(event, GameEnded)), None)
    if created is None or ended is None or not _keeps_promise(ended.seed, created.commitment):
        return None
    return bytes.fromhex(ended.seed)


def _keeps_promise(seed: str, promise: str) -> bool:
    return _SEED.fullmatch(seed) is not None and commitment(bytes.fromhex(seed)) == promise


def _check_created(command: Create) -> None:
    check(command.rules)
    if len(command.seats) != command.rules.seats:
        raise BadRules(f"{len(command.seats)} seats under rules for {command.rules.seats}")
    if command.forked_from is not None and command.position is None:
        raise BadPosition("a fork begins with a position")
    for seat in command.seats:
        check_seat(seat)


def check_seat(seat: SeatInfo) -> None:
    """Raises `BadRules` for a seat that is not as `GameCreated` lists seats."""
    if (seat.bot is not None) != (seat.kind == "bot") or (seat.kind == "open") != (seat.name is None):
        raise BadRules(f"a seat of kind {seat.kind} with name {seat.name!r} and bot {seat.bot!r}")
    check_entropy(seat.entropy)
    if seat.kind == "open" and seat.entropy:
        raise BadRules("an open seat has no entropy yet")


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


def _actors(command: Command, game: Game) -> set[str]:
    match command:
        case Create() | ExpireClock() | Abandon():
            return {"system"}
        case Sit():
            return {f"seat:{seat}" for seat, player in enumerate(game.players) if player.kind == "human"}
        case MakeMove(seat, _):
            return {_actor(game, seat), "system"}
        case Resign(seat) | Forfeit(seat, _):
            return {_actor(game, seat)}
        case _:
            assert_never(command)


def _actor(game: Game, seat: int) -> str:
    return f"bot:{seat}" if game.players[seat].kind == "bot" else f"seat:{seat}"


def _type(event: Event) -> str:
    return type(event).__name__
