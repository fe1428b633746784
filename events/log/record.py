"""What is a log file? NDJSON: a head, then one commit a line, oldest first, each in canonical form (section 3)."""

from typing import Final, Literal, TypeVar

import msgspec

from events.errors import Unreadable
from events.game.events import GameEnded
from events.log.commit import Commit, canonical, read_line
from events.log.store import Store

H = TypeVar("H", bound=msgspec.Struct)

FORMAT: Final = "malice-log/1"


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: which game, and whether the log goes up to its end."""

    format: Literal["malice-log/1"]
    game: str
    complete: bool


class Log(msgspec.Struct, frozen=True):
    """A log file as read: its head, and its commits so far unjudged."""

    head: Head
    commits: list[Commit]


_HEADS: Final = msgspec.json.Decoder(Head)


def export(store: Store, game: str) -> bytes:
    """The log file of a game, as far as it has come. Raises `UnknownGame`, `Unreadable`, `StoreUnavailable`."""
    commits = store.read(game)
    complete = isinstance(commits[-1].events[-1], GameEnded)
    return write_log(Log(Head(FORMAT, game, complete), commits))


def write_log(log: Log) -> bytes:
    """The file of a log."""
    return written(log.head, *log.commits)


def written(*lines: msgspec.Struct) -> bytes:
    """These lines as a file."""
    return b"".join(canonical(line) + b"\n" for line in lines)


def read_head(line: bytes) -> Head:
    """Raises `Unreadable` at version 0 where this is not the first line of a log file."""
    return decoded_head(_HEADS, line, FORMAT)


def decoded_head(decoder: msgspec.json.Decoder[H], line: bytes, form: str) -> H:
    """The first line of a file of this form. Raises `Unreadable` at version 0."""
    try:
        head = decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(0, f"the first line is not the head of a {form} file: {error}") from None
    if canonical(head) != line:
        raise Unreadable(0, "the first line is not in canonical form (keys sorted, no spaces)")
    return head


def lines_of(file: bytes) -> tuple[bytes, list[bytes]]:
    """The head's line and the commits' lines. A last line without its line feed counts too."""
    lines = file.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    return (lines[0] if lines else b""), lines[1:]


def read_log(file: bytes) -> Log:
    """Decode a log file, without judging what it says. Raises `Unreadable` at the first line out of form."""
    first, rest = lines_of(file)
    return Log(read_head(first), [read_line(line, version) for version, line in enumerate(rest, start=1)])
