"""What is lost is asked again, once for each key; who says when to come back is not asked before; and patience ends."""

import json
from typing import Any

import pytest

from services.client import MovedOn, NoAnswer, Refused, Unreachable
from tests.live import Live
from tests.services.client.conftest import Talking
from tests.services.client.sides import FINE, LOST, UNHEARD, Answer, Fate

PEOPLE = [{"name": "Ada"}, {"name": "Ben"}]


def problem(status: int, code: str, *headers: tuple[str, str], **more: Any) -> Answer:
    """A problem as the service tells it."""
    told = {"type": f"/docs#{code}", "title": code, "status": status, "detail": f"It is {code}.", "code": code} | more
    return Answer(status, json.dumps(told).encode(), (("Content-Type", "application/problem+json"), *headers))


@pytest.mark.parametrize(
    "fates",
    [
        [LOST],
        [UNHEARD],
        [UNHEARD, UNHEARD, LOST],
        [problem(503, "unavailable", ("Retry-After", "1"))],
        [UNHEARD, problem(429, "rate_limited", ("Retry-After", "2")), Answer(502, b"<html>"), LOST],
    ],
    ids=["request lost", "answer lost", "three lost", "store away", "all that may happen"],
)
def test_a_move_whose_request_or_answer_is_lost_is_made_once(live: Live, talk: Talking, fates: list[Fate]) -> None:
    client = talk(live.url).client
    created = client.create_game("gato-e-rato", PEOPLE)
    seat = client.game(created.game).view().turn.seat
    shaky = talk(live.url, [FINE, *fates])
    game = shaky.client.game(created.game, token=created.seats[seat].token)
    view = game.view()
    moved = game.move(view.legal[-1], if_version=1)
    assert moved.version == 2
    assert client.game(created.game).view().version == 2
    keys = shaky.network.sent("Idempotency-Key")[1:]
    assert len(keys) == len(fates) + 1
    assert len(set(keys)) == 1
    assert len(shaky.waits) == len(shaky.said) == len(fates)


def test_a_game_whose_creation_is_not_heard_of_is_created_once_with_the_same_tokens(live: Live, talk: Talking) -> None:
    spoken = talk(live.url, [UNHEARD])
    created = spoken.client.create_game("gato-e-rato", PEOPLE)
    assert len(set(spoken.network.sent("Idempotency-Key"))) == 1
    listed = [line.game for line in spoken.client.games(limit=2).games]
    assert listed[0] == created.game
    assert listed.count(created.game) == 1
    assert spoken.client.game(created.game, token=created.seats[1].token).view().seat == 1


def test_each_call_has_a_key_of_its_own_that_nobody_can_guess(live: Live, talk: Talking) -> None:
    spoken = talk(live.url)
    games = {spoken.client.create_game("gato-e-rato", PEOPLE).game for _ in range(3)}
    keys = spoken.network.sent("Idempotency-Key")
    assert len(games) == len(set(keys)) == 3
    assert min(len(key or "") for key in keys) >= 22


def test_where_patience_ends_the_error_holds_the_key_under_which_the_call_goes_on(live: Live, talk: Talking) -> None:
    """Given that nobody knows whether the game was created, when the call is made again with its key, it is the one."""
    spoken = talk(live.url, [UNHEARD], patience=0.0)
    with pytest.raises(NoAnswer) as lost:
        spoken.client.create_game("gato-e-rato", PEOPLE)
    assert lost.value.key == spoken.network.sent("Idempotency-Key")[0]
    created = spoken.client.create_game("gato-e-rato", PEOPLE, key=lost.value.key)
    again = spoken.client.create_game("gato-e-rato", PEOPLE, key=lost.value.key)
    assert again == created


def test_nobody_is_asked_again_before_the_time_that_he_names(talk: Talking) -> None:
    fates = [problem(503, "unavailable", ("Retry-After", "3")), problem(429, "rate_limited", ("Retry-After", "7"))]
    spoken = talk(fates=[*fates, Answer(200, b'{"bots": []}')])
    assert spoken.client.bots() == ()
    assert spoken.waits == [3.0, 7.0]
    assert spoken.said == ["It is unavailable.", "It is rate_limited."]


def test_who_names_a_time_beyond_patience_is_not_waited_for(talk: Talking) -> None:
    spoken = talk(fates=[problem(429, "rate_limited", ("Retry-After", "3600"))], patience=20)
    with pytest.raises(Refused, match="rate_limited") as refused:
        spoken.client.bots()
    assert (refused.value.status, refused.value.retry_after, spoken.waits) == (429, 3600.0, [])


def test_waits_grow_and_are_never_in_step(talk: Talking) -> None:
    spoken = talk(fates=[*[LOST] * 12, Answer(200, b'{"bots": []}')])
    spoken.client.bots()
    for number, wait in enumerate(spoken.waits):
        most = min(0.2 * 2**number, 5.0)
        assert most / 2 <= wait <= most
    assert len(set(spoken.waits)) == 12


@pytest.mark.parametrize(
    ("status", "code"),
    [(400, "malformed"), (401, "bad_token"), (404, "unknown_game"), (409, "game_over"), (422, "key_reused"),
     (500, "internal")],
)  # fmt: skip
def test_a_refusal_is_not_asked_again(talk: Talking, status: int, code: str) -> None:
    spoken = talk(fates=[problem(status, code)])
    with pytest.raises(Refused, match=code) as refused:
        spoken.client.game("07q3m8k2").resign()
    assert (refused.value.status, refused.value.code) == (status, code)
    assert (len(spoken.network.asked), spoken.waits) == (1, [])


def test_a_refusal_tells_what_the_service_calls_the_request_and_where_the_game_is(talk: Talking) -> None:
    spoken = talk(fates=[problem(412, "version_conflict", ("X-Request-Id", "r-17"), version=18)])
    with pytest.raises(MovedOn) as refused:
        spoken.client.game("07q3m8k2").move("pass", if_version=17)
    assert (refused.value.request_id, refused.value.version) == ("r-17", 18)
    assert spoken.network.sent("If-Match") == ['"17"']


@pytest.mark.parametrize("body", [b"<html>", b"[1]", b'{"games": 3}', b'"\xff"'])
def test_an_answer_that_no_service_of_this_game_gives_is_said_to_be_one(talk: Talking, body: bytes) -> None:
    with pytest.raises(Unreachable, match="is no service of this game"):
        talk(fates=[Answer(200, body)]).client.bots()


def test_without_a_service_a_call_ends_with_the_address_when_patience_does(talk: Talking) -> None:
    spoken = talk(fates=[LOST] * 100, patience=0.3)
    with pytest.raises(NoAnswer, match=r"No service answers at http://127\.0\.0\.1:9: the line is dead"):
        spoken.client.bots()
    assert not talk(fates=[LOST]).client.alive()
    assert not talk(fates=[problem(503, "unavailable")]).client.ready()
