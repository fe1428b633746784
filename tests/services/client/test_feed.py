"""Every commit once, in order, to the end, whatever happens to the connection."""

import json
import random
from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest

from events.game.events import GameEnded, TurnPassed
from services.client import Client, NotAllowed, NotThere, Refused, Unreachable
from tests.live import Live
from tests.services.client.conftest import Talking
from tests.services.client.sides import LOST, Answer, CutAfter, Fate
from tests.services.client.test_bad_networks import problem

STREAM = (("Content-Type", "text/event-stream; charset=utf-8"),)
PLAYED = {"type": "TurnPassed", "seat": 0}
ENDED = {"type": "GameEnded", "result": "drawn", "winners": [], "reason": "blocked", "points": None, "seed": "00"}
END = Answer(204)


def commit(version: int, *events: Any, **more: Any) -> str:
    told = {"version": version, "at": "2026-01-31T12:00:00.123Z", "by": "seat:0", "events": events or [PLAYED], **more}
    return f"event: commit\nid: {version}\ndata: {json.dumps(told)}\n\n"


def stream(*messages: str) -> Answer:
    """A stream of these messages, which then ends by itself."""
    return Answer(200, "".join(("retry: 1000\n\n", *messages)).encode(), STREAM)


def versions(told: Any) -> list[int]:
    return [commit.version for commit in told]


def shaky(seed: int) -> Iterator[Fate]:
    """Streams that break or end somewhere, for ever, and now and then one that does not begin."""
    chance = random.Random(seed)
    while True:
        yield LOST if chance.random() < 0.1 else CutAfter(chance.randint(1, 4000), cleanly=chance.random() < 0.5)


@pytest.fixture(scope="module")
def played(live: Live) -> str:
    """A game that two bots have played to its end."""
    with Client(live.url) as client:
        game = client.create_game("gato-e-rato", [{"bot": "greedy"}, {"bot": "greedy"}]).game
        assert list(client.game(game).feed())
        return game


@pytest.mark.parametrize("seed", range(4))
def test_a_feed_that_is_cut_anywhere_again_and_again_tells_every_commit_once(
    live: Live, talk: Talking, played: str, seed: int
) -> None:
    whole = list(talk(live.url).client.game(played).feed())
    spoken = talk(live.url, shaky(seed))
    told = list(spoken.client.game(played).feed())
    assert told == whole
    assert versions(told) == list(range(1, len(whole) + 1))
    assert len(spoken.network.asked) > 3, "the shortest game is cut a few times"


def test_a_running_game_is_followed_over_cuts_to_its_end(live: Live, talk: Talking) -> None:
    """Given a person who plays against a bot, and whose feed breaks all the time: nothing is missing."""
    with Client(live.url) as client:
        created = client.create_game("gato-e-rato", [{"name": "Ada"}, {"bot": "greedy"}])
        player = client.game(created.game, token=created.seats[0].token)
        playing = Thread(target=player.play, args=(lambda view: view.legal[0],))
        playing.start()
        told = list(talk(live.url, shaky(7)).client.game(created.game).feed())
        playing.join()
        assert versions(told) == list(range(1, player.view().version + 1))
        assert isinstance(told[-1].events[-1], GameEnded)


def test_it_comes_back_with_the_version_of_the_last_commit_that_it_had(talk: Talking) -> None:
    spoken = talk(fates=[stream(commit(4), commit(5)), LOST, stream(commit(6)), END])
    assert versions(spoken.client.game("x").feed(after=3)) == [4, 5, 6]
    assert spoken.network.sent("Last-Event-ID") == ["3", "5", "5", "6"]
    assert [request.url.params["after"] for request in spoken.network.asked] == ["3", "5", "5", "6"]


def test_it_waits_between_connections_as_long_as_the_service_says_and_not_all_at_once(talk: Talking) -> None:
    spoken = talk(fates=[stream("retry: 8000\n\n", commit(1)), stream(commit(2)), END])
    assert versions(spoken.client.game("x").feed()) == [1, 2]
    assert 4.0 <= spoken.waits[0] <= 8.0
    assert 0.5 <= spoken.waits[1] <= 1.0
    assert spoken.said == []


def test_it_ends_after_the_commit_that_ends_the_game_and_does_not_come_back(talk: Talking) -> None:
    spoken = talk(fates=[stream(commit(1), commit(2, PLAYED, ENDED), commit(3))])
    assert versions(spoken.client.game("x").feed()) == [1, 2]
    assert len(spoken.network.asked) == 1


def test_of_an_ended_game_with_nothing_beyond_it_ends_at_once(live: Live, talk: Talking, played: str) -> None:
    spoken = talk(live.url)
    last = spoken.client.game(played).view().version
    assert list(spoken.client.game(played).feed(after=last)) == []
    assert versions(spoken.client.game(played).feed(after=last - 1)) == [last]


def test_a_commit_that_was_had_is_dropped_and_one_that_does_not_follow_is_asked_for_again(talk: Talking) -> None:
    fates = [stream(commit(1), commit(1), commit(2), commit(1)), stream(commit(2), commit(4)), stream(commit(3)), END]
    assert versions(talk(fates=fates).client.game("x").feed()) == [1, 2, 3]


def test_trouble_on_the_way_is_come_back_from(talk: Talking) -> None:
    trouble = f"event: problem\ndata: {problem(503, 'unavailable').body.decode()}\n\n"
    spoken = talk(fates=[stream(commit(1), trouble), stream(trouble), stream(commit(2)), END])
    assert versions(spoken.client.game("x").feed()) == [1, 2]
    assert spoken.said == ["It is unavailable."] * 2


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (problem(404, "unknown_game"), NotThere),
        (problem(403, "forbidden"), NotAllowed),
        (problem(500, "damaged_log"), Refused),
        (stream(f"event: problem\ndata: {problem(403, 'forbidden').body.decode()}\n\n"), NotAllowed),
    ],
)
def test_a_refusal_ends_it(talk: Talking, answer: Answer, error: type[Refused]) -> None:
    told: list[Any] = []
    with pytest.raises(error):
        told.extend(talk(fates=[stream(commit(1)), answer]).client.game("x").feed())


def test_a_service_that_stays_away_ends_it_when_patience_does(talk: Talking) -> None:
    feed = talk(fates=[stream(commit(1)), *[LOST] * 100], patience=0.3).client.game("x").feed()
    assert next(feed).version == 1
    with pytest.raises(Unreachable):
        next(feed)


def test_what_it_does_not_know_is_no_hindrance(talk: Talking) -> None:
    """Messages of another event, fields and types of events that came later: the last are dicts as they came."""
    later = {"type": "TableDusted", "by": "the cat"}
    messages = (
        ": keep-alive\n\n",
        "event: weather\ndata: rain\n\n",
        commit(1, {**PLAYED, "mood": "good"}, later, extra=1),
        "event: commit\r\nid: 2\r\ndata: " + commit(2).split("data: ")[1].strip() + "\r\n\r\n",
    )
    told = list(talk(fates=[stream(*messages), END]).client.game("x").feed())
    assert versions(told) == [1, 2]
    assert told[0].events[0] == TurnPassed(0)
    assert told[0].events[1] == later


def test_where_no_stream_comes_through_it_asks_for_pages(talk: Talking) -> None:
    def page(*commits: str) -> Answer:
        told = ",".join(one.split("data: ")[1].strip() for one in commits)
        return Answer(200, f'{{"commits": [{told}]}}'.encode(), (("Content-Type", "application/json"),))

    running = Answer(200, b'{"version": 2, "status": "playing"}')
    fates = [page(), page(commit(1), commit(2)), LOST, page(), running, page(commit(3, ENDED))]
    spoken = talk(fates=fates)
    assert versions(spoken.client.game("x").feed()) == [1, 2, 3]
    assert spoken.network.asked[1].url.params["wait"] == "25"
    over = Answer(200, b'{"version": 3, "status": "ended"}')
    assert list(talk(fates=[page(), page(), over]).client.game("x").feed(after=3)) == []


def test_who_leaves_a_feed_closes_its_connection(live: Live, talk: Talking) -> None:
    """Given many feeds left at their first commit, more than connections may be open at once, all can be opened."""
    client = talk(live.url).client
    game = client.game(client.create_game("gato-e-rato", [{"name": "Ada"}, {"name": "Ben"}]).game)
    for _ in range(110):
        feed = game.feed()
        assert next(feed).version == 1
        feed.close()
