"""Is this checkout fit to be shared? The one list of checks: `dev.py test`, `dev.py check` and CI come through here.

Every step runs, even when an earlier one failed. The tests come last and speak for themselves, so that a good run ends
with pytest's closing line.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent


class Step(NamedTuple):
    name: str
    command: list[str]


class Result(NamedTuple):
    step: Step
    passed: bool
    seconds: float
    output: str


YAML_STYLE = "{extends: default, rules: {document-start: disable, line-length: {max: 120}}}"

TIMED = "tests/faults/test_clocks_survive.py"
CLOCKS = Step("clocks", ["pytest", "-q", TIMED])
"""Holds a whole service to seconds, which it cannot keep beside all tests. Mostly it waits: checks go beside it."""
CODE = [
    Step("types", ["basedpyright", "--pythonpath", sys.executable]),
    Step("format", ["ruff", "format", "--check", "."]),
    Step("lint", ["ruff", "check", "."]),
    Step("layers", ["lint-imports"]),
]
COLLECTION = Step("collection", ["pytest", "--collect-only", "-qq"])
"""Leaves every module compiled for the processes below: else each of them would do it, all at the same moment."""
DEPENDENCIES = [Step("dependencies", ["deptry", "--no-ansi", "services", "events", "workers"])]
DEPLOY = [
    Step("yaml", ["yamllint", "--strict", "-d", YAML_STYLE, "deploy"]),
    Step("compose", ["check-jsonschema", "--builtin-schema", "vendor.compose-spec", "deploy/compose.yaml"]),
    Step("dockerfile", ["hadolint", "--no-color", "deploy/Dockerfile"]),
]
COMPILED = Step("compiled", ["python", "deploy/compile.py", "--tested"])


def run(step: Step) -> Result:
    """Run one step in the root of the checkout, with its output kept back."""
    began = time.monotonic()
    command = [str(BIN / step.command[0]), *step.command[1:]]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return Result(step, done.returncode == 0, time.monotonic() - began, done.stdout)


def run_all(steps: list[Step]) -> list[str]:
    """Run steps three at a time and report each in order; the names of those that failed."""
    failed: list[str] = []
    with ThreadPoolExecutor(max_workers=3) as pool:
        for step, passed, seconds, output in pool.map(run, steps):
            print(f"{'ok    ' if passed else 'FAILED'}  {step.name:<13}{seconds:5.1f} s", flush=True)
            if not passed:
                print(output, flush=True)
                failed.append(step.name)
    return failed


def pytest(arguments: list[str]) -> bool:
    """Run pytest with its output as it comes."""
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], cwd=ROOT, check=False).returncode == 0


def main(words: list[str]) -> int:
    match words:
        case ["test"]:
            steps = [CLOCKS, *CODE, COLLECTION]
        case ["test", *arguments]:
            return 0 if pytest(arguments) else 1
        case ["check"]:
            steps = [CLOCKS, *CODE, COLLECTION, *DEPENDENCIES, *DEPLOY]
        case ["check", "--full"]:
            steps = [CLOCKS, *CODE, COLLECTION, *DEPENDENCIES, *DEPLOY, COMPILED]
            os.environ["MALICE_FULL"] = "1"
        case _:
            print("usage: python3 dev.py test [PYTEST...] | check [--full]", file=sys.stderr)
            return 2
    # Hundreds of processes start here; where none may keep what it has compiled, each compiles the program anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    failed = run_all(steps)
    # Four on two cores: much of the time is spent waiting, for servers that start and clocks that run.
    if not pytest(["-n", "4", "--dist", "worksteal", f"--ignore={TIMED}"]):
        failed.append("tests")
    if failed:
        print(f"FAILED: {', '.join(failed)}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
