"""docs/remote-bots.md: its programs are those that are played here, and it knows every scenario and finding."""

import re
from pathlib import Path

from services.bot_check.judge import RIGHT
from services.bot_check.scenarios import SCENARIOS

HERE = Path(__file__).parent
GUIDE = (HERE.parents[2] / "docs" / "remote-bots.md").read_text()


def test_the_programs_of_the_guide_are_those_that_pass() -> None:
    whole, wait = re.findall(r"^```python\n(.*?)^```", GUIDE, flags=re.MULTILINE | re.DOTALL)
    assert whole == (HERE / "good_bot.py").read_text()
    assert len(whole.splitlines()) < 80
    assert wait in (HERE / "stream_bot.py").read_text().replace("good_bot.", "")


def test_the_guide_explains_every_scenario_and_every_finding_in_the_words_of_the_report() -> None:
    for scenario in SCENARIOS:
        assert f"| `{scenario.name}` | {scenario.about} |" in GUIDE
    for finding, right in RIGHT.items():
        assert re.search(rf"^\| `{finding}`.* \| {re.escape(right)} \|$", GUIDE, flags=re.MULTILINE)
