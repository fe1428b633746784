"""What can be wrong with a log? A table of named damages: functions that do it and say which version is to blame.

`FORGED` are made by somebody who builds the whole hash chain anew after the change: only the rules can find them.
`BROKEN` leave the chain as it was. `MISPRINTED` change the file's text. What a damage is done to is in `SOURCES`.
"""

import copy
import functools
import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

import msgspec

from events.game.events import SeatInfo
from events.game.presets import PRESETS
from tests.log.games import SHORT, Book, Json, chained, log_file, plain, read_file
from tests.log.recipes import golden

Commits: TypeAlias = list[Json]
Harm: TypeAlias = Callable[[Commits], int]
"""Changes commits in place; returns the lowest version that is then missing or wrong."""
Misprint: TypeAlias = Callable[[bytes], tuple[bytes, int]]


class Damage(NamedTuple):
    """A damage, and the log that it is done to."""

    harm: Harm
    of: str

    def done(self, rehashed: bool) -> tuple[bytes, int]:
        """The damaged file, and the version to blame."""
        head, commits = read_file(source(self.of))
        before = copy.deepcopy(commits)
        version = self.harm(commits)
        if commits == before:
            raise AssertionError("the damage has changed nothing")
        return log_file(head["game"], head["complete"], chained(commits) if rehashed else commits), version


FORGED: Final[dict[str, Damage]] = {}
BROKEN: Final[dict[str, Damage]] = {}
MISPRINTED: Final[dict[str, Misprint]] = {}


def forged(of: str = "short") -> Callable[[Harm], Harm]:
    """Enter a damage after which the chain is built anew."""
    return functools.partial(_enter, FORGED, of)


def broken(of: str = "short") -> Callable[[Harm], Harm]:
    """Enter a damage that the chain tells of."""
    return functools.partial(_enter, BROKEN, of)


def misprinted(misprint: Misprint) -> Misprint:
    """Enter a damage of the text."""
    MISPRINTED[misprint.__name__] = misprint
    return misprint


def _enter(table: dict[str, Damage], of: str, harm: Harm) -> Harm:
    table[harm.__name__] = Damage(harm, of)
    return harm


@functools.cache
def source(name: str) -> bytes:
    """A good log: a golden one by its name, or one made here."""
    match name:
        case "short":
            return golden("tie-at-the-deal").read_bytes()
        case "running":
            head, commits = read_file(source("short"))
            return log_file(head["game"], False, commits[:-1])
        case "by lot":
            rules = msgspec.structs.replace(PRESETS["gatto-e-topo"].rules, starter="random")
            return Book(rules, 3).moves(6).file()
        case "bots":
            bots = tuple(SeatInfo(f"bot {seat}", "bot", "greedy", "") for seat in range(2))
            return Book(SHORT, 3, seats=bots).moves().file()
        case "open":
            seats = (SeatInfo("Ana", "human", None, "dés"), SeatInfo(None, "open", None, ""))
            return Book(SHORT, 3, seats=seats).sit(1, "dados").moves(5).file()
        case _:
            return golden(name).read_bytes()


def read(name: str) -> Commits:
    """The commits of a source."""
    return read_file(source(name))[1]


def events(commits: Commits, kind: str, where: Callable[[Json], bool] = lambda _: True) -> Iterator[tuple[int, Json]]:
    """The events of this type, each with its version."""
    for commit in commits:
        for event in commit["events"]:
            if event["type"] == kind and where(event):
                yield commit["version"], event


def first(commits: Commits, kind: str, where: Callable[[Json], bool] = lambda _: True) -> tuple[int, Json]:
    """The first of them."""
    return next(events(commits, kind, where))


def turn_end(commits: Commits) -> int:
    """The index of a commit that ends a turn, somewhere in the middle."""
    ends = [index for index, commit in enumerate(commits) if commit["events"][0]["type"] == "CardDiscarded"]
    return ends[len(ends) // 2]


def renumber(commits: Commits) -> None:
    """Versions 1, 2, 3 … again."""
    for version, commit in enumerate(commits, start=1):
        commit["version"] = version


def swap_two(cards: list[str]) -> None:
    """Exchange the last card with the nearest one that differs."""
    other = max(index for index, card in enumerate(cards) if card != cards[-1])
    cards[-1], cards[other] = cards[other], cards[-1]


def another(card: str) -> str:
    """Another card of the pack."""
    return ("2" if card[0] != "2" else "3") + card[1]


def edit_lines(file: bytes, change: Callable[[list[bytes]], int]) -> tuple[bytes, int]:
    """Change the file as lines, the head being line 0."""
    lines = file.splitlines()
    version = change(lines)
    return b"".join(line + b"\n" for line in lines), version


def replaced(pattern: bytes, by: bytes, line: int = 3) -> Misprint:
    """Replace one place of one line of the file."""

    def change(lines: list[bytes]) -> int:
        lines[line], count = re.subn(pattern, by, lines[line], count=1)
        if count == 0:
            raise AssertionError(f"line {line} has no {pattern!r}")
        return line

    return lambda file: edit_lines(file, change)


def respaced(value: Json) -> bytes:
    """The same JSON, as most programs write it."""
    return plain(value).replace(b'":', b'": ').replace(b',"', b', "')
