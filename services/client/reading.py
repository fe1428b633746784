"""How do answers become values, of a service that may be newer than this client?

In the service's own types. A field that is not known is left out, an event that is not known stays the JSON it is: so a
service may add, as the contract allows it, and no client breaks.
"""

from collections.abc import Iterable
from typing import Any, Final, TypeVar

import msgspec
from msgspec import inspect

from events.game.events import GameEnded
from services.api.schemas import FULL_EVENTS, SEEN_FORMS, Commits, SeenCommit

T = TypeVar("T")

_FORMS: Final[dict[str, tuple[type[msgspec.Struct], ...]]] = {
    tag: tuple(form for form in (*FULL_EVENTS, *SEEN_FORMS) if form.__struct_config__.tag == tag)
    for tag in (str(form.__struct_config__.tag) for form in FULL_EVENTS)
}
"""By type: one form, or two where something may be hidden (`CardsDrawn` with cards, or with their count)."""


class NotUnderstood(ValueError):
    """An answer that is not of the type it has to be."""


def read(body: bytes | str, kind: type[T]) -> T:
    """The body as this type. Raises `NotUnderstood`."""
    try:
        try:
            return msgspec.json.decode(body, type=kind)
        except msgspec.ValidationError:
            return msgspec.convert(_without_unknown(msgspec.json.decode(body), inspect.type_info(kind)), kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:  # a ValidationError is a DecodeError
        raise NotUnderstood(str(error)) from None


def read_commit(body: bytes | str) -> SeenCommit:
    """A commit with its events as structs. Raises `NotUnderstood`."""
    return _with_events(read(body, SeenCommit))


def read_commits(body: bytes) -> tuple[SeenCommit, ...]:
    """A page of commits. Raises `NotUnderstood`."""
    return tuple(map(_with_events, read(body, Commits).commits))


def read_events(told: Iterable[Any]) -> tuple[Any, ...]:
    """Events as structs of `events.game.events` and `events.game.views`; a dict each that is none of them."""
    return tuple(map(_event, told))


def ends(commit: SeenCommit) -> bool:
    """Is this the last commit of its game?"""
    return any(
        isinstance(event, GameEnded) or (isinstance(event, dict) and event.get("type") == "GameEnded")
        for event in commit.events
    )


def _with_events(commit: SeenCommit) -> SeenCommit:
    return msgspec.structs.replace(commit, events=read_events(commit.events))


def _event(told: Any) -> Any:
    forms = _FORMS.get(str(told.get("type")), ()) if isinstance(told, dict) else ()
    for form in forms:
        try:
            return msgspec.convert(told, form)
        except msgspec.ValidationError:
            continue
    for form in forms:
        try:
            return msgspec.convert(_without_unknown(told, inspect.type_info(form)), form)
        except msgspec.ValidationError:
            continue
    return told


def _without_unknown(value: Any, kind: inspect.Type) -> Any:
    """The value, without the fields of its objects that their types do not have."""
    match kind, value:
        case inspect.StructType(), dict():
            fields = {field.encode_name: field.type for field in kind.fields}
            known = {name: _without_unknown(part, fields[name]) for name, part in value.items() if name in fields}
            return known if kind.tag_field is None else known | {kind.tag_field: value.get(kind.tag_field)}
        case ((inspect.ListType() | inspect.VarTupleType()), list()):
            return [_without_unknown(item, kind.item_type) for item in value]
        case inspect.TupleType(), list() if len(value) == len(kind.item_types):
            return [_without_unknown(item, one) for item, one in zip(value, kind.item_types, strict=True)]
        case inspect.DictType(), dict():
            return {name: _without_unknown(item, kind.value_type) for name, item in value.items()}
        case inspect.UnionType(), _:
            return _without_unknown(value, _member(kind, value))
        case inspect.Metadata(), _:
            return _without_unknown(value, kind.type)
        case _:
            return value


def _member(union: inspect.UnionType, value: Any) -> inspect.Type:
    """The member of a union that a value looks like."""
    for kind in union.types:
        match kind, value:
            case inspect.StructType(), dict() if kind.tag_field is None or value.get(kind.tag_field) == kind.tag:
                return kind
            case (inspect.DictType(), dict()) | ((inspect.ListType() | inspect.VarTupleType()), list()):
                return kind
            case _:
                pass
    return inspect.AnyType()
