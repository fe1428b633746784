"""What may a later version of the service say? The same answers, with fields and events that no bot knows yet."""

from typing import Any, Final

import msgspec

FIELD: Final = "weather"
EVENT: Final[dict[str, Any]] = {"type": "WeatherChanged", "seat": 0, "to": {"sky": "grey", "wind": 7}}
MESSAGE: Final = b'event: weather\ndata: {"sky": "grey"}\n\n: a remark\n\n'


def newer(body: bytes) -> bytes:
    """An answer, JSON or a JSON value a line, with a further field in every object and a further event in each list.

    What is not JSON stays as it is.
    """
    lines = body.split(b"\n")
    try:
        return b"\n".join(msgspec.json.encode(_richer(msgspec.json.decode(line))) if line else line for line in lines)
    except msgspec.DecodeError:
        return body


def newer_stream(chunk: bytes, *, last: bool) -> tuple[bytes, bytes]:
    """A part of a stream of server-sent events, and what is kept for the next: a message that is not through."""
    *messages, kept = chunk.split(b"\n\n")
    out = b"".join(MESSAGE + b"\n".join(map(_richer_line, message.split(b"\n"))) + b"\n\n" for message in messages)
    return (out + kept, b"") if last else (out, kept)


def _richer_line(line: bytes) -> bytes:
    return b"data: " + newer(line[6:]) if line.startswith(b"data: ") else line


def _richer(value: Any) -> Any:
    match value:
        case dict() if any(name.isdigit() for name in value):  # a table by seat, not an object
            return {name: _richer(inner) for name, inner in value.items()}
        case dict():
            told = {name: _richer(inner) for name, inner in value.items()}
            if isinstance(told.get("events"), list):
                told["events"] = [EVENT, *told["events"]]
            return told | {FIELD: "grey"}
        case list():
            return [_richer(inner) for inner in value]
        case _:
            return value
