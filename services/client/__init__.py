"""How does a Python program play, watch and start games of a service? With this client, blocking or asynchronous.

    from services.client import Client

    with Client("http://127.0.0.1:8000") as client:
        created = client.create_game("gato-e-rato", [{"name": "Ada"}, {"bot": "greedy"}])
        game = client.game(created.game, token=created.seats[0].token)
        print(game.play(lambda view: view.legal[0]).result)

`AsyncClient` has the same calls, to be awaited. Answers are the service's own structs. Errors are those of
`services.client.errors`; a call whose answer is lost is sent again under its key until `patience` is at its end.

Read in this order: steps, errors, reading, asking, games, calls, feed, playing; then blocking or awaiting.

Law kept: what is asked, tried again and made of answers is written once, without input or output. Neither the service
nor the store is imported.
"""

from services.client.awaiting import AsyncClient, AsyncGame
from services.client.blocking import Client, Game
from services.client.errors import Illegal, MovedOn, NoAnswer, NotAllowed, NotNow, NotThere, Refused, Unreachable
from services.client.games import ClockAsked, RulesAsked, SeatAsked

__all__ = [
    "AsyncClient",
    "AsyncGame",
    "Client",
    "ClockAsked",
    "Game",
    "Illegal",
    "MovedOn",
    "NoAnswer",
    "NotAllowed",
    "NotNow",
    "NotThere",
    "Refused",
    "RulesAsked",
    "SeatAsked",
    "Unreachable",
]
