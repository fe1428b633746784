"""How does a match go on? A game that has ended is scored, and the next one is created, each exactly once.

Law kept: twice, late or at the same time as another makes no difference. The ids of a match's games are derived and its
log counts them, so whoever comes after a crash finds what is there and does the rest.
"""

import secrets
from contextlib import suppress
from typing import Final

import structlog

from events.errors import Conflict, UnknownGame, UnknownMatch, Unreadable
from events.game.commands import Create
from events.game.events import SeatInfo
from events.game.match import score, start
from events.game.rules import Rules
from events.game.shuffle import SEED_BYTES
from events.game.state import Game
from events.log.clocks import ClockTerms
from events.log.matches import Terms
from events.log.store import Loaded, Store
from events.log.submit import create

SEED_LENGTH: Final = 200
"""Characters of the text that all deals of a match are derived from, at the most."""


def agree(
    store: Store,
    match: str,
    rules: Rules,
    seats: tuple[SeatInfo, ...],
    *,
    seed: str | None = None,
    digest: str = "",
    clock: ClockTerms | None = None,
    listed: bool = True,
) -> Terms:
    """The terms of a new match, or those that stand already. `rules.match` is the target; `seed` None: drawn by lot.

    Raises `StoreUnavailable`.
    """
    terms = Terms(
        match=match,
        rules=rules,
        seats=seats,
        seed=secrets.token_hex(SEED_BYTES) if seed is None else seed,
        secret=secrets.token_hex(32),
        digest=digest,
        clock=clock,
        listed=listed,
    )
    return store.matches.agree(terms)


def begin(store: Store, terms: Terms) -> None:
    """Begin the match's log and its first game, unless they are there. Raises `StoreUnavailable`."""
    if terms.rules.match is None:
        raise ValueError("rules without a target are not for matches")
    with suppress(Conflict):  # it is there already
        store.matches.append(None, terms.match, start(terms.match, terms.rules.match, terms.seats), at=store.now())
    _begin_game(store, terms, 0, terms.seats)


def go_on(store: Store, name: str) -> str | None:
    """Score what has ended and create what follows; the game created, if this call has created one.

    Raises `UnknownMatch`, `Unreadable` (the match's log, or a game's), `UnknownGame` (one that was scored is gone),
    `StoreUnavailable`.
    """
    terms, loaded = store.matches.terms(name), store.matches.load(name)
    while not loaded.match.ended:
        number = len(loaded.match.games)
        game = terms.game(number)
        table = _table(store, game)
        if table is None:
            return game if _begin_game(store, terms, number, _seats(store, terms, number)) else None
        if table.result is None:
            return None
        try:
            events = score(loaded.match, game, table.result)
            loaded = store.matches.append(loaded, name, events, at=store.now())
        except Conflict:
            loaded = store.matches.load(name)  # somebody was faster
    return None


def go_on_after(store: Store, game: str, loaded: Loaded) -> str | None:
    """What `go_on` does for the match that this game is of, if it is of one and has ended; for others, nothing.

    A match that is not here was named by an imported log. One that cannot be read is put among the broken and told
    once: its games stay whole, and no worker comes back to it for ever. Raises `StoreUnavailable`.
    """
    match = loaded.game.match
    if match is None or loaded.game.result is None:
        return None
    try:
        return go_on(store, match)
    except UnknownMatch:
        return None
    except (Unreadable, UnknownGame) as damage:
        structlog.get_logger().error("match_unreadable", match=match, game=game, why=str(damage))
        store.due.set_aside(match, str(damage))
        return None


def _begin_game(store: Store, terms: Terms, number: int, seats: tuple[SeatInfo, ...]) -> bool:
    """Create a game of the match; False when somebody else has."""
    command = Create(game=terms.game(number), rules=terms.rules, seats=seats, match=terms.match)
    try:
        create(store, command, seed=terms.deal(number), by="system", clock=terms.clock, listed=terms.listed)
    except Conflict:
        return False
    return True


def _seats(store: Store, terms: Terms, number: int) -> tuple[SeatInfo, ...]:
    """Who sits in game `number`: those of the one before, so that a seat taken is taken for the whole match."""
    if number == 0:
        return terms.seats
    players = store.load(terms.game(number - 1)).game.players
    return tuple(SeatInfo(player.name, player.kind, player.bot, player.entropy) for player in players)


def _table(store: Store, game: str) -> Game | None:
    try:
        return store.load(game).game
    except UnknownGame:
        return None
