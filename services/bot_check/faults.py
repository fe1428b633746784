"""What can go wrong between a bot and the service? Every fault as a function of the exchange that it spoils.

Law kept: a fault loses answers, repeats them, delays them or speaks for something on the way; it never makes up a rule.
"""

from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import msgspec

from services.bot_check.exchange import Exchange

REWOUND: Final = 4
"""Commits that are delivered again."""


async def none(exchange: Exchange) -> None:
    """Nothing goes wrong."""
    await exchange.deliver()


async def cut(exchange: Exchange) -> None:
    """The connection breaks before the service has read the request."""
    await exchange.drop()


async def lose(exchange: Exchange) -> None:
    """The service does what was asked, and the connection breaks before its answer is sent."""
    await exchange.process()
    await exchange.drop()


async def halve(exchange: Exchange) -> None:
    """The connection breaks in the midst of the answer."""
    await exchange.deliver(half=True, commits=1)


async def doubt(exchange: Exchange) -> None:
    """The service does what was asked, and something on the way answers 503: the outcome is unknown."""
    await exchange.process()
    await _refuse(exchange, 503, "unavailable", retry_after=1)


async def away(exchange: Exchange) -> None:
    """503 with Retry-After; nothing was done."""
    await _refuse(exchange, 503, "unavailable", retry_after=1)


async def too_many(exchange: Exchange) -> None:
    """429 with Retry-After; nothing was done."""
    await _refuse(exchange, 429, "rate_limited", retry_after=1)


async def gateway(exchange: Exchange) -> None:
    """502 from a proxy, a page in HTML; whether anything was done is not known."""
    page = b"<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
    await exchange.refuse(502, page, "text/html")


async def unheard_of(exchange: Exchange) -> None:
    """409 with a code that no bot knows."""
    await _refuse(exchange, 409, "table_being_wiped")


async def unheard_of_trouble(exchange: Exchange) -> None:
    """503 with a code that no bot knows."""
    await _refuse(exchange, 503, "tea_break", retry_after=1)


async def rewind(exchange: Exchange) -> None:
    """The feed begins some commits earlier than asked for: they are delivered again. A stream then breaks off."""
    query = dict(parse_qsl(exchange.scope["query_string"].decode("latin-1")))
    headers: list[tuple[bytes, bytes]] = []
    for name, value in exchange.scope["headers"]:
        headers.append((name, _earlier(value.decode()).encode()) if name == b"last-event-id" else (name, value))
    if "after" in query:
        query["after"] = _earlier(query["after"])
    exchange.scope = {**exchange.scope, "query_string": urlencode(query).encode(), "headers": headers}
    await exchange.deliver(commits=REWOUND + 2)


async def overtake(exchange: Exchange) -> None:
    """Before the request is read, the bot's turn has been played to its end for it."""
    await exchange.table.overtake()
    exchange.asked.overtaken = True
    await exchange.deliver()


async def expire(exchange: Exchange) -> None:
    """Before the request is read, the bot's time has run out, and the game is over."""
    await exchange.table.expire()
    exchange.asked.overtaken = True
    await exchange.deliver()


async def start_again(exchange: Exchange) -> None:
    """The service does what was asked; before it has answered, the bot is killed and started again."""
    await exchange.process()
    await exchange.table.start_again()
    await exchange.drop()


async def _refuse(exchange: Exchange, status: int, code: str, retry_after: int | None = None) -> None:
    told: dict[str, Any] = {
        "type": f"/docs#{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "detail": "Not now.",
        "code": code,
    }
    await exchange.refuse(status, msgspec.json.encode(told), "application/problem+json", retry_after)


def _earlier(version: str) -> str:
    return str(max(int(version) - REWOUND, 0)) if version.isdigit() else version
