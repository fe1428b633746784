"""Where do requests pass before they reach the API? Through a layer that notes each, and hands it to its fault."""

from starlette.types import ASGIApp, Receive, Scope, Send

from services.api.heads import BoundedHead
from services.bot_check import faults
from services.bot_check.exchange import Exchange, Meddler


class Faults:
    """The layer. `table` is where the game under test is played; other games are left alone."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.table: Meddler | None = None
        self.left: set[str] = set()
        """Paths of games that were played before: a bot may not have heard of their end."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        table = self.table
        if scope["type"] != "http" or table is None or "/".join(scope["path"].split("/")[:4]) in self.left:
            await self.app(scope, receive, send)
            return
        asked = table.arrival(scope, await _whole(receive))
        fault = table.note(asked)
        asked.fault = "" if fault is faults.none else (fault.__doc__ or "").strip()
        try:
            await fault(Exchange(self.app, scope, receive, send, asked, table))
        finally:
            table.answered(asked)


class Breakable(BoundedHead):
    """A connection of the service that an application can break: its transport is in the scope's state."""

    def on_message_begin(self) -> None:
        super().on_message_begin()
        # Uvicorn puts the state there for every request; its type says that a server may leave it out.
        self.scope["state"]["transport"] = self.transport  # pyright: ignore[reportTypedDictNotRequiredAccess]


async def _whole(receive: Receive) -> bytes:
    body = bytearray()
    while (message := await receive())["type"] == "http.request":
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return bytes(body)
