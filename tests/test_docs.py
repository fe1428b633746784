"""Do the documents say what is so? The README's code runs, and the reference is what the code says today."""

import re
import subprocess
import sys
from pathlib import Path

from tests.live import Live
from tests.reference import reference

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def code_blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def test_the_readmes_game_by_http_plays_to_its_end(live: Live) -> None:
    (program,) = code_blocks("python")
    assert len([line for line in program.splitlines() if line]) <= 12
    program = program.replace("http://127.0.0.1:8000", live.url)
    played = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert played.returncode == 0, played.stderr
    assert "'result': " in played.stdout


def test_the_readme_names_the_two_commands_and_every_room() -> None:
    shell = "".join(code_blocks("sh"))
    assert "python3 dev.py up" in shell
    assert "python3 dev.py test" in shell
    for room in ("events/", "workers/", "services/", "tests/", "deploy/", "docs/"):
        assert room in README


def test_every_file_that_the_documents_point_to_is_there() -> None:
    documents = [ROOT / "README.md", *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    for document in documents:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.name} points to {target}"


def test_the_reference_is_up_to_date() -> None:
    assert (ROOT / "docs" / "reference.md").read_text() == reference(), "python -m tests.reference > docs/reference.md"
