"""Somebody's own bot: asked in a process of its own, judged by the clock, and gone without a trace."""

import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from msgspec.structs import replace

from events.game.events import GameCreated, SeatForfeited, SeatInfo
from events.game.fast.sight import legal
from events.game.legality import view
from events.game.views import View
from events.log.store import Store
from tests.live import eventually
from tests.spec import deal, given, rules_of
from tests.workers import bad_bots
from tests.workers.test_fold_and_bots import PERSON, begun, stopped
from workers.arena import ledger
from workers.arena.lane import play_lane
from workers.arena.ledger import LANES
from workers.arena.local import agreed, play
from workers.bot_turn import play_bots
from workers.bots.registry import Bot, UnknownBot, find
from workers.own_bots import guests as guests_module
from workers.own_bots import template
from workers.own_bots.guests import Guests, Limits
from workers.own_bots.installed import installed
from workers.own_bots.naming import BadBot, gathered, read_entry
from workers.own_bots.roster import OwnBot, Roster, own_bots
from workers.own_bots.template import CannotLoad

SHORT = rules_of("gato-e-rato", payoff=5)
SEED = bytes(range(64))
HERE = "tests.workers.bad_bots:"
QUICK = Limits(seconds=0.3, memory_mb=48)
PATIENT = Limits(seconds=10, memory_mb=48)


class Told(list[tuple[str, str, str]]):
    """What was said of forfeits: bot, cause, sentence."""

    def hear(self, path: str, cause: str, why: str) -> None:
        self.append((path.removeprefix(HERE), cause, why))


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture(scope="module")
def shared() -> Iterator[tuple[Guests, Guests]]:
    """For the tests of this file, so that each bot is imported once: bots that have 0.3 s for a move, and 10 s."""
    with Guests(QUICK, tell=lambda *_: None) as hasty, Guests(PATIENT, tell=lambda *_: None) as patient:
        yield hasty, patient
    assert not processes()


@pytest.fixture
def hasty(shared: tuple[Guests, Guests]) -> Iterator[Guests]:
    """Bots that have 0.3 s for a move; at the end no game of theirs is left."""
    yield shared[0]
    eventually(lambda: not games(shared[0]))


@pytest.fixture
def guests(shared: tuple[Guests, Guests]) -> Iterator[Guests]:
    """Bots that have 10 s for a move; at the end no game of theirs is left."""
    yield shared[1]
    eventually(lambda: not games(shared[1]))


def games(guests: Guests) -> set[int]:
    """The processes of bots here that are no templates, once those that play are told to end."""
    for guest in list(guests._awake):
        guest.close()
    return {pid for pid in processes() if _parent(pid) not in (None, os.getpid())}


def _parent(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1])
    except OSError:
        return None  # it has ended meanwhile


def processes(parent: int | None = None) -> list[int]:
    """The living processes of bots that `parent` (else this process) has started, by their command line."""
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = folder.joinpath("cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if template._START.encode() in words and words[words.index(template._START.encode()) + 2] == b"%d" % (
            parent or os.getpid()
        ):
            found.append(int(folder.name))
    return found


def table() -> View:
    return view(given(deal(SHORT)).game, 0, name=None, version=1)


def roster_of(*names: str, guests: Guests) -> Roster:
    return Roster({HERE + name: HERE + name for name in names}, guests)


def arena_of(*bots: str, games: int = 4) -> tuple[tuple[str, ...], int]:
    return tuple(HERE + bot if hasattr(bad_bots, bot) else bot for bot in bots), games


# ------------------------------------------------------------------------------------------------ what a bot answers


@pytest.mark.parametrize("name", ["fair", "moves", "prints", "reads", "gambles"])
def test_a_bot_that_answers_a_legal_move_has_moved(guests: Guests, name: str) -> None:
    assert OwnBot(name, HERE + name, guests).move(table(), SEED) in table().legal


def test_its_dice_are_seeded_by_what_it_is_asked_with(guests: Guests) -> None:
    seen = table()
    expected = random.Random(SEED).choice(seen.legal)
    for name in ("fair", "gambles"):
        assert OwnBot(name, HERE + name, guests).move(seen, SEED) == expected


FORFEITS = {
    "loops": "timeout",
    "sleeps": "timeout",
    "raises": "error",
    "leaves": "error",
    "exits": "error",
    "crashes": "error",
    "recurses": "error",
    "closes": "error",
    "forges": "error",
    "forks": "error",
    "kills_its_parent": "error",
    "says_nothing": "illegal_move",
    "says_all": "illegal_move",
    "babbles": "illegal_move",
    "cheats": "illegal_move",
}


@pytest.mark.parametrize("name", FORFEITS)
def test_a_bot_that_fails_forfeits_within_its_limit(hasty: Guests, name: str) -> None:
    guest = hasty.game(HERE + "fails")
    number = [bot.__name__ for bot in bad_bots.FAILING].index(name)
    began = time.monotonic()
    guest.ask(replace(table(), version=number), SEED)
    assert guest.answer() == FORFEITS[name]
    assert time.monotonic() < began + QUICK.seconds + 2
    guest.ask(table(), SEED)
    assert guest.answer() == FORFEITS[name], "what has failed stays so"


def test_a_bot_that_wants_more_memory_than_it_may_have_forfeits(guests: Guests) -> None:
    assert OwnBot("allocates", HERE + "allocates", guests).move(table(), SEED) == "error"


def test_the_author_is_told_once_what_was_raised_and_where(told: Told) -> None:
    with Guests(PATIENT, tell=told.hear) as guests:
        for _ in range(3):
            OwnBot("raises", HERE + "raises", guests).move(table(), SEED)
        OwnBot("rants", HERE + "rants", guests).move(table(), SEED)
    line = bad_bots.raises.__code__.co_firstlineno + 1
    assert told == [
        ("raises", "error", f"RuntimeError: a bot's own fault ({bad_bots.__file__}, line {line})"),
        ("rants", "illegal_move", f"It answered {'7h>c2' * 8!r}, which is no move."),
    ]


# ------------------------------------------------------------------------------------------------ many at once


def test_many_that_stall_cost_a_few_limits_and_not_one_each(hasty: Guests) -> None:
    at_tables = [hasty.game(HERE + "sleeps") for _ in range(24)]
    began = time.monotonic()
    for guest in at_tables:
        guest.ask(table(), SEED)
    assert {guest.answer() for guest in at_tables} == {"timeout"}
    assert time.monotonic() < began + 24 * QUICK.seconds / 2


def test_one_that_stalls_makes_no_other_late(hasty: Guests) -> None:
    slow, *others = (hasty.game(HERE + name) for name in ("sleeps", *["fair"] * 8))
    for guest in (slow, *others):
        guest.ask(table(), SEED)
    assert all(guest.answer() in table().legal for guest in others)
    assert slow.answer() == "timeout"


def test_nothing_that_a_bot_keeps_goes_from_one_game_to_another(guests: Guests) -> None:
    first, second = (guests.game(HERE + "remembers") for _ in range(2))
    for guest in (first, second):
        guest.ask(table(), SEED)
        assert guest.answer() in table().legal
    first.close()
    third = guests.game(HERE + "remembers")
    third.ask(table(), SEED)
    assert third.answer() in table().legal
    third.ask(table(), SEED)
    assert third.answer() == "illegal_move"


def test_more_games_than_there_may_be_processes_take_turns_with_them(
    guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests_module, "MOST_AWAKE", 2)
    at_tables = [guests.game(HERE + "fair") for _ in range(4)]
    for _ in range(2):
        for guest in at_tables:
            guest.ask(table(), SEED)
            assert guest.answer() in table().legal
        assert len(guests._awake) == 2
    assert all(guest.failure is None for guest in at_tables)


# ------------------------------------------------------------------------------------------------ nothing is left


def test_a_bot_that_forks_leaves_nobody_behind(guests: Guests) -> None:
    guest = guests.game(HERE + "forks_and_plays")
    guest.ask(table(), SEED)
    assert guest.answer() in table().legal
    before = len(processes())
    guest.close()
    eventually(lambda: len(processes()) == before - 2)  # its own, and the one that it has started


@pytest.mark.parametrize("name", ["kills_its_parent", "stops_its_parent"])
def test_a_bot_that_harms_its_template_plays_on_from_a_new_one(
    name: str, monkeypatch: pytest.MonkeyPatch, told: Told
) -> None:
    monkeypatch.setattr(template, "FORK_SECONDS", 0.3)
    with Guests(QUICK, tell=told.hear) as guests:
        bot = OwnBot(name, HERE + name, guests)
        answers = [bot.move(table(), SEED) for _ in range(2)]
    assert answers == ["error", "error"] if name == "kills_its_parent" else [table().legal[0]] * 2


def test_a_worker_that_is_killed_takes_every_process_along() -> None:
    program = (
        "from tests.workers.test_own_bots import *\n"
        "guests = Guests(PATIENT)\n"
        "playing = guests.game(HERE + 'forks_and_plays')\n"
        "playing.ask(table(), SEED)\n"
        "playing.answer()\n"
        "looping = guests.game(HERE + 'loops')\n"
        "looping.ask(table(), SEED)\n"
        "print('here', flush=True)\n"
        "looping.answer()\n"
    )
    worker = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert worker.stdout
    with worker.stdout as line:
        assert line.readline() == b"here\n"
    eventually(lambda: len(processes(worker.pid)) == 5)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    eventually(lambda: not processes(worker.pid))


def test_a_pool_that_is_forgotten_ends_its_processes() -> None:
    before = processes()
    forgotten = Guests(PATIENT)
    forgotten.about(HERE + "fair")
    assert len(processes()) == len(before) + 1
    del forgotten
    assert processes() == before


# ------------------------------------------------------------------------------------------------ is it there?


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("tests.workers.no_bots:choose", "ModuleNotFoundError: No module named 'tests.workers.no_bots'"),
        (HERE + "nobody", "AttributeError: module 'tests.workers.bad_bots' has no attribute 'nobody'"),
        (HERE + "number", "TypeError: number is no function"),
        ("raising:choose", "ZeroDivisionError: division by zero ({folder}/raising.py, line 1)"),
        ("leaving:choose", "SystemExit: 3 ({folder}/leaving.py, line 2)"),
        ("exiting:choose", "its process ended while it was imported."),
        ("looping:choose", "its import has not ended within 0.3 s."),
        ("wrong:choose", "SyntaxError: invalid syntax (wrong.py, line 1)"),
    ],
)
def test_what_cannot_be_loaded_is_refused_and_not_tried_again_at_once(
    guests: Guests, path: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, code in {
        "raising": "1 / 0",
        "leaving": "import sys\nsys.exit(3)",
        "exiting": "import os\nos._exit(0)",
        "looping": "while True: pass",
        "wrong": "def choose(",
    }.items():
        (tmp_path / f"{name}.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    if path.startswith("looping"):
        monkeypatch.setattr(template, "IMPORT_SECONDS", 0.3)
    if path.startswith("wrong"):
        sentence = "SyntaxError: '(' was never closed (wrong.py, line 1)"
    with pytest.raises(CannotLoad) as refused:
        guests.game(path)
    assert refused.value.why == sentence.format(folder=tmp_path)
    monkeypatch.setattr(guests_module, "Template", ModuleType)  # a second start would break
    with pytest.raises(CannotLoad):
        guests.game(path)


def test_its_line_is_the_first_of_its_docstring_or_its_modules(guests: Guests) -> None:
    assert guests.about(HERE + "fair") == "Any legal move."
    assert guests.about(HERE + "raises").startswith("Bots that nobody would want at a table")


def test_a_bot_never_comes_into_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guests: Guests) -> None:
    (tmp_path / "stranger.py").write_text("def choose(view, rng):\n    return view.legal[0]\n")
    monkeypatch.chdir(tmp_path)
    assert OwnBot("s", "stranger:choose", guests).move(table(), SEED) == table().legal[0]
    assert "stranger" not in sys.modules


# ------------------------------------------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("bruno=pack.mod:choose", ("bruno", "pack.mod:choose")),
        ("pack.mod:Bot.choose", ("pack.mod:Bot.choose", "pack.mod:Bot.choose")),
    ],
)
def test_a_bot_is_named_by_its_path_or_a_name_for_it(text: str, entry: tuple[str, str]) -> None:
    assert read_entry(text) == entry


@pytest.mark.parametrize(
    "text", ["pack.mod", "pack:", ":choose", "a b:c", "n=pack", "=p:c", "n m=p:c", "p..q:c", "p:c/"]
)
def test_what_is_no_name_and_no_path_is_refused_by_its_text(text: str) -> None:
    with pytest.raises(ValueError, match=r"names '|gives the name '"):
        read_entry(text)


def test_no_name_stands_for_two_bots_and_none_of_this_programs_is_replaced() -> None:
    assert gathered([("b", "p:b"), ("a", "p:a"), ("a", "p:a")]) == {"a": "p:a", "b": "p:b"}
    with pytest.raises(BadBot, match="Two bots have the name 'a': p:a and q:a"):
        gathered([("a", "p:a"), ("a", "q:a")])
    with pytest.raises(BadBot, match="p:a has the name 'greedy'"):
        Roster({"greedy": "p:a"})


def offer(folder: Path, entry: str) -> None:
    """An installed package that offers a bot."""
    metadata = folder / "pack-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: pack\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[malice.bots]\n{entry}\n")


def test_an_installed_package_offers_bots_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(tmp_path, "bruno = pack.mod:choose")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert installed() == {"bruno": "pack.mod:choose"}
    assert own_bots([("ada", "p:a")]) == {"ada": "p:a", "bruno": "pack.mod:choose"}
    roster = Roster(own_bots([]))
    assert isinstance(roster.find("bruno"), OwnBot)
    assert isinstance(roster.find("greedy"), Bot)
    with pytest.raises(UnknownBot, match=r"there are .*greedy.*bruno"):
        roster.find("fred")
    assert roster.lines()["bruno"] == "pack.mod:choose"
    assert "No module named 'pack'" in roster.lines(reasons=True)["bruno"]


def test_a_package_that_offers_what_is_no_bot_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(tmp_path, "bruno = pack.mod")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(BadBot, match=r"The package pack offers the bot 'bruno' as 'pack\.mod'"):
        installed()


# ------------------------------------------------------------------------------------------------ games


def test_a_game_of_ones_own_bot_is_move_by_move_that_of_a_built_in_one_that_chooses_alike(guests: Guests) -> None:
    arena = agreed((HERE + "fair", "greedy"), 4, SHORT, "s")
    here = [play(arena, number, roster_of("fair", guests=guests).find) for number in range(4)]
    alike = Bot("alike", "", lambda sight, rng: rng.choice(legal(sight)))
    there = [play(arena, number, lambda name: alike if ":" in name else find(name)) for number in range(4)]
    assert here == there


def test_a_roster_goes_to_another_process_without_its_processes_and_plays_the_same_games(guests: Guests) -> None:
    roster = roster_of("fair", guests=guests)
    sent = pickle.loads(pickle.dumps(roster.find))
    assert (sent.__self__.own, sent.__self__.guests.limits) == (roster.own, PATIENT)
    arena = agreed((HERE + "fair", "uniform"), 2, SHORT, "s")
    with sent.__self__:
        assert play(arena, 1, sent) == play(arena, 1, roster.find)


def work(store: Store, arena: str, roster: Roster) -> None:
    """A worker that gives up its place after every few moves, until nothing is left to do."""
    messages: list[tuple[int, str | None]] = [(lane, None) for lane in range(LANES)]
    ticks = iter(range(10**9))
    while messages:
        lane, lease = messages.pop(0)
        play_lane(
            store,
            arena,
            lane,
            lease,
            roster.find,
            lambda _, *what: messages.append(what),
            clock=lambda: next(ticks) / 40,
        )


@pytest.mark.parametrize("client", ["fakeredis"], indirect=True)
def test_the_service_plays_the_same_games_as_a_local_arena(store: Store, guests: Guests) -> None:
    roster = roster_of("fair", guests=guests)
    bots, games = arena_of("fair", "greedy")
    arena = ledger.start(store, bots, games, SHORT, "s")
    work(store, arena.arena, roster)
    for row in ledger.rows(store, arena.arena):
        logged = [commit.events for commit in store.read(row.game or "")]
        played = play(agreed(bots, games, SHORT, "s"), row.number, roster.find).commits
        assert logged[0][1:] == played[0][1:]
        assert logged[1:] == played[1:]


@pytest.mark.parametrize("client", ["fakeredis"], indirect=True)
def test_a_league_of_bots_that_fail_is_finished(hasty: Guests, store: Store) -> None:
    names = ("loops", "raises", "babbles")
    bots, games = arena_of(*names, games=6)
    arena = ledger.start(store, bots, games, SHORT, "s")
    work(store, arena.arena, roster_of(*names, guests=hasty))
    assert ledger.progress(store, arena.arena).status == "ended"
    rows = ledger.rows(store, arena.arena)
    assert len(rows) == games
    assert {row.reason for row in rows} == {"forfeit"}
    for row in rows:
        commits = list(store.read(row.game or ""))
        forfeit = commits[-1].events[0]
        created = commits[0].events[0]
        assert isinstance(forfeit, SeatForfeited)
        assert isinstance(created, GameCreated)
        bot = (created.seats[forfeit.seat].bot or "").removeprefix(HERE)
        assert forfeit.cause == FORFEITS[bot]
        assert commits[-1].by == f"bot:{forfeit.seat}"


@pytest.mark.parametrize("client", ["fakeredis"], indirect=True)
def test_a_person_plays_against_somebodys_own_bot(store: Store, guests: Guests) -> None:
    bot = SeatInfo("fair", "bot", HERE + "fair", "")
    game = begun(store, PERSON, bot)
    turn = store.load(game).game.turn
    if turn is not None and turn.seat == 0:
        game = begun(store, bot, PERSON)
    play_bots(store, game, roster_of("fair", guests=guests).find, lambda *_: None, clock=stopped())
    assert store.load(game).version > 1
