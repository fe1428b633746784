"""How do bytes become values, and values bytes? A bounded body, a typed strict decode, and the forms of headers.

Law kept: msgspec is the model language from stream to wire. Here is judged in what form a request comes, never what it
asks for; each check stands alone, so that a handler can put them into the contract's order.
"""

import asyncio
import re
from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

import msgspec
from starlette.background import BackgroundTask
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from events.errors import Malformed
from services.api.problems import TooLarge, TooSlow, UnsupportedMedia

T = TypeVar("T")

BODY_LIMIT: Final = 1 << 20
BODY_SECONDS: Final = 10
"""A body half sent holds memory: it is waited for so long and no longer."""
JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
BYTES: Final = "application/octet-stream"
EVENT_STREAM: Final = "text/event-stream"
PRIVATE: Final[Mapping[str, str]] = {"Cache-Control": "no-store", "Vary": "Authorization"}
"""What a caller may see differs by token: no cache may keep it."""
_KEY: Final = re.compile(r"[!-~]{1,200}")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,17}")
_TAG: Final = re.compile(r'(?:W/)?("[^"]*")')


class Ask:
    """One request: its body is read, and nothing of it is believed yet."""

    __slots__ = ("_request", "body")

    def __init__(self, request: Request, body: bytes) -> None:
        self._request = request
        self.body = body

    @property
    def game(self) -> str:
        """The game that the path names, known or not."""
        return self._request.path_params["game"]

    @property
    def arena(self) -> str:
        """The arena that the path names, known or not."""
        return self._request.path_params["arena"]

    @property
    def match(self) -> str:
        """The match that the path names, known or not."""
        return self._request.path_params["match"]

    @property
    def host(self) -> str:
        """The address that the request comes from."""
        return self._request.client.host if self._request.client else "unknown"

    def header(self, name: str) -> str | None:
        """A header's value. Raises `Malformed` for one that is there twice: nobody can say which is meant."""
        values = self._request.headers.getlist(name)
        if len(values) > 1:
            raise Malformed(f"The header {name} is there {len(values)} times.")
        return values[0] if values else None

    def read(self, decoder: msgspec.json.Decoder[T]) -> T:
        """The body as the decoder's type. Raises `UnsupportedMedia`, `Malformed`."""
        self._check_media(JSON)
        return decoded(self.body, decoder)

    def read_file(self, *media: str) -> bytes:
        """The body as it comes, of one of these media types, or of none: bytes then (RFC 9110, section 8.3).

        Raises `UnsupportedMedia`.
        """
        if self.header("Content-Type") is not None:
            self._check_media(*media)
        return self.body

    def read_nothing(self) -> None:
        """For a POST that says it all by its path: no body, or an empty object. Raises as `read`."""
        if self.body:
            self.read(_NOTHING)

    def query(self, *known: str) -> dict[str, str]:
        """The query by its names. Raises `Malformed` for a name that the route does not know, or one given twice."""
        found: dict[str, str] = {}
        for name, value in self._request.query_params.multi_items():
            if name not in known:
                raise Malformed(f"There is no query parameter {name!r} here; there is {_listed(known)}.")
            if name in found:
                raise Malformed(f"The query gives {name} twice.")
            found[name] = value
        return found

    def key(self) -> str | None:
        """Idempotency-Key: 1 to 200 visible ASCII characters. Raises `Malformed`."""
        key = self.header("Idempotency-Key")
        if key is not None and not _KEY.fullmatch(key):
            raise Malformed(f"Idempotency-Key has {len(key)} characters; it takes 1 to 200, visible ASCII ones only.")
        return key

    def seen(self) -> int | None:
        """If-Match: the one version that the caller has judged on, in quotes. Raises `Malformed`."""
        text = self.header("If-Match")
        if text is None:
            return None
        if len(text) < 3 or text[0] != '"' or text[-1] != '"' or not _NUMBER.fullmatch(text[1:-1]):
            raise Malformed(f'If-Match is {text!r}; it takes one version in quotes, such as "17".')
        return int(text[1:-1])

    def has(self, tag: str) -> bool:
        """Does If-None-Match name this ETag? Compared weakly, as RFC 9110 says."""
        text = self.header("If-None-Match")
        return text is not None and (text.strip() == "*" or tag in _TAG.findall(text))

    def prefers(self, *offered: str) -> str:
        """The first of the media types offered that Accept wants most; the first of all when it wants none of them."""
        wanted = accepted(self.header("Accept") or "*/*")
        return max(offered, key=lambda media: wanted.get(media, wanted.get("*/*", 0.0)))

    def _check_media(self, *taken: str) -> None:
        media, _, parameters = (self.header("Content-Type") or "").partition(";")
        if media.strip().lower() not in taken:
            raise UnsupportedMedia(f"The body is {media.strip() or 'of no stated type'}; send {' or '.join(taken)}.")
        charset = re.search(r"charset\s*=\s*\"?([^\s;\"]+)", parameters, re.IGNORECASE)
        if charset and charset[1].lower() not in ("utf-8", "utf8"):
            raise UnsupportedMedia(f"The body is in {charset[1]}; send UTF-8.")
        coding = self.header("Content-Encoding") or "identity"
        if coding.lower() != "identity":
            raise UnsupportedMedia(f"The body is packed with {coding}; send it as it is.")


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A body without fields."""


_NOTHING: Final = msgspec.json.Decoder(Nothing)


async def receive(request: Request, limit: int = BODY_LIMIT) -> Ask:
    """The request with its body.

    Raises `TooLarge` before more than `limit` bytes are kept, stated or chunked, and `TooSlow`.
    """
    stated = request.headers.get("Content-Length")
    if stated is None:
        if "Transfer-Encoding" not in request.headers:
            return Ask(request, b"")  # nothing comes (RFC 9112, section 6.3): most requests, and nothing to wait for
        stated = "0"
    if stated.isdigit() and len(stated) < 19 and int(stated) > limit:
        raise TooLarge(f"The body has {stated} bytes; it may have {limit}.")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise TooLarge(f"The body has more than {limit} bytes.")
    except TimeoutError:
        raise TooSlow(f"The body had not come to its end after {BODY_SECONDS} seconds.") from None
    except ClientDisconnect:
        raise Malformed("The body broke off.") from None
    return Ask(request, bytes(body))


def decoded(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """Raises `Malformed`, naming the field."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        raise Malformed(f"The body is not as asked for: {error}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"The body is not JSON: {error}.") from None
    except RecursionError:
        raise Malformed("The body is not as asked for: it is nested too deeply.") from None


def whole_number(name: str, text: str, low: int, high: int | None = None) -> int:
    """A number of the query. Raises `Malformed`."""
    if not _NUMBER.fullmatch(text) or int(text) < low or (high is not None and int(text) > high):
        upto = "up" if high is None else f"to {high}"
        raise Malformed(f"{name} is {text[:40]!r}; it takes a whole number from {low} {upto}.")
    return int(text)


def answer(
    value: object,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    *,
    then: BackgroundTask | None = None,
) -> Response:
    """A value as JSON; `then` runs once it is sent."""
    return sent(msgspec.json.encode(value), JSON, status, headers, then=then)


def lines(values: Iterable[object]) -> Response:
    """Values as NDJSON."""
    return sent(b"".join(msgspec.json.encode(value) + b"\n" for value in values), NDJSON)


def sent(
    body: bytes,
    media: str,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    *,
    then: BackgroundTask | None = None,
) -> Response:
    """A finished body."""
    return Response(body, status, {**PRIVATE, **headers} if headers else PRIVATE, media, then)


def accepted(header: str) -> dict[str, float]:
    """What an Accept or Accept-Encoding header names, with its weight; what is out of form weighs nothing."""
    wanted: dict[str, float] = {}
    for part in header.split(","):
        media, *parameters = (piece.strip().lower() for piece in part.split(";"))
        weight = next((value[2:] for value in parameters if value.startswith("q=")), "1")
        wanted[media] = float(weight) if re.fullmatch(r"[01](\.[0-9]{0,3})?", weight) else 0.0
    return wanted


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
