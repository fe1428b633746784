"""Every call of the client, against a whole service; both clients with the same bodies."""

import pytest

from events.errors import Malformed
from events.game.events import CardDiscarded, CardsDrawn, GameEnded
from events.game.views import SawDeal, SawDraw, View
from events.log.verify import verify
from services.client import Illegal, MovedOn, NotAllowed, NotNow, NotThere, Refused
from services.eyes import OpenView
from tests.live import ADMIN_KEY, Live
from tests.services.client.conftest import Talking

PEOPLE = [{"name": "Ada"}, {"name": "Ben"}]


def test_a_game_is_created_looked_at_played_and_left(live: Live, talk: Talking) -> None:
    client = talk(live.url).client
    created = client.create_game("gato-e-rato", PEOPLE)
    ada, ben = (client.game(created.game, token=seat.token) for seat in created.seats)
    view = ada.view()
    assert isinstance(view, View)
    assert (view.game, view.version, view.seat, view.status) == (created.game, 1, 0, "playing")
    assert ada.newer_view(1) is None
    mover, other = (ada, ben) if view.legal else (ben, ada)
    discard = mover.view().legal[-1]
    moved = mover.move(discard, if_version=1)
    assert moved.version == 2
    assert isinstance(moved.events[0], CardDiscarded)
    assert mover.newer_view(1).version == 2
    assert isinstance(mover.events(after=0)[0].events[1], SawDeal)
    assert isinstance(other.move(other.view().legal[-1]).events[-1], SawDraw)
    assert isinstance(mover.events(after=2)[0].events[-1], CardsDrawn)
    left = other.resign()
    assert left.view.result.reason == "resigned"
    assert isinstance(left.events[-1], GameEnded)
    assert [commit.version for commit in client.game(created.game).feed()] == [1, 2, 3, 4]
    assert verify(ada.log()).ok
    assert ada.verification().shuffles
    assert isinstance(ada.open_view(at=2), OpenView)
    assert ada.view(as_=1, at=2).seat == 1
    fork = ada.fork(2, [{"bot": "greedy"}, {"bot": "greedy"}])
    assert client.game(fork.game).view().start == "fork"
    again = ada.rematch()
    assert again == ben.rematch()
    assert [seat.kind for seat in client.game(again.game).view().seats] == ["open", "open"]


def test_an_open_seat_is_taken(live: Live, talk: Talking) -> None:
    client = talk(live.url).client
    created = client.create_game("gato-e-rato", [{"name": "Ada"}, {"open": True}], visibility="public")
    sat = client.game(created.game).sit("Ben", entropy="my own dice")
    assert (sat.seat, sat.version) == (1, 2)
    assert client.game(created.game, token=sat.token).view().seat == 1
    assert created.game in [line.game for line in client.games(status="playing", limit=100).games]


def test_a_list_of_games_goes_on_at_its_cursor(live: Live, talk: Talking) -> None:
    client = talk(live.url).client
    made = [client.create_game("gato-e-rato", PEOPLE).game for _ in range(3)]
    first = client.games(limit=2)
    second = client.games(limit=1, cursor=first.next)
    assert [line.game for line in (*first.games, *second.games)] == made[::-1]
    assert first.games[0].rules == "gato-e-rato"


def test_a_log_goes_into_a_service(live: Live, talk: Talking) -> None:
    client = talk(live.url).client
    created = client.create_game("gato-e-rato", PEOPLE)
    game = client.game(created.game, token=created.seats[0].token)
    game.resign()
    assert client.import_log(game.log()).game == created.game


def test_a_match(live: Live, talk: Talking) -> None:
    client = talk(live.url).client
    created = client.create_match("spite-and-malice", [{"name": "Ada"}, {"open": True}])
    assert client.sit_in_match(created.match, "Ben").seat == 1
    state = client.match(created.match)
    assert (state.status, state.target, len(state.games)) == ("running", 50, 1)
    assert client.game(state.games[0].game, token=created.seats[0].token).view().seat == 0
    assert client.match_log(created.match).startswith(b'{"complete":false,')
    assert client.match_verification(created.match).ok


def test_an_arena(live: Live, talk: Talking) -> None:
    """Started, waited for with its progress, its results read one by one; another one cancelled."""
    client = talk(live.url).client
    name = client.start_arena(["greedy", "uniform"], 4, "gato-e-rato", seed="spring")
    seen: list[int] = []
    report = client.wait_for_arena(name, lambda report: seen.append(report.done))
    assert (report.status, report.done, seen[-1]) == ("ended", 4, 4)
    assert [row.number for row in client.arena_results(name)] == [0, 1, 2, 3]
    assert len(client.games(arena=name).games) == 4
    other = client.start_arena(["uniform", "uniform"], 5000, "gato-e-rato")
    assert client.cancel_arena(other).status == "cancelled"
    assert client.arena(other).games == 5000
    page = client.arenas(limit=1)
    assert [line.arena for line in page.arenas] == [other]
    assert client.arenas(limit=1, cursor=page.next).arenas[0].arena == name
    assert other not in [line.arena for line in client.arenas(status="running").arenas]


def test_what_is_there_and_is_it_well(live: Live, talk: Talking) -> None:
    client = talk(live.url).client
    assert "gato-e-rato" in [preset.name for preset in client.rules()]
    assert "greedy" in [bot.name for bot in client.bots()]
    assert client.alive()
    assert client.ready()


def test_a_refusal_is_an_error_of_its_kind_with_the_services_own_words(live: Live, talk: Talking) -> None:
    client = talk(live.url).client
    created = client.create_game("gato-e-rato", PEOPLE)
    seats = [client.game(created.game, token=seat.token) for seat in created.seats]
    turn = seats[0].view().turn.seat
    with pytest.raises(Illegal) as illegal:
        seats[turn].move("pass")
    assert (illegal.value.code, illegal.value.legal) == ("illegal_move", seats[turn].view().legal)
    assert illegal.value.reason
    with pytest.raises(MovedOn) as moved_on:
        seats[turn].move(seats[turn].view().legal[0], if_version=7)
    assert (moved_on.value.status, moved_on.value.version) == (412, 1)
    with pytest.raises(NotNow, match="turn of seat"):
        seats[1 - turn].move("pass")
    with pytest.raises(NotThere) as unknown:
        client.game("07nothere").view()
    assert unknown.value.code == "unknown_game"
    with pytest.raises(NotAllowed):
        client.game(created.game).move("pass")
    with pytest.raises(NotAllowed):
        client.game(created.game, token="no token of this service").view()
    with pytest.raises(Refused) as bad_rules:
        client.create_game("poker", PEOPLE)
    assert (bad_rules.value.status, bad_rules.value.code) == (422, "bad_rules")
    assert talk(live.url, api_key=ADMIN_KEY).client.game(created.game).log()


def test_a_token_or_key_that_would_break_a_header_is_refused_without_being_shown(live: Live, talk: Talking) -> None:
    client = talk(live.url).client
    with pytest.raises(Malformed) as refused:
        client.game("07q3m8k2", token="secret\nX-More: 1")
    assert "secret" not in str(refused.value)
    with pytest.raises(Malformed, match="visible ASCII"):
        client.create_game("gato-e-rato", PEOPLE, key="a\nb")


def test_a_token_is_in_no_address_and_is_printed_nowhere(live: Live, talk: Talking) -> None:
    spoken = talk(live.url)
    created = spoken.client.create_game("gato-e-rato", PEOPLE)
    token = created.seats[0].token
    game = spoken.client.game(created.game, token=token)
    game.view()
    shown = [repr(created), repr(game), repr(spoken.client), repr(game.calls), repr(spoken.client.calls)]
    assert [text for text in shown if token in text] == []
    assert [request.url for request in spoken.network.asked if token in str(request.url)] == []
    assert spoken.network.sent("Authorization")[-1] == f"Bearer {token}"
