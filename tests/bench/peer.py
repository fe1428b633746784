"""How is a peer installed, and asked for a round? Each in an environment of its own; none of them has to be there.

`tests/bench/peers/` holds their pinned versions and a program for each, which plays a round for every line that it
reads. What is not installed is said in the table, and is no error.
"""

import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final

from tests.bench.table import ABSENT, ROOT, Row, at_least

HERE: Final = Path(__file__).resolve().parent / "peers"
FOLDER: Final = ROOT / ".bench"
PYTHON: Final = FOLDER / "python"
NODE: Final = FOLDER / "node"
ROUNDS: Final = 5


class Peer:
    """A peer that is ready for rounds."""

    def __init__(self, program: str, process: "subprocess.Popen[str]") -> None:
        self._program = program
        self._process = process
        self.what: str = self._line()["what"]
        """Its name and versions."""

    def ask(self) -> dict[str, Any]:
        """The figures of one more round: `count` in `seconds`, and what else it tells. Raises RuntimeError."""
        print("go", file=self._process.stdin, flush=True)
        return self._line()

    def _line(self) -> dict[str, Any]:
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line:
            raise RuntimeError(f"{self._program} ended")
        return json.loads(line)


@contextmanager
def peer(program: str, *arguments: str) -> Generator[Peer | None]:
    """A program of the peers, running; None where it is not installed."""
    python = program.endswith(".py")
    runner = str(PYTHON / "bin" / "python") if python else shutil.which("node")
    if runner is None or not ((PYTHON if python else NODE) / "installed").exists():
        yield None
        return
    process = subprocess.Popen(
        [runner, str(HERE / program), *arguments],
        env=os.environ | {"NODE_PATH": str(NODE / "node_modules"), "NODE_ENV": "production"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield Peer(program, process)
        finally:
            process.terminate()


class Figures:
    """The rounds of one side."""

    def __init__(self) -> None:
        self.rounds: list[dict[str, Any]] = []

    @property
    def rate(self) -> float:
        """The median of what was done in a second."""
        return median(figures["count"] / figures["seconds"] for figures in self.rounds)

    def total(self, name: str) -> int:
        return sum(figures[name] for figures in self.rounds)

    def middle(self, name: str) -> float:
        return median(figures[name] for figures in self.rounds)


def in_turns(
    ours: Callable[[], dict[str, Any]], *others: Callable[[], dict[str, Any]] | None, rounds: int = ROUNDS
) -> tuple[Figures, list[Figures | None]]:
    """Rounds of all sides in turns, after one of each that does not count; None for a side that is not there."""
    mine, theirs = Figures(), [side and Figures() for side in others]
    for number in range(rounds + 1):
        for side, figures in zip((ours, *others), (mine, *theirs), strict=True):
            if side is not None and figures is not None:
                told = side()
                if number:
                    figures.rounds.append(told)
    return mine, theirs


def compared(
    name: str, what: str, mine: Figures, theirs: Figures | None, *, unit: str, times: float, notes: Sequence[str] = ()
) -> Row:
    """A row of two rates, of which ours is to be `times` the other."""
    ratio = mine.rate / theirs.rate if theirs else None
    return Row(
        name=name,
        what=what,
        ours=f"{mine.rate:,.0f} {unit}",
        beside=f"{theirs.rate:,.0f} {unit}" if theirs else ABSENT,
        ratio=ratio,
        target=f"{times:g} ×",
        reached=at_least(ratio, times),
        notes=tuple(notes),
    )


def install() -> None:
    """Install all peers, in `.bench/`. What needs npm is left out where there is none."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    venv.create(PYTHON, symlinks=True, with_pip=True)
    pip = [str(PYTHON / "bin" / "python"), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    subprocess.run([*pip, "--requirement", str(HERE / "requirements.txt")], check=True)
    (PYTHON / "installed").touch()
    npm = shutil.which("npm")
    if npm is None:
        print("npm is not there: boardgame.io stays out", file=sys.stderr)
        return
    NODE.mkdir()
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, NODE)
    subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=NODE, check=True)
    (NODE / "installed").touch()
