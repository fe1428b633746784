"""What does a position look like in a terminal? Centre piles on top, the seats two abreast below them.

Law kept: what is drawn is a view; only who looks with open cards is shown more. Hearts and diamonds are red
where there is colour, and nothing depends on colour.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from events.game.cards import JOKER, Card, Cards
from events.game.rules import Seat
from events.game.views import SeatView, View
from services.cli.errors import printable
from services.cli.words import card_word, lying_word, rank_word, result_word, rules_word, seats_word
from services.eyes import AllCards, OpenView

PAYOFF_AHEAD: Final = 2
STOCK_AHEAD: Final = 8
"""With open cards, how many of those are shown that come next: what fits on the line. `--json` has them all."""
TWO_ABREAST: Final = 64
"""Columns from which on there is room for two seats side by side."""


def print_position(console: Console, view: View, last: int, told: Sequence[str]) -> None:
    """Draw the view at a version of `last`, and below it the sentences of what happened then."""
    opened = view.cards if isinstance(view, OpenView) else None
    parts = [_head(view, last, opened), Text(), _centre(view, opened), Text(), _seats(view, opened, console.width)]
    parts += [Text(), *(Text(_sentence(words)) for words in told)]
    with console.capture() as drawn:
        console.print(Group(*parts))
    # A grid fills its lines with spaces; nobody wants them in a file or a paste.
    console.file.write("\n".join(line.rstrip() for line in drawn.get().split("\n")))


def _head(view: View, last: int, opened: AllCards | None) -> Text:
    who = "all cards open" if opened is not None else "spectator" if view.seat is None else f"as seat {view.seat}"
    text = Text.assemble(
        "Game ",
        (printable(view.game or ""), "bold"),
        f", version {view.version} of {last}, {who}\n{rules_word(view.rules)}\n",
    )
    if view.result is not None:
        text.append(_sentence(result_word(view.result)), "bold")
    elif view.turn is None:
        text.append("Waiting for the open seats.")
    else:
        name = printable(view.seats[view.turn.seat].name or "")
        text.append(f"Turn {view.turn.number}: seat {view.turn.seat} ({name}) is to move.")
    return text


def _centre(view: View, opened: AllCards | None) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for number, (pile, needs) in enumerate(zip(view.piles, view.needs, strict=True)):
        cards = [_face(card, lying_word(card, rank)) for rank, card in enumerate(pile, start=1)]
        needed = f"needs {rank_word(needs)}" if needs is not None else "full"
        grid.add_row(Text(f"  pile {number}"), Text(needed), _row(cards))
    stock = Text(f"{view.stock}")
    if opened is not None and opened.stock:
        stock.append_text(_next(opened.stock, STOCK_AHEAD))
    grid.add_row(Text("  stock"), Text(), stock)
    if view.aside or view.rules.completed == "aside":
        grid.add_row(Text("  aside"), Text(), Text(f"{view.aside}"))
    return grid


def _seats(view: View, opened: AllCards | None, width: int) -> Table:
    abreast = 2 if width >= TWO_ABREAST else 1
    grid = Table.grid(expand=True, padding=(0, 1, 0, 0))
    for _ in range(abreast):
        grid.add_column(ratio=1)
    blocks = [_seat(view, seat, opened) for seat in range(len(view.seats))]
    for first in range(0, len(blocks), abreast):
        if first:
            grid.add_row()
        grid.add_row(*blocks[first : first + abreast])
    return grid


def _seat(view: View, seat: Seat, opened: AllCards | None) -> Table:
    shown = view.seats[seat]
    to_move = view.turn is not None and view.turn.seat == seat and view.result is None
    name = Text(", ".join([printable(shown.name or "(open)"), *_notes(view, seat)]))
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_row(Text.assemble("▶ " if to_move else "  ", (f"seat {seat}", "bold")), name)
    grid.add_row(Text("  payoff"), _payoff(shown, opened.payoffs[seat] if opened is not None else ()))
    hand = view.hand if seat == view.seat else opened.hands[seat] if opened is not None else None
    grid.add_row(Text("  hand"), Text(_cards(shown.hand)) if hand is None else _faces(hand))
    for number, stack in enumerate(shown.sides):
        grid.add_row(Text(f"  stack {number}"), _faces(stack))
    return grid


def _notes(view: View, seat: Seat) -> Iterator[str]:
    partners = [other for other in view.rules.party(seat) if other != seat]
    if partners:
        yield f"with {seats_word(partners)}"
    if view.seats[seat].kind == "bot":
        yield "a bot"
    if view.seats[seat].resigned:
        yield "has left"


def _payoff(shown: SeatView, all_cards: Cards) -> Text:
    if shown.payoff.top is None:
        return Text("–")
    text = Text.assemble(_face(shown.payoff.top, card_word(shown.payoff.top), "bold"), f"  {shown.payoff.left} left")
    return text.append_text(_next(all_cards[:-1], PAYOFF_AHEAD)) if len(all_cards) > 1 else text


def _next(pile: Cards, most: int) -> Text:
    """The cards that come up next, the nearest first."""
    ahead = pile[: -most - 1 : -1]
    return Text(", next ").append_text(_faces(ahead)).append(" …" if len(pile) > most else "")


def _cards(count: int) -> str:
    return f"{count} card" if count == 1 else f"{count} cards"


def _faces(cards: Cards) -> Text:
    return _row([_face(card, card_word(card)) for card in cards])


def _row(faces: Sequence[Text]) -> Text:
    return Text(" ").join(faces) if faces else Text("–")


def _face(card: Card, word: str, style: str = "") -> Text:
    colour = "magenta" if card == JOKER else "red" if card[1] in "dh" else ""
    return Text(word, f"{style} {colour}".strip())


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "."
