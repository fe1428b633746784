"""How does a fresh checkout become a running program? By this one door, which needs a bare Python 3.11, nothing else.

It makes `.venv`, installs the hash-pinned lock and then the project itself, and becomes the command asked for. A stamp
in `.venv` says what was installed: while it fits, a start costs a few file reads. It is taken away before an install
and written after it, so a venv whose making was interrupted has none, and is made anew.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

USAGE = """\
usage: python3 dev.py COMMAND [ARGUMENT...]

  up                everything on this machine: store, API, workers
  test [PYTEST...]  lint, format, types, layers and all tests; with arguments pytest alone, with these
  check [--full]    all checks; --full with the big counts
  bench [NAME...]   the benchmarks; --peers installs what they are measured beside
  lock [UV...]      pin the dependencies again (--upgrade: to their newest versions)

Every other command is one of `malice`: python3 dev.py verify FILE. `python3 dev.py --help` lists them."""

ROOT = Path(__file__).resolve().parent
CHECK = "deploy/check.py"
PINNING = "--universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --quiet"
COMPILE = "deploy/compile.py"
OWN = {
    "test": [CHECK, "test"],
    "check": [CHECK, "check"],
    "bench": ["-m", "tests.bench"],
    "compile": [COMPILE],
}


class Environment:
    """The venv of one checkout, and what is installed in it: the packages of lock `run`, or those of `all`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path = root / ".venv"
        self.bin = self.path / "bin"
        self.python = self.bin / "python"
        self.stamp = self.path / "installed.json"

    def lock(self, kind: str) -> Path:
        return self.root / "deploy" / "lock" / f"{kind}.txt"

    def wanted(self, kind: str) -> dict[str, str]:
        """What the stamp says once `kind` is installed; `all` holds `run`."""
        project = (self.root / "pyproject.toml").read_bytes()
        wanted = {"python": f"{sys.version} {sys.base_prefix}", "path": str(self.path)}
        for name in ("run", "all") if kind == "all" else ("run",):
            wanted[name] = hashlib.sha256(self.lock(name).read_bytes() + project).hexdigest()
        return wanted

    def installed(self) -> dict[str, str]:
        """What the stamp says; nothing when there is none, or no interpreter beside it."""
        try:
            return json.loads(self.stamp.read_text()) if self.python.exists() else {}
        except (FileNotFoundError, ValueError):
            return {}

    def ready(self, kind: str) -> bool:
        return self.wanted(kind).items() <= self.installed().items()

    def usable(self) -> bool:
        """Whether it can be added to: complete, of this Python, and where it was made."""
        installed, wanted = self.installed(), self.wanted("run")
        return all(installed.get(name) == wanted[name] for name in ("python", "path"))

    def drop_stale(self) -> None:
        """Compiled files whose sources have changed since would be found before them: they are taken away."""
        compiled = self.path / "compiled.json"
        if compiled.exists():
            subprocess.run([self.python, str(self.root / COMPILE), "--stale"], check=True)

    def write_stamp(self, kind: str) -> None:
        """Say, in one step, that `kind` is installed."""
        fresh = self.stamp.with_suffix(".new")
        fresh.write_text(json.dumps(self.wanted(kind)))
        fresh.replace(self.stamp)

    def prepare(self, kind: str) -> None:
        """Install what `kind` lacks. Of several starts at once one installs, and the others wait for it."""
        if self.ready(kind):
            return
        with open(__file__, "ab") as door:
            fcntl.flock(door, fcntl.LOCK_EX)
            if self.ready(kind):
                return
            print(f"dev.py: installing deploy/lock/{kind}.txt into .venv (once, about half a minute)", file=sys.stderr)
            if not self.usable():
                venv.create(self.path, clear=True, symlinks=True, with_pip=True)
            self.stamp.unlink(missing_ok=True)
            project = ["--no-deps", "--no-build-isolation", "--editable", str(self.root)]
            for what in (["--require-hashes", "--requirement", str(self.lock(kind))], project):
                pip = [str(self.python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", *what]
                # The child keeps the lock too: if this script is killed, nobody else starts while pip still writes.
                subprocess.run(pip, check=True, pass_fds=[door.fileno()])
            self.write_stamp(kind)


def lock(options: list[str]) -> None:
    """Pin again: first `all`, then `run` at the same versions. No file names an address."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, symlinks=True, with_pip=True)
        subprocess.run([f"{folder}/bin/pip", "install", "--quiet", "uv"], check=True)
        uv = [f"{folder}/bin/uv", "pip", "compile", "pyproject.toml", *PINNING.split(), *options]
        files = ["deploy/lock/all.txt", "deploy/lock/run.txt"]
        subprocess.run([*uv, "--extra=build", "--extra=dev", "-o", files[0]], check=True, cwd=ROOT)
        subprocess.run([*uv, "--extra=build", "-c", files[0], "-o", files[1]], check=True, cwd=ROOT)


def main(words: list[str]) -> None:
    if sys.version_info < (3, 11):
        sys.exit(f"dev.py: needs Python 3.11 or newer, this is {sys.version.split()[0]}")
    if not words:
        print(USAGE)
        return
    word, rest = words[0], words[1:]
    if word == "lock":
        lock(rest)
        return
    environment = Environment(ROOT)
    environment.prepare("all" if word in OWN else "run")
    environment.drop_stale()
    if word not in OWN:
        os.execv(environment.bin / "malice", ["malice", *words])
    os.chdir(ROOT)
    os.execv(environment.python, [str(environment.python), *OWN[word], *rest])


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except subprocess.CalledProcessError as error:
        command = " ".join(map(str, error.cmd))
        hint = " (Debian keeps it in the package python3-venv)" if "ensurepip" in command else ""
        sys.exit(f"dev.py: this failed, and will be tried again at the next start: {command}{hint}")
    except KeyboardInterrupt:
        sys.exit(130)
