"""What does the bot to move do? Its view goes to its strategy, and what comes back becomes a command.

A bot is told no game id and no commitment, and its dice hang on key, seat and version alone, so the same game at the
same version gives the same move, wherever and however often it is asked. A bot that fails forfeits; it stops nobody.

A built-in bot is called here; somebody's own plays in a process of its own (`workers.own_bots`).
"""

import random
from collections.abc import Callable
from typing import Any, Self, TypeAlias, cast

from events.game.decide import Forfeit, MakeMove
from events.game.events import Cause
from events.game.fast.codes import MOVE_TEXTS
from events.game.fast.sight import sight_of
from events.game.legality import view
from events.game.moves import parse_move
from events.game.rules import Seat
from events.game.shuffle import bot_seed, game_key
from events.game.state import Game
from events.game.views import View
from workers.bots.registry import Bot
from workers.own_bots.guest import Guest
from workers.own_bots.guests import CAUSES
from workers.own_bots.roster import OwnBot

Find: TypeAlias = Callable[[str], Bot | OwnBot]
"""From a bot's name to the bot; raises `UnknownBot`."""


def bot_command(game: Game, version: int, seed: bytes, *, find: Find) -> MakeMove | Forfeit:
    """The move of the bot whose turn it is, or its forfeit; `version` counts the commits so far, `seed` is the game's.

    Raises ValueError when no bot is to move. `UnknownBot` passes through: this process lacks the bot, and the bot shall
    lose nothing by it; so does `CannotLoad`.
    """
    return command_of_bot(find(_name_to_move(game)), game, version, seed)


class Seated:
    """The bots of one game, for as long as this process plays it: somebody's own keeps a process for each of its seats.

    A context: at its end those are ended.
    """

    def __init__(self, find: Find) -> None:
        self._find = find
        self._guests: dict[Seat, Guest] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        for guest in self._guests.values():
            guest.close()

    def command(self, game: Game, version: int, seed: bytes) -> MakeMove | Forfeit:
        """As `bot_command`."""
        bot = self._find(_name_to_move(game))
        if isinstance(bot, Bot) or game.turn is None:
            return command_of_bot(bot, game, version, seed)
        seat = game.turn.seat
        if seat not in self._guests:
            self._guests[seat] = bot.game()
        return command_of_bot(self._guests[seat], game, version, seed)


def _name_to_move(game: Game) -> str:
    player = game.to_move
    if player is None or player.bot is None:
        raise ValueError("no bot is to move")
    return player.bot


def command_of_bot(bot: Bot | OwnBot | Guest, game: Game, version: int, seed: bytes) -> MakeMove | Forfeit:
    """What this bot does for the seat to move, whoever sits there. Raises ValueError when nobody is to move."""
    if game.turn is None:
        raise ValueError("nobody is to move")
    seat = game.turn.seat
    seen = view(game, seat, name=None, version=version)

    def dice() -> bytes:
        return bot_seed(game_key(seed, [other.entropy for other in game.players]), seat, version)

    match bot:
        case Bot():
            return _asked(bot, seen, seat, dice)
        case OwnBot():
            return command_of_answer(seat, bot.move(seen, dice()))
        case Guest():
            bot.ask(seen, dice())
            return command_of_answer(seat, bot.answer())


def command_of_answer(seat: Seat, answer: str) -> MakeMove | Forfeit:
    """What the answer of somebody's own bot (`workers.own_bots`) does: a legal move's text, or one of `CAUSES`."""
    return Forfeit(seat, cast(Cause, answer)) if answer in CAUSES else MakeMove(seat, parse_move(answer))


def _asked(bot: Bot, seen: View, seat: Seat, seed: Callable[[], bytes]) -> MakeMove | Forfeit:
    try:
        text = MOVE_TEXTS.get(bot.choose(sight_of(seen), cast(random.Random, LazyRandom(seed))))
    except Exception:  # noqa: BLE001 - a fault in a strategy is the forfeit of its seat, and ends no worker
        return Forfeit(seat, "error")
    # The view lists every legal move (`legality.objection`), and what is no move is not among them.
    return MakeMove(seat, parse_move(text)) if text in seen.legal else Forfeit(seat, "illegal_move")


class LazyRandom:
    """A `random.Random` that is made, and seeded, when it is first asked for anything.

    Making one takes longer than a simple bot takes for its move, and most moves need none.
    """

    def __init__(self, seed: Callable[[], bytes]) -> None:
        self._seed = seed
        self._made: random.Random | None = None

    def __getattr__(self, name: str) -> Any:
        if self._made is None:
            self._made = random.Random(self._seed())
        return getattr(self._made, name)

    def renew(self) -> None:
        """For another move: the next question makes another one."""
        self._made = None
