"""How does a function from views to moves play a whole game? It waits for its turn, asks it, sends the move, and again.

Every move is sent for the version that it was chosen on: where the game has moved on meanwhile (a clock has run out,
another program plays the same seat), or where an answer that was lost has already been given, one looks again.
"""

from typing import Final

from events.game.views import View
from services.client.errors import MovedOn, NotAllowed, NotNow
from services.client.games import GameCalls
from services.client.steps import Choose, Steps, Strategy

WAIT_SECONDS: Final = 25


def play(game: GameCalls, strategy: Strategy) -> Steps[View]:
    """Play the seat of this token to the end of the game, and return the last view.

    `strategy` gets a view in which `legal` has moves and returns one of them; what it raises is raised. Raises
    `Illegal` for a move that is none, `Refused`, and `Unreachable` when patience is at its end.
    """
    view = yield from game.view()
    if view.seat is None:
        raise NotAllowed(403, "forbidden", "Without the token of a seat a game can be watched, not played.")
    while view.status != "ended":
        if not view.legal:
            yield from game.events(after=view.version, limit=1, wait=WAIT_SECONDS)
            view = yield from game.view()
            continue
        move = yield Choose(strategy, view)
        try:
            view = (yield from game.move(move, if_version=view.version)).view
        except (MovedOn, NotNow):
            view = yield from game.view()
    return view
