"""What does a benchmark say? `Row`: both figures, their ratio, the target, and beside what it was measured.

The table is Markdown that reads as well in a terminal; `docs/performance.md` holds the last one whole.
"""

import os
import platform
import re
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from services.embedded import find_server
from tests.bench import ours

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PAGE: Final = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- the table: written by dev.py bench --write -->", "<!-- the table ends -->"
ABSENT: Final = "not installed"
HEAD: Final = ("bench", "what", "ours", "beside it", "ratio", "target", "reached")


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the table."""

    name: str
    """Of the benchmark: `p1`."""
    what: str
    """The workload, so that it can be repeated."""
    ours: str
    """A figure with its unit."""
    beside: str = "–"
    """What it is measured beside, in the same unit; or that it is not installed."""
    ratio: float | None = None
    """Ours to what is beside it, as the target counts it."""
    target: str = "–"
    reached: bool | None = None
    notes: tuple[str, ...] = ()
    """Versions, and what else the figures hang on."""


def at_least(ratio: float | None, times: float) -> bool | None:
    """Is the ratio reached? None where there is none."""
    return None if ratio is None else ratio >= times


def table(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table, and their notes below it."""
    lines = [HEAD, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    texts = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    texts.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    notes = [f"- `{row.name}`: {note}" for row in rows for note in row.notes]
    return "\n".join([*texts, *(["", *dict.fromkeys(notes)] if notes else [])])


def _cells(row: Row) -> tuple[str, ...]:
    ratio = "–" if row.ratio is None else f"{row.ratio:.3g}"
    reached = {True: "yes", False: "no", None: "–"}[row.reached]
    return (f"`{row.name}`", row.what, row.ours, row.beside, ratio, row.target, reached)


def machine() -> str:
    """When, of which commit, and on what it was measured."""
    model = re.search(r"^model name\s*: (.+)$", _text(Path("/proc/cpuinfo")), flags=re.MULTILINE)
    core = "compiled core" if ours.compiled() else "core not compiled"
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, commit {_commit()}. {os.cpu_count()} cores "
        f"({model[1] if model else platform.machine()}), load {os.getloadavg()[0]:.1f} at the end; "
        f"CPython {platform.python_version()}, {core}, {_store()}."
    )


def write(text: str) -> None:
    """Put this text in the place of the page's table."""
    page = PAGE.read_text()
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


def _store() -> str:
    program, _ = find_server()
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"v=([\d.]+)", said)
    return f"{program.name} {version[1] if version else 'of an unknown version'}"


def _commit() -> str:
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()

    return (git("rev-parse", "--short", "HEAD") or "unknown") + (" and changes" if git("status", "--short") else "")


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
