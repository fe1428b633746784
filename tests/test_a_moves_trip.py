"""Read first: the trip of a move through the house, from a request to what others see of it.

The store is in memory and the messages are caught on their way, so that every step can be looked at. The parts are
the real ones. Each step is a chapter elsewhere: `tests/game` for the rules, `tests/log` for the stream, `tests/workers`
for who acts on it later, `tests/services` for the ways in.
"""

from events.game.legality import view
from events.game.state import Game
from events.log.keys import stream_key
from events.log.record import export
from events.log.verify import verify
from tests.services.api.table import Api
from workers.bot_turn import play_bots
from workers.bots.registry import find
from workers.fold import fold_game


def test_the_trip_of_a_move() -> None:
    api = Api()
    store = api.store

    # A person sits down with a bot. The answer holds the token of the person's seat: who has it, is that seat.
    seats = [{"name": "Ada", "entropy": "my own dice"}, {"bot": "greedy"}]
    created = api.post("/v1/games", {"rules": "gato-e-rato", "seats": seats})
    assert created.status_code == 201
    game, token = created.json()["game"], created.json()["seats"][0]["token"]
    ada = {"Authorization": f"Bearer {token}"}

    # Creating is a command like any other, and what it caused is the first entry of the game's stream.
    ((entry_id, _),) = store.client.xrange(stream_key(game))
    assert entry_id == b"1-0"
    types = [type(event).__name__ for event in store.read(game)[0].events]
    assert types[:2] == ["GameCreated", "CardsDealt"]
    assert types[-1] == "TurnStarted"

    # Somebody was woken. That message is the game's id and nothing else; it may be lost, since the game is marked due.
    assert api.woken == [game]
    assert store.due.games(int(game[:2], 16)) == {game: 1}

    # If the bot starts, a worker plays its whole turn: view, strategy, append, until a person is to move.
    rung: list[str] = []

    def ring(game: str, table: Game) -> None:
        rung.append(game)

    fold_game(store, game, ring)
    for _ in rung:
        play_bots(store, game, find, ring, clock=lambda: 0.0)
    assert store.due.games(int(game[:2], 16)) == {}, "nothing is owed: it is Ada's turn"

    # Ada looks: her own hand, a number for the bot's, and what she may do.
    looked = api.get(f"/v1/games/{game}", ada)
    seen = looked.json()
    assert len(seen["hand"]) == 5
    assert seen["seats"][1]["hand"] == len(store.load(game).game.players[1].hand)
    move = seen["legal"][-1]

    # She discards on what she saw: the version goes along, so that nothing happens if the game has moved on meanwhile.
    headers = ada | {"If-Match": looked.headers["ETag"], "Idempotency-Key": "a-discard-of-mine"}
    answer = api.post(f"/v1/games/{game}/moves", {"move": move}, headers)
    assert answer.status_code == 200, answer.text
    version = answer.json()["version"]
    assert version == seen["version"] + 1

    # `decide` found what follows from it, and one atomic step appended it all: one commit, first what she did.
    (commit,) = store.read(game, after=version - 1)
    assert commit.by == "seat:0"
    assert [type(event).__name__ for event in commit.events][:2] == ["CardDiscarded", "TurnStarted"]
    assert answer.json()["events"][0] == {"type": "CardDiscarded", "seat": 0, "card": move[:2], "side": int(move[-1])}

    # Sent again with its key, because the answer was lost, it changes nothing and says the same.
    again = api.post(f"/v1/games/{game}/moves", {"move": move}, headers)
    assert again.json() == answer.json()
    assert again.headers["Idempotent-Replayed"] == "true"

    # The worker is rung, and the bot answers through the same door: one write path for people and bots.
    assert api.woken[-1] == game
    rung.clear()
    fold_game(store, game, ring)
    assert rung == [game]
    play_bots(store, game, find, ring, clock=lambda: 0.0)
    answers = store.read(game, after=version)
    assert answers
    assert {commit.by for commit in answers} == {"bot:1"}

    # What Ada gets of it: everything that lies open, and of the cards that the bot drew their number.
    events = api.get(f"/v1/games/{game}/events?after={version - 1}", ada).json()["commits"]
    drawn = [event for commit in events for event in commit["events"] if event["type"] == "CardsDrawn"]
    assert all(("cards" in event) == (event["seat"] == 0) for event in drawn)

    # The table is nothing but its history: folded anew from the stream it is the same, and so is every view of it.
    loaded = store.load(game)
    store.forget()
    assert store.load(game) == loaded
    assert view(loaded.game, 0, name=game, version=loaded.version).hand == loaded.game.players[0].hand

    # And the history can be judged by anybody: while the game runs its shuffles are taken as recorded, afterwards the
    # seed is revealed and they are repeated.
    assert verify(export(store, game)).ok
    api.post(f"/v1/games/{game}/resign", headers=ada)
    verdict = verify(api.get(f"/v1/games/{game}/log").content)
    assert verdict.ok
    assert verdict.shuffles
