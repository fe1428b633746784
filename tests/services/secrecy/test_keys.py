"""Contract 5: tokens and keys are stored nowhere, logged nowhere, and compared in the same time whatever is sent."""

import ast
import hmac
import inspect
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services.api import access, limiting
from services.api.edge import Edge
from tests.services.api.table import ADMIN, MARKED, PEOPLE, Api, Table
from tests.services.conftest import Said

KEYS = {"league": "an API key of a league", "ada": "Ada's own API key"}
LEAGUE = {"Authorization": f"Bearer {KEYS['league']}"}
HEIRS = [{"name": "Cid"}, {"name": "Dot"}]


@pytest.fixture
def api() -> Iterator[Api]:
    """A deployment with keys, that logs every request."""
    made = Api(edge=Edge(log_requests=True), api_keys=KEYS)
    yield made
    made.store.client.flushall()


def stored(client: Any) -> bytes:
    """Every name and every value in the store, of whatever type."""
    readers: dict[bytes, Callable[[bytes], Any]] = {
        b"string": client.get,
        b"hash": client.hgetall,
        b"stream": client.xrange,
        b"set": client.smembers,
        b"zset": lambda key: client.zrange(key, 0, -1, withscores=True),
        b"list": lambda key: client.lrange(key, 0, -1),
    }
    return b"\n".join(
        key + b" " + b" ".join(pieces(readers[client.type(key)](key))) for key in sorted(client.scan_iter(count=1000))
    )


def pieces(value: Any) -> Iterator[bytes]:
    """All bytes in a reply."""
    match value:
        case bytes():
            yield value
        case dict():
            for pair in value.items():
                yield from pieces(pair)
        case list() | tuple() | set():
            for one in value:
                yield from pieces(one)
        case _:
            yield str(value).encode()


def long_session(api: Api) -> list[str]:
    """Games, sittings, moves, forks, matches, arenas and every refusal, by all who have a key. All tokens given."""
    rng = random.Random("long play")
    tokens: list[str] = []

    def begun(path: str, body: Any, headers: dict[str, str]) -> Any:
        answers = [
            api.post(path, body, headers | {"Idempotency-Key": f"begins-with-this-very-key-{len(tokens)}"})
            for _ in range(2)
        ]
        assert {answer.status_code for answer in answers} == {201}, answers[0].text
        assert answers[0].json() == answers[1].json()
        told = answers[0].json()
        tokens.extend(seat["token"] for seat in told.get("seats", [told]) if "token" in seat)
        return told

    seats = [{"name": "Ada"}, {"open": True}]
    made = begun("/v1/games", {"rules": "gato-e-rato", "seats": seats}, LEAGUE)
    sat = begun(f"/v1/games/{made['game']}/seats", {"name": "Ben"}, {})
    table = Table(api, made | {"seats": [*made["seats"], sat]})
    for number in range(40):  # more would empty the stock
        seat = table.view()["turn"]["seat"]
        move = rng.choice(table.view(seat)["legal"])
        for _ in range(2):
            table.play(seat, move, Idempotency_Key=f"move-{number}")
        table.play(1 - seat, "pass", Idempotency_Key="refused")
        for wrong in (tokens[0][:-1] + "0", KEYS["ada"] + "x", f"{made['game']}.1.{tokens[0].rpartition('.')[2]}"):
            api.get(table.path, {"Authorization": f"Bearer {wrong}"})
    begun(f"{table.path}/fork", {"at": 9, "seats": HEIRS}, ADMIN)
    begun("/v1/games", {"rules": "gato-e-rato", "seats": PEOPLE, "position": MARKED}, LEAGUE)
    match = begun("/v1/matches", {"rules": "spite-and-malice", "seats": seats}, LEAGUE)
    begun(f"/v1/matches/{match['match']}/seats", {"name": "Eve"}, {})
    api.post("/v1/arenas", {"bots": ["greedy", "uniform"], "games": 2, "rules": "gato-e-rato"}, LEAGUE)
    table.resign(0)
    log = api.get(f"{table.path}/log", ADMIN).content
    api.http.post("/v1/games/import", content=log, headers=LEAGUE | {"Content-Type": "application/x-ndjson"})
    for token in (*tokens, *KEYS.values()):  # where they do not belong
        for path in (f"/v1/games/{token}", f"{table.path}?token={token}", f"/{token}", f"/v1/games?cursor={token}"):
            assert api.get(path).status_code in (400, 404)
    api.server.connected = False
    for token in tokens:
        assert api.get(f"/v1/games/{token}", {"Authorization": f"Bearer {token}"}).status_code in (404, 503)
        assert api.get(table.path, {"Authorization": f"Bearer {token}"}).status_code == 503
    api.server.connected = True
    assert len(tokens) == 8
    return tokens


def test_no_token_and_no_key_is_stored_or_logged(api: Api, said: Said) -> None:
    """Every name, value and field of the store, every line of the log and every message, after much play."""
    tokens = long_session(api)
    secrets = [part for token in tokens for part in (token, token.rpartition(".")[2])]
    secrets += [*KEYS.values(), ADMIN["Authorization"].removeprefix("Bearer ")]
    store, lines = stored(api.store.client), "\n".join(said())
    assert b"move-39" in store, "what should be stored was found"
    assert lines.count("event=request") > 100
    assert "event=not_served" in lines
    for secret in secrets:
        assert secret.encode() not in store
        assert secret not in lines
        assert bytes.fromhex(secret) not in store if len(secret) == 64 else True
    assert not {word for word in (*api.woken, *(arena for arena, _ in api.lanes)) if len(word) > 30}


def test_no_answer_names_a_token_but_the_one_that_gives_it(api: Api) -> None:
    """The log of an ended game neither, though it holds the keys that its requests had."""
    table = Table(api, api.post("/v1/games", {"rules": "gato-e-rato", "seats": PEOPLE}, LEAGUE).json())
    macs = [header["Authorization"].rpartition(".")[2] for header in table.tokens.values()]
    told: list[str] = []
    for seat in (0, 1):
        told += [table.play(seat, move, Idempotency_Key=f"k{seat}").text for move in ("pass", "no move", "9h>c0")]
    told += [api.post("/v1/games", {"rules": "gato-e-rato", "seats": PEOPLE}, table.headers(0)).text]
    told += [api.get("/v1/games/00other", table.headers(0)).text, table.resign(0).text]
    for path in ("", "?as=all", "/events", "/log", "/verification"):
        told += [api.get(table.path + path, table.headers(seat)).text for seat in (None, 0, 1)]
    for mac in macs:
        assert not [text for text in told if mac in text]


@pytest.mark.parametrize("sent", ["{seat}", "{seat}0", "{zeros}", "admin", "league", "a", "", "{admin}", "{league}"])
def test_whatever_is_sent_it_is_compared_with_every_key_in_constant_time(
    api: Api, monkeypatch: pytest.MonkeyPatch, sent: str
) -> None:
    """Each of them by `hmac.compare_digest`, whole, and none is left out when an earlier one was right."""
    table = Table(api, api.post("/v1/games", {"rules": "gato-e-rato", "seats": PEOPLE}, LEAGUE).json())
    seat = table.tokens[0]["Authorization"].removeprefix("Bearer ")
    admin, league = ADMIN["Authorization"].removeprefix("Bearer "), KEYS["league"]
    zeros = seat.rpartition(".")[0] + "." + "0" * 64
    text = sent.format(seat=seat, zeros=zeros, admin=admin, league=league)
    compared: list[tuple[Any, Any]] = []

    def compare(given: Any, known: Any) -> bool:
        compared.append((given, known))
        return hmac.compare_digest(given, known)

    monkeypatch.setattr(access, "hmac", _Hmac(compare))
    api.get(table.path, {"Authorization": f"Bearer {text}"})
    if text:
        calls = 1 if text in (seat, zeros) else 0
        expected = [(text.encode(), key.encode()) for key in (*KEYS.values(), admin)]
        expected += [(text.rpartition(".")[2], seat.rpartition(".")[2])] * calls
        # Once by the handler, once by the log of requests.
        assert compared == expected * 2
    else:
        assert not compared


class _Hmac:
    digest = staticmethod(hmac.digest)

    def __init__(self, compare: Callable[[Any, Any], bool]) -> None:
        self.compare_digest = compare


def test_nothing_secret_is_compared_by_an_operator() -> None:
    """In the file that knows the keys no `==`, `!=` or `in` touches one; and nobody else knows any."""
    secret = {"given", "key", "token", "mac", "_admin_key", "_api_keys", "_secret", "header", "seat"}

    def is_secret(operand: ast.expr) -> bool:
        named = operand.value if isinstance(operand, ast.Subscript) else operand
        return getattr(named, "id", getattr(named, "attr", None)) in secret

    compared = [
        ast.unparse(node)
        for module in (access, limiting)
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Compare)
        and any(isinstance(one, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for one in node.ops)
        and any(is_secret(operand) for operand in (node.left, *node.comparators))
    ]
    assert compared == []
