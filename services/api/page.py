"""How does the page reach a browser? The files of `services/web`, read once, each at an address that names its content.

Law kept: the page asks nobody but this service, and holds no script but its own files. One hash over all files is part
of their addresses, so modules import each other by relative names, and whatever a browser has kept of them is right for
ever. What names the hash, the document itself, is asked for each time.
"""

import gzip
import mimetypes
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from services.api.wire import Ask, accepted

FOLDER: Final = Path(__file__).resolve().parent.parent / "web"
DOCUMENT: Final = "index.html"
WEB: Final = "/web/"
"""What stands for the address of the files in the document is `{web}`."""
SCREENS: Final = ("/", "/games/{game}", "/games/{game}/replay", "/arenas", "/arenas/{arena}", "/how-to-play")
"""Addresses of the page: one document, which shows the screen that its address asks for."""
FILES: Final = WEB + "{hash}/{path:path}"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_ALWAYS: Final = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Vary": "Accept-Encoding"}
_DOCUMENT: Final = {
    **_ALWAYS,
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_FILE: Final = {**_ALWAYS, "Cache-Control": "public, max-age=31536000, immutable"}
_TEXT: Final = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".json": "application/json"}


class Asset(NamedTuple):
    """A file as it is sent: as it is, or packed by gzip."""

    body: bytes
    packed: bytes
    media: str


class Page:
    """The page's files. `hash` is 16 hex digits of the SHA-256 over all of them, names included."""

    def __init__(self, folder: Path = FOLDER) -> None:
        files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        digest = sha256()
        for name, body in files.items():
            digest.update(f"{name}\n{len(body)}\n".encode() + body)
        self.hash = digest.hexdigest()[:16]
        document = files.pop(DOCUMENT).decode().replace("{web}", f"{WEB}{self.hash}")
        self._document = _asset(DOCUMENT, document.encode())
        self._assets = {name: _asset(name, body) for name, body in files.items()}

    async def document(self, request: Request) -> Response:
        """The document, the same for every screen. A browser that has it is told so by its ETag."""
        tag = f'"{self.hash}"'
        headers = {**_DOCUMENT, "ETag": f"W/{tag}"}  # weak: packed or not, it is the same
        if Ask(request, b"").has(tag):
            return Response(status_code=304, headers=headers)
        return _sent(request, self._document, headers)

    async def file(self, request: Request) -> Response:
        """One of the files. Raises 404 for one that is not there, or is of another version of the page."""
        asset = self._assets.get(request.path_params["path"])
        if asset is None or request.path_params["hash"] != self.hash:
            raise HTTPException(404)
        return _sent(request, asset, _FILE)


def _asset(name: str, body: bytes) -> Asset:
    ending = Path(name).suffix
    media = _TEXT.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Asset(body, gzip.compress(body, 9, mtime=0), f"{media}; charset=utf-8" if ending in _TEXT else media)


def _sent(request: Request, asset: Asset, headers: Mapping[str, str]) -> Response:
    if accepted(request.headers.get("Accept-Encoding", "")).get("gzip"):
        return Response(asset.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=asset.media)
    return Response(asset.body, headers=headers, media_type=asset.media)
