"""What may a seat do now? One rulebook, `objection`, and it reads the view: what is legal never hangs on a hidden card.

`decide` refuses by it, and `legal_moves` lists what it has nothing against; both are made of the same few questions.
"""

from collections.abc import Iterable, Iterator
from typing import assert_never

from msgspec.structs import replace

from events.errors import Reason
from events.game.cards import JOKER, RANK, RANKS, Card, Cards
from events.game.moves import Discard, FromHand, FromPayoff, FromSide, Move, Pass, Play, Source, move_text
from events.game.rules import Rules, Seat
from events.game.state import Game
from events.game.views import Clock, View, Viewer, bare_view

_COMPELLED_RANK = {"never": 0, "aces": 1, "aces_and_twos": 2}


def view(game: Game, seat: Viewer, *, name: str | None, version: int, clock: Clock | None = None) -> View:
    """The table as this seat (None: a spectator) may see it, with its legal moves. `name` is the game's id."""
    bare = bare_view(game, seat, name=name, version=version, clock=clock)
    legal = legal_moves(bare)
    return replace(bare, legal=tuple(move_text(move) for move in legal)) if legal else bare


def legal_moves(view: View) -> list[Move]:
    """Every move that this seat may make now, equal cards once; empty unless it is its turn."""
    if view.result is not None or view.turn is None or view.turn.seat != view.seat:
        return []
    cards: dict[Card, None] = dict.fromkeys(view.hand)
    moves: list[Move] = [
        Play(source, number)
        for source, card in _offers(view, cards)
        for number, pile in enumerate(view.piles)
        if misfit(card, pile, view.rules) is None
    ]
    if compelled(view):
        return moves
    # Any card goes on any stack (R14), so what holds for a card's discard on stack 0 holds for all.
    free: list[Card] = [card for card in cards if _keepsake(view, card) is None]
    moves += [Discard(card, side) for card in free for side in range(view.rules.side_stacks)]
    if _pass_objection(view) is None:
        moves.append(Pass())
    return moves


def objection(view: View, move: Move) -> Reason | None:
    """Why this seat may not do this now, or None. All that is legal or not is decided here (R7-R9, R14-R16, R21)."""
    if view.result is not None:
        return Reason.GAME_OVER
    if view.turn is None:
        return Reason.NOT_STARTED
    if view.turn.seat != view.seat:
        return Reason.NOT_YOUR_TURN
    match move:
        case Play(source, pile):
            if not 0 <= pile < len(view.piles):
                return Reason.NO_SUCH_PLACE
            card = offered(view, source)
            return card if isinstance(card, Reason) else misfit(card, view.piles[pile], view.rules)
        case Discard(card, side):
            if not 0 <= side < view.rules.side_stacks:
                return Reason.NO_SUCH_PLACE
            if card not in view.hand:
                return Reason.NOT_IN_HAND
            return Reason.MUST_PLAY if compelled(view) else _keepsake(view, card)
        case Pass():
            reason = _pass_objection(view)
            return Reason.MUST_PLAY if reason is None and compelled(view) else reason
        case _:
            assert_never(move)


def offered(view: View, source: Source) -> Card | Reason:
    """The card that a source offers to this seat, or why it offers none (R7, R15, R21)."""
    match source:
        case FromHand(card):
            return card if card in view.hand else Reason.NOT_IN_HAND
        case FromSide(side):
            sides = view.me.sides
            if not 0 <= side < len(sides):
                return Reason.NO_SUCH_PLACE
            return sides[side][-1] if sides[side] else Reason.NOTHING_THERE
        case FromPayoff(owner):
            if owner is not None and not 0 <= owner < len(view.seats):
                return Reason.NO_SUCH_PLACE
            if owner is not None and owner not in partners(view):
                return Reason.NOT_A_PARTNER
            top = (view.me if owner is None else view.seats[owner]).payoff.top
            return top if top is not None else Reason.NOTHING_THERE
        case _:
            assert_never(source)


def partners(view: View) -> tuple[Seat, ...]:
    """The other seats of this seat's team (R21); empty without teams."""
    if view.seat is None:
        return ()
    return tuple(seat for seat in view.rules.party(view.seat) if seat != view.seat)


def misfit(card: Card, pile: Cards, rules: Rules) -> Reason | None:
    """Why this card may not go on this pile, or None (R8, R9)."""
    if not rules.is_wild(card):
        return None if RANK[card] == len(pile) + 1 else Reason.DOES_NOT_FIT
    if not pile:
        return None if rules.wild_may_start else Reason.WILD_MAY_NOT_START
    return Reason.WILD_ON_WILD if rules.is_wild(pile[-1]) and not rules.wild_on_wild else None


def compelled(view: View) -> bool:
    """Does a play exist that forbids the discard and the pass? (R7, `must_play`)

    Under `always` any play of one's own; under `aces` and `aces_and_twos` one of such a card that is not wild.
    """
    if view.rules.must_play == "never":
        return False
    lowest = _COMPELLED_RANK.get(view.rules.must_play)
    cards = [*view.hand, view.me.payoff.top, *(stack[-1] for stack in view.me.sides if stack)]
    return any(
        misfit(card, pile, view.rules) is None
        for card in cards
        if card is not None and (lowest is None or RANK[card] <= lowest)
        for pile in view.piles
    )


def sentence(reason: Reason, view: View, move: Move) -> str:
    """The reason as a sentence that names the values."""
    card = _card_of(view, move)
    pile = move.pile if isinstance(move, Play) else -1
    match reason:
        case Reason.GAME_OVER:
            return "The game is over."
        case Reason.NOT_STARTED:
            return "The game has not started: a seat is still open."
        case Reason.SEAT_TAKEN:
            return "No seat is open."
        case Reason.RESIGNED:
            return f"Seat {view.seat} has left the game."
        case Reason.NOT_YOUR_TURN:
            return f"It is the turn of seat {view.turn.seat if view.turn else None}, not of seat {view.seat}."
        case Reason.NO_SUCH_PLACE:
            return f"{move_text(move)} names a place that this game does not have."
        case Reason.NOT_IN_HAND:
            return f"{card} is not in the hand."
        case Reason.NOTHING_THERE:
            return f"{move_text(move)}: nothing lies there."
        case Reason.NOT_A_PARTNER:
            return f"{move_text(move)}: only a partner's payoff may be played (R21)."
        case Reason.DOES_NOT_FIT:
            return f"{card} does not fit: centre pile {pile} needs {_rank_name(view.needs[pile])} (R8)."
        case Reason.WILD_MAY_NOT_START:
            return f"{card} is wild, and a wild may not start a pile here (R9)."
        case Reason.WILD_ON_WILD:
            return f"{card} is wild, and centre pile {pile} has a wild on top already (R9)."
        case Reason.MUST_PLAY:
            return "A card can be played and must be, before the turn may end (R7)."
        case Reason.KEEP_ACES:
            return f"{card} is an ace, and the hand holds another card to discard (R14)."
        case Reason.KEEP_WILDS:
            return f"{card} is wild, and the hand holds another card to discard (R14)."
        case Reason.CARDS_IN_HAND:
            return f"The hand still holds {len(view.hand)} cards: a turn ends with a discard (R16)."
        case Reason.CARDS_TO_DRAW:
            return f"{view.stock + view.aside} cards can still be drawn: no pass (R16)."
        case _:
            assert_never(reason)


def _keepsake(view: View, card: Card) -> Reason | None:
    """Why this hand card is not to be discarded while the hand holds others (R14, `discard`)."""
    match view.rules.discard:
        case "any":
            return None
        case "no_aces":
            kept, reason = [RANK[other] == 1 for other in view.hand], Reason.KEEP_ACES
            mine = RANK[card] == 1
        case "no_wilds":
            kept, reason = [view.rules.is_wild(other) for other in view.hand], Reason.KEEP_WILDS
            mine = view.rules.is_wild(card)
        case _:
            assert_never(view.rules.discard)
    return reason if mine and not all(kept) else None


def _pass_objection(view: View) -> Reason | None:
    """Why this seat may not pass, compulsory play aside (R16)."""
    if view.hand:
        return Reason.CARDS_IN_HAND
    return Reason.CARDS_TO_DRAW if view.rules.refill and view.stock + view.aside > 0 else None


def _offers(view: View, cards: Iterable[Card]) -> Iterator[tuple[Source, Card]]:
    """Every source that holds a card for this seat, and the card: hand, side stacks, own payoff, partners' payoffs."""
    for card in cards:
        yield FromHand(card), card
    for side, stack in enumerate(view.me.sides):
        if stack:
            yield FromSide(side), stack[-1]
    owners = (None, *partners(view)) if view.rules.teams else (None,)
    for owner in owners:
        top = (view.me if owner is None else view.seats[owner]).payoff.top
        if top is not None:
            yield FromPayoff(owner), top


def _card_of(view: View, move: Move) -> Card | None:
    match move:
        case Play(FromHand(card), _) | Discard(card, _):
            return card
        case Play(source, _):
            card = offered(view, source)
            return None if isinstance(card, Reason) else card
        case Pass():
            return None
        case _:
            assert_never(move)


def _rank_name(rank: int | None) -> str:
    return "nothing" if rank is None else RANKS[rank - 1] if rank <= len(RANKS) else JOKER
