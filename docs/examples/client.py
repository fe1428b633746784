"""A whole game against `greedy` with the client of this repository. It comes back by itself where it is cut off."""

import sys
from threading import Thread

from services.client import Client

with Client(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000") as client:
    created = client.create_game({"preset": "gato-e-rato", "payoff": 5}, [{"name": "Ada"}, {"bot": "greedy"}])
    game = client.game(created.game, token=created.seats[0].token)
    playing = Thread(target=game.play, args=(lambda view: view.legal[0],))
    playing.start()
    for commit in game.feed():
        print(commit.version, *(type(event).__name__ for event in commit.events))
    playing.join()
    print("result:", game.view().result)
