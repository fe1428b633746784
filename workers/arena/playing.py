"""How do the games of an arena go on together? In lockstep: some turns in each, of built-in bots and of one's own.

Bots of one's own are all asked before one is waited for. Law kept: each is shown its seat's view and nothing else; a
bot that fails forfeits, and stops nobody.
"""

from collections.abc import Sequence
from typing import Any, cast

from events.game.commands import Forfeit
from events.game.events import Cause
from events.game.fast.codes import MOVE_CODES
from events.game.legality import view
from events.log.course import Course, Moment
from workers.bots.registry import Bot
from workers.own_bots.guest import Guest
from workers.own_bots.guests import CAUSES
from workers.own_bots.roster import OwnBot
from workers.own_bots.template import CannotLoad
from workers.turn import LazyRandom


class Playing:
    """A game that goes on, and who moves for each seat."""

    def __init__(self, number: int, course: Course, bots: Sequence[Bot | OwnBot]) -> None:
        self.number = number
        self.course = course
        self._bots: list[Bot | OwnBot] = list(bots)
        self._choose: list[Any] = [bot.choose if isinstance(bot, Bot) else None for bot in bots]
        """The built-in bots' strategies, by seat; untyped, since a faulty one may answer anything."""
        self._guests: dict[int, Guest] = {}
        self._asked: Guest | None = None
        self._dice: Any = LazyRandom(self._dice_seed)

    def ask(self) -> bool:
        """Ask the bot whose turn it is, if it is one of one's own; False where it is not."""
        course = self.course
        seat = course.table.board.seat
        bot = self._bots[seat]
        if not isinstance(bot, OwnBot):
            return False
        try:
            guest = self._guests.get(seat) or self._guests.setdefault(seat, bot.game())
        except CannotLoad:
            return True  # found so again, and told, when the answer is fetched
        self._asked = guest
        guest.ask(view(course.game(), seat, name=None, version=course.version), self._dice_seed())
        return True

    def hear(self, moment: Moment) -> None:
        """Wait for the answer, and make the move that it names."""
        guest, self._asked = self._asked, None
        text = "error" if guest is None else guest.answer()
        if text in CAUSES:
            self._forfeit(cast(Cause, text), moment)
        else:
            self.course.move(MOVE_CODES[text], moment)

    def play(self, turns: int, moment: Moment) -> None:
        """So many turns of built-in bots, as far as no other is to move."""
        course = self.course
        while turns and course.result is None:
            table = course.table
            board = table.board
            seat = board.seat
            turn = board.turn
            choose = self._choose[seat]
            if choose is None:
                return
            self._dice.renew()
            try:
                move: Any = choose(table.sights[seat], self._dice)
            except Exception:  # noqa: BLE001 - whatever a strategy raises, it has failed at its turn and stops nobody
                self._forfeit("error", moment)
                continue
            try:
                course.move(move, moment)
            except (ValueError, TypeError):  # illegal, or no number at all
                self._forfeit("illegal_move", moment)
                continue
            if board.turn != turn:
                turns -= 1

    def close(self) -> None:
        """End the processes of bots that play in it."""
        for guest in self._guests.values():
            guest.close()
        self._guests.clear()

    def _dice_seed(self) -> bytes:
        return self.course.dice.bot_seed(self.course.table.board.seat, self.course.version)

    def _forfeit(self, cause: Cause, moment: Moment) -> None:
        seat = self.course.table.board.seat
        self.course.command(Forfeit(seat, cause), f"bot:{seat}", moment)


def play_round(games: Sequence[Playing], turns: int, moment: Moment) -> None:
    """Up to so many turns in each of the games, one move where a bot of one's own is to move."""
    asked = [game for game in games if game.ask()]
    for game in games:
        game.play(turns, moment)
    for game in asked:
        game.hear(moment)
