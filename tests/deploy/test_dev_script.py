"""Does `dev.py` install when it must, only then, and from locks that hold what they promise?"""

import ast
import re
import sys
from pathlib import Path

import pytest

import dev

LOCKS = dev.ROOT / "deploy" / "lock"
PIN = re.compile(r"^([a-z0-9-]+)==(\S+)", re.MULTILINE)


def pins(name: str) -> set[tuple[str, str]]:
    return set(PIN.findall((LOCKS / name).read_text()))


@pytest.fixture
def environment(tmp_path: Path) -> dev.Environment:
    """A checkout of nothing but what the stamp is made of; its venv is a folder with a file for an interpreter."""
    (tmp_path / "deploy" / "lock").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    environment = dev.Environment(tmp_path)
    environment.lock("run").write_text("msgspec==1\n")
    environment.lock("all").write_text("msgspec==1\npytest==1\n")
    environment.bin.mkdir(parents=True)
    environment.python.touch()
    return environment


@pytest.mark.parametrize("name", ["run.txt", "all.txt"])
def test_a_lock_names_no_address(name: str) -> None:
    assert "://" not in (LOCKS / name).read_text()


@pytest.mark.parametrize("name", ["run.txt", "all.txt"])
def test_every_pin_of_a_lock_has_a_hash(name: str) -> None:
    blocks = re.split(r"\n(?=\S)", (LOCKS / name).read_text().strip())
    assert all("--hash=sha256:" in block for block in blocks)
    assert len(blocks) == len(pins(name))


def test_all_holds_run_at_the_same_versions() -> None:
    assert pins("run.txt") < pins("all.txt")


def test_the_run_lock_holds_what_builds_the_project() -> None:
    assert {"hatchling", "editables"} <= {name for name, _ in pins("run.txt")}


def test_the_script_imports_the_standard_library_only() -> None:
    imported: set[str] = set()
    for node in ast.walk(ast.parse(Path(dev.__file__).read_text())):
        if isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
    assert imported <= sys.stdlib_module_names


def test_an_older_python_can_read_the_script_and_is_told_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    ast.parse(Path(dev.__file__).read_text(), feature_version=(3, 8))
    monkeypatch.setattr(sys, "version_info", (3, 8, 1))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11"):
        dev.main(["up"])


def test_no_word_prints_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    dev.main([])
    assert capsys.readouterr().out.startswith("usage: python3 dev.py COMMAND")


class TestStamp:
    def test_without_a_stamp_nothing_is_ready_or_usable(self, environment: dev.Environment) -> None:
        assert not environment.ready("run")
        assert not environment.usable()

    def test_a_stamp_torn_in_writing_counts_as_none(self, environment: dev.Environment) -> None:
        environment.stamp.write_text('{"run": "')
        assert not environment.ready("run")
        assert not environment.usable()

    def test_all_implies_run(self, environment: dev.Environment) -> None:
        environment.write_stamp("all")
        assert environment.ready("all")
        assert environment.ready("run")

    def test_run_does_not_imply_all_and_can_be_added_to(self, environment: dev.Environment) -> None:
        environment.write_stamp("run")
        assert environment.ready("run")
        assert not environment.ready("all")
        assert environment.usable()

    @pytest.mark.parametrize("changed", ["pyproject.toml", "deploy/lock/run.txt"])
    def test_a_changed_lock_or_project_is_installed_into_the_same_venv(
        self, environment: dev.Environment, changed: str
    ) -> None:
        environment.write_stamp("run")
        with (environment.root / changed).open("a") as file:
            file.write("# changed\n")
        assert not environment.ready("run")
        assert environment.usable()

    def test_another_python_needs_another_venv(
        self, environment: dev.Environment, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        environment.write_stamp("all")
        monkeypatch.setattr(sys, "version", "3.99.0")
        assert not environment.ready("run")
        assert not environment.usable()

    def test_a_checkout_that_was_moved_needs_another_venv(self, environment: dev.Environment) -> None:
        environment.write_stamp("all")
        moved = dev.Environment(environment.root.rename(environment.root.with_name("moved")))
        assert not moved.ready("run")
        assert not moved.usable()

    def test_a_venv_without_its_interpreter_is_not_usable(self, environment: dev.Environment) -> None:
        environment.write_stamp("all")
        environment.python.unlink()
        assert not environment.ready("run")
        assert not environment.usable()
