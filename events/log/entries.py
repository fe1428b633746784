"""How is a stream read? Entry by entry: ids count the versions without a gap, each hash follows from the one before."""

from collections.abc import Callable, Iterator
from typing import TypeAlias, TypeVar

from events.errors import Unreadable
from events.log.commit import BodyOf, CommitOf, with_hash
from events.log.packing import opened

E = TypeVar("E")

Entry: TypeAlias = tuple[bytes, dict[bytes, bytes]]
"""What the client gives of a stream's entry: its id and its fields."""


def unpacked(
    entries: list[Entry], previous: str, version: int, read: Callable[[bytes, int], BodyOf[E]]
) -> Iterator[CommitOf[E]]:
    """The commits of entries that come after `version`, whose hash is `previous`; `read` decodes a body.

    Raises `Unreadable`, naming the first version that is missing or wrong.
    """
    for number, (body, _, digest) in enumerate(checked(entries, previous, version), version + 1):
        yield with_hash(read(body, number), digest)


def checked(entries: list[Entry], previous: str, version: int) -> Iterator[tuple[bytes, bytes | None, str]]:
    """The body, as it is kept, its facts (None: it is JSON) and the hash of each entry. Raises as `unpacked`."""
    for entry_id, fields in entries:
        version += 1
        if entry_id != b"%d-0" % version:
            raise Unreadable(version, f"missing: the stream goes on with {entry_id.decode()}")
        body, digest = kept(fields), fields.get(b"h", b"").hex()
        found, facts = opened(previous, body, version)
        if found != digest:
            raise Unreadable(version, "its hash is not that of its content")
        previous = digest
        yield body, facts, digest


def kept(fields: dict[bytes, bytes]) -> bytes:
    """The body that an entry keeps: in field 2, or in field 1 as JSON (schema 1); nothing where it is damaged."""
    return fields.get(b"2") or fields.get(b"1", b"")


def field_for(body: bytes) -> str:
    """The field in which this kept body stands."""
    return "1" if body[:1] == b"{" else "2"


def version_of(entry_id: bytes) -> int:
    """The version that an entry's id says."""
    return int(entry_id.partition(b"-")[0])
