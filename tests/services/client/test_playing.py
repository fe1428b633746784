"""A function from views to moves plays a whole game over HTTP."""

from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest

from events.game.views import View
from events.log.verify import verify
from services.client import Client, Illegal, NotAllowed, SeatAsked
from tests.live import Live
from tests.services.client.conftest import Talking
from tests.services.client.sides import AWAITED, FINE, LOST, UNHEARD

PEOPLE: list[SeatAsked] = [{"name": "Ada"}, {"name": "Ben"}]


def first(view: View) -> str:
    return view.legal[0]


def test_a_program_plays_a_bot_to_the_end_over_a_network_that_loses_every_third_message(
    live: Live, talk: Talking
) -> None:
    """Given requests and answers that are lost, the game goes on, no move is made twice, and the log verifies."""
    client = talk(live.url, [FINE, UNHEARD, FINE, LOST] * 10_000).client
    created = client.create_game("gato-e-rato", [{"name": "Ada"}, {"bot": "greedy"}])
    game = client.game(created.game, token=created.seats[0].token)
    last = game.play(first)
    assert last.status == "ended"
    assert last.result is not None
    assert verify(game.log()).ok


def test_two_programs_play_each_other(live: Live, talk: Talking) -> None:
    with Client(live.url) as other:
        created = other.create_game("gato-e-rato", PEOPLE)
        second = Thread(target=other.game(created.game, token=created.seats[1].token).play, args=(first,))
        second.start()
        last = talk(live.url).client.game(created.game, token=created.seats[0].token).play(first)
        second.join()
    assert last.status == "ended"


def test_a_move_that_comes_too_late_is_chosen_again_for_the_table_as_it_is(live: Live, talk: Talking) -> None:
    """Given somebody else who plays for the same seat while one thinks."""
    with Client(live.url) as other:
        created = other.create_game("gato-e-rato", [{"name": "Ada"}, {"bot": "greedy"}])
        rival = other.game(created.game, token=created.seats[0].token)
        views: list[int] = []

        def slow(view: View) -> str:
            views.append(view.version)
            if len(views) == 1:
                rival.move(view.legal[0])
            if len(views) == 5:
                rival.resign()
            return view.legal[-1]

        last = talk(live.url).client.game(created.game, token=created.seats[0].token).play(slow)
    assert last.result is not None
    assert last.result.reason == "resigned"
    assert len(views) == len(set(views)) == 5


def test_a_strategy_may_be_a_coroutine_where_calls_are_awaited(live: Live, talk: Talking, kind: str) -> None:
    async def think(view: View) -> str:
        return first(view)

    strategy: Callable[[View], Any] = think if kind == AWAITED else first
    client = talk(live.url).client
    created = client.create_game("gato-e-rato", [{"name": "Ada"}, {"bot": "uniform"}])
    assert client.game(created.game, token=created.seats[0].token).play(strategy).status == "ended"


def test_what_a_strategy_raises_and_a_move_that_is_none_end_it(live: Live, talk: Talking) -> None:
    client = talk(live.url).client
    created = client.create_game("gato-e-rato", PEOPLE)
    seat = client.game(created.game).view().turn.seat
    game = client.game(created.game, token=created.seats[seat].token)
    with pytest.raises(ZeroDivisionError):
        game.play(lambda view: str(1 // 0))
    with pytest.raises(Illegal):
        game.play(lambda view: "pass")
    assert game.view().version == 1


def test_without_a_seat_one_watches_and_does_not_play(live: Live, talk: Talking) -> None:
    client = talk(live.url).client
    created = client.create_game("gato-e-rato", PEOPLE)
    with pytest.raises(NotAllowed, match="can be watched, not played"):
        client.game(created.game).play(first)
