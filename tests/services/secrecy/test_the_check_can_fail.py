"""Is a leak found that somebody puts in? Each test puts one into the service, and the comparison names where it is."""

import hashlib
import random
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.responses import Response

from events.errors import Rejected
from events.game.decide import decide_by
from events.game.events import CardsDrawn
from events.game.state import Game
from events.game.views import seen_by
from events.log import submit
from services.api import feed, games, moves, wire
from services.eyes import seen_with
from tests.services.secrecy.looking import look_around
from tests.services.secrecy.playing import begin_pair, moment, play_on
from tests.services.secrecy.twins import ToldApart, Twins
from tests.spec import rules_of


def watch(watcher: int | None) -> None:
    """Look at some pairs of worlds, and play on in them."""
    rng = random.Random("leaks")
    for number in range(6):
        game = moment(rules_of("gato-e-rato"), number, rng.randint(4, 40))
        for lasting in (False, True):
            pair = begin_pair(Twins(), game, watcher, rng, lasting=lasting)
            assert pair is not None
            look_around(pair, watcher, rng)
            play_on(pair, watcher, rng, 40)
            look_around(pair, watcher, rng)


Patch = pytest.MonkeyPatch


def everybody_sees_a_draw(patch: Patch) -> None:
    def seen(event: Any, seat: Any) -> Any:
        return event if isinstance(event, CardsDrawn) else seen_by(event, seat)

    patch.setattr(feed, "seen_by", seen)


def a_refusal_names_the_next_card(patch: Patch) -> None:
    def decide(command: Any, game: Game | None, dice: Any) -> Any:
        try:
            return decide_by(command, game, dice)
        except Rejected as refusal:
            assert game is not None
            raise Rejected(refusal.reason, f"{refusal} The stock has {game.stock[-1:]}.", refusal.legal) from None

    patch.setattr(submit, "decide_by", decide)


def a_refusal_lists_what_another_could_do(patch: Patch) -> None:
    def decide(command: Any, game: Game | None, dice: Any) -> Any:
        try:
            return decide_by(command, game, dice)
        except Rejected as refusal:
            assert game is not None
            others = tuple(f"{card}>s0" for player in game.players for card in player.hand)
            raise Rejected(refusal.reason, str(refusal), others) from None

    patch.setattr(submit, "decide_by", decide)


def the_etag_is_a_digest_of_the_table(patch: Patch) -> None:
    tables: list[Game] = []

    def seen(eyes: Any, game: Game, **more: Any) -> Any:
        tables.append(game)
        return seen_with(eyes, game, **more)

    def answer(value: object, headers: Any) -> Response:
        digest = hashlib.sha256(repr(tables[-1]).encode()).hexdigest()
        return wire.answer(value, headers={"ETag": f'"{digest}"'})

    patch.setattr(games, "seen_with", seen)
    patch.setattr(games, "answer", answer)


def a_header_holds_the_commits_hash(patch: Patch) -> None:
    original = moves.acted

    def acted(service: Any, name: str, seat: int, done: Any) -> Response:
        response = original(service, name, seat, done)
        response.headers["X-Commit"] = done.commit.hash
        return response

    patch.setattr(moves, "acted", acted)


def the_length_tells_of_the_next_card(patch: Patch) -> None:
    def seen(eyes: Any, game: Game, **more: Any) -> Any:
        view = seen_with(eyes, game, **more)
        padding = " " if game.stock and game.stock[-1][0] in "A23456" else ""
        return replace(view, commitment=(view.commitment or "") + padding)

    patch.setattr(games, "seen_with", seen)


def the_order_of_the_hand_tells_of_the_stock(patch: Patch) -> None:
    def seen(eyes: Any, game: Game, **more: Any) -> Any:
        view = seen_with(eyes, game, **more)
        return replace(view, hand=tuple(sorted(view.hand, key=lambda card: (*game.stock, card).index(card))))

    patch.setattr(games, "seen_with", seen)


def a_status_tells_whether_another_holds_it(patch: Patch) -> None:
    def decide(command: Any, game: Game | None, dice: Any) -> Any:
        try:
            return decide_by(command, game, dice)
        except Rejected as refusal:
            assert game is not None
            card = getattr(getattr(command, "move", None), "card", None)
            if any(card in player.hand for player in game.players):
                raise ValueError from None
            raise refusal from None

    patch.setattr(submit, "decide_by", decide)


LEAKS: list[tuple[Callable[[Patch], None], int | None, str]] = [
    (everybody_sees_a_draw, None, "/events"),
    (a_refusal_names_the_next_card, 0, "POST /v1/games/{id}/"),
    (a_refusal_lists_what_another_could_do, 1, "POST /v1/games/{id}/moves"),
    (the_etag_is_a_digest_of_the_table, None, "GET /v1/games/{id} "),
    (a_header_holds_the_commits_hash, 0, "POST /v1/games/{id}/moves"),
    (the_length_tells_of_the_next_card, None, "/v1/games/{id}"),
    (the_order_of_the_hand_tells_of_the_stock, 0, "/v1/games/{id}"),
    (a_status_tells_whether_another_holds_it, 1, "POST /v1/games/{id}/moves"),
]


@pytest.mark.parametrize(
    ("leak", "watcher", "route"), [pytest.param(*one, id=f"{one[0].__name__} {one[1]}") for one in LEAKS]
)
def test_a_leak_is_found_with_its_route_and_byte(
    monkeypatch: Patch, leak: Callable[[Patch], None], watcher: int | None, route: str
) -> None:
    """The same watching that finds nothing in the service as it is."""
    leak(monkeypatch)
    with pytest.raises(ToldApart, match=r"byte \d+") as found:
        watch(watcher)
    assert route in str(found.value)
