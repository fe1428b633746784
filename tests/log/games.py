"""How does a test come by a log? Games played by a fixed recipe, and the log file's form written down a second time.

`plain`, `chained` and `log_file` follow section 3 of the contract with the standard library alone: what the program
writes is held against them, and forgeries are made with them.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

import msgspec

from events.game.commands import Command, Create, MakeMove, Sit
from events.game.decide import decide
from events.game.events import Events, Position, SeatInfo
from events.game.evolve import fold
from events.game.legality import legal_moves
from events.game.moves import Discard, FromPayoff, Move, Play, move_text
from events.game.presets import AskedRules, resolve
from events.game.rules import Rules
from events.game.state import Game
from events.game.views import bare_view
from events.log.keys import clocks_key, idle_key, shard_of
from events.log.store import Store
from events.log.submit import Submitted, create, submit

Json: TypeAlias = dict[str, Any]
"""A commit, an event or a head as the json module reads it."""
SHORT: Final = {"preset": "gato-e-rato", "payoff": 5}
"""Rules of a game that is over soon."""


def ticking() -> Callable[[], str]:
    """A clock: noon of 31 January 2026, and 137 ms later at every look."""
    looks = 0

    def now() -> str:
        nonlocal looks
        looks += 1
        time = datetime(2026, 1, 31, 12, tzinfo=UTC) + timedelta(milliseconds=137 * looks)
        return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    return now


def seed_of(number: int) -> bytes:
    """64 bytes, the same for the same number."""
    return hashlib.sha512(f"game {number}".encode()).digest()


def people(rules: Rules) -> tuple[SeatInfo, ...]:
    """People at every seat, who all add to the seed."""
    return tuple(SeatInfo(f"Señor {seat}", "human", None, f"dados {seat}") for seat in range(rules.seats))


def steady(game: Game, number: int = 0) -> MakeMove:
    """The move of the seat to move by a recipe that leaves nothing to chance: play what can be played, payoff first."""
    if game.turn is None:
        raise AssertionError("nobody is to move")
    legal = sorted(legal_moves(bare_view(game, game.turn.seat, name=None, version=0)), key=move_text)
    plays = [move for move in legal if isinstance(move, Play)]
    payoff = [move for move in plays if isinstance(move.source, FromPayoff)]
    choice = payoff or plays or _tidiest(legal)
    return MakeMove(game.turn.seat, choice[(number + game.turn.number) % len(choice)])


def _tidiest(legal: Sequence[Move]) -> Sequence[Move]:
    """The discards of the highest cards, each rank on a stack of its own."""
    ranks = "*KQJT98765432A"
    places = {move: ranks.index(move.card[0]) for move in legal if isinstance(move, Discard)}
    least = min((place * 4 + (place + move.side) % 4 for move, place in places.items()), default=None)
    return [move for move, place in places.items() if place * 4 + (place + move.side) % 4 == least] or legal


def begin(store: Store, game: str, asked: AskedRules = "gato-e-rato", number: int = 0) -> Submitted:
    """Create a game for people in the store."""
    rules = resolve(asked)
    command = Create(game=game, rules=rules, seats=people(rules))
    return create(store, command, seed=seed_of(number), by="system")


def move_on(store: Store, game: str, moves: int = 1, number: int = 0) -> Submitted:
    """Submit so many moves, or fewer when the game ends before; the last one's answer."""
    submitted = None
    for _ in range(moves):
        table = store.load(game).game
        if table.result is not None:
            break
        command = steady(table, number)
        submitted = submit(store, game, command, by=f"seat:{command.seat}")
    if submitted is None:
        raise AssertionError("no move was made")
    return submitted


class Book:
    """A log in the making, written without a store."""

    def __init__(
        self,
        asked: AskedRules | Rules,
        number: int = 0,
        *,
        game: str = "00book",
        seats: tuple[SeatInfo, ...] | None = None,
        position: Position | None = None,
        match: str | None = None,
    ) -> None:
        rules = asked if isinstance(asked, Rules) else resolve(asked)
        self.name, self.number, self.seed, self.now = game, number, seed_of(number), ticking()
        self.bodies: list[Json] = []
        self.table: Game | None = None
        seated = seats or people(rules)
        self.do(Create(game=game, rules=rules, seats=seated, match=match, position=position), "system")

    @property
    def game(self) -> Game:
        """The game so far."""
        if self.table is None:
            raise AssertionError("the game is created first")
        return self.table

    def do(self, command: Command, by: str, key: str | None = None) -> "Book":
        """One more commit."""
        events = decide(command, self.table, self.seed)
        self.table = fold(events, self.table)
        self.bodies.append(body(len(self.bodies) + 1, self.now(), by, key, events))
        return self

    def sit(self, seat: int, entropy: str = "") -> "Book":
        """Somebody takes the first open seat, which is this one."""
        return self.do(Sit(f"guest {seat}", entropy), f"seat:{seat}")

    def moves(self, most: int = 10_000) -> "Book":
        """So many moves, or until the game is over."""
        for _ in range(most):
            if self.game.result is not None:
                break
            command = steady(self.game, self.number)
            kind = "bot" if self.game.players[command.seat].kind == "bot" else "seat"
            self.do(command, f"{kind}:{command.seat}", f"key {len(self.bodies)}" if len(self.bodies) % 3 else None)
        return self

    def file(self) -> bytes:
        """The log file."""
        return log_file(self.name, self.game.result is not None, chained(self.bodies))


def body(version: int, at: str, by: str, key: str | None, events: Events) -> Json:
    """A commit without its hash."""
    facts = [msgspec.to_builtins(event, str_keys=True) for event in events]
    return {"version": version, "at": at, "by": by, "key": key, "events": json.loads(json.dumps(facts))}


def plain(value: Json) -> bytes:
    """Contract, section 3: UTF-8, keys sorted, no spaces, escapes only where JSON needs them."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def chained(bodies: Sequence[Json]) -> list[Json]:
    """The commits of these bodies: each hash made anew from the one before it and the body."""
    commits, previous = [], "0" * 64
    for one in bodies:
        bare = {name: value for name, value in one.items() if name != "hash"}
        previous = hashlib.sha256(previous.encode("ascii") + plain(bare)).hexdigest()
        commits.append(bare | {"hash": previous})
    return commits


def log_file(game: str, complete: bool, commits: Sequence[Json]) -> bytes:
    """A log file with these lines."""
    head = {"format": "malice-log/1", "game": game, "complete": complete}
    return b"".join(plain(line) + b"\n" for line in (head, *commits))


def read_file(file: bytes) -> tuple[Json, list[Json]]:
    """The head and the commits of a log file."""
    head, *commits = [json.loads(line) for line in file.splitlines()]
    return head, commits


def let_pass(store: Store, game: str, seconds: float) -> None:
    """As if so much time had gone by in this game since its last commit: its clocks stand that much earlier."""
    for key in (clocks_key(shard_of(game)), idle_key(shard_of(game))):
        if store.client.zscore(key, game) is not None:
            store.client.zincrby(key, -1000 * seconds, game)
