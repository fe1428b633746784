"""What can be agreed before a game? `Rules`: one frozen value with every knob, stored in the game's first event.

Code asks for a knob (`rules.top`), never for the name of a preset.
"""

from typing import Final, Literal, TypeAlias

import msgspec

from events.errors import BadRules
from events.game.cards import JOKER, RANKS, Card

Seat: TypeAlias = int
Rank: TypeAlias = int
Party: TypeAlias = tuple[Seat, ...]

LIMITS: Final = {
    "seats": (2, 8),
    "decks": (1, 8),
    "jokers": (0, 16),
    "payoff": (1, 40),
    "hand": (1, 10),
    "centre_piles": (1, 8),
    "side_stacks": (1, 8),
    "turn_limit": (10, 10_000),
}
"""The least and the most of the knobs that are numbers."""


MOST_POINTS: Final = 2**53 - 1
"""The largest whole number that every JSON reader keeps as it is (RFC 8259, section 6)."""


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every knob of a game. `check` says whether the values go together."""

    seats: int
    """How many play, 2 to 8."""
    decks: int
    """52-card packs, 1 to 8 (R1)."""
    jokers: int
    """Jokers in all, 0 to 16; always wild."""
    payoff: int
    """Cards dealt to each payoff pile, 1 to 40; who empties theirs first wins (R2, R17)."""
    hand: int
    """Cards a hand is filled up to, 1 to 10 (R6, R13)."""
    centre_piles: int
    """Shared places, 1 to 8 (R8)."""
    side_stacks: int
    """Open stacks a seat, 1 to 8 (R14)."""
    top: Literal["Q", "K"]
    """The rank that completes a centre pile (R11)."""
    wild: Literal["K"] | None
    """The rank that stands for whatever a pile needs (R9); needs `top` Q."""
    wild_may_start: bool | None
    """May a wild be the ace of an empty place? Null where nothing is wild."""
    wild_on_wild: bool | None
    """May a wild lie on another wild? Null where nothing is wild."""
    completed: Literal["stock", "aside"]
    """Where a completed pile goes (R12)."""
    starter: Literal["highest", "lowest", "random", "first"]
    """Who starts: by the payoff tops, by lot, or seat 0 (R4)."""
    refill: bool
    """Is a hand emptied by a play refilled at once? (R13)"""
    must_play: Literal["never", "aces", "aces_and_twos", "always"]
    """Which plays forbid the discard and the pass while they exist (R7, R16)."""
    discard: Literal["any", "no_aces", "no_wilds"]
    """What may not be discarded unless the hand holds nothing else (R14)."""
    exhaustion: Literal["blocked", "fewest", "draw"]
    """What an exhausted stock means: play on until all pass, fewest payoff cards win, or a draw (R18, R19)."""
    exhaustion_at: Literal["zero", "short"] | None
    """Exhausted when no card is left, or when a draw falls short; null where play goes on."""
    teams: bool
    """Partnership: seats of equal parity are partners (R21)."""
    team_win: Literal["all", "first"] | None
    """A team wins when all its payoffs are empty, or the first; null without teams."""
    points: Literal["left"] | None
    """The winner scores the payoff cards left to the other parties (R22); not with teams."""
    match: int | None
    """Points that end a match (R23); needs `points`."""
    turn_limit: int
    """Turns after which the game ends as if blocked, 10 to 10,000 (R19)."""

    @property
    def top_rank(self) -> Rank:
        """The rank that completes a pile as a number: 12 or 13."""
        return 12 if self.top == "Q" else 13

    @property
    def cards(self) -> int:
        """How many cards the game has."""
        return 52 * self.decks + self.jokers

    def is_wild(self, card: Card) -> bool:
        """R9: a joker always, a king where kings are wild."""
        return card == JOKER or (self.wild is not None and card[0] == self.wild)

    def party(self, seat: Seat) -> Party:
        """The seats that win and lose together with this one (R21)."""
        return tuple(range(seat % 2, self.seats, 2)) if self.teams else (seat,)

    def parties(self) -> tuple[Party, ...]:
        """All sides of the game, each as its seats."""
        return tuple(self.party(seat) for seat in range(2 if self.teams else self.seats))


def check(rules: Rules) -> Rules:
    """The same rules if they can be dealt and make sense together; else `BadRules`, naming the values."""
    for name, (low, high) in LIMITS.items():
        value = getattr(rules, name)
        if not low <= value <= high:
            raise BadRules(f"{name} is {value}; it can be {low} to {high}.")
    _check_wilds(rules)
    _check_parties(rules)
    if (rules.exhaustion == "blocked") != (rules.exhaustion_at is None):
        raise BadRules(
            f"exhaustion {rules.exhaustion} with exhaustion_at {_word(rules.exhaustion_at)}: "
            "it is null with blocked, and zero or short with fewest or draw."
        )
    dealt = rules.seats * (rules.payoff + rules.hand)
    if dealt >= rules.cards:
        raise BadRules(
            f"{rules.seats} payoffs of {rules.payoff} and hands of {rules.hand} take {dealt} cards and leave none of "
            f"the {rules.cards} for the stock."
        )
    return rules


def _check_wilds(rules: Rules) -> None:
    if rules.wild == "K" and rules.top == "K":
        raise BadRules("wild K with top K: a wild king needs top Q.")
    if rules.wild is None and rules.top == "Q":
        raise BadRules(f"wild null with top Q: the {RANKS[12]} would have no use, so top must be K.")
    anything_wild = rules.wild is not None or rules.jokers > 0
    for name in ("wild_may_start", "wild_on_wild"):
        value = getattr(rules, name)
        if anything_wild and value is None:
            raise BadRules(
                f"{name} is null: with wild {_word(rules.wild)} and {rules.jokers} jokers it is true or false."
            )
        if not anything_wild and value is not None:
            raise BadRules(f"{name} is {_word(value)}: where nothing is wild it is null.")


def _check_parties(rules: Rules) -> None:
    if rules.teams and (rules.seats < 4 or rules.seats % 2):
        raise BadRules(f"teams with {rules.seats} seats: partnership needs an even number of seats from 4.")
    if rules.teams != (rules.team_win is not None):
        raise BadRules(
            f"team_win is {_word(rules.team_win)} with teams {_word(rules.teams)}: all or first with teams, else null."
        )
    if rules.points is not None and rules.teams:
        raise BadRules(f"points {rules.points} with teams: points are for seats that play alone.")
    if rules.match is not None and rules.points is None:
        raise BadRules(f"match {rules.match} without points: a match is played for points.")
    if rules.match is not None and not 1 <= rules.match <= MOST_POINTS:
        raise BadRules(f"match is {rules.match}; it is a whole number from 1 to {MOST_POINTS}.")


def _word(value: object) -> str:
    return msgspec.json.encode(value).decode().strip('"')
