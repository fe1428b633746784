"""Is there a test for every rule and every row of the rulebook's table of cases? Docstrings cite them by number."""

import ast
import re
from pathlib import Path
from typing import Final

RULES: Final = [f"R{number}" for number in range(1, 25)]
CASES: Final = [*map(str, range(1, 33)), "27a", "27b"]


def citations() -> dict[str, str]:
    """The docstring of every test in this folder, by the test's name."""
    return {
        function.name: ast.get_docstring(function) or ""
        for path in Path(__file__).parent.glob("test_*.py")
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test_")
    }


def numbers(text: str, words: str) -> set[str]:
    """The numbers cited after one of these words: `cases 1 and 2` gives 1 and 2."""
    lists = re.findall(rf"\b(?:{words}) ?(\d+[ab]?(?:(?:, | and )\d+[ab]?)*)", text)
    return {number for cited in lists for number in re.findall(r"\d+[ab]?", cited)}


def test_every_rule_is_cited_by_a_test_of_its_own() -> None:
    """Ranges such as R1 to R20 do not count for what lies between."""
    cited = {f"R{number}" for text in citations().values() for number in re.findall(r"\bR(\d+)\b", text)}
    assert [rule for rule in RULES if rule not in cited] == []
    assert sorted(cited - set(RULES)) == []


def test_every_row_of_the_table_of_cases_is_cited_by_a_test() -> None:
    """Cases 1 to 32, 27a and 27b."""
    cited = {number for text in citations().values() for number in numbers(text, "cases?")}
    assert [case for case in CASES if case not in cited] == []


def test_every_test_says_what_it_holds() -> None:
    """A docstring each."""
    assert [name for name, text in citations().items() if not text] == []
