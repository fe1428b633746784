"""How does the hot core become machine code? mypyc compiles the files that are written for it, as they stand.

    python3 dev.py compile            beside their sources, where Python finds them first
    python3 dev.py compile --remove   away with them: the sources are what runs again
    python3 dev.py compile --tested   in a copy, which is thrown away, with the tests that concern it

Optional: all is the same without it, only slower (`docs/performance.md`). It needs a C compiler and Python's headers.
`dev.py` takes compiled files away when their sources have changed since (`STAMP`).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACES = (
    "events/game/fast/[!_]*.py",
    "events/log/course.py",
    "events/log/entries.py",
    "events/log/folding.py",
    "events/log/packing.py",
    "workers/arena/playing.py",
    "workers/bots/[!_]*.py",
)
"""What is compiled; each file keeps to what mypyc takes: plain classes, typed attributes, no tricks."""
LEFT_OUT = ("bridge.py", "registry.py")
"""Not hot, and full of what is no number."""
PACKAGES = ("events", "workers", "services")
BESIDE = ("tests", "docs", "deploy", "pyproject.toml", "README.md", "dev.py")
"""What tests need beside the packages. (setuptools, which mypyc builds with, must not find a project file.)"""
CONCERNED = ("tests/game", "tests/log/test_course.py", "tests/log/test_packing.py", "tests/workers")
STAMP = Path(sys.prefix) / "compiled.json"
"""What was compiled from what: beside the interpreter that it was compiled for."""
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")


def sources(root: Path) -> list[Path]:
    """The files that are compiled, relative to the root."""
    found = (path for place in PLACES for path in sorted(root.glob(place)))
    return [path.relative_to(root) for path in found if path.name not in LEFT_OUT]


def digest() -> str:
    """Of what is compiled: another one, and the compiled files are stale."""
    return hashlib.sha256(b"\0".join((ROOT / path).read_bytes() for path in sources(ROOT))).hexdigest()


def build_in(folder: Path) -> list[Path]:
    """Copy the packages there and compile them in place; what is shared between the compiled files."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package)
    for stale in folder.glob(f"*/**/*{SUFFIX}"):
        stale.unlink()
    names = [str(path) for path in sources(folder)]
    command = [str(Path(sys.executable).parent / "mypyc"), "--follow-imports=silent", "--ignore-missing-imports"]
    done = subprocess.run([*command, *names], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"dev.py: mypyc has failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return list(folder.glob(f"*__mypyc{SUFFIX}"))


def compile_here() -> None:
    """Compile the sources, in a copy, and put what comes of it beside them."""
    remove()
    with tempfile.TemporaryDirectory() as folder:
        shared = build_in(Path(folder))
        for path in sources(ROOT):
            shutil.copy(Path(folder) / path.with_suffix(SUFFIX), ROOT / path.with_suffix(SUFFIX))
        for file in shared:
            shutil.copy(file, sysconfig.get_path("purelib"))
    STAMP.write_text(json.dumps({"digest": digest(), "shared": [file.name for file in shared]}))


def tested() -> int:
    """Compile a copy, and run there the tests that concern what is compiled; pytest's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        build_in(Path(folder))
        for part in BESIDE:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, Path(folder) / part)
        environ = {name: value for name, value in os.environ.items() if name != "MALICE_FULL"}
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", *CONCERNED]
        return subprocess.run(command, cwd=folder, env=environ | {"PYTHONPATH": folder}, check=False).returncode


def remove() -> None:
    """Take compiled files away."""
    for place in PLACES:
        for file in ROOT.glob(place.removesuffix(".py") + SUFFIX):
            file.unlink()
    if STAMP.exists():
        for name in json.loads(STAMP.read_text())["shared"]:
            Path(sysconfig.get_path("purelib"), name).unlink(missing_ok=True)
        STAMP.unlink()


def main(words: list[str]) -> int:
    match words:
        case []:
            compile_here()
            print(f"compiled: {', '.join(path.stem for path in sources(ROOT))}")
        case ["--remove"]:
            remove()
        case ["--stale"]:
            if json.loads(STAMP.read_text())["digest"] != digest():
                remove()
                print("dev.py: the compiled core was older than its sources and is gone", file=sys.stderr)
        case ["--tested"]:
            return tested()
        case _:
            print("usage: python3 dev.py compile [--remove | --tested]", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
