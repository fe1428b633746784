"""Do the page's files fit together? What they name is there, what is there is named, and all four languages say all."""

import gzip
import json
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from hatchling.builders.wheel import WheelBuilder

from services.api.page import DOCUMENT, FOLDER

ROOT: Final = FOLDER.parent.parent
FILES: Final = {
    path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(FOLDER.rglob("*"))
    if path.is_file()
}
MODULES: Final = {name: text for name, text in FILES.items() if name.endswith(".js")}
CODE: Final = "\n".join(MODULES.values())
LANGUAGES: Final = ("en", "it", "pt", "es")
FORMS: Final = {"zero", "one", "two", "few", "many", "other"}
PACKED_BYTES: Final = 150_000
"""All files together, as they travel: a second on a slow telephone."""
SVG: Final = "http://www.w3.org/2000/svg"


def imported(text: str) -> set[str]:
    """What a module imports, at once or when it is needed."""
    return set(re.findall(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']""", text))


def test_every_file_that_the_document_names_is_there_and_every_style_is_named() -> None:
    named = re.findall(r"\{web\}/([^\"]+)", FILES[DOCUMENT])
    assert len(named) == len(set(named))
    assert set(named) <= set(FILES)
    assert {name for name in FILES if name.endswith(".css")} <= set(named)


@pytest.mark.parametrize("name", MODULES)
def test_every_module_that_a_module_imports_is_there(name: str) -> None:
    """By a relative name, so that it is of the same version."""
    for other in imported(MODULES[name]):
        assert other.startswith("./"), other
        assert other.removeprefix("./") in MODULES, other


def test_no_file_lies_there_unused() -> None:
    reached, waiting = set[str](), {"main.js"}
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting |= {other.removeprefix("./") for other in imported(MODULES[name])} - reached
    assert reached == set(MODULES)
    assert set(FILES) - set(MODULES) == {
        DOCUMENT, "icon.svg", *(f"text/{language}.json" for language in LANGUAGES),
        *(name for name in FILES if name.startswith("style/") and name.endswith(".css")),
    }  # fmt: skip


def test_a_screen_is_light() -> None:
    packed = {name: len(gzip.compress(text.encode(), 9)) for name, text in FILES.items()}
    assert sum(packed.values()) < PACKED_BYTES, sorted(packed.items(), key=lambda one: -one[1])[:10]


@pytest.mark.parametrize("name", FILES)
def test_no_file_names_another_service_and_none_is_anothers_work(name: str) -> None:
    text = FILES[name].replace(SVG, "")
    assert not re.findall(r"https?://|[\"'(]//\w", text)
    assert not re.findall(r"(?i)copyright|@license|licensed under|sourceMappingURL", text)
    if name in MODULES:
        assert text.startswith("// "), "its first line says which question it answers"
        assert not re.findall(r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function)\b", text)


def test_the_wheel_holds_the_page() -> None:
    """Whoever installs the package has it too."""
    held = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    assert {f"services/web/{name}" for name in FILES} <= held


# ---------------------------------------------------------------------------------------------------------- the texts


def flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every text by its whole name; one of several forms as a dict."""
    if isinstance(value, dict) and not set(value) <= FORMS:
        for word, part in value.items():
            yield from flat(part, f"{name}.{word}" if name else word)
    else:
        yield name, value


TEXTS: Final = {language: dict(flat(json.loads(FILES[f"text/{language}.json"]))) for language in LANGUAGES}
ENGLISH: Final = TEXTS["en"]


def placeholders(text: Any) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", " ".join(text.values()) if isinstance(text, dict) else text))


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_language_says_all_that_the_others_say(language: str) -> None:
    """The same names, with the same values in them; a text of several forms in one has them in all."""
    texts = TEXTS[language]
    assert list(texts) == list(ENGLISH), "in the same order too, so that files can be read side by side"
    for name, text in texts.items():
        assert isinstance(text, dict) == isinstance(ENGLISH[name], dict), name
        assert placeholders(text) | {"n"} == placeholders(ENGLISH[name]) | {"n"}, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_is_a_text(language: str) -> None:
    """With a form for one and one for all other numbers, as the four languages have; nothing empty, nothing to cut."""
    for name, text in TEXTS[language].items():
        if isinstance(text, dict):
            assert set(text) == {"one", "other"}, name
        for said in text.values() if isinstance(text, dict) else (text,):
            assert isinstance(said, str), name
            assert said == said.strip() != "", name
            assert "  " not in said, name


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_what_is_said_in_sentences_is_translated(language: str) -> None:
    """A sentence that is the same as the English one has been forgotten."""
    same = [name for name, text in TEXTS[language].items() if text == ENGLISH[name] and len(str(text).split()) > 3]
    assert same == []


def test_every_text_that_a_module_asks_for_by_name_is_there() -> None:
    asked = set(re.findall(r"\bt\(\s*\"([^\"]+)\"", CODE))
    assert len(asked) > 100
    assert asked - set(ENGLISH) == set()


def test_every_text_that_is_asked_for_by_a_part_of_its_name_is_there() -> None:
    """Of `reasons.${reason}` something begins so."""
    for start in re.findall(r"\bt\(\s*`([\w.]+)\$\{", CODE):
        assert [name for name in ENGLISH if name.startswith(start)], start


def test_no_text_is_there_in_vain() -> None:
    """Named somewhere in the modules: whole, or by how it begins."""
    whole = set(re.findall(r"\"([\w.-]+)\"", CODE))
    starts = tuple(set(re.findall(r"`([a-z]\w*(?:\.\w+)*\.)\$\{", CODE)))
    assert [name for name in ENGLISH if name not in whole and not name.startswith(starts)] == []
