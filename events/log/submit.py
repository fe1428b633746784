"""How does anything happen? `submit`: the one write path, for people, bots, clocks and creation alike."""

from contextlib import suppress
from typing import Final

import msgspec

from events.errors import Conflict, Rejected
from events.game.commands import Command, Create
from events.game.deal import Draft
from events.game.decide import decide_by
from events.game.shuffle import SeededDice
from events.game.state import Game
from events.log.append import Appended, Request
from events.log.clocks import ClockTerms
from events.log.commit import GENESIS, BodyOf, Commit, seal
from events.log.packing import pack
from events.log.store import Loaded, Store

ATTEMPTS: Final = 8
"""Times a command is judged again because somebody else moved in between."""


class Ready(msgspec.Struct, frozen=True):
    """A commit ready to be appended: its body as the stream keeps it, and the game as it will leave it."""

    commit: Commit
    packed: bytes
    previous: str
    after: Loaded


class Submitted(msgspec.Struct, frozen=True):
    """A commit, the game as it left it, and whether it was there already (a repeated request)."""

    commit: Commit
    after: Loaded
    replayed: bool
    deadline: int | None
    """When the turn that runs after it is over, in milliseconds; None where no clock runs."""

    @property
    def game(self) -> Game:
        """The table after the commit."""
        return self.after.game


def submit(
    store: Store, game: str, command: Command, *, by: str, request: Request | None = None, seen: int | None = None
) -> Submitted:
    """Decide on the newest state and append, once per request.

    A repeated request is answered with its first commit before anything else is judged. `seen` is the version that the
    caller has judged on. A game begins with `create` instead.
    Raises `Rejected`, `Conflict` (`seen` is not the version), `KeyReused`, `UnknownGame`, `StoreUnavailable`.
    """
    known = store.warm(game)
    if known is not None and seen in (None, known.version):
        # It may be old. That is good enough to say yes, since the append looks at the log, and at the key; not for no.
        with suppress(Rejected, Conflict):
            ready = prepare(known, command, at=store.now(), by=by, key=request.key if request else None)
            return _append(store, game, ready, request)
    for _ in range(ATTEMPTS):
        # In this order: what this state does not hold yet of a request that crosses this one, the next look finds.
        loaded = store.load(game)
        if request is not None and (first := store.recorded(game, request)) is not None:
            return _replayed(store, game, first)
        if seen not in (None, loaded.version):
            raise Conflict(game, expected=seen or 0, actual=loaded.version)
        ready = prepare(loaded, command, at=store.now(), by=by, key=request.key if request else None)
        try:
            return _append(store, game, ready, request)
        except Conflict:
            continue  # somebody was faster: judge again on the newer state, where `seen` no longer holds
    raise Conflict(game, expected=seen or 0, actual=store.version(game))


def create(
    store: Store,
    command: Create,
    *,
    seed: bytes,
    by: str,
    request: Request | None = None,
    clock: ClockTerms | None = None,
    mark: bool = True,
    listed: bool = True,
) -> Submitted:
    """Begin a game under `command.game`; `seed` is 64 secret bytes, kept beside the log until the game ends.

    `clock` is what is agreed about time, kept beside the log for ever; `listed` says whether strangers find the game.
    Raises `BadPosition`, `Conflict` (the id is taken by another request's game), `KeyReused`, `StoreUnavailable`.
    """
    if request is not None and (first := store.recorded(command.game, request)) is not None:
        return _replayed(store, command.game, first)
    decided = decide_by(command, None, SeededDice(seed))
    before = Loaded(decided.game, 0, GENESIS, seed, clock)
    ready = _sealed(before, decided, at=store.now(), by=by, key=request.key if request else None)
    return _append(store, command.game, ready, request, mark, listed)


def advance(store: Store, game: str, loaded: Loaded, command: Command, *, by: str, mark: bool = True) -> Loaded:
    """Decide on a state that the caller holds already, and append: a step in a run of many.

    Without `mark` the game does not become due: the caller answers for it. Raises `Rejected`, `Conflict` (the state is
    not the newest any more) and `StoreUnavailable`.
    """
    ready = prepare(loaded, command, at=store.now(), by=by, key=None)
    return _append(store, game, ready, None, mark).after


def prepare(loaded: Loaded, command: Command, *, at: str, by: str, key: str | None) -> Ready:
    """The commit that a command on this state becomes. Raises `Rejected`."""
    decided = decide_by(command, loaded.game, SeededDice(loaded.seed))
    return _sealed(loaded, decided, at=at, by=by, key=key)


def _sealed(before: Loaded, decided: Draft, *, at: str, by: str, key: str | None) -> Ready:
    body = BodyOf(version=before.version + 1, at=at, by=by, key=key, events=tuple(decided.events))
    commit, text = seal(before.hash, body)
    seed = before.seed if decided.game.result is None else b""
    return Ready(
        commit, pack(body, text), before.hash, Loaded(decided.game, commit.version, commit.hash, seed, before.clock)
    )


def _append(
    store: Store, game: str, ready: Ready, request: Request | None, mark: bool = True, listed: bool = True
) -> Submitted:
    done = store.append(
        game,
        ready.commit,
        ready.packed,
        previous=ready.previous,
        request=request,
        after=ready.after,
        mark=mark,
        listed=listed,
    )
    if done.replayed:
        return _replayed(store, game, done)
    return Submitted(ready.commit, ready.after, replayed=False, deadline=done.deadline)


def _replayed(store: Store, game: str, first: Appended) -> Submitted:
    commit = store.read(game, after=first.version - 1, limit=1)[0]
    return Submitted(commit, store.at(game, first.version), replayed=True, deadline=first.deadline)
