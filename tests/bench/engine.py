"""How fast is the game alone, without any store? P1, P2 and P3 of the targets."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any, Final

from tests.bench import ours
from tests.bench.peer import Figures, compared, in_turns, peer
from tests.bench.table import Row

GAMES: Final = 300
LOGS: Final = 60


def p1() -> Row:
    """Greedy play with all checks, beside TextArena's environment."""
    with peer("spite_env.py", "greedy") as other, peer("in_process.cjs") as board:
        mine, (theirs, arena, third) = in_turns(
            lambda: _play("greedy"), other and other.ask, lambda: _arena(ours.GREEDY), board and board.ask
        )
        notes = [_also("the same as `malice arena --local`", arena)] if arena else []
        if other and theirs:
            share = 100 * theirs.total("ended") / theirs.total("games")
            notes.append(f"{other.what}; {share:.0f} % of its games ended within the 300 moves that each was given")
        if board and third:
            notes.append(_also(f"{board.what}, the same game and bot in one process", third, mine))
        what = f"engine alone, greedy v greedy, {GAMES} games of gato-e-rato"
        times = 50 if ours.compiled() else 12
        return compared("p1", what, mine, theirs, unit="moves/s", times=times, notes=notes)


def p2() -> Row:
    """Random legal play, beside OpenSpiel's crazy eights and TextArena."""
    with peer("crazy_eights.py") as other, peer("spite_env.py", "random") as env:
        mine, (theirs, arena, third) = in_turns(
            lambda: _play("uniform"), other and other.ask, lambda: _arena(("uniform", "uniform")), env and env.ask
        )
        notes = [_also("the same as `malice arena --local`, with dice for every move", arena)] if arena else []
        if other:
            notes.append(f"{other.what}: crazy eights for two, its core in C++")
        if env and third:
            notes.append(_also(f"{env.what}, random", third, mine))
        what = f"engine alone, any legal move, {GAMES} games of gato-e-rato"
        return compared("p2", what, mine, theirs, unit="moves/s", times=1, notes=notes)


def _also(what: str, figures: Figures, mine: Figures | None = None) -> str:
    times = f", ours {mine.rate / figures.rate:.3g} times as many" if mine else ""
    return f"{what}: {figures.rate:,.0f} moves/s{times}"


def p3() -> list[Row]:
    """The checked fold of decoded logs, beside greedy play: as `verify` does it, and from what the streams keep."""
    games = ours.games_of(LOGS)
    logs, kept = ours.commits_of(games), ours.facts_of(LOGS)
    events = sum(len(commit) for game in games for commit in game)
    of_moves = sum(len(commit) for game in games for commit in game[1:-1])
    moves = sum(len(game) - 1 for game in games)

    def judge_logs() -> dict[str, Any]:
        began = perf_counter()
        for log in logs:
            ours.judge_log(log)
        return {"count": events, "seconds": perf_counter() - began}

    def judge_facts() -> dict[str, Any]:
        began = perf_counter()
        for table, facts in kept:
            ours.judge_facts(table, facts)
        return {"count": of_moves, "seconds": perf_counter() - began}

    judged, (quick, played) = in_turns(judge_logs, judge_facts, lambda: _play("greedy"))
    notes = [f"{events / moves:.2f} events a move"]
    what = f"checked fold of {LOGS} logs (events), beside greedy play (moves)"
    return [
        compared("p3", f"{what}: {of}", mine, played, unit="/s", times=3, notes=notes)
        for of, mine in (("decoded commits", judged), ("facts as kept", quick))
        if mine is not None
    ]


def _play(bot: str) -> dict[str, Any]:
    began = perf_counter()
    moves = ours.play_tables(bot, GAMES)
    return {"count": moves, "seconds": perf_counter() - began}


def _arena(bots: Sequence[str]) -> dict[str, Any]:
    began = perf_counter()
    moves = ours.play_local_games(bots, GAMES)
    return {"count": moves, "seconds": perf_counter() - began}
