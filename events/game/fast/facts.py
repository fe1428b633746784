"""How is a fact written in few bytes? One byte says which, and its fields follow, a byte each where they fit.

A commit's facts stand one after the other: this is what `Table` writes and reads, and what a stream keeps of them
(`events.log.packing`). `OTHER` holds any event as JSON, so that every event has a form. Reading and writing events is
`packed` and `events_of`; `telling` writes the canonical JSON of the log file without making events.

| byte | fact | fields |
|---|---|---|
| 0 | any event | length (4 bytes), JSON |
| 1 | `CardPlayed` from the hand | seat, card, pile, rank |
| 2 | `CardPlayed` from a side stack | seat, card, pile, rank, side |
| 3 | `CardPlayed` from a payoff | seat, card, pile, rank, owner, turned (255: null) |
| 4 | `CardDiscarded` | seat, card, side |
| 5 | `TurnPassed` | seat |
| 6 | `TurnStarted` | seat, turn (2 bytes) |
| 7 | `CardsDrawn` | seat, count, cards |
| 8 | `PileCompleted` | pile, to (0 stock, 1 aside), count, cards |
| 9 | `StockShuffled` | returned (2 bytes), count (2 bytes), cards |
| 10 | `CardsDealt` | seats; each payoff, then each hand (count, cards); stock (2 bytes), cards |
| 11 | `PayoffsReshuffled` | seats, then for each: seat, count, cards |
| 12 | `GameEnded` | result, reason, winners (count, seats), points (255: null; else count, 2 bytes each), seed (64) |
"""

from collections.abc import Iterable
from typing import Final, get_args

import msgspec

from events.game.cards import Cards
from events.game.events import (
    CardDiscarded,
    CardPlayed,
    CardsDealt,
    CardsDrawn,
    EndReason,
    Event,
    Events,
    GameEnded,
    Outcome,
    PayoffsReshuffled,
    PileCompleted,
    StockShuffled,
    TurnPassed,
    TurnStarted,
)
from events.game.fast.codes import CARDS, CODES

OTHER: Final = 0
FROM_HAND: Final = 1
FROM_SIDE: Final = 2
FROM_PAYOFF: Final = 3
DISCARDED: Final = 4
PASSED: Final = 5
TURN: Final = 6
DREW: Final = 7
COMPLETED: Final = 8
SHUFFLED: Final = 9
DEALT: Final = 10
RESHUFFLED: Final = 11
ENDED: Final = 12

OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
REASONS: Final[tuple[EndReason, ...]] = get_args(EndReason)
NULL: Final = 255
SEED_BYTES: Final = 64

ENCODER: Final = msgspec.json.Encoder(order="sorted")
_EVENTS: Final = msgspec.json.Decoder(Event)


def packed(events: Iterable[Event]) -> bytes:
    """The facts of these events; whatever does not fit its short form stands in the long one."""
    out = bytearray()
    for event in events:
        try:
            short = _short(event)
        except (ValueError, OverflowError):  # a number that no game of this program has
            short = None
        if short is None:
            text = ENCODER.encode(event)
            short = bytes((OTHER,)) + len(text).to_bytes(4, "big") + text
        out += short
    return bytes(out)


def _short(event: Event) -> bytes | None:
    match event:
        case CardPlayed(seat, "hand", None, None, card, pile, rank, None):
            return bytes((FROM_HAND, seat, CODES[card], pile, rank))
        case CardPlayed(seat, "side", None, int(side), card, pile, rank, None):
            return bytes((FROM_SIDE, seat, CODES[card], pile, rank, side))
        case CardPlayed(seat, "payoff", int(owner), None, card, pile, rank, turned):
            return bytes((FROM_PAYOFF, seat, CODES[card], pile, rank, owner, NULL if turned is None else CODES[turned]))
        case CardDiscarded(seat, card, side):
            return bytes((DISCARDED, seat, CODES[card], side))
        case TurnPassed(seat):
            return bytes((PASSED, seat))
        case TurnStarted(seat, turn):
            return bytes((TURN, seat)) + _two(turn)
        case CardsDrawn(seat, cards):
            return bytes((DREW, seat)) + _few(cards)
        case PileCompleted(pile, cards, to):
            return bytes((COMPLETED, pile, to == "aside")) + _few(cards)
        case StockShuffled(stock, returned):
            return bytes((SHUFFLED,)) + _two(returned) + _many(stock)
        case CardsDealt(payoffs, hands, stock) if len(payoffs) == len(hands):
            piles = b"".join(_few(cards) for cards in payoffs + hands)
            return bytes((DEALT, len(payoffs))) + piles + _many(stock)
        case PayoffsReshuffled(payoffs) if all(seat.isdecimal() and str(int(seat)) == seat for seat in payoffs):
            # In the order of the JSON form, so that both ways back are the same.
            return bytes((RESHUFFLED, len(payoffs))) + b"".join(
                bytes((int(seat),)) + _few(payoffs[seat]) for seat in sorted(payoffs)
            )
        case GameEnded(result, winners, reason, points, seed) if len(seed) == 2 * SEED_BYTES and seed == seed.lower():
            scores = bytes((NULL,)) if points is None else bytes((len(points),)) + b"".join(map(_two, points))
            head = bytes((ENDED, OUTCOMES.index(result), REASONS.index(reason), len(winners), *winners))
            return head + scores + bytes.fromhex(seed)
        case _:
            return None


def _two(number: int) -> bytes:
    return number.to_bytes(2, "big")


def _few(cards: Cards) -> bytes:
    return bytes((len(cards), *[CODES[card] for card in cards]))


def _many(cards: Cards) -> bytes:
    return _two(len(cards)) + bytes([CODES[card] for card in cards])


def size_of(facts: bytes, at: int) -> int:
    """How many bytes the fact that begins at `at` takes. Raises IndexError or ValueError for what is none."""
    kind = facts[at]
    if kind == FROM_HAND:
        return 5
    if kind == FROM_SIDE:
        return 6
    if kind == FROM_PAYOFF:
        return 7
    if kind in (DISCARDED, TURN):
        return 4
    if kind == PASSED:
        return 2
    if kind == DREW:
        return 3 + facts[at + 2]
    if kind == COMPLETED:
        return 4 + facts[at + 3]
    if kind == SHUFFLED:
        return 5 + (facts[at + 3] << 8) + facts[at + 4]
    if kind == OTHER:
        return 5 + int.from_bytes(facts[at + 1 : at + 5], "big")
    if kind == ENDED:
        points = at + 4 + facts[at + 3]
        return points - at + 1 + (0 if facts[points] == NULL else 2 * facts[points]) + SEED_BYTES
    end = at + 2
    if kind == DEALT:
        for _ in range(2 * facts[at + 1]):
            end += 1 + facts[end]
        return end - at + 2 + (facts[end] << 8) + facts[end + 1]
    if kind == RESHUFFLED:
        for _ in range(facts[at + 1]):
            end += 2 + facts[end + 1]
        return end - at
    raise ValueError(f"{kind} is no fact")


def events_of(facts: bytes) -> Events:
    """The events that these facts are. Raises ValueError (IndexError, KeyError) for bytes that are none."""
    events: list[Event] = []
    at = 0
    while at < len(facts):
        size = size_of(facts, at)
        if at + size > len(facts):
            raise ValueError("the facts break off")
        events.append(event_of(facts[at : at + size]))
        at += size
    return tuple(events)


def event_of(fact: bytes) -> Event:
    """The event that one fact is."""
    kind = fact[0]
    if kind == FROM_HAND:
        return CardPlayed(fact[1], "hand", None, None, CARDS[fact[2]], fact[3], fact[4], None)
    if kind == FROM_SIDE:
        return CardPlayed(fact[1], "side", None, fact[5], CARDS[fact[2]], fact[3], fact[4], None)
    if kind == FROM_PAYOFF:
        turned = None if fact[6] == NULL else CARDS[fact[6]]
        return CardPlayed(fact[1], "payoff", fact[5], None, CARDS[fact[2]], fact[3], fact[4], turned)
    if kind == DISCARDED:
        return CardDiscarded(fact[1], CARDS[fact[2]], fact[3])
    if kind == PASSED:
        return TurnPassed(fact[1])
    if kind == TURN:
        return TurnStarted(fact[1], fact[2] << 8 | fact[3])
    if kind == DREW:
        return CardsDrawn(fact[1], _cards(fact[3:]))
    if kind == COMPLETED:
        return PileCompleted(fact[1], _cards(fact[4:]), "aside" if fact[2] else "stock")
    if kind == SHUFFLED:
        return StockShuffled(_cards(fact[5:]), fact[1] << 8 | fact[2])
    if kind == OTHER:
        return _EVENTS.decode(fact[5:])
    if kind == ENDED:
        winners, points = _ending(fact)
        return GameEnded(OUTCOMES[fact[1]], winners, REASONS[fact[2]], points, fact[-SEED_BYTES:].hex())
    if kind == RESHUFFLED:
        return PayoffsReshuffled(dict(_reshuffled(fact)))
    payoffs, hands, stock = _dealt(fact)
    return CardsDealt(payoffs, hands, stock)


def _cards(codes: bytes) -> Cards:
    return tuple([CARDS[code] for code in codes])


def _dealt(fact: bytes) -> tuple[tuple[Cards, ...], tuple[Cards, ...], Cards]:
    seats, end = fact[1], 2
    piles: list[Cards] = []
    for _ in range(2 * seats):
        piles.append(_cards(fact[end + 1 : end + 1 + fact[end]]))
        end += 1 + fact[end]
    return tuple(piles[:seats]), tuple(piles[seats:]), _cards(fact[end + 2 :])


def _reshuffled(fact: bytes) -> list[tuple[str, Cards]]:
    payoffs: list[tuple[str, Cards]] = []
    end = 2
    for _ in range(fact[1]):
        count = fact[end + 1]
        payoffs.append((str(fact[end]), _cards(fact[end + 2 : end + 2 + count])))
        end += 2 + count
    return payoffs


def _ending(fact: bytes) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    at = 4 + fact[3]
    winners = tuple(fact[4:at])
    if fact[at] == NULL:
        return winners, None
    return winners, tuple([fact[i] << 8 | fact[i + 1] for i in range(at + 1, at + 1 + 2 * fact[at], 2)])
