"""What runs in the processes of a bot? A template that imports it once, and a fork of the template for every game.

So no game starts an interpreter, no process sees two games, and nothing that a bot keeps goes from one to another.

Laws kept: whoever started a process here takes it along when it ends, a kill -9 included (Linux: by the kernel; else at
the end of its socket); and what a bot prints, raises or answers stays out of what is said to the worker.
"""

import ctypes
import gc
import importlib
import os
import random
import resource
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from events.game.moves import MOVES, Discard, Pass, Play, move_text
from workers.own_bots.frames import LONGEST_WHY, ORDER, Answer, Loaded, Loading, Question, framed, read

PR_SET_PDEATHSIG: Final = 1
PR_SET_CHILD_SUBREAPER: Final = 36
IMPORT_SHARE: Final = 4
"""An import may take so many times the memory that a game may: it brings libraries along, and all games share them."""


def main() -> None:
    """The template: `-c` has handed over the number of its socket and of its parent."""
    number, parent = map(int, sys.argv[1:3])
    sys.argv[1:] = []
    control = socket.socket(fileno=number)
    _end_with(parent)
    order = read(control, msgspec.msgpack.Decoder(Loading))
    if order is None:
        return
    _bound_memory(IMPORT_SHARE * order.memory)
    try:
        sys.path.insert(0, order.folder)
        choose, about = load(order.path)
    except BaseException as failure:  # noqa: BLE001 - anybody's code: whatever it raises, it is not there
        control.sendall(framed(Loaded("", told(failure))))
        return
    _bound_memory(None)
    control.sendall(framed(Loaded(about)))
    gc.collect()
    gc.freeze()  # what is there now is shared with every game, as long as nobody writes to it
    _serve(control, choose, order.memory)


def load(path: str) -> tuple[Callable[..., Any], str]:
    """The function at `module:name`, and its line: the first of its docstring or its module's, else the path."""
    module_name, _, name = path.partition(":")
    module = importlib.import_module(module_name)
    choose: Any = module
    for part in name.split("."):
        choose = getattr(choose, part)
    if not callable(choose):
        raise TypeError(f"{name} is no function")
    text = str(getattr(choose, "__doc__", None) or module.__doc__ or "").strip()
    return choose, (text.splitlines() or [path])[0][:200]


def _serve(control: socket.socket, choose: Callable[..., Any], memory: int) -> None:
    """Fork a process for each game that is asked for, end those that are named, and all when the worker is gone."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    mine = os.getpid()
    kept = _children()
    games: set[int] = set()
    while True:
        order, handed, _, _ = socket.recv_fds(control, ORDER.size, 1)
        if len(order) < ORDER.size:
            break
        (ended,) = ORDER.unpack(order)
        if not handed:
            _end(games, ended, kept)
            continue
        pid = os.fork()
        if pid == 0:
            control.close()
            try:
                _play(socket.socket(fileno=handed[0]), choose, memory, mine)
            finally:
                os._exit(0)
        os.close(handed[0])
        games.add(pid)
        control.sendall(ORDER.pack(pid))
    for pid in list(games):
        _end(games, pid, kept)
    _end_strays(set())


def _end(games: set[int], pid: int, kept: set[int]) -> None:
    """End a game's process, its group, and what it started and let go of. Until then its number is nobody else's."""
    if pid not in games:
        return
    for kill in (os.killpg, os.kill):
        with suppress(OSError):
            kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    games.remove(pid)
    _end_strays(games | kept)


def _end_strays(known: set[int]) -> None:
    """Processes whose parents are gone come to this one (Linux)."""
    for pid in _children() - known:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _children() -> set[int]:
    try:
        return set(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))
    except OSError:
        return set()


def _play(line: socket.socket, choose: Callable[..., Any], memory: int, parent: int) -> None:
    """One game: a question, an answer, until nobody asks any more."""
    os.setsid()
    os.register_at_fork(after_in_child=lambda: _prctl(PR_SET_PDEATHSIG, signal.SIGKILL))
    _end_with(parent)
    _bound_memory(memory)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    questions = msgspec.msgpack.Decoder(Question)
    while (question := read(line, questions)) is not None:
        line.sendall(framed(_answer(choose, question)))


def _answer(choose: Callable[..., Any], question: Question) -> Answer:
    random.seed(question.seed)  # whoever throws the module's dice instead of the bot's gets the same games all the same
    try:
        answer = choose(question.view, random.Random(question.seed))
        text = move_text(answer) if isinstance(answer, Play | Discard | Pass) else answer
        if isinstance(text, str) and text in MOVES:
            return Answer(text)
        return Answer("", "illegal_move", f"It answered {_shown(answer)}, which is no move.")
    except BaseException as failure:  # noqa: BLE001 - anybody's code: whatever it raises, it has failed at its turn
        return Answer("", "error", told(failure))


def told(failure: BaseException) -> str:
    """The error in a sentence, with the line it comes from."""
    try:
        frames = [frame for frame in traceback.extract_tb(failure.__traceback__) if _is_the_bots(frame.filename)]
        text = f"{type(failure).__name__}: {failure}" if str(failure) else type(failure).__name__
        where = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames and frames[-1].lineno else ""
        return _sendable(text[: LONGEST_WHY - len(where)] + where)
    except Exception:  # noqa: BLE001 - out of memory, or an error whose own text raises: its kind has to do
        return type(failure).__name__[:LONGEST_WHY]


def _is_the_bots(filename: str) -> bool:
    return filename != __file__ and "importlib" not in filename


def _shown(answer: object) -> str:
    """An answer in few characters: its text may be a gigabyte."""
    return _sendable(repr(answer[:40])) if isinstance(answer, str) else f"a value of type {type(answer).__name__[:80]}"


def _sendable(text: str) -> str:
    return text.encode(errors="replace").decode()


def _bound_memory(more: int | None) -> None:
    """Let this process take so many bytes of address space beyond what it has now; None lifts the bound.

    Where the system keeps no such account (macOS), there is no bound.
    """
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    with suppress(OSError, ValueError):
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        soft = hard if more is None else size + more
        resource.setrlimit(resource.RLIMIT_AS, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _end_with(parent: int) -> None:
    """Die when the parent does, even of a kill -9."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the line above
        os._exit(1)


def _prctl(what: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(what, int(value))
