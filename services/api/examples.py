"""What does a real answer look like? Examples for the documentation, from a game played here by the real rules.

Law kept: nothing here is written by hand that the rules could say, so no example goes stale.
"""

from typing import Final

import msgspec

from events.errors import Rejected
from events.game.commands import Command, Create, MakeMove, Resign
from events.game.decide import decide
from events.game.events import Events, SeatInfo
from events.game.evolve import fold
from events.game.legality import view
from events.game.match import MatchEvents, fold_match, score, start
from events.game.moves import parse_move
from events.game.presets import PRESETS, resolve
from events.game.state import Game
from events.game.views import View, seen_by
from events.log.commit import GENESIS, BodyOf, Commit, seal
from events.log.match_record import MATCH_FORMAT, MatchHead
from events.log.matches import MatchCommit
from events.log.record import FORMAT, Head, Log, write_log, written
from events.log.verdicts import MatchVerification, Verification
from events.log.verify import verify
from events.log.verify_match import verify_match
from services.api.schemas import (
    BotLine,
    BotList,
    Commits,
    Created,
    CreatedMatch,
    GameList,
    Health,
    ListedGame,
    ListedSeat,
    MatchGame,
    MatchState,
    Moved,
    RuleSets,
    Sat,
    SeatToken,
    SeenCommit,
    rule_set,
)
from services.eyes import seen_with
from workers.arena.local import play_local
from workers.arena.report import Report, report
from workers.arena.standings import Row
from workers.arena.terms import Arena, Progress

GAME: Final = "07q3m8k2v9d4x6r1t5w0zy"
MATCH: Final = "07t6x2m9r4d8k1q5w0zyv3"
ANOTHER: Final = "07w2k6n8b3x9r5m1d4t0qv"
"""A game, or a match, that a token of somebody else is for."""
ARENA: Final = "07a9v5t1x8m3k6d2q4r7zy"
_TOKEN: Final = "5b0f" * 16
_SEED: Final = bytes([12]) * 64
"""Under this seed Ada, at seat 0, starts; a test says so."""
_SEATS: Final = (SeatInfo("Ada", "human", None, "my own line"), SeatInfo("greedy", "bot", "greedy", ""))


def _played(*commands: Command, preset: str = "gato-e-rato", match: str | None = None) -> tuple[Game, list[Commit]]:
    game: Game | None = None
    commits: list[Commit] = []
    create = Create(game=GAME, rules=PRESETS[preset].rules, seats=_SEATS, match=match)
    for number, command in enumerate((create, *commands), start=1):
        events: Events = decide(command, game, _SEED)
        game = fold(events, game)
        by, at = "system" if number == 1 else "seat:0", f"2026-01-31T12:00:0{number}.123Z"
        body = BodyOf(version=number, at=at, by=by, key=None, events=events)
        commits.append(seal(commits[-1].hash if commits else GENESIS, body)[0])
    return fold(event for commit in commits for event in commit.events), commits


def _refused(game: Game, command: Command) -> Rejected:
    try:
        decide(command, game, _SEED)
    except Rejected as refusal:
        return refusal
    raise ValueError("it is not refused")


def first_move() -> str:
    """A move that seat 0 may make."""
    return view(_played()[0], 0, name=GAME, version=1).legal[0]


def view_of_a_seat() -> View:
    """Seat 0's view of a fresh deal."""
    return view(_played()[0], 0, name=GAME, version=1)


def view_of_a_spectator() -> View:
    """The same for somebody without a token."""
    return view(_played()[0], None, name=GAME, version=1)


def view_of_all() -> View:
    """The game, ended by resigning, with all cards: `as=all`."""
    return seen_with("all", _played(Resign(0))[0], name=GAME, version=2)


def refused_move() -> Rejected:
    """What the rules say of a side stack that holds nothing."""
    return _refused(_played()[0], MakeMove(0, parse_move("s0>c0")))


def refused_resignation() -> Rejected:
    """What they say to somebody who has left a game of three before."""
    rules = resolve({"preset": "gatto-e-topo", "seats": 3})
    create = Create(game=GAME, rules=rules, seats=(*_SEATS, SeatInfo("Cem", "human", None, "")))
    dealt = fold(decide(create, None, _SEED))
    return _refused(fold(decide(Resign(0), dealt, _SEED), dealt), Resign(0))


def created() -> Created:
    """A game with one human seat."""
    return Created(GAME, 1, (SeatToken(0, "Ada", f"{GAME}.0.{_TOKEN}"),))


def rematch() -> Created:
    """Another game between the same two: Ada's seat is open."""
    return Created(ANOTHER, 1, ())


def sat() -> Sat:
    """The second seat, taken."""
    return Sat(1, f"{GAME}.1.{_TOKEN}", 2)


def moved() -> Moved:
    """What the first legal move brings about."""
    return _moved(MakeMove(0, parse_move(first_move())))


def resigned() -> Moved:
    """What resigning brings about: the end."""
    return _moved(Resign(0))


def commits() -> Commits:
    """The deal and a move, as a spectator may know them."""
    _, made = _played(MakeMove(0, parse_move(first_move())))
    return Commits(
        tuple(
            SeenCommit(one.version, one.at, one.by, tuple(seen_by(event, None) for event in one.events)) for one in made
        )
    )


def commit_lines() -> str:
    """The same, a line each."""
    return "".join(msgspec.json.encode(one).decode() + "\n" for one in commits().commits)


def commit_messages() -> str:
    """The same as server-sent events."""
    return "retry: 1000\n\n" + "".join(
        f"event: commit\ndata: {msgspec.json.encode(one).decode()}\nid: {one.version}\n\n" for one in commits().commits
    )


def game_list() -> GameList:
    """That game, alone on the list."""
    seats = tuple(ListedSeat(seat.name, seat.kind, seat.bot) for seat in _SEATS)
    at = _played()[1][0].at
    return GameList((ListedGame(GAME, at, "playing", 1, "gato-e-rato", seats, None, None, None),), None)


def log_file() -> str:
    """The log of a game that ended by resigning."""
    return write_log(Log(Head(FORMAT, GAME, True), _played(Resign(0))[1])).decode()


def verification() -> Verification:
    """The verdict on that log."""
    return verify(log_file().encode())


def created_match() -> CreatedMatch:
    """A match with one human seat."""
    return CreatedMatch(MATCH, (SeatToken(0, "Ada", f"{MATCH}.0.{_TOKEN}"),))


def sat_in_match() -> Sat:
    """Its second seat, had it been open and were it taken."""
    return Sat(1, f"{MATCH}.1.{_TOKEN}", 2)


def match_state() -> MatchState:
    """That match, when Ada has resigned its first game."""
    scored = _scored()
    match = fold_match(scored)
    games = tuple(MatchGame(one.game, one.result, one.winners, one.points) for one in match.games)
    return MatchState(MATCH, "running", match.target, match.totals, games, match.winner)


def match_file() -> str:
    """Its log."""
    commits: list[MatchCommit] = []
    for number, event in enumerate(_scored(), start=1):
        at = f"2026-01-31T12:00:0{number}.456Z"
        body = BodyOf(version=number, at=at, by="system", key=None, events=(event,))
        commits.append(seal(commits[-1].hash if commits else GENESIS, body)[0])
    return written(MatchHead(MATCH_FORMAT, MATCH, complete=False), *commits).decode()


def match_verification() -> MatchVerification:
    """The verdict on that log."""
    commits = _match_game()[1]
    return verify_match(match_file().encode(), lambda _: write_log(Log(Head(FORMAT, GAME, True), commits)))


def _scored() -> MatchEvents:
    rules, ended = PRESETS["spite-and-malice"].rules, _match_game()[0].result
    if rules.match is None or ended is None:
        raise ValueError("a match needs a target, and its game an end")
    started = start(MATCH, rules.match, _SEATS)
    return (*started, *score(fold_match(started), GAME, ended))


def _match_game() -> tuple[Game, list[Commit]]:
    return _played(Resign(0), preset="spite-and-malice", match=MATCH)


def rule_sets() -> RuleSets:
    """One of the presets."""
    return RuleSets((rule_set("gato-e-rato"),))


def bots() -> BotList:
    """A bot and its line."""
    return BotList((BotLine("greedy", "Plays what it can, payoff first."),))


def arena() -> tuple[Arena, Progress]:
    """An arena of two games, which have ended."""
    rules = resolve({"preset": "gato-e-rato", "payoff": 5})
    made = Arena(arena=ARENA, bots=("greedy", "uniform"), games=2, rules=rules, seed="spring", secret="", shards=1)
    started, ended = "2026-01-31T12:00:00.123Z", "2026-01-31T12:00:00.373Z"
    return made, Progress(status="ended", done=2, started_at=started, ended_at=ended)


def arena_report() -> Report:
    """Its report."""
    return report(*arena(), _arena_rows(), 0.25)


def cancelled_arena() -> Report:
    """The same, had it been cancelled after its first game."""
    made, progress = arena()
    return report(made, msgspec.structs.replace(progress, status="cancelled", done=1), _arena_rows()[:1], 0.25)


def arena_rows() -> str:
    """Its games, a line each."""
    return "".join(msgspec.json.encode(row).decode() + "\n" for row in _arena_rows())


def _arena_rows() -> list[Row]:
    made = arena()[0]
    return list(play_local(made.bots, made.games, made.rules, made.seed))


def metrics() -> str:
    """A line of the figures."""
    return 'malice_http_requests_total{method="POST",route="/v1/games",status="201"} 1.0\n'


def health() -> Health:
    """All is well."""
    return Health("ok")


def _moved(command: Command) -> Moved:
    game, made = _played(command)
    events = tuple(seen_by(event, 0) for event in made[-1].events)
    return Moved(made[-1].version, events, view(game, 0, name=GAME, version=made[-1].version))
