"""What are the shapes on the wire? The schemas of the OpenAPI document, made from the msgspec types that are used.

Law kept: no second model. What is added is what msgspec cannot say: the sentences under fields, one union of the events
over their types, and that answers may gain fields (so a schema of an answer forbids none) while requests may not.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import msgspec

from events.errors import Reason
from events.game.cards import ALL_CARDS
from events.game.match import MatchEvent
from events.game.rules import LIMITS, Rules
from services.api.docstrings import FieldDocs
from services.api.operation import Operation, Shape
from services.api.problems import KINDS, Problem
from services.api.schemas import FULL_EVENTS, SEEN_FORMS

REF: Final = "#/components/schemas/{name}"
_CARDS: Final = sorted(ALL_CARDS)


def schema_of(shape: Shape, *, asked: bool = False) -> dict[str, Any]:
    """The schema of a body; `asked`: of a request's."""
    kinds = shape.type if isinstance(shape.type, tuple) else (shape.type,)
    if kinds == (str,):
        lines = " or ".join(f"`{name(kind)}`" for kind in shape.lines)
        return {"type": "string", "description": f"Lines, each of them JSON: {lines}."} if lines else {"type": "string"}
    refs = [reference(kind, asked=asked) for kind in kinds]
    return refs[0] if len(refs) == 1 else {"anyOf": refs}


def reference(kind: Any, *, asked: bool = False) -> dict[str, str]:
    """A reference to the schema of a type."""
    return {"$ref": REF.format(name=_name_asked(name(kind)) if asked else name(kind))}


def name(kind: Any) -> str:
    """How the document calls a type: a commit after what it is a commit of."""
    of = get_args(kind)
    if not of:
        return kind.__name__
    return "MatchCommit" if of[0] == MatchEvent else "Commit"


def schemas(operations: Sequence[Operation]) -> dict[str, Any]:
    """Every schema, by its name."""
    docs = FieldDocs()
    asked = _closure((*_structs(one.body for one in operations), Rules), docs)
    told = _closure((*_structs(shape for one in operations for shape in one.answers), Problem), docs)
    lines = _closure({kind for one in operations for shape in one.answers for kind in shape.lines}, docs)
    events = _closure((*FULL_EVENTS, *SEEN_FORMS), docs)
    answers = {key: _opened(schema) for key, schema in (told | lines | events).items()}
    requests = {_name_asked(key): _renamed(schema) for key, schema in asked.items()}
    limits = {knob: {"minimum": low, "maximum": high} for knob, (low, high) in LIMITS.items()}
    knobs = requests["AskedRules"]["properties"]
    requests["AskedRules"]["properties"] = knobs | {knob: knobs[knob] | bounds for knob, bounds in limits.items()}
    answers["Problem"]["properties"]["code"] |= {"examples": list(KINDS)}
    answers["Problem"]["properties"]["reason"] |= {"examples": [reason.value for reason in Reason]}
    card = {"Card": {"type": "string", "enum": _CARDS, "description": _CARD}}
    return dict(sorted((answers | requests | _seen_events() | card).items()))


_CARD: Final = "Rank `A23456789TJQK` and suit `cdhs`; `**` is a joker."
_TWICE: Final = {Rules.__name__}
"""What both requests and answers hold: a request's form has a name of its own, since it takes no unknown field."""


def _name_asked(key: str) -> str:
    return f"Asked{key}" if key in _TWICE else key


def _structs(shapes: Iterable[Shape | None]) -> list[Any]:
    return list(
        dict.fromkeys(
            kind
            for shape in shapes
            if shape is not None
            for kind in (shape.type if isinstance(shape.type, tuple) else (shape.type,))
            if kind is not str
        )
    )


def _closure(kinds: Iterable[Any], docs: FieldDocs) -> dict[str, Any]:
    """The schemas of these types and of all that they hold."""
    found: dict[str, Any] = {}
    # One by one: forms of one event share its tag, so that no union of all of them can be made.
    for kind in kinds:
        (own,), inner = msgspec.json.schema_components([kind], ref_template=REF)
        given = own["$ref"].rpartition("/")[2]
        for key, schema in inner.items():
            found[name(kind) if key == given else key] = schema | {"title": name(kind) if key == given else key}
    for kind in _structs_in(kinds):
        properties = found[name(kind)].get("properties", {})
        for field, text in docs.of(get_origin(kind) or kind).items():
            if field in properties:
                properties[field] = {"description": text} | properties[field]
    return {key: _plain(schema) for key, schema in found.items()}


def _structs_in(kinds: Iterable[Any]) -> set[Any]:
    """These types, and those that their fields hold."""
    found: set[Any] = set()
    seen: set[Any] = set()
    waiting = list(kinds)
    while waiting:
        kind = waiting.pop()
        if get_origin(kind) is Annotated:
            kind = kind.__origin__
        if get_origin(kind) is Literal or kind in seen:
            continue
        seen.add(kind)
        origin = get_origin(kind) or kind
        if isinstance(origin, type) and issubclass(origin, msgspec.Struct):
            found.add(kind)
            waiting += [field.type for field in msgspec.structs.fields(kind)]
        waiting += get_args(kind)
    return found


def _plain(node: Any) -> Any:
    """Cards by reference, a type with every choice of words, and `oneOf` instead of what msgspec says more loosely."""
    match node:
        case {"anyOf": _, "oneOf": _}:
            return _plain({key: one for key, one in node.items() if key != "anyOf"})
        case {"enum": list(words)} if words == _CARDS:
            return {"$ref": REF.format(name="Card")} | {key: one for key, one in node.items() if key != "enum"}
        case {"enum": list(words)} if all(isinstance(word, str) for word in words):
            return {"type": "string"} | node
        case dict():
            return {key: _plain(one) for key, one in node.items()}
        case list():
            return [_plain(one) for one in node]
        case _:
            return node


def _opened(node: Any) -> Any:
    match node:
        case dict():
            return {
                key: _opened(one) for key, one in node.items() if not (key == "additionalProperties" and one is False)
            }
        case list():
            return [_opened(one) for one in node]
        case _:
            return node


def _renamed(node: Any) -> Any:
    """References from requests go to the forms of requests."""
    match node:
        case {"$ref": str(target)}:
            path, _, key = target.rpartition("/")
            return node | {"$ref": f"{path}/{_name_asked(key)}"}
        case dict():
            return {key: _renamed(one) for key, one in node.items()}
        case list():
            return [_renamed(one) for one in node]
        case _:
            return node


def _seen_events() -> dict[str, Any]:
    """The union of the events as one may see them, over their types; where a type has two forms, a union of those."""
    forms: dict[str, list[str]] = {}
    for kind in (*FULL_EVENTS, *SEEN_FORMS):
        forms.setdefault(str(kind.__struct_config__.tag), []).append(kind.__name__)
    told: dict[str, Any] = {}
    for tag, names in forms.items():
        if len(names) > 1:
            told[f"Seen{tag}"] = {
                "title": f"Seen{tag}",
                "description": f"`{tag}` in full for whom it hides nothing (the seat itself, where a hand is drawn; "
                "`as=all`), else with counts.",
                "oneOf": [{"$ref": REF.format(name=one)} for one in names],
            }
    mapping = {tag: REF.format(name=f"Seen{tag}" if len(names) > 1 else tag) for tag, names in forms.items()}
    told["SeenEvent"] = {
        "title": "SeenEvent",
        "description": "An event as the caller may know it; `type` says which.",
        "oneOf": [{"$ref": target} for target in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }
    return told
