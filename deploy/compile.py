"""How does the hot core become machine code? mypyc compiles the files that are written for it, as they stand.

    python3 dev.py compile            beside their sources, where Python finds them first
    python3 dev.py compile --remove   away with them: the sources are what runs again

Optional: all is the same without it, only slower (`docs/performance.md`). It needs a C compiler and Python's headers.
`dev.py` takes compiled files away when their sources have changed since (`STAMP`).
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACES = ("events/game/fast/[!_]*.py", "workers/bots/[!_]*.py")
"""What is compiled; each file keeps to what mypyc takes: plain classes, typed attributes, no tricks."""
LEFT_OUT = ("bridge.py", "registry.py")
"""Not hot, and full of what is no number."""
PACKAGES = ("events", "workers", "services")
STAMP = Path(sys.prefix) / "compiled.json"
"""What was compiled from what: beside the interpreter that it was compiled for."""
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")


def sources(root: Path) -> list[Path]:
    """The files that are compiled, relative to the root."""
    found = (path for place in PLACES for path in sorted(root.glob(place)))
    return [path.relative_to(root) for path in found if path.name not in LEFT_OUT]


def digest(root: Path) -> str:
    """Of what is compiled: another one, and the compiled files are stale."""
    return hashlib.sha256(b"\0".join((root / path).read_bytes() for path in sources(root))).hexdigest()


def compile_into(root: Path) -> None:
    """Compile the sources of `root`, in a copy, and put what comes of it beside them. Raises CalledProcessError."""
    remove(root)
    with tempfile.TemporaryDirectory() as folder:
        build = Path(folder)
        for package in PACKAGES:
            shutil.copytree(root / package, build / package, ignore=shutil.ignore_patterns("__pycache__"))
        names = [str(path) for path in sources(root)]
        command = [str(Path(sys.executable).parent / "mypyc"), "--follow-imports=silent", "--ignore-missing-imports"]
        done = subprocess.run([*command, *names], cwd=build, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"dev.py: mypyc has failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        made = [build / path.with_suffix(SUFFIX) for path in sources(root)]
        shared = list(build.glob(f"*__mypyc{SUFFIX}"))
        for file in made:
            shutil.copy(file, root / file.relative_to(build))
        for file in shared:
            shutil.copy(file, sysconfig.get_path("purelib"))
    STAMP.write_text(json.dumps({"digest": digest(root), "shared": [file.name for file in shared]}))


def remove(root: Path) -> None:
    """Take compiled files away."""
    for place in PLACES:
        for file in root.glob(place.removesuffix(".py") + SUFFIX):
            file.unlink()
    if STAMP.exists():
        for name in json.loads(STAMP.read_text())["shared"]:
            Path(sysconfig.get_path("purelib"), name).unlink(missing_ok=True)
        STAMP.unlink()


def main(words: list[str]) -> None:
    match words:
        case []:
            compile_into(ROOT)
            print(f"compiled: {', '.join(path.stem for path in sources(ROOT))}")
        case ["--remove"]:
            remove(ROOT)
        case ["--stale"]:
            if json.loads(STAMP.read_text())["digest"] != digest(ROOT):
                remove(ROOT)
                print("dev.py: the compiled core was older than its sources and is gone", file=sys.stderr)
        case _:
            raise SystemExit("usage: python3 dev.py compile [--remove]")


if __name__ == "__main__":
    main(sys.argv[1:])
