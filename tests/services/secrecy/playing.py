"""How do two worlds go on together? By moves that show the watcher the same in both, as long as there are any.

What a move shows to whom is said here a second time, from the rules (R3) and not from `views`: what is compared may not
decide what is compared.
"""

import random
from typing import Any, Final

from msgspec.structs import replace

from events.errors import BadPosition
from events.game.decide import MakeMove, decide
from events.game.events import (
    CardsDealt,
    CardsDrawn,
    Event,
    Events,
    GameCreated,
    GameEnded,
    PayoffsReshuffled,
    StockShuffled,
)
from events.game.moves import FromPayoff, Play, move_text
from events.game.position import check_position
from events.game.rules import Rules
from events.game.state import Game
from events.game.views import Viewer
from tests.game.worlds import other_world
from tests.services.secrecy.looking import WELL, glance
from tests.services.secrecy.twins import Pair, Twins, common_moves, some_seed, table_of
from tests.walks import Walk, eager, uniform

DEPTH: Final = 12
"""Stock cards from the top that stay where they are in worlds that are to last."""


def public(event: Event, watcher: Viewer) -> Any:
    """What this event tells the watcher."""
    match event:
        case CardsDrawn(seat, cards):
            return (seat, cards if seat == watcher else len(cards))
        case StockShuffled(stock, returned):
            return (len(stock), returned)
        case CardsDealt(payoffs, hands, stock):
            tops = [(payoff[-1], len(payoff)) for payoff in payoffs]
            return (tops, [hand if seat == watcher else len(hand) for seat, hand in enumerate(hands)], len(stock))
        case PayoffsReshuffled(payoffs):
            return {seat: (payoff[-1], len(payoff)) for seat, payoff in payoffs.items()}
        case GameCreated():
            return "created"
        case _:
            return event


def told(events: Events, watcher: Viewer) -> list[Any]:
    """What a commit tells the watcher."""
    return [public(event, watcher) for event in events]


def play_on(pair: Pair, watcher: Viewer, rng: random.Random, steps: int) -> int:
    """Up to so many moves in both worlds; how many were possible before the worlds parted."""
    return next((done for done in range(steps) if not step(pair, watcher, rng)), steps)


def step(pair: Pair, watcher: Viewer, rng: random.Random) -> bool:
    """One move, the watcher's own or another's, and a glance by the watcher; False where no move keeps the secret."""
    here, there = pair.games()
    seeds = pair.seeds()
    assert here.turn is not None
    seat = here.turn.seat
    moves = common_moves(pair)
    rng.shuffle(moves)
    moves.sort(key=lambda move: (not isinstance(move, Play), getattr(move, "source", None) != FromPayoff()))
    for move in moves:
        ahead = [decide(MakeMove(seat, move), game, seed) for game, seed in zip((here, there), seeds, strict=True)]
        if any(isinstance(event, GameEnded) for events in ahead for event in events):
            continue  # all is revealed then
        if told(ahead[0], watcher) != told(ahead[1], watcher):
            continue
        sent = ("POST", f"{WELL}/moves", {"move": move_text(move)}, {"Idempotency-Key": f"v{pair.version}"})
        if seat == watcher:
            pair.ask(seat, *sent)
            pair.ask(seat, *sent)
            pair.ask(seat, "POST", f"{WELL}/moves", {"move": "9h>s9"}, sent[3])
        else:
            answers = pair.both(seat, *sent)
            assert {answer.status_code for answer in answers} == {200}
        glance(pair, watcher)
        return True
    return False


def moment(rules: Rules, number: int, moves: int) -> Game:
    """A running game after so many moves, or fewer where it would be over."""
    walk = Walk(rules, number, uniform if number % 2 else eager)
    while len(walk.commits) <= moves:
        before = walk.game
        walk.step()
        if walk.game.result is not None:
            return before
    return walk.game


def swapped(game: Game, watcher: Viewer, rng: random.Random) -> Game:
    """One card of every other hand changes places with one that lies deep in the stock."""
    players, stock = list(game.players), list(game.stock)
    for seat, player in enumerate(players):
        deep = len(stock) - DEPTH
        if seat == watcher or not player.hand or deep < 1:
            continue
        place, at = rng.randrange(len(player.hand)), rng.randrange(deep)
        hand = (*player.hand[:place], stock[at], *player.hand[place + 1 :])
        players[seat], stock[at] = replace(player, hand=hand), player.hand[place]
    return replace(game, players=tuple(players), stock=tuple(stock))


def playable(game: Game) -> bool:
    """May a game begin from this table?"""
    try:
        check_position(game.rules, table_of(game))
    except BadPosition:
        return False
    return True


def begin_pair(
    twins: Twins, game: Game, watcher: Viewer, rng: random.Random, *, lasting: bool, **more: Any
) -> "Pair | None":
    """This game in one world, and in the other with other hidden cards; None where nothing is hidden from the watcher.

    `lasting`: the cards that come up next are the same, and of each other hand all but one.
    """
    for _ in range(20):
        if lasting:
            seats = range(game.rules.seats)
            other = swapped(other_world(game, watcher, rng, known=seats, under=2, drawn=DEPTH), watcher, rng)
        else:
            other = other_world(game, watcher, rng)
        if other == game or not playable(other):
            continue
        tables = (table_of(game), table_of(other))
        return twins.begin(tables, game.rules, (some_seed(rng), some_seed(rng)), **more)
    return None
