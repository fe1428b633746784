"""What a cheat or a broken client tries at the door: guessed keys, doubled headers, half a body, steering names."""

import asyncio
from collections.abc import Iterator

import pytest
from starlette.requests import Request

from services.api import wire
from services.api.problems import TooSlow
from tests.services.api.table import ADMIN, PEOPLE, Api, problem

SHORT = {"Idempotency-Key": "sit-7"}
LONG = {"Idempotency-Key": "9f1c2d3e-4b5a-6978-8796-a5b4c3d2e1f0"}
OPEN_GAME = {"rules": "gato-e-rato", "seats": [{"name": "Ada"}, {"open": True}]}


@pytest.fixture
def public() -> Iterator[Api]:
    """The API as it is open to all on the net, so that an address may stand for many."""
    made = Api(open=True)
    yield made
    made.store.client.flushall()


def test_a_key_that_fetches_tokens_is_not_to_be_guessed_where_strangers_share_an_address(public: Api) -> None:
    """Who repeats a creation or a sitting gets its tokens (contract 5): a short key would give them away."""
    told = problem(public.post("/v1/games", OPEN_GAME, SHORT), 400, "malformed")
    assert "22" in told["detail"]
    game = public.post("/v1/games", OPEN_GAME, LONG).json()["game"]
    sitting = {"name": "Ben", "entropy": "known to all"}
    problem(public.post(f"/v1/games/{game}/seats", sitting, SHORT), 400, "malformed")
    first = public.post(f"/v1/games/{game}/seats", sitting, LONG)
    assert public.post(f"/v1/games/{game}/seats", sitting, LONG).json() == first.json()


def test_callers_with_a_key_of_their_own_and_this_machine_may_count_as_they_like(public: Api) -> None:
    """Their idempotency keys are their own: nobody else can repeat them."""
    assert public.post("/v1/games", OPEN_GAME, SHORT | ADMIN).status_code == 201
    local = Api()
    assert local.post("/v1/games", OPEN_GAME, SHORT).status_code == 201
    keyed = Api(api_keys={"league": "k3y"})
    assert keyed.post("/v1/games", OPEN_GAME, SHORT | {"Authorization": "Bearer k3y"}).status_code == 201


def test_a_move_may_have_any_key(public: Api) -> None:
    """It is counted for the seat, whose token the caller has."""
    table = public.game(seats=PEOPLE)
    seat, move = table.any_move()
    assert table.play(seat, move, Idempotency_Key="1").status_code == 200


@pytest.mark.parametrize("name", ["If-Match", "Idempotency-Key", "Authorization"])
def test_a_header_that_is_there_twice_is_refused(public: Api, name: str) -> None:
    """Nobody can say which of them is meant."""
    table = public.game(seats=PEOPLE)
    seat, _ = table.any_move()
    headers = [("Content-Type", "application/json"), *table.headers(seat).items(), (name, '"1"'), (name, '"2"')]
    answer = public.http.post(f"{table.path}/moves", content=b'{"move": "pass"}', headers=headers)
    assert name in problem(answer, 400, "malformed")["detail"]


async def test_a_body_that_does_not_come_to_its_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would hold its memory for as long as the caller likes."""
    monkeypatch.setattr(wire, "BODY_SECONDS", 0.05)
    sent = iter([{"type": "http.request", "body": b"{", "more_body": True}])

    async def receive() -> dict[str, object]:
        for message in sent:
            return message
        await asyncio.Event().wait()
        raise AssertionError("nobody sets the event")

    request = Request(
        {"type": "http", "method": "POST", "path": "/", "headers": [(b"transfer-encoding", b"chunked")]}, receive
    )
    with pytest.raises(TooSlow, match=r"0\.05 seconds"):
        await wire.receive(request)


@pytest.mark.parametrize("name", ["\u200b", "\u200b \u200d", "a\u202eb", "\u2066Ada", "Ada\x07", "\x00", " "])
def test_a_name_has_something_to_see_and_does_not_steer_how_text_is_shown(public: Api, name: str) -> None:
    """It is shown to others, in pages and terminals."""
    problem(
        public.post("/v1/games", {"rules": "gato-e-rato", "seats": [{"name": name}, {"name": "B"}]}), 400, "malformed"
    )


@pytest.mark.parametrize("name", ["Ada", "Zoë", "李", "אדה", "👩‍💻", "O'Neil <3"])
def test_names_of_all_scripts_are_taken(public: Api, name: str) -> None:
    """A joiner inside a picture or right-to-left letters steer nothing."""
    assert (
        public.post("/v1/games", {"rules": "gato-e-rato", "seats": [{"name": name}, {"name": "B"}]}).status_code == 201
    )
