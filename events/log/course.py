"""How do very many games go on at once? A course: a game in numbers and the end of its log, moved without waiting.

What it writes is what `submit.create` and `submit.advance` would have written, to the byte (`tests/log/test_course.py`
plays the same seeds both ways); it goes in by the same script, in stretches of several commits (`append.Stretch`).
"""

from hashlib import sha256
from typing import Final

from events.game.commands import Command, Create
from events.game.decide import decide_by
from events.game.events import GameCreated, GameEnded
from events.game.evolve import evolve
from events.game.fast.bridge import game_of, table_of
from events.game.fast.dealing import deal
from events.game.fast.dice import SeededDice
from events.game.fast.facts import events_of, packed
from events.game.fast.sight import knobs_of
from events.game.fast.table import Table
from events.game.fast.telling import told
from events.game.rules import LIMITS
from events.game.shuffle import SeededDice as SlowDice
from events.game.state import Game, Result
from events.log.append import Stretch, keys_of
from events.log.commit import GENESIS
from events.log.packing import head_of, heads_of
from events.log.store import Loaded

_BOTS: Final = [f"bot:{seat}" for seat in range(LIMITS["seats"][1])]


class Moment:
    """The time of a batch of commits, as each actor's commits begin with it."""

    def __init__(self, at: str) -> None:
        self.at: str = at
        heads = heads_of(at, [*_BOTS, "system"])
        self.heads: list[bytes] = heads[:-1]
        self.texts: list[str] = [f'{{"at":"{at}","by":"{bot}","events":[' for bot in _BOTS]
        self.head_of_system: bytes = heads[-1]
        self.text_of_system: str = f'{{"at":"{at}","by":"system","events":['


class Course:
    """A game between bots that goes on: its table, and what the next commit is chained to."""

    def __init__(
        self, name: str, game: Game, table: Table, dice: SeededDice, version: int, digest: str, logged: bool
    ) -> None:
        self.name: str = name
        self.table: Table = table
        self.dice: SeededDice = dice
        self.version: int = version
        """Commits so far, those that are not in the store yet among them."""
        self.result: Result | None = None
        self.facts: list[bytes] = []
        """Of every commit, in a game that is not logged: no store is to keep it, and nothing is sealed."""
        self._logged: bool = logged
        self._began: Game = game
        self._hash: str = digest
        self._lines: list[bytes] = []
        self._keys: tuple[str, ...] = keys_of(name) if logged else ()
        self._since: int = version
        self._before: str = digest
        self._seed: bytes = b""

    def move(self, move: int, moment: Moment) -> None:
        """The seat to move makes this move. Raises ValueError, and nothing has changed, where it is illegal."""
        seat = self.table.board.seat
        facts = self.table.play(move)
        self._write(moment.heads[seat], moment.texts[seat], facts)
        if self.table.board.over:
            self._end(facts)

    def command(self, command: Command, by: str, moment: Moment) -> None:
        """What is no move, such as a forfeit: judged and folded by the reference. Raises `Rejected`."""
        decided = decide_by(command, self.game(), SlowDice(self.dice.seed))
        facts = packed(decided.events)
        self._write(head_of(moment.at, by), f'{{"at":"{moment.at}","by":"{by}","events":[', facts)
        self.result = decided.game.result
        if self.result is None:
            self._began = decided.game
            self.table = table_of(decided.game, self.dice)
        else:
            board = self.table.board
            board.over = True
            board.resigned = [player.resigned for player in decided.game.players]

    def stretch(self) -> Stretch:
        """What has been written since the last stretch; the caller sends it."""
        before = b"" if self._before == GENESIS else bytes.fromhex(self._before)
        stretch = Stretch(self._keys, self._since, before, self._lines, self._seed, self.result is not None)
        self._lines, self._since, self._before, self._seed = [], self.version, self._hash, b""
        return stretch

    def game(self) -> Game:
        """The game as it stands, as a frozen value. Raises ValueError once it has ended: then its log says all."""
        if self.result is not None:
            raise ValueError("a game that has ended is read from its log")
        return game_of(self.table, self._began)

    def begin(self, created: bytes, moment: Moment) -> None:
        """Write the creation, and deal."""
        facts = created + deal(self.table)
        self._write(moment.head_of_system, moment.text_of_system, facts)
        self._seed = self.dice.seed

    def _write(self, head: bytes, text: str, facts: bytes) -> None:
        """One more commit: how it begins as the stream keeps it and in canonical JSON, and its facts."""
        self.version += 1
        if not self._logged:
            self.facts.append(facts)
            return
        body = f'{self._hash}{text}{told(facts)}],"key":null,"version":{self.version}}}'
        sealed = sha256(body.encode())
        self._hash = sealed.hexdigest()
        self._lines.append(head + facts)
        self._lines.append(sealed.digest())

    def _end(self, facts: bytes) -> None:
        ended = events_of(facts)[-1]
        if not isinstance(ended, GameEnded):
            raise TypeError(f"a game that is over ends with GameEnded, not with {ended!r}")
        self.result = Result(ended.result, ended.winners, ended.reason, ended.points)


def begun(command: Create, seed: bytes, moment: Moment, *, logged: bool = True) -> Course:
    """A new game between bots, dealt, as `submit.create` begins it; the rules are known to be sound."""
    dice = SeededDice(seed, [seat.entropy for seat in command.seats])
    commitment = SlowDice(seed).commitment()
    created = GameCreated(command.game, command.rules, command.seats, commitment, command.match, command.forked_from)
    course = Course(command.game, evolve(None, created), Table(knobs_of(command.rules), dice), dice, 0, GENESIS, logged)
    course.begin(packed((created,)), moment)
    return course


def resumed(name: str, loaded: Loaded) -> Course:
    """A game between bots goes on from its log. Raises ValueError for one that has not begun or has ended."""
    dice = SeededDice(loaded.seed, [player.entropy for player in loaded.game.players])
    return Course(name, loaded.game, table_of(loaded.game, dice), dice, loaded.version, loaded.hash, logged=True)
