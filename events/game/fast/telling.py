"""How does the log file tell a fact? Its canonical JSON (contract, section 3), written without making an event of it.

The same text as the encoder's of the event, on every commit of every walk (`tests/game/in_numbers.py`).
"""

from typing import Final

from events.game.fast.codes import CARDS
from events.game.fast.facts import (
    COMPLETED,
    DEALT,
    DISCARDED,
    DREW,
    ENCODER,
    FROM_HAND,
    FROM_PAYOFF,
    FROM_SIDE,
    NULL,
    OTHER,
    SHUFFLED,
    TURN,
    event_of,
    size_of,
)

_QUOTED: Final = [f'"{card}"' for card in CARDS]


def told(facts: bytes) -> str:
    """The events of these facts as the log file writes them: canonical JSON, between the brackets of a list.

    Raises ValueError or IndexError for bytes that are none.
    """
    texts: list[str] = []
    at = 0
    while at < len(facts):
        kind = facts[at]
        if kind == FROM_HAND:
            texts.append(
                f'{{"card":{_QUOTED[facts[at + 2]]},"owner":null,"pile":{facts[at + 3]},"rank":{facts[at + 4]},'
                f'"seat":{facts[at + 1]},"side":null,"source":"hand","turned":null,"type":"CardPlayed"}}'
            )
            at += 5
        elif kind == DISCARDED:
            texts.append(
                f'{{"card":{_QUOTED[facts[at + 2]]},"seat":{facts[at + 1]},"side":{facts[at + 3]},'
                '"type":"CardDiscarded"}'
            )
            at += 4
        elif kind == TURN:
            texts.append(f'{{"seat":{facts[at + 1]},"turn":{facts[at + 2] << 8 | facts[at + 3]},"type":"TurnStarted"}}')
            at += 4
        elif kind == DREW:
            end = at + 3 + facts[at + 2]
            texts.append(f'{{"cards":{_list(facts[at + 3 : end])},"seat":{facts[at + 1]},"type":"CardsDrawn"}}')
            at = end
        elif kind == FROM_SIDE:
            texts.append(
                f'{{"card":{_QUOTED[facts[at + 2]]},"owner":null,"pile":{facts[at + 3]},"rank":{facts[at + 4]},'
                f'"seat":{facts[at + 1]},"side":{facts[at + 5]},"source":"side","turned":null,"type":"CardPlayed"}}'
            )
            at += 6
        elif kind == FROM_PAYOFF:
            turned = "null" if facts[at + 6] == NULL else _QUOTED[facts[at + 6]]
            texts.append(
                f'{{"card":{_QUOTED[facts[at + 2]]},"owner":{facts[at + 5]},"pile":{facts[at + 3]},'
                f'"rank":{facts[at + 4]},"seat":{facts[at + 1]},"side":null,"source":"payoff","turned":{turned},'
                '"type":"CardPlayed"}'
            )
            at += 7
        elif kind == COMPLETED:
            end = at + 4 + facts[at + 3]
            to = "aside" if facts[at + 2] else "stock"
            texts.append(
                f'{{"cards":{_list(facts[at + 4 : end])},"pile":{facts[at + 1]},"to":"{to}","type":"PileCompleted"}}'
            )
            at = end
        elif kind == SHUFFLED:
            end = at + 5 + (facts[at + 3] << 8) + facts[at + 4]
            returned = facts[at + 1] << 8 | facts[at + 2]
            texts.append(f'{{"returned":{returned},"stock":{_list(facts[at + 5 : end])},"type":"StockShuffled"}}')
            at = end
        elif kind == DEALT:
            size = size_of(facts, at)
            texts.append(_told_deal(facts[at : at + size]))
            at += size
        else:
            size = size_of(facts, at)
            # What stands in the long form is canonical already: `packed` has written it.
            text = facts[at + 5 : at + size] if kind == OTHER else ENCODER.encode(event_of(facts[at : at + size]))
            texts.append(text.decode())
            at += size
    if at != len(facts):
        raise ValueError("the facts break off")
    return ",".join(texts)


def _told_deal(fact: bytes) -> str:
    piles: list[str] = []
    end = 2
    seats = fact[1]
    for _ in range(2 * seats):
        count = fact[end]
        piles.append(_list(fact[end + 1 : end + 1 + count]))
        end += 1 + count
    hands, payoffs = ",".join(piles[seats:]), ",".join(piles[:seats])
    return f'{{"hands":[{hands}],"payoffs":[{payoffs}],"stock":{_list(fact[end + 2 :])},"type":"CardsDealt"}}'


def _list(codes: bytes) -> str:
    return "[" + ",".join([_QUOTED[code] for code in codes]) + "]"
