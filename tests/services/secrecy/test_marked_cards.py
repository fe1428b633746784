"""R3: a card that nobody may know is named nowhere. The hidden cards of `MARKED` are tens and jacks, no others are.

Whatever leaves the service while they are hidden is searched for them: answers of every route, the log, the messages to
the workers, figures and documentation.
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from celery import Celery

from events.errors import Unreadable
from events.game.fast.codes import CODES
from events.game.views import Viewer
from events.log.commit import GENESIS
from events.log.keys import SWEEPING_KEY, snapshot_key, stream_key
from events.log.packing import text_of
from services.api.edge import Edge
from tests.log.games import let_pass
from tests.services.api.table import ADMIN, HIDDEN, MARKED, PEOPLE, Api, Table
from tests.services.conftest import Said
from tests.services.secrecy.looking import STREAM
from workers.bots.registry import find
from workers.queue import BOT_TURN, FOLD, KEEP_TIME, QUEUES, celery_app, send
from workers.tasks import register

OWN = {None: set[str](), 0: {"Tc"}, 1: {"Td", "Th", "Ts"}}
"""What each watcher may know: the hand, and in time what is drawn to it."""
REFUSED = ("pass", "p>c9", "p@1>c0", "s0>c0", "7h>c0", "9h>s9")
HEIRS = [{"name": "Cid"}, {"name": "Dot"}]


@pytest.fixture
def api() -> Iterator[Api]:
    """A service that logs every request."""
    made = Api(edge=Edge(log_requests=True))
    yield made
    made.store.client.flushall()


def everything(table: Table, watcher: Viewer) -> list[str]:
    """Heads and bodies of all that this watcher can get, asking for no card by its name."""
    api, path, own = table.api, table.path, table.headers(watcher)
    last = api.get(path, own).json().get("version", 1)
    asked: list[tuple[str, str, Any, dict[str, str]]] = [
        *(("GET", path + query, None, {}) for query in ("", "?at=1", f"?at={last}", "?as=0", "?as=all", "?at=99")),
        *(("GET", f"{path}/events{query}", None, {}) for query in ("", "?after=1", "?limit=1", "?as=1", "?after=99")),
        ("GET", f"{path}/events", None, {"Accept": "application/x-ndjson"}),
        ("GET", f"{path}/events?limit={last}&wait=1", None, STREAM),
        ("GET", f"{path}/log", None, {}),
        ("GET", f"{path}/verification", None, {}),
        ("GET", "/v1/games", None, {}),
        ("GET", "/metrics", None, {}),
        ("POST", f"{path}/fork", {"at": last, "seats": HEIRS}, {}),
        ("POST", f"{path}/rematch", None, {}),
        ("POST", f"{path}/seats", {"name": "Eve"}, {}),
        *(
            ("POST", f"{path}/moves", {"move": move}, {})
            for move in ("pass", "p>c9", "p@1>c0", "s0>c0", "7h>c0", "9h>s9")
        ),
        ("POST", f"{path}/moves", {"move": 7}, {}),
        ("POST", f"{path}/moves", {"move": "p>c0"}, {"If-Match": '"77"'}),
        ("POST", f"{path}/moves", {"move": "p>c0"}, {"Idempotency-Key": "k k"}),
        ("POST", f"{path}/resign", {"really": True}, {}),
        ("DELETE", path, None, {}),
    ]
    answers = [api.http.request(method, where, json=body, headers=own | more) for method, where, body, more in asked]
    return [f"{answer.status_code} {answer.headers} {answer.text}" for answer in answers]


def check_unnamed(texts: list[str], known: set[str] = OWN[None]) -> None:
    """Raises AssertionError with the text that names a marked card."""
    for text in texts:
        assert set(HIDDEN.findall(text)) <= known, text


def check_all(table: Table, said: Said) -> None:
    for watcher, known in OWN.items():
        check_unnamed(everything(table, watcher), known)
    lines = said()
    assert len(lines) > 60
    check_unnamed(lines)


def test_no_marked_card_is_named_to_who_may_not_know_it(api: Api, said: Said) -> None:
    """Every route, for both seats and a spectator, before and after moves; and the log of all these requests."""
    table = api.marked()
    check_all(table, said)
    assert table.play(0, "9c>s3").status_code == 200
    check_all(table, said)
    assert table.play(1, "9h>s0").status_code == 422
    with pytest.raises(AssertionError, match="Jc"):  # the admin key alone is told, and the search does find cards
        check_unnamed([table.api.get(f"{table.path}/log", ADMIN).text])


def test_a_fork_by_the_admin_names_no_marked_card(api: Api, said: Said) -> None:
    """Neither while it goes on nor once it has ended, for its origin has not."""
    table = api.marked()
    answer = api.post(f"{table.path}/fork", {"at": 1, "seats": HEIRS}, ADMIN)
    check_unnamed([answer.text])
    fork = Table(api, answer.json())
    check_all(fork, said)
    fork.resign(1)
    check_all(fork, said)


def test_documentation_and_figures_are_the_same_whatever_is_played(api: Api) -> None:
    """The examples of the document name cards, but those of an example."""
    before = [api.get(path).content for path in ("/openapi.json", "/docs")]
    table = api.marked()
    everything(table, 0)
    assert [api.get(path).content for path in ("/openapi.json", "/docs")] == before
    check_unnamed([api.get("/metrics").text])


def test_what_a_refused_log_says_of_a_running_game_names_no_marked_card(api: Api) -> None:
    """The admin has its log; sent in by a stranger it is refused, and what the refusal says is no help to guess."""
    table = api.marked()
    table.play(0, "9c>s3")
    log = api.get(f"{table.path}/log", ADMIN).content
    head, *lines = log.splitlines(keepends=True)
    sent = [b"", head, head + lines[0], head + lines[1], log, log[:-5], log.replace(b'"seat":1', b'"seat":0')]
    for file in sent:
        answer = api.http.post("/v1/games/import", content=file, headers={"Content-Type": "application/x-ndjson"})
        assert answer.status_code == 422
        check_unnamed([answer.text])


def broken_off(body: bytes) -> bytes:
    return body[: len(body) // 2]


def another_card(body: bytes) -> bytes:
    if body.startswith(b"{"):
        return body.replace(b'"9c"', b'"9s"')
    return body[:9] + body[9:].replace(bytes((CODES["9c"],)), bytes((CODES["9s"],)))


def no_card(body: bytes) -> bytes:
    if body.startswith(b"{"):
        return body.replace(b'"9c"', b'"XX"').replace(b'"Jd"', b'"jd"')
    return body[:9] + body[9:].replace(bytes((CODES["9c"],)), b"\xc8")


@pytest.mark.parametrize("damage", [broken_off, another_card, no_card])
@pytest.mark.parametrize("chained", [False, True])
@pytest.mark.parametrize("schema", ["1", "2"])
def test_a_log_that_cannot_be_read_names_no_marked_card(
    api: Api, said: Said, damage: Callable[[bytes], bytes], chained: bool, schema: str
) -> None:
    """Neither to a caller nor in the log of the service, in whichever form commits are kept."""
    table = api.marked()
    table.play(0, "9c>s3")
    client, key = api.store.client, stream_key(table.game)
    previous = GENESIS
    entries = client.xrange(key)
    client.delete(key)
    for version, (entry_id, fields) in enumerate(entries, 1):
        body = damage(text_of(fields[b"2"], version) if schema == "1" else fields[b"2"])
        try:
            hashed = text_of(body, version)
        except Unreadable:
            hashed = body
        digest = hashlib.sha256(previous.encode() + hashed).hexdigest() if chained else fields[b"h"].hex()
        client.xadd(key, {schema: body, "h": bytes.fromhex(digest)}, id=entry_id)
        previous = digest
    api.store.forget()
    client.delete(snapshot_key(table.game))
    for watcher, known in OWN.items():
        check_unnamed(everything(table, watcher), known)
    check_unnamed(said())


class Posted:
    """A queue in memory, and every message that was put into it."""

    def __init__(self) -> None:
        self.app: Celery = celery_app("memory://")

    def taken(self) -> list[Any]:
        """The messages that wait, as they travel."""
        found: list[Any] = []
        with self.app.connection_for_read() as connection:
            for queue in QUEUES:
                waiting = connection.SimpleQueue(queue)
                while waiting.qsize():
                    found.append(waiting.get(block=False))
                    found[-1].ack()
                waiting.close()
        return found


def test_no_message_to_a_worker_names_a_card_or_a_token(api: Api) -> None:
    """A message is the id of a game: what happens in it the worker reads in the store."""
    posted = Posted()
    register(posted.app, api.store, find)
    clock = {"turn_seconds": 5, "on_expiry": "auto"}
    table = api.game(seats=[{"name": "Ada"}, {"bot": "greedy"}], position=MARKED, clock=clock)
    table.play(0, "9c>s3")
    match = api.post("/v1/matches", {"rules": "spite-and-malice", "seats": PEOPLE}).json()
    for game in api.woken:
        send(posted.app, FOLD, game)
    seen: list[str] = []
    messages: list[Any] = []
    for _ in range(4):
        let_pass(api.store, table.game, 60)
        api.store.client.delete(SWEEPING_KEY)
        posted.app.tasks["malice.sweep"]()
        taken = posted.taken()
        messages += taken
        for message in taken:
            args, kwargs, _ = message.decode()
            seen += [f"{message.body!r} {message.headers} {message.properties}"]
            assert kwargs == {}
            assert args in ([table.game], [api.store.matches.terms(match["match"]).game(0)])
            posted.app.tasks[message.headers["task"]](*args)
    assert {message.headers["task"] for message in messages} >= {FOLD, BOT_TURN, KEEP_TIME}
    check_unnamed(seen)
    tokens = [seat["token"].rpartition(".")[2] for seat in match["seats"]]
    assert not [text for text in seen for token in tokens if token in text]
