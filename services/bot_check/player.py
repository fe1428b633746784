"""How is the bot under test started? A command as a process of its own, a server of bots by an invitation.

Law kept: a seat's token is handed over in the environment or in a body, never on a command line, which everybody on the
machine can read. Nothing that is started here outlives its scenario.

    MaliceError ← NotStarted    there is no such program, nobody answers at the URL, or it ends before its first request
                ← BadTarget     neither a command nor a URL; or a scenario that is not there
"""

import asyncio
import contextlib
import os
import shlex
import signal
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

import httpx2

from events.errors import MaliceError
from services.children import dies_with_parent
from services.settings import PREFIX

SAID: Final = 4096
"""Characters kept of what a program prints."""
LEFT_SECONDS: Final = 1.0
"""For what a program has printed, once it has ended: something that it started may keep its output open."""
INVITATION_SECONDS: Final = 10.0


class NotStarted(MaliceError):
    """The bot could not be started at all."""


class BadTarget(MaliceError):
    """What is asked for cannot be checked."""


def words_of(target: str) -> list[str] | None:
    """The words of a command; None for a URL. Raises `BadTarget`."""
    if target.startswith(("http://", "https://")):
        return None
    try:
        words = shlex.split(target)
    except ValueError as error:
        raise BadTarget(f"The command {target!r} cannot be read: {error}.") from None
    if not words:
        raise BadTarget("What is to be checked is empty: give a command, or the URL that takes invitations.")
    return words


class Player(Protocol):
    """A bot that is playing."""

    @property
    def exit_code(self) -> int | None:
        """How its program ended; None while it runs, and for a bot that is none of ours."""
        ...

    @property
    def can_end(self) -> bool:
        """Is it a program, which should end with its game?"""
        ...

    @property
    def last_words(self) -> Sequence[str]:
        """The last lines that it printed."""
        ...

    @property
    def refused(self) -> str:
        """How it answered an invitation, where that was no yes."""
        ...

    async def start(self) -> None:
        """Start it, or invite it. Raises `NotStarted`."""
        ...

    async def start_again(self) -> None:
        """Kill it and start it again, or invite it again."""
        ...

    async def stop(self) -> None:
        """End it, if it still runs."""
        ...


class Program:
    """A command. `invitation` (url, game, seat, token) is its environment; `ended` is called when it has."""

    can_end = True

    def __init__(self, argv: Sequence[str], invitation: Mapping[str, str], ended: Callable[[], object]) -> None:
        self.exit_code: int | None = None
        self._said = ""
        self.refused = ""
        self._argv = argv
        # The settings of a service on this machine hold its keys, and are none of the bot's business.
        own = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        self._env = own | {f"BOT_{name.upper()}": value for name, value in invitation.items()}
        self._ended = ended
        self._process: asyncio.subprocess.Process | None = None
        self._watch: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the program. Raises `NotStarted`."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                env=self._env,
                start_new_session=True,  # it is ended with all that it has started
                preexec_fn=dies_with_parent(signal.SIGKILL),
            )
        except OSError as problem:
            raise NotStarted(f"{self._argv[0]} cannot be started: {problem.strerror or problem}.") from None
        self._watch = asyncio.create_task(self._follow(self._process))

    @property
    def last_words(self) -> Sequence[str]:
        """The last lines that it printed, blank ones left out."""
        return [line for line in self._said.splitlines() if line.strip()]

    async def _follow(self, process: asyncio.subprocess.Process) -> None:
        reading = asyncio.create_task(self._read(process))
        code = await process.wait()
        await asyncio.wait((reading,), timeout=LEFT_SECONDS)
        reading.cancel()
        if process is self._process:  # else it was killed here, which says nothing about it
            self.exit_code = code
            self._ended()

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout
        while chunk := await process.stdout.read(1 << 16):
            self._said = (self._said + chunk.decode(errors="replace"))[-SAID:]

    async def start_again(self) -> None:
        """Kill -9, and start."""
        await self.stop()
        await self.start()

    async def stop(self) -> None:
        """Kill the process and whatever it started; returns when it is gone."""
        process, self._process = self._process, None
        if process is not None and self._watch is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS says EPERM of a group of zombies
                os.killpg(process.pid, signal.SIGKILL)
            await self._watch


class Guest:
    """A bot of a server that takes invitations: POST of `{"url", "game", "seat", "token"}` to its URL."""

    can_end = False
    exit_code = None
    last_words: Sequence[str] = ()

    def __init__(self, url: str, invitation: Mapping[str, str]) -> None:
        self.refused = ""
        self._url = url
        self._invitation = dict(invitation) | {"seat": int(invitation["seat"])}

    async def start(self) -> None:
        """Invite it. Raises `NotStarted` where nobody answers."""
        try:
            async with httpx2.AsyncClient(timeout=INVITATION_SECONDS, trust_env=False) as client:
                answer = await client.post(self._url, json=self._invitation)
        except (httpx2.RequestError, httpx2.InvalidURL) as problem:
            raise NotStarted(
                f"Nobody takes an invitation at {self._url}: {problem or type(problem).__name__}."
            ) from None
        if not answer.is_success:
            self.refused = f"An invitation was answered with status {answer.status_code}."

    async def start_again(self) -> None:
        """Invite it once more."""
        try:
            await self.start()
        except NotStarted as problem:
            self.refused = str(problem)

    async def stop(self) -> None:
        """It is somebody else's process."""
