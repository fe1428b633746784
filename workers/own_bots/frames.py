"""What do a worker and the processes of a bot say to each other? Frames: four bytes of length, then MessagePack.

A frame has a bound, so that no answer, however long, finds room in the worker.
"""

import socket
import struct
from typing import Final, TypeVar

import msgspec

from events.game.events import Cause
from events.game.views import View

LENGTH: Final = struct.Struct("<I")
ORDER: Final = struct.Struct("<q")
"""What a template is told: 0, with a socket, is a new game; another number is the process of a game to be ended."""
LONGEST_ANSWER: Final = 8192
"""Bytes of what a process of a bot may say at a time. A move has 5, the sentence on an error up to `LONGEST_WHY`."""
LONGEST_WHY: Final = 500
"""Characters."""


class Loading(msgspec.Struct, array_like=True, frozen=True):
    """Which function a template is to import, where it may look first, and how much memory it may take, in bytes."""

    path: str
    folder: str
    memory: int


class Loaded(msgspec.Struct, array_like=True, frozen=True):
    """The function is there, with its line; or why it is not."""

    about: str
    failure: str | None = None


class Question(msgspec.Struct, array_like=True, frozen=True):
    """What a bot is asked: its dice's seed, and what its seat may see."""

    seed: bytes
    view: View


class Answer(msgspec.Struct, array_like=True, frozen=True):
    """The text of a move; or what went wrong, and a sentence for the bot's author."""

    text: str
    cause: Cause | None = None
    why: str = ""


T = TypeVar("T")


def framed(message: msgspec.Struct) -> bytes:
    """The message as a frame."""
    packed = msgspec.msgpack.encode(message)
    return LENGTH.pack(len(packed)) + packed


def read(line: socket.socket, decoder: "msgspec.msgpack.Decoder[T]") -> T | None:
    """The next message of a socket that waits; None where the other side is gone. Raises OSError, `DecodeError`."""
    head = _exactly(line, LENGTH.size)
    packed = _exactly(line, LENGTH.unpack(head)[0]) if head else None
    return None if packed is None else decoder.decode(packed)


def _exactly(line: socket.socket, size: int) -> bytes | None:
    got = b""
    while len(got) < size:
        part = line.recv(size - len(got))
        if not part:
            return None
        got += part
    return got
