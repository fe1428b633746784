"""What can go wrong, and in whose words? Every error a caller may meet, as one small tree.

    MaliceError
    ├── Malformed          not in the notation, or not in the shape asked for
    ├── Rejected           the rules say no: a `Reason`, and a sentence that names the values
    ├── BadRules           these rules cannot be dealt or make no sense
    ├── BadPosition        this position cannot be played from
    ├── Conflict           the game has moved on: the version expected is not the version there
    ├── KeyReused          the same idempotency key with another request
    ├── UnknownGame        no such game here
    ├── UnknownMatch       no such match here
    ├── UnknownVersion     the game has not come that far
    ├── Unreadable         a log that does not verify: the first bad version, and why
    ├── BadLog             a log from elsewhere that is not taken in: the first bad version, and why
    └── StoreUnavailable   the store is away or full; the outcome may be unknown

Each door has one table: HTTP one from error to status, the command line one from error to exit code.
"""

from enum import Enum


class MaliceError(Exception):
    """The root: an error with a sentence fit for the person who caused it."""


class Malformed(MaliceError):
    """Text or JSON that is not in the form of the contract."""


class Reason(Enum):
    """Why a seat may not do this now. The value is the stable word of the contract's `reason` field."""

    GAME_OVER = "game_over"
    NOT_STARTED = "not_started"
    NOT_YOUR_TURN = "not_your_turn"
    SEAT_TAKEN = "seat_taken"
    RESIGNED = "resigned"
    NO_SUCH_PLACE = "no_such_place"
    NOT_IN_HAND = "not_in_hand"
    NOTHING_THERE = "nothing_there"
    NOT_A_PARTNER = "not_a_partner"
    DOES_NOT_FIT = "does_not_fit"
    WILD_MAY_NOT_START = "wild_may_not_start"
    WILD_ON_WILD = "wild_on_wild"
    MUST_PLAY = "must_play"
    KEEP_ACES = "keep_aces"
    KEEP_WILDS = "keep_wilds"
    CARDS_IN_HAND = "cards_in_hand"
    CARDS_TO_DRAW = "cards_to_draw"


class Rejected(MaliceError):
    """The rules refuse a command; nothing has changed."""

    def __init__(self, reason: Reason, sentence: str, legal: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.legal = legal
        """The moves that are legal instead, for the seat whose turn it is."""


class BadRules(MaliceError):
    """A value of `Rules` that cannot be dealt or makes no sense."""


class BadPosition(MaliceError):
    """A position that no game can go on from."""


class Conflict(MaliceError):
    """The game is not at the version that the caller has seen."""

    def __init__(self, game: str, expected: int, actual: int) -> None:
        super().__init__(f"Game {game} is at version {actual}, not at {expected}.")
        self.expected = expected
        self.actual = actual


class KeyReused(MaliceError):
    """An idempotency key that was used before, for something else."""

    def __init__(self, key: str) -> None:
        super().__init__(f"The idempotency key {key!r} was used before with another request.")
        self.key = key


class UnknownGame(MaliceError):
    """No game of this id is in the store."""

    def __init__(self, game: str) -> None:
        super().__init__(f"There is no game {game!r}.")


class UnknownMatch(MaliceError):
    """No match of this id is in the store."""

    def __init__(self, match: str) -> None:
        super().__init__(f"There is no match {match[:80]!r}.")


class UnknownVersion(MaliceError):
    """A version beyond the last."""

    def __init__(self, version: int, last: int) -> None:
        super().__init__(f"There is no version {version}: the last one is {last}.")
        self.last = last


class Unreadable(MaliceError):
    """A log that does not verify. `version` is the lowest that is missing or wrong; 0 means the file's head."""

    def __init__(self, version: int, why: str) -> None:
        super().__init__(f"version {version}: {why}" if version else why)
        self.version = version
        self.why = why


class BadLog(MaliceError):
    """A log file that is not taken in. `version` is the lowest that is missing or wrong; 0 means the file's head."""

    def __init__(self, version: int, why: str) -> None:
        super().__init__(f"The log is not taken: {f'version {version}' if version else 'its head'}: {why.rstrip('.')}.")
        self.version = version


class StoreUnavailable(MaliceError):
    """The store did not answer, or has no room. A write may or may not have happened: repeat it with the same key."""
