"""How is the game told? Cards as a person reads them, and every event as a sentence.

Law kept: words are made of seen events, so they cannot tell what the viewer may not know; the match is exhaustive.
"""

from collections.abc import Iterable
from typing import Final, assert_never

from events.game.cards import JOKER, RANK, RANKS, Card, Cards
from events.game.events import (
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    ClockExpired,
    EndReason,
    GameCreated,
    GameEnded,
    PileCompleted,
    SeatForfeited,
    SeatResigned,
    SeatTaken,
    TurnPassed,
    TurnStarted,
)
from events.game.presets import PRESETS, resolve
from events.game.rules import Rank, Rules, Seat
from events.game.state import Result
from events.game.views import (
    PayoffView,
    SawDeal,
    SawDraw,
    SawPayoffs,
    SawPosition,
    SawShuffle,
    SeenEvent,
)
from services.cli.errors import printable

_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_WHY: Final[dict[EndReason, str]] = {
    "payoff": "its payoff is empty",
    "exhausted": "the stock is used up",
    "blocked": "all passed",
    "turn_limit": "the last turn has been played",
    "resigned": "the others resigned",
    "clock": "the others' time ran out",
    "forfeit": "the others forfeited",
    "abandoned": "it was abandoned",
}
_FAILED: Final = {"illegal_move": "chose an illegal move", "error": "failed", "timeout": "took too long"}


def rank_word(rank: Rank) -> str:
    """`A`, `2` … `10`, `J`, `Q`, `K`."""
    return "10" if rank == 10 else RANKS[rank - 1]


def card_word(card: Card) -> str:
    """`7♥`, `10♦`; a joker is `★`."""
    return "★" if card == JOKER else rank_word(RANK[card]) + _SUITS[card[1]]


def lying_word(card: Card, rank: Rank) -> str:
    """A card of a centre pile: a wild says which rank it stands for, `K♥=7`."""
    return card_word(card) if RANK[card] == rank else f"{card_word(card)}={rank_word(rank)}"


def cards_word(cards: Cards) -> str:
    """The cards, apart by a space; `–` for none."""
    return " ".join(map(card_word, cards)) or "–"


def rules_word(rules: Rules) -> str:
    """The preset that these rules are, with the changes that its text allows; else `rules of its own`."""
    for name, preset in PRESETS.items():
        changed = {
            knob: getattr(rules, knob) for knob in preset.changes if getattr(rules, knob) != getattr(preset.rules, knob)
        }
        if all(value in preset.changes[knob] for knob, value in changed.items()) and (
            resolve({"preset": name, **changed}) == rules
        ):
            changes = ", ".join(f"{knob} {_plain(value)}" for knob, value in changed.items())
            return f"{name} with {changes}" if changes else name
    return "rules of its own"


def result_word(result: Result) -> str:
    """Who won and why: `seat 0 wins: its payoff is empty (12 points)`."""
    why = _WHY[result.reason]
    if result.result == "aborted":
        return f"the game ends without a result: {why}"
    if result.result == "drawn":
        return f"a draw: {why}"
    if len(result.winners) > 1:
        why = why.replace("its payoff is", "their payoffs are")
    wins = "wins" if len(result.winners) == 1 else "win"
    points = result.points[result.winners[0]] if result.points and result.winners else None
    return f"{seats_word(result.winners)} {wins}: {why}" + (f" ({_count(points, 'point')})" if points else "")


def seats_word(seats: Iterable[Seat]) -> str:
    """`seat 0 and seat 2`."""
    return " and ".join(f"seat {seat}" for seat in seats)


def event_word(event: SeenEvent) -> str:
    """What happened, as a sentence without its full stop."""
    match event:
        case GameCreated(rules=rules, seats=seats, forked_from=origin):
            players = ", ".join(f"seat {seat} is {printable(who.name or 'open')}" for seat, who in enumerate(seats))
            fork = f" from version {origin.version} of {printable(origin.game)}" if origin is not None else ""
            return f"the game is created{fork}: {rules_word(rules)}; {players}"
        case SeatTaken(seat, name, entropy):
            return f"{printable(name)} takes seat {seat}" + (" and adds to the seed" if entropy else "")
        case SawPosition(payoffs=payoffs, seat=seat, turn=turn):
            return f"a position is set: {_tops(enumerate(payoffs))}; seat {seat} is to move in turn {turn}"
        case SawDeal(payoffs, _, stock):
            return f"the cards are dealt: {_tops(enumerate(payoffs))}; {_count(stock.count, 'card')} left as stock"
        case SawPayoffs(payoffs):
            tops = _tops((int(seat), payoff) for seat, payoff in payoffs.items())
            return f"a tie, so payoffs are shuffled again: {tops}"
        case TurnStarted(seat, turn):
            return f"turn {turn} begins: seat {seat} is to move"
        case CardsDrawn(seat, cards):
            return f"seat {seat} draws {cards_word(cards)}"
        case SawDraw(seat, count):
            return f"seat {seat} draws {_count(count, 'card')}"
        case CardPlayed():
            return _played(event)
        case PileCompleted(pile, _, to):
            return f"pile {pile} is complete and {'goes back to the stock' if to == 'stock' else 'is set aside'}"
        case SawShuffle(count, returned):
            return f"{_count(returned, 'card')} shuffled into the stock, which has {count} now"
        case CardDiscarded(seat, card, side):
            return f"seat {seat} discards {card_word(card)} on its stack {side}"
        case TurnPassed(seat):
            return f"seat {seat} passes"
        case SeatResigned(seat):
            return f"seat {seat} resigns"
        case ClockExpired(seat):
            return f"the time of seat {seat} has run out"
        case SeatForfeited(seat, cause):
            return f"seat {seat} forfeits: it {_FAILED[cause]}"
        case GameEnded(result, winners, reason, points, _):
            return result_word(Result(result, winners, reason, points))
        case _:
            assert_never(event)


def _played(event: CardPlayed) -> str:
    card = card_word(event.card)
    if RANK[event.card] != event.rank:
        card += f" as {rank_word(event.rank)}"
    match event.source:
        case "hand":
            source = "hand"
        case "side":
            source = f"stack {event.side}"
        case "payoff":
            source = "payoff" if event.owner == event.seat else f"the payoff of seat {event.owner}"
        case _:
            assert_never(event.source)
    turned = f" and turns up {card_word(event.turned)}" if event.turned is not None else ""
    return f"seat {event.seat} plays {card} from {source} to pile {event.pile}{turned}"


def _tops(payoffs: Iterable[tuple[Seat, PayoffView]]) -> str:
    tops = (
        f"seat {seat} has {card_word(payoff.top)} on {payoff.left}" if payoff.top else f"seat {seat} has no payoff left"
        for seat, payoff in payoffs
    )
    return ", ".join(tops)


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _plain(value: object) -> str:
    return "none" if value is None else {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
