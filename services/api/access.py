"""Who asks, and what may they do? Seat tokens, the admin key and API keys, all of them Bearer tokens.

Law kept: a seat's token is derived (HMAC of the deployment's secret over game and seat) and never stored, so a repeated
creation gives the same one. Every comparison takes the same time whatever it finds.
"""

import hmac
import re
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.types import Scope

from events.errors import StoreUnavailable
from events.game.rules import Seat
from events.game.state import Game
from events.game.views import Viewer
from events.log.store import Store
from services.api.problems import BadToken, Forbidden
from services.api.wire import Ask
from services.settings import Settings

_SEAT_TOKEN: Final = re.compile(r"([0-9a-f]{2}[0-9a-z]{1,62})\.([0-9])\.([0-9a-f]{64})")


class Caller(msgspec.Struct, frozen=True):
    """Who asks. `name` is what their idempotency keys are counted under where there is no seat yet."""

    name: str
    admin: bool = False
    keyed: bool = False
    """Holds an API key."""
    owner: str | None = None
    """The game (or match) whose seat token this is."""
    seat: Viewer = None


class Access:
    """The keys of a deployment. `secret` is asked for at the first token, not at start: the store may come later."""

    def __init__(
        self, secret: Callable[[], bytes], *, admin_key: str | None, api_keys: Mapping[str, str] | None, open: bool
    ) -> None:
        self._make_secret = secret
        self._secret = b""
        self._admin_key = admin_key.encode() if admin_key else None
        self._api_keys = {name: key.encode() for name, key in api_keys.items()} if api_keys else None
        self.local_only = api_keys is None and not open
        """Neither keys nor open: for this machine alone, where anybody may create games."""

    def caller(self, ask: Ask) -> Caller:
        """Who this is, by their Bearer token. Raises `BadToken` for one that this service did not give."""
        return self._known(ask.header("Authorization"), ask.host)

    async def whoever(self, scope: Scope) -> Caller:
        """Who this is, for layers around the handlers: without a token that can be verified, somebody at an address."""
        host = scope["client"][0] if scope.get("client") else "unknown"
        given = [value.decode("latin-1") for name, value in scope["headers"] if name == b"authorization"]
        if len(given) == 1:
            try:
                if self._secret:
                    return self._known(given[0], host)
                return await run_in_threadpool(self._known, given[0], host)  # it may have to ask the store
            except (BadToken, StoreUnavailable):
                pass
        return Caller(f"ip:{host}")

    def _known(self, header: str | None, host: str) -> Caller:
        if header is None:
            return Caller(f"ip:{host}")
        scheme, _, token = header.partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token:
            raise BadToken("Authorization is not in the form: Bearer TOKEN.")
        # Header text is bytes read as Latin-1; a key may be in UTF-8.
        known = self._key_holder(token.encode("latin-1", "replace"))
        if known is not None:
            return known
        seat = _SEAT_TOKEN.fullmatch(token)
        if seat is None or not hmac.compare_digest(seat[3], self._mac(seat[1], int(seat[2]))):
            raise BadToken("The Bearer token is not one that this service has given.")
        return Caller(f"ip:{host}", owner=seat[1], seat=int(seat[2]))

    def token(self, owner: str, seat: Seat) -> str:
        """The token of a seat of a game (or of all games of a match)."""
        return f"{owner}.{seat}.{self._mac(owner, seat)}"

    def check_may_create(self, caller: Caller) -> None:
        """Raises `BadToken` or `Forbidden` where API keys are set and the caller has none."""
        if self._api_keys is None or caller.keyed or caller.admin:
            return
        if caller.owner is None:
            raise BadToken("Creating games needs an API key here: Authorization: Bearer KEY.")
        raise Forbidden("A seat's token cannot create games where API keys are set: send an API key.")

    def derive(self, what: str) -> bytes:
        """32 secret bytes that hang on this text alone, for ids that a repeated request must find again."""
        return hmac.digest(self._known_secret(), what.encode(), "sha256")

    def _key_holder(self, given: bytes) -> Caller | None:
        found = None
        for name, key in (self._api_keys or {}).items():
            if hmac.compare_digest(given, key):
                found = Caller(f"key:{name}", keyed=True)
        if self._admin_key is not None and hmac.compare_digest(given, self._admin_key):
            found = Caller("admin", admin=True)
        return found

    def _mac(self, owner: str, seat: Seat) -> str:
        return self.derive(f"seat:{owner}:{seat}").hex()

    def _known_secret(self) -> bytes:
        if not self._secret:
            self._secret = self._make_secret()
            if not self._secret:
                raise StoreUnavailable("The store has lost the secret that tokens are made with.")
        return self._secret


def viewer(caller: Caller, name: str, game: Game) -> Viewer:
    """The seat that the caller holds in this game, None for a spectator. Raises `Forbidden` for a token of another.

    A match's tokens hold for all its games. A log from elsewhere may name any match, or bear the id of a game that was
    lost, and have fewer seats than that: there the token is for none of them.
    """
    if caller.seat is None:
        return None
    if caller.owner in (name, game.match) and caller.seat < game.rules.seats:
        return caller.seat
    raise Forbidden(f"This token is for a seat of game {caller.owner}, not of {name}.")


def access_of(settings: Settings, store: Store) -> Access:
    """The keys that the settings name, with the store's secret."""
    keys = settings.api_keys
    return Access(
        store.secret,
        admin_key=settings.admin_key.get_secret_value() if settings.admin_key else None,
        api_keys={key.name: key.secret.get_secret_value() for key in keys} if keys else None,
        open=settings.open,
    )
