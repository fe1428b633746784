"""Do the benchmarks say what they measure? Speed itself is no test: `python3 dev.py bench`."""

import re
from pathlib import Path

import pytest

from tests.bench.__main__ import BENCHES, main
from tests.bench.table import BEGIN, END, PAGE, Row, table

ROWS = [
    Row(
        name="p1",
        what="play",
        ours="10 moves/s",
        beside="5 moves/s",
        ratio=2.0,
        target="12 ×",
        reached=False,
        notes=("n",),
    ),
    Row(name="p2", what="any legal move", ours="1 move/s", beside="not installed", target="1 ×"),
]


def test_the_page_names_every_benchmark_and_no_other() -> None:
    page = PAGE.read_text()
    explained = page[: page.index(BEGIN)]
    assert re.findall(r"^\| `(\w+)` \|", explained, flags=re.MULTILINE) == list(BENCHES)
    assert page.count(BEGIN) == page.count(END) == 1


def test_a_table_says_what_was_reached_and_what_is_not_there() -> None:
    head, rule, first, second, empty, note = table(ROWS).splitlines()
    assert len(head) == len(rule) == len(first) == len(second)
    assert first.endswith("| 2     | 12 ×   | no      |")
    assert re.search(r"\| not installed +\| – +\| 1 × +\| – +\|$", second)
    assert (empty, note) == ("", "- `p1`: n")


def test_an_unknown_name_is_told_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["p99"]) == 2
    said = capsys.readouterr().err
    assert "no benchmark 'p99'" in said
    assert all(f"  {name} " in said for name in BENCHES)


def test_the_pins_of_what_is_measured_beside_name_no_registry() -> None:
    folder = Path(__file__).parent / "bench" / "peers"
    lock = (folder / "package-lock.json").read_text()
    assert "resolved" not in lock
    assert "://" not in lock, "names, versions and hashes alone"
    pins = [line for line in (folder / "requirements.txt").read_text().splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", pin) for pin in pins)
