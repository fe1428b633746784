"""What follows from a command? `decide` judges it on the present state and returns its events, consequences included.

It touches nothing: the same command on the same game gives the same events, or the same refusal.
"""

from typing import assert_never

import msgspec

from events.errors import BadPosition, BadRules, Reason, Rejected
from events.game.cards import Card
from events.game.commands import Abandon, Command, Create, ExpireClock, Forfeit, MakeMove, Resign, Sit
from events.game.deal import Draft, deal
from events.game.events import (
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    ClockExpired,
    EndReason,
    Events,
    GameCreated,
    GameEnded,
    PileCompleted,
    PositionSet,
    SeatForfeited,
    SeatResigned,
    SeatTaken,
    StockShuffled,
    TurnPassed,
    TurnStarted,
)
from events.game.evolve import evolve
from events.game.legality import legal_moves, objection, offered, sentence
from events.game.moves import Discard, FromHand, FromPayoff, FromSide, Move, Pass, Play, Source, move_text
from events.game.position import check_position
from events.game.rules import Party, Seat, check
from events.game.shuffle import Dice, SeededDice, check_entropy
from events.game.state import Game
from events.game.views import bare_view


def decide(command: Command, game: Game | None, seed: bytes) -> Events:
    """The events of this command, in the order of contract section 2.

    `game` is None for `Create` alone; `seed` is the game's secret. Raises `Rejected`; for `Create` and `Sit` also
    `BadRules`, `BadPosition` and `Malformed`.
    """
    return tuple(decide_by(command, game, SeededDice(seed)).events)


def decide_by(command: Command, game: Game | None, dice: Dice) -> Draft:
    """As `decide`, with the game that the events leave, and with chance from anywhere.

    A log is judged by the dice that it has recorded.
    """
    if isinstance(command, Create):
        return _create(command, dice)
    if game is None:
        raise ValueError("only Create comes before a game")
    if game.result is not None:
        raise Rejected(Reason.GAME_OVER, "The game is over.")
    if isinstance(command, Sit):
        return _sit(command, game, dice)
    draft = Draft(game, dice)
    if isinstance(command, Abandon):
        _end(draft, (), "abandoned", aborted=True)
        return draft
    if game.turn is None:
        raise Rejected(Reason.NOT_STARTED, "The game has not started: a seat is still open.")
    match command:
        case MakeMove(seat, move):
            _move(draft, seat, move)
        case Resign(seat):
            if game.players[seat].resigned:
                raise Rejected(Reason.RESIGNED, f"Seat {seat} has left the game.")
            draft.add(SeatResigned(seat))
            _after_leaving(draft, seat, "resigned")
        case ExpireClock(seat):
            _check_to_move(game, seat)
            draft.add(ClockExpired(seat))
            _after_leaving(draft, seat, "clock")
        case Forfeit(seat, cause):
            _check_to_move(game, seat)
            draft.add(SeatForfeited(seat, cause))
            _after_leaving(draft, seat, "forfeit")
        case _:
            assert_never(command)
    return draft


def _create(command: Create, dice: Dice) -> Draft:
    created = GameCreated(
        command.game, command.rules, command.seats, dice.commitment(), command.match, command.forked_from
    )
    _check_created(command)
    draft = Draft(evolve(None, created), dice)
    draft.events.append(created)
    if command.position is not None:
        draft.add(PositionSet(**msgspec.structs.asdict(command.position)))
    elif all(seat.kind != "open" for seat in command.seats):
        deal(draft)
    return draft


def _check_created(command: Create) -> None:
    check(command.rules)
    if len(command.seats) != command.rules.seats:
        raise BadRules(f"The rules are for {command.rules.seats} seats, and {len(command.seats)} are listed.")
    for seat in command.seats:
        check_entropy(seat.entropy)
        if (seat.bot is not None) != (seat.kind == "bot") or (seat.kind == "open") != (seat.name is None):
            raise BadRules(f"There is no seat of kind {seat.kind} with name {seat.name!r} and bot {seat.bot!r}.")
        if seat.kind == "open" and seat.entropy:
            raise BadRules(f"An open seat adds no entropy yet, but {seat.entropy!r} is given.")
    if command.position is not None:
        check_position(command.rules, command.position)
        if any(seat.kind == "open" for seat in command.seats):
            raise BadPosition("A position does not go with open seats: nobody could take them before the first move.")
    elif command.forked_from is not None:
        raise BadPosition("A fork goes on from a position.")


def _sit(command: Sit, game: Game, dice: Dice) -> Draft:
    seats = [seat for seat, player in enumerate(game.players) if player.kind == "open"]
    if not seats:
        raise Rejected(Reason.SEAT_TAKEN, "No seat is open.")
    seat = seats[0] if command.seat is None else command.seat
    if seat not in seats:
        raise Rejected(Reason.SEAT_TAKEN, f"Seat {seat} is not open.")
    check_entropy(command.entropy)
    draft = Draft(game, dice)
    draft.add(SeatTaken(seat, command.name, command.entropy))
    if len(seats) == 1:
        deal(draft)
    return draft


def _move(draft: Draft, seat: Seat, move: Move) -> None:
    view = bare_view(draft.game, seat, name=None, version=0)
    reason = objection(view, move)
    if reason is not None:
        legal = tuple(move_text(other) for other in legal_moves(view))
        raise Rejected(reason, sentence(reason, view, move), legal)
    match move:
        case Play(source, pile):
            card = offered(view, source)
            if isinstance(card, Reason):
                raise TypeError(f"{move_text(move)} was allowed without a card")
            _play(draft, seat, source, card, pile)
        case Discard(card, side):
            draft.add(CardDiscarded(seat, card, side))
            _next_turn(draft)
        case Pass():
            draft.add(TurnPassed(seat))
            if draft.game.passes >= len(draft.game.playing()):
                _end_by_count(draft, "blocked")
            else:
                _next_turn(draft)
        case _:
            assert_never(move)


def _play(draft: Draft, seat: Seat, source: Source, card: Card, pile: int) -> None:
    """R20: move; last payoff card? turn the next; complete and recycle the pile; refill; exhaustion."""
    draft.add(_played(draft.game, seat, source, card, pile))
    rules = draft.game.rules
    if isinstance(source, FromPayoff):
        owner = seat if source.owner is None else source.owner
        if _emptied(draft.game, owner):
            _end(draft, rules.party(seat), "payoff")
            return
    cards = draft.game.piles[pile]
    if len(cards) == rules.top_rank:
        draft.add(PileCompleted(pile, cards, rules.completed))
        if rules.completed == "stock":
            draft.add(StockShuffled(draft.shuffle(draft.game.stock + cards), len(cards)))
    if rules.refill and not draft.game.players[seat].hand:
        _draw(draft, seat)


def _played(game: Game, seat: Seat, source: Source, card: Card, pile: int) -> CardPlayed:
    rank = len(game.piles[pile]) + 1
    match source:
        case FromHand():
            return CardPlayed(seat, "hand", None, None, card, pile, rank, None)
        case FromSide(side):
            return CardPlayed(seat, "side", None, side, card, pile, rank, None)
        case FromPayoff(owner):
            who = seat if owner is None else owner
            payoff = game.players[who].payoff
            return CardPlayed(seat, "payoff", who, None, card, pile, rank, payoff[-2] if len(payoff) > 1 else None)
        case _:
            assert_never(source)


def _emptied(game: Game, owner: Seat) -> bool:
    """R17, R21: has this seat's party won with the payoff card just played?"""
    seats = game.rules.party(owner) if game.rules.team_win == "all" else (owner,)
    return not any(game.players[seat].payoff for seat in seats)


def _draw(draft: Draft, seat: Seat) -> None:
    """R6, R12, R13: fill the hand from the stock, then from the cards aside; then look for exhaustion (R18)."""
    wanted = max(draft.game.rules.hand - len(draft.game.players[seat].hand), 0)
    wanted -= _take(draft, seat, wanted)
    if wanted and draft.game.aside:
        aside = draft.game.aside
        draft.add(StockShuffled(draft.shuffle(aside), len(aside)))
        wanted -= _take(draft, seat, wanted)
    at = draft.game.rules.exhaustion_at
    if (at == "zero" and not draft.game.stock and not draft.game.aside) or (at == "short" and wanted):
        _end_by_count(draft, "exhausted")


def _take(draft: Draft, seat: Seat, wanted: int) -> int:
    cards = draft.game.stock[-wanted:][::-1] if wanted else ()
    if cards:
        draft.add(CardsDrawn(seat, cards))
    return len(cards)


def _next_turn(draft: Draft) -> None:
    """R5, R6, R19: the next seat that has not left, and its draw; or the end by the turn limit."""
    game = draft.game
    if game.turn is None:
        raise TypeError("a game without a turn has no next one")
    if game.turn.number >= game.rules.turn_limit:
        _end_by_count(draft, "turn_limit")
        return
    after = [(game.turn.seat + step) % game.rules.seats for step in range(1, game.rules.seats + 1)]
    seat = next(seat for seat in after if not game.players[seat].resigned)
    draft.add(TurnStarted(seat, game.turn.number + 1))
    _draw(draft, seat)


def _after_leaving(draft: Draft, seat: Seat, reason: EndReason) -> None:
    """R24: the last party left wins; else play goes on, and a seat that left in its turn is followed by the next."""
    parties = draft.game.parties_playing()
    if len(parties) == 1:
        _end(draft, parties[0], reason)
    elif draft.game.turn is not None and draft.game.turn.seat == seat:
        _next_turn(draft)


def _check_to_move(game: Game, seat: Seat) -> None:
    if game.turn is not None and game.turn.seat != seat:
        raise Rejected(Reason.NOT_YOUR_TURN, f"It is the turn of seat {game.turn.seat}, not of seat {seat}.")


def _end_by_count(draft: Draft, reason: EndReason) -> None:
    """R18, R19: fewest payoff cards win, partners' added; a draw where equal, or where the rules say so."""
    game = draft.game
    left = {party: sum(len(game.players[seat].payoff) for seat in party) for party in game.parties_playing()}
    lowest = [party for party, cards in left.items() if cards == min(left.values())]
    won = len(lowest) == 1 and game.rules.exhaustion != "draw"
    _end(draft, lowest[0] if won else (), reason)


def _end(draft: Draft, winners: Party, reason: EndReason, *, aborted: bool = False) -> None:
    """The last event of every game: the result, R22's points, and the seed revealed."""
    result = "aborted" if aborted else "won" if winners else "drawn"
    points = None
    if draft.game.rules.points is not None:
        left = [len(player.payoff) for player in draft.game.players]
        points = tuple(sum(left) - left[seat] if seat in winners else 0 for seat in range(len(left)))
    draft.add(GameEnded(result, winners, reason, points, draft.dice.reveal()))
