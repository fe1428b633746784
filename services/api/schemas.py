"""What do the answers look like? The wire's own types; all else on the wire is the game's and the log's own."""

from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import msgspec

from events.game.events import Event, Kind, Origin, Outcome
from events.game.presets import PRESETS, AskedRules
from events.game.rules import Rules, Seat
from events.game.state import Result, Status
from events.game.views import SeenEvent, View
from workers.arena.sprt import Verdict
from workers.arena.terms import Status as ArenaStatus

FULL_EVENTS: Final[tuple[type[msgspec.Struct], ...]] = get_args(Event)
SEEN_FORMS: Final[tuple[type[msgspec.Struct], ...]] = tuple(
    kind for kind in get_args(SeenEvent) if kind not in FULL_EVENTS
)
"""The forms of events in which something is hidden: counts stand for it."""

SeenEvents: TypeAlias = Annotated[
    tuple[Any, ...],
    msgspec.Meta(
        description="Events as the caller may know them, in the order of happening.",
        extra_json_schema={"items": {"$ref": "#/components/schemas/SeenEvent"}},
    ),
]


class TokenHolder(msgspec.Struct, frozen=True):
    """What holds a token, and does not show it where it is printed: in a traceback, a log, a terminal."""

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [(name, "…" if name == "token" else getattr(self, name)) for name in self.__struct_fields__]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__rich_repr__())})"


def _asked_knob(values: Any) -> dict[str, Any]:
    match values:
        case range():
            return {"type": "integer", "minimum": values.start, "maximum": values.stop - 1}
        case (False, True):
            return {"type": "boolean"}
        case _:
            return {"enum": list(values)}


ANY_RULES: Final[dict[str, Any]] = {
    "description": "A preset's name, a preset with the changes that it allows, or every knob.",
    "oneOf": [
        {"type": "string", "enum": list(PRESETS)},
        *(
            {
                "type": "object",
                "properties": {"preset": {"const": name}}
                | {knob: _asked_knob(values) for knob, values in preset.changes.items()},
                "required": ["preset"],
                "additionalProperties": False,
            }
            for name, preset in PRESETS.items()
        ),
        {"$ref": "#/components/schemas/AskedRules"},
    ],
}
WantedRules: TypeAlias = Annotated[AskedRules, msgspec.Meta(extra_json_schema=ANY_RULES)]
"""Rules as a request may ask for them; `presets.resolve` judges."""


class SeatToken(TokenHolder, frozen=True):
    """A human seat of a new game, and the token that moves it."""

    seat: Seat
    name: str
    token: str
    """Goes in `Authorization: Bearer`."""


class Created(msgspec.Struct, frozen=True):
    """A new game. Tokens stand here only, and for human seats only."""

    game: str
    version: int
    seats: tuple[SeatToken, ...]
    """The human seats; a repeat of the request with its key lists them again."""


class Taken(msgspec.Struct, frozen=True):
    """The game that a log file has become: one with the id in its head, if that was free and a possible one here."""

    game: str


class Sat(TokenHolder, frozen=True):
    """A seat taken."""

    seat: Seat
    token: str
    """Goes in `Authorization: Bearer`."""
    version: int
    """Of the game, with the seat taken."""


class CreatedMatch(msgspec.Struct, frozen=True):
    """A new match. Its tokens hold for their seats in all its games."""

    match: str
    seats: tuple[SeatToken, ...]


class MatchGame(msgspec.Struct, frozen=True):
    """A game of a match. Of the one being played, the last, `result` and `points` are null."""

    game: str
    result: Outcome | None
    winners: tuple[Seat, ...]
    points: tuple[int, ...] | None


class MatchState(msgspec.Struct, frozen=True):
    """How a match stands. `winner` is null while it runs, and of one that ended without a winner."""

    match: str
    status: Literal["running", "ended"]
    target: int
    """To how many points it goes."""
    totals: tuple[int, ...]
    """Points by seat."""
    games: tuple[MatchGame, ...]
    """In order; the last is the one being played, while the match runs."""
    winner: Seat | None


class Moved(msgspec.Struct, frozen=True):
    """What a command caused, as the seat that gave it may see it."""

    version: int
    """The version that the command has made."""
    events: SeenEvents
    view: View
    """The table at that version."""


class ListedSeat(msgspec.Struct, frozen=True):
    """Who sits in a game of the list."""

    name: str | None
    kind: Kind
    bot: str | None


class ListedGame(msgspec.Struct, frozen=True):
    """A game of the list."""

    game: str
    created_at: str
    status: Status
    version: int
    rules: str | Rules
    """The name of the preset that they are, else every knob."""
    seats: tuple[ListedSeat, ...]
    match: str | None
    forked_from: Origin | None
    result: Result | None


class GameList(msgspec.Struct, frozen=True):
    """A page of the list, newest first."""

    games: tuple[ListedGame, ...]
    next: str | None
    """What `cursor` takes for the next page; null after the last one."""


class SeenCommit(msgspec.Struct, frozen=True):
    """A commit as the caller may know it: no key, and no hash, which would let one guess a hidden card."""

    version: int
    """Counts 1, 2, 3 … without a gap."""
    at: str
    """RFC 3339 in UTC with milliseconds: `2026-01-31T12:00:00.123Z`."""
    by: str
    """`seat:N`, `bot:N` or `system`."""
    events: SeenEvents


class Commits(msgspec.Struct, frozen=True):
    """Commits, oldest first."""

    commits: tuple[SeenCommit, ...]


class ListedArena(msgspec.Struct, frozen=True, kw_only=True):
    """An arena of the list: what is known of it without counting."""

    arena: str
    status: ArenaStatus
    bots: tuple[str, ...]
    """As the standings name them."""
    done: int
    """Games that have ended, up to the pair that decided a sequential test."""
    games: int
    """Games asked for."""
    rules: str | Rules
    """The name of the preset that they are, else every knob."""
    started_at: str
    """RFC 3339 in UTC with milliseconds."""
    ended_at: str | None
    verdict: Verdict | None
    """Of its sequential test; null without one."""


class ArenaList(msgspec.Struct, frozen=True):
    """A page of the list, newest first."""

    arenas: tuple[ListedArena, ...]
    next: str | None
    """What `cursor` takes for the next page; null after the last one."""


class StartedArena(msgspec.Struct, frozen=True):
    """An arena that has begun."""

    arena: str


class RuleSet(msgspec.Struct, frozen=True):
    """A preset: every knob, and the values that may be asked for instead."""

    name: str
    about: str
    rules: Rules
    changes: dict[str, list[Any]]


def rule_set(name: str) -> RuleSet:
    """The preset of this name, as it is told."""
    preset = PRESETS[name]
    changes = {knob: list(of) if isinstance(of, range | tuple) else [] for knob, of in preset.changes.items()}
    return RuleSet(name, preset.about, preset.rules, changes)


class RuleSets(msgspec.Struct, frozen=True):
    """All presets."""

    presets: tuple[RuleSet, ...]


class BotLine(msgspec.Struct, frozen=True):
    """A bot that may be seated."""

    name: str
    about: str


class BotList(msgspec.Struct, frozen=True):
    """All bots."""

    bots: tuple[BotLine, ...]


class Health(msgspec.Struct, frozen=True):
    """A word on how the service is."""

    status: str
