"""Which bot is meant by a name? This program's own, and those of others that this process was told of."""

from collections.abc import Iterable, Mapping
from typing import Self

from events.game.views import View
from workers.bots.registry import BOTS, Bot, UnknownBot
from workers.own_bots.guest import Guest
from workers.own_bots.guests import Guests, Limits
from workers.own_bots.installed import installed
from workers.own_bots.naming import check_names, gathered
from workers.own_bots.template import CannotLoad


class OwnBot:
    """Somebody's bot: its name, its import path, and the processes that it plays in."""

    def __init__(self, name: str, path: str, guests: Guests) -> None:
        self.name = name
        self.path = path
        self._guests = guests

    @property
    def about(self) -> str:
        """Its line. Raises `CannotLoad`."""
        return self._guests.about(self.path)

    def game(self) -> Guest:
        """A process of its own for one seat of one game; whoever asks for it closes it. Raises `CannotLoad`."""
        return self._guests.game(self.path)

    def move(self, view: View, seed: bytes) -> str:
        """A legal move's text or one of `CAUSES`, from a process for this move alone. Raises `CannotLoad`."""
        guest = self.game()
        try:
            guest.ask(view, seed)
            return guest.answer()
        finally:
            guest.close()


class Roster:
    """The bots that a process knows. A context: at its end no process of theirs is left.

    Sent to another process it is the same roster, with no processes yet; forfeits are told by nobody there.
    """

    def __init__(self, own: Mapping[str, str], guests: Guests | None = None) -> None:
        """`own` has import paths by name. Raises `BadBot` for the name of one of this program's own."""
        check_names(own, BOTS)
        self.own = dict(own)
        self.guests = guests or Guests(Limits())

    def find(self, name: str) -> Bot | OwnBot:
        """Raises `UnknownBot`, which names those that there are."""
        if name in BOTS:
            return BOTS[name]
        if name not in self.own:
            raise UnknownBot(name, (*BOTS, *self.own))
        return OwnBot(name, self.own[name], self.guests)

    def lines(self, *, reasons: bool = False) -> dict[str, str]:
        """Every bot by name, with its line; of one that cannot be loaded here the import path, or the reason."""
        return {bot.name: bot.about for bot in BOTS.values()} | {
            name: self._line(path, reasons) for name, path in self.own.items()
        }

    def _line(self, path: str, reasons: bool) -> str:
        try:
            return self.guests.about(path)
        except CannotLoad as failure:
            return str(failure) if reasons else path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        self.guests.close()

    def __reduce__(self) -> tuple[object, ...]:
        return _sent, (self.own, self.guests.limits)


def _sent(own: Mapping[str, str], limits: Limits) -> Roster:
    return Roster(own, Guests(limits, tell=lambda *_: None))


def own_bots(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Import paths by name: of those that somebody `named`, and of those that installed packages offer.

    Raises `BadBot`.
    """
    return gathered([*named, *installed().items()])
