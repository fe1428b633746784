"""Which benchmark is to run? `python3 dev.py bench` runs all but the long ones, `bench all` those too, `bench p4` one.

`--peers` installs what is measured beside, once; `--write` puts the table into `docs/performance.md`. `bench ladder`
measures strength instead of speed, and has options of its own.
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from tests.bench import arena, engine, growth, http, ladder, league, page, parts, peer, storage
from tests.bench.table import Row, machine, table, write


class Bench(NamedTuple):
    """A benchmark: a line about it, and what measures it."""

    about: str
    run: Callable[[argparse.Namespace], list[Row]]
    long: bool = False
    """Runs only when it is asked for by its name, or with `all`."""


BENCHES: Final[Mapping[str, Bench]] = MappingProxyType(
    {
        "p1": Bench("greedy play without a store, beside TextArena and boardgame.io", lambda _: [engine.p1()]),
        "p2": Bench("any legal move without a store, beside OpenSpiel and TextArena", lambda _: [engine.p2()]),
        "p3": Bench("checked fold of decoded logs, beside greedy play", lambda _: engine.p3()),
        "p4": Bench("one worker's arena, every move durable, beside boardgame.io's server", lambda _: [arena.p4()]),
        "p5": Bench("the same arena, beside its bare appends", lambda _: [arena.p5()]),
        "p6": Bench("a league by one command on two workers", lambda asked: [league.p6(asked.games)], long=True),
        "p7": Bench("replay from the store, beside eventsourcing on SQLite", lambda _: [storage.p7()]),
        "p10": Bench("running games in a GiB of the store's memory", lambda _: [storage.p10()]),
        "p12": Bench("a move in a store of 100,000 games, beside one of 100", lambda _: growth.p12()),
        "append": Bench("appends one by one, beside eventsourcing on SQLite", lambda _: [storage.append()]),
        "http": Bench("moves and views over HTTP, beside the bare floor (needs wrk)", lambda _: http.compare()),
        "page": Bench("the page in a browser: first paint, bytes, a storm of commits", lambda _: page.page()),
        "reference": Bench("the rulebook: decide and fold on the immutable table", lambda _: parts.reference()),
        "view": Bench("a view built, beside one read from the store", lambda _: [parts.seen()]),
        "verify": Bench("verifying a log", lambda _: [parts.verification()]),
    }
)


def parser() -> argparse.ArgumentParser:
    """The words of the command, and what there is."""
    lines = [f"  {name:<10} {bench.about}{' (long)' if bench.long else ''}" for name, bench in BENCHES.items()]
    said = argparse.ArgumentParser(
        prog="python3 dev.py bench",
        description="The benchmarks. Without names all but the long ones; `all` runs those too.",
        epilog="\n".join(["names:", *lines, f"  {'ladder':<10} how strong the bots are: an hour; see `ladder --help`"]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    said.add_argument("names", nargs="*", metavar="NAME")
    said.add_argument("--peers", action="store_true", help="install what is measured beside, in .bench/")
    said.add_argument("--write", action="store_true", help="put the table into docs/performance.md")
    said.add_argument("--games", type=int, default=league.GAMES, help="of the league p6 (default: %(default)s)")
    return said


def main(words: list[str]) -> int:
    if words[:1] == ["ladder"]:
        return ladder.main(words[1:])
    said = parser()
    asked = said.parse_args(words)
    unknown = [name for name in asked.names if name not in (*BENCHES, "all")]
    if unknown:
        print(f"no benchmark {unknown[0]!r}\n\n{said.format_help()}", file=sys.stderr)
        return 2
    if asked.peers:
        peer.install()
        if not asked.names:
            return 0
    rows: list[Row] = []
    for name, bench in BENCHES.items():
        if name in asked.names or "all" in asked.names or not (asked.names or bench.long):
            print(f"{name}: {bench.about}", file=sys.stderr, flush=True)
            rows += bench.run(asked)
    text = f"{machine()}\n\n{table(rows)}"
    print(text)
    if asked.write:
        write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
