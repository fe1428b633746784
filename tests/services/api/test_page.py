"""How the page's files reach a browser: what they may do there, how long they are kept, and what is not handed out."""

import re
from pathlib import Path

import pytest
from limits.aio.storage import MemoryStorage
from starlette.exceptions import HTTPException
from starlette.requests import Request

from services.api import page
from services.api.edge import Edge
from services.api.limiting import Limits
from services.api.page import FOLDER, SCREENS, Page
from tests.services.api.table import Api, problem

FILES = sorted(
    path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file() and path.name != page.DOCUMENT
)
MEDIA = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".svg": "image/svg+xml",
}
PACKED = {"Accept-Encoding": "gzip"}
PLAIN = {"Accept-Encoding": "identity"}


@pytest.fixture
def web(api: Api) -> str:
    """Where the files are, by the document's own word."""
    (found,) = set(re.findall(r'"(/web/[0-9a-f]{16}/)', api.get("/").text))
    return found


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_is_the_one_document(api: Api, screen: str) -> None:
    """Whether there is such a game is for the screen to find out."""
    answer = api.get(screen.format(game="07nothere", arena="07nothere"))
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.content == api.get("/").content
    assert "{web}" not in answer.text


def test_a_query_is_the_screens_own_affair(api: Api) -> None:
    assert api.get("/games/07nothere/replay?at=17&as=all").status_code == 200


def test_the_document_may_do_nothing_but_what_its_own_files_do(api: Api) -> None:
    """Scripts, styles, pictures and requests from here alone; no markup made of text; in no frame."""
    headers = api.get("/").headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy.pop("default-src") == "'none'"
    assert {policy.pop(f"{what}-src") for what in ("script", "style", "img", "connect")} == {"'self'"}
    assert {policy.pop(what) for what in ("base-uri", "form-action", "frame-ancestors", "trusted-types")} == {"'none'"}
    assert policy == {"require-trusted-types-for": "'script'"}
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"


def test_nothing_of_it_is_taken_for_something_else(api: Api, web: str) -> None:
    for path in ("/", f"{web}main.js", f"{web}icon.svg"):
        assert api.get(path).headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_sent_as_what_it_is_packed_or_plain_and_kept_for_ever(api: Api, web: str, name: str) -> None:
    content = (FOLDER / name).read_bytes()
    packed, plain = (api.get(web + name, headers) for headers in (PACKED, PLAIN))
    assert (packed.status_code, plain.status_code) == (200, 200)
    assert packed.content == plain.content == content
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    for answer in (packed, plain):
        assert answer.headers["content-type"] == MEDIA[Path(name).suffix]
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["vary"] == "Accept-Encoding"
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("asked", "is_packed"), [("gzip", True), ("br, GZIP;q=0.5", True), ("gzip;q=0", False), ("br", False)]
)
def test_it_is_packed_for_whoever_takes_it_so(api: Api, asked: str, is_packed: bool) -> None:
    answer = api.get("/", {"Accept-Encoding": asked})
    assert ("content-encoding" in answer.headers) == is_packed
    assert "<!doctype html>" in answer.text


def test_the_document_is_asked_for_each_time_and_sent_once(api: Api) -> None:
    first = api.get("/")
    assert first.headers["cache-control"] == "no-cache"
    tag = first.headers["etag"]
    for known in (tag, tag.removeprefix("W/"), f'"another", {tag}', "*"):
        answer = api.get("/arenas", {"If-None-Match": known})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
        assert answer.headers["content-security-policy"] == first.headers["content-security-policy"]
    assert api.get("/", {"If-None-Match": '"another"'}).status_code == 200


def test_one_changed_byte_changes_every_address(tmp_path: Path) -> None:
    """So does a file of another name: a module finds those that it was written with, or none."""

    def written(**files: str) -> str:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        for name, text in {"index": "{web}", **files}.items():
            (folder / f"{name}.html").write_text(text)
        return Page(folder).hash

    hashes = [
        written(a="one", b="two"),
        written(a="one", b="twp"),
        written(a="one", c="two"),
        written(a="onet", b="wo"),
    ]
    assert len({*hashes}) == 4
    assert written(a="one", b="two") == hashes[0]


@pytest.mark.parametrize(
    "path",
    [
        "{stale}main.js",
        "{web}nothing.js",
        "{web}",
        "{web}style",
        "{web}index.html",
        "{web}main.js/",
        "{web}%2e%2e/page.py",
        "{web}..%2fpage.py",
        "{web}style%2f..%2fmain.js",
        "{web}%2fetc%2fpasswd",
        "/web/main.js",
    ],
)
def test_what_is_not_there_is_not_found(api: Api, web: str, path: str) -> None:
    """Another version of the page, a folder, and whatever leads out of it."""
    stale = f"/web/{'0' * 16}/"
    problem(api.get(path.format(web=web, stale=stale)), 404, "not_found")


@pytest.mark.parametrize(
    "path", ["../page.py", "style/../main.js", "./main.js", "//etc/passwd", "/etc/passwd", "main.js\0"]
)
async def test_no_path_is_followed(path: str) -> None:
    """As a client may send it that does not tidy it up first: names are looked up, nothing is opened."""
    shown = Page()
    scope = {"type": "http", "headers": [], "path_params": {"hash": shown.hash, "path": path}}
    with pytest.raises(HTTPException):
        await shown.file(Request(scope))


@pytest.mark.parametrize("path", ["/", "/games/07nothere", "{web}main.js"])
def test_head_answers_as_get_would(api: Api, web: str, path: str) -> None:
    path = path.format(web=web)
    head, get = (api.http.request(method, path, headers=PACKED) for method in ("HEAD", "GET"))
    assert (head.status_code, head.content) == (200, b"")
    ours = {"x-request-id"}
    assert {name: value for name, value in head.headers.items() if name not in ours} == {
        name: value for name, value in get.headers.items() if name not in ours
    }


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_it_is_there_to_be_read_alone(api: Api, web: str, method: str) -> None:
    for path in ("/", f"{web}main.js"):
        answer = api.http.request(method, path)
        problem(answer, 405, "method_not_allowed")
        assert answer.headers["allow"] == "GET, HEAD"


def test_without_keys_it_is_for_this_machine_alone(api: Api, web: str) -> None:
    """A page that makes its own name point here gets neither the document nor a file."""
    for path in ("/", "/games/07nothere", f"{web}main.js"):
        problem(api.get(path, {"Host": "evil.example"}), 403, "forbidden")
        problem(api.get(path, {"Origin": "https://evil.example"}), 403, "forbidden")
        assert api.get(path, {"Host": "127.0.0.1:8000"}).status_code == 200


def test_the_figures_name_its_routes_and_no_address(api: Api, web: str) -> None:
    for path in ("/", "/games/07nothere", f"{web}main.js", f"{web}nothing.js"):
        api.get(path)
    figures = api.get("/metrics").text
    assert "07nothere" not in figures
    assert web not in figures
    for route in ("/", "/games/{game}", page.FILES):
        assert f'route="{route}"' in figures


def test_it_counts_for_no_limit() -> None:
    """A screen asks for some forty files at once, and is no work."""
    api = Api(edge=Edge(limits=Limits("2/hour", MemoryStorage())))
    with api.http:
        answers = [api.get(path) for path in ("/", "/arenas") for _ in range(4)]
    assert {answer.status_code for answer in answers} == {200}
    assert not [name for answer in answers for name in answer.headers if name.startswith("ratelimit")]
