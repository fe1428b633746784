"""Which of our own code is measured? Every benchmark takes it from here, so that each figure says one thing.

What is measured is what the program itself runs: nothing here goes a way that no game goes.
"""

import random
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES
from itertools import islice
from typing import Final

from msgspec.structs import replace

from events.game.commands import Create, Forfeit, MakeMove
from events.game.decide import decide_by
from events.game.events import Events, SeatInfo
from events.game.evolve import fold
from events.game.fast import sight
from events.game.fast.bridge import table_of
from events.game.fast.dealing import deal
from events.game.fast.dice import RecordedDice
from events.game.fast.dice import SeededDice as TableDice
from events.game.fast.sight import Knobs
from events.game.fast.table import Table
from events.game.presets import PRESETS
from events.game.rules import Rules
from events.game.shuffle import SEED_BYTES, SeededDice, deal_seed
from events.game.state import Game
from events.log.commit import GENESIS, Body, Commit, seal
from events.log.judge import judge
from events.log.packing import pack
from events.log.store import Loaded, Store
from events.log.submit import create, submit
from events.log.verify import Moved
from workers.arena import ledger
from workers.arena.lane import play_lane
from workers.arena.local import agreed, play, play_local
from workers.arena.standings import Row
from workers.arena.terms import Arena
from workers.bot_turn import run
from workers.bots.registry import find
from workers.fold import settle
from workers.turn import bot_command

RULES: Final[Rules] = PRESETS["gato-e-rato"].rules
SEED: Final = "bench"
GREEDY: Final = ("greedy", "greedy")
PEOPLE: Final = (SeatInfo("Ada", "human", None, ""), SeatInfo("Ben", "human", None, ""))


def compiled() -> bool:
    """Is the core compiled, or plain Python?"""
    return (sight.__file__ or "").endswith(tuple(EXTENSION_SUFFIXES))


def play_tables(bot: str, games: int) -> int:
    """Play so many games to their ends on bare tables, deals and shuffles as the contract has them; the moves made.

    Every move is checked. One random number generator serves the bots of all games, where an arena makes one a move.
    """
    choose, rng, knobs = find(bot).choose, random.Random(SEED), Knobs(RULES)
    moves = 0
    for number in range(games):
        table = Table(knobs, TableDice(deal_seed(SEED, number), [""] * knobs.seats))
        deal(table)
        board, sights = table.board, table.sights
        while not board.over:
            table.play(choose(sights[board.seat], rng))
            moves += 1
    return moves


def play_local_games(bots: Sequence[str], games: int) -> int:
    """Play so many games as `malice arena --local` does; the moves made."""
    return sum(row.moves for row in play_local(bots, games, RULES, SEED))


def games_of(games: int) -> list[list[Events]]:
    """The commits' events of so many games of greedy v greedy."""
    arena = agreed(GREEDY, games, RULES, SEED)
    return [play(arena, number).commits for number in range(games)]


def facts_of(games: int) -> list[tuple[Game, list[bytes]]]:
    """The same games as their streams keep them: the dealt table, and the facts of every move but the last.

    The last reveals the seed, which no table in numbers knows before.
    """
    arena = agreed(GREEDY, games, RULES, SEED)
    played = [play(arena, number) for number in range(games)]
    return [(fold(game.commits[0]), game.facts[1:-1]) for game in played]


def commits_of(games: list[list[Events]]) -> list[list[Commit]]:
    """The same as decoded logs, with no chain."""
    return [
        [
            Commit(version=version, at="", by="system", key=None, events=events, hash=GENESIS)
            for version, events in enumerate(game, start=1)
        ]
        for game in games
    ]


def judge_log(log: list[Commit]) -> None:
    """Judge every commit of a decoded log as `verify` does, but for its chain; shuffles are taken as recorded."""
    game: Game | None = None
    moved: Moved | None = None
    for commit in log:
        if moved is None or not moved.takes(commit):
            game = judge(commit, moved.game() if moved else game, None)
            moved = Moved(game, None) if game.turn is not None and game.result is None else None


def judge_facts(began: Game, facts: list[bytes]) -> None:
    """Judge a game's moves from the facts that its stream keeps. Raises RuntimeError for one against the rules."""
    dice = RecordedDice()
    table = table_of(began, dice)
    for fact in facts:
        dice.facts = fact
        if not table.checked(fact):
            raise RuntimeError("a game of ours is against the rules")


def play_arena(store: Store, games: int, bots: tuple[str, ...] = GREEDY) -> tuple[Arena, list[Row]]:
    """An arena by the lanes of a worker, in this process, without Celery."""
    arena = ledger.start(store, bots, games, RULES, SEED)
    for number in range(ledger.LANES):
        play_lane(store, arena.arena, number, None, find, lambda *_: None, clock=lambda: 0.0)
    return arena, ledger.rows(store, arena.arena)


def append_game(store: Store, game: list[Events]) -> None:
    """Append a game's commits as they are known, a call each, sealed and folded, as a move of a person's is."""
    name, seed = store.new_id(), b"s" * SEED_BYTES
    before, table = GENESIS, None
    for version, events in enumerate(game, start=1):
        table = fold(events, table)
        body = Body(version=version, at=store.now(), by="system", key=None, events=events)
        commit, text = seal(before, body)
        after = Loaded(table, version, commit.hash, seed)
        store.append(name, commit, pack(body, text), previous=before, request=None, after=after, mark=True)
        before = commit.hash


def deals_of_length(count: int, moves: int) -> list[int]:
    """The first so many deals in which greedy v greedy makes more moves than these."""
    arena = agreed(GREEDY, 4 * count, RULES, SEED)
    found = (deal for deal in range(2 * count) if play(arena, 2 * deal).row.moves > moves)
    deals = list(islice(found, count))
    if len(deals) < count:
        raise RuntimeError(f"only {len(deals)} of {2 * count} deals are longer than {moves} moves")
    return deals


def run_game(store: Store, seed: bytes, moves: int) -> str:
    """A game between two bots as the service begins it, and its workers play it: so many moves far; its id."""
    name = store.new_id()
    seats = tuple(SeatInfo(bot, "bot", bot, "") for bot in GREEDY)
    loaded = create(store, Create(game=name, rules=RULES, seats=seats), seed=seed, by="system").after
    loaded = run(store, name, loaded, find, lambda made: made < moves, mark=True)
    settle(store, name, loaded, lambda *_: None)
    return name


class Script:
    """A game between people, whose moves are known beforehand: those of `greedy`."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        dice = SeededDice(seed)
        begun = decide_by(Create(game="", rules=RULES, seats=PEOPLE), None, dice)
        self._begun, self._dealt = tuple(begun.events), begun.game
        bots = tuple(SeatInfo(bot, "bot", bot, "") for bot in GREEDY)
        game = decide_by(Create(game="", rules=RULES, seats=bots), None, dice).game
        self._moves: list[MakeMove | Forfeit] = []
        while game.result is None:
            self._moves.append(bot_command(game, len(self._moves) + 1, seed, find=find))
            game = decide_by(self._moves[-1], game, dice).game
        self.length = len(self._moves) - 1
        """Moves that do not end it."""

    def copy(self, store: Store) -> str:
        """Append the game's beginning as it is known, its deal not made again: for games by the thousand; its id."""
        name = store.new_id()
        created = replace(self._begun[0], game=name)
        body = Body(version=1, at=store.now(), by="system", key=None, events=(created, *self._begun[1:]))
        commit, text = seal(GENESIS, body)
        after = Loaded(self._dealt, 1, commit.hash, self._seed)
        store.append(name, commit, pack(body, text), previous=GENESIS, request=None, after=after, mark=True)
        return name

    def begin(self, store: Store) -> str:
        """Create the game, as a request does; its id."""
        name = store.new_id()
        create(store, Create(game=name, rules=RULES, seats=PEOPLE), seed=self._seed, by="system")
        return name

    def move(self, store: Store, name: str, number: int) -> None:
        """Submit move `number`, counted from 0, as a request does."""
        move = self._moves[number]
        submit(store, name, move, by=f"seat:{move.seat}")

    def decide_all(self) -> None:
        """Decide every move by the rulebook, and fold what follows."""
        dice = SeededDice(self._seed)
        game = self._dealt
        for move in self._moves:
            game = decide_by(move, game, dice).game
