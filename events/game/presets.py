"""Which rule sets are written down? Three presets as data, and how a request asks for rules.

A request names a preset, a preset with the changes that its text allows, or a whole value of `Rules`.
"""

from collections.abc import Container
from types import NoneType
from typing import Any, Final, TypeAlias, get_args, get_type_hints

import msgspec

from events.errors import BadRules
from events.game.rules import LIMITS, Rules, check

AskedRules: TypeAlias = str | dict[str, Any]
_KNOBS: Final[dict[str, Any]] = get_type_hints(Rules)


class Preset(msgspec.Struct, frozen=True):
    """A written rule set: its knobs, where they come from, and the changes that its text allows."""

    rules: Rules
    about: str
    changes: dict[str, Container[Any]]


_SPITE: Final = Rules(
    seats=2,
    decks=2,
    jokers=0,
    payoff=20,
    hand=5,
    centre_piles=3,
    side_stacks=4,
    top="Q",
    wild="K",
    wild_may_start=True,
    wild_on_wild=True,
    completed="stock",
    starter="highest",
    refill=True,
    must_play="never",
    discard="any",
    exhaustion="draw",
    exhaustion_at="zero",
    teams=False,
    team_win=None,
    points="left",
    match=50,
    turn_limit=2000,
)

PRESETS: Final[dict[str, Preset]] = {
    "gatto-e-topo": Preset(
        msgspec.structs.replace(
            _SPITE,
            top="K",
            wild=None,
            wild_may_start=None,
            wild_on_wild=None,
            completed="aside",
            must_play="always",
            exhaustion="blocked",
            exhaustion_at=None,
            points=None,
            match=None,
        ),
        about="Italian: kings are ordinary, piles run ace to king, play is compulsory, for two or more, partners.",
        changes={
            "seats": range(2, 9),
            "teams": (False, True),
            "team_win": ("all", "first", None),
            "must_play": ("always", "never"),
        },
    ),
    "gato-e-rato": Preset(
        msgspec.structs.replace(_SPITE, exhaustion="fewest", points=None, match=None),
        about="Portuguese: kings are wild, piles run ace to queen, payoff of 5 to 20, at the end of stock fewest win.",
        changes={"payoff": range(5, 21)},
    ),
    "spite-and-malice": Preset(
        _SPITE,
        about="Spanish: kings are wild, piles run ace to queen, points for the cards left, a match to 50.",
        changes={},
    ),
}


def resolve(asked: AskedRules) -> Rules:
    """The rules that a request asks for, checked.

    `asked` is a preset's name, `{"preset": name, change: value, …}` or every knob of `Rules`.
    Raises `BadRules` with a sentence that names the value.
    """
    if isinstance(asked, str):
        return _preset(asked).rules
    if "preset" not in asked:
        return check(_converted(asked))
    changes = {name: value for name, value in asked.items() if name != "preset"}
    return check(_changed(asked["preset"], changes))


def named(rules: Rules) -> str | Rules:
    """The name of the preset that these rules are, else themselves."""
    return next((name for name, preset in PRESETS.items() if preset.rules == rules), rules)


def _preset(name: object) -> Preset:
    if not isinstance(name, str) or name not in PRESETS:
        raise BadRules(f"There is no preset {name!r}; there are {', '.join(PRESETS)}.")
    return PRESETS[name]


def _changed(name: object, changes: dict[str, Any]) -> Rules:
    preset = _preset(name)
    for knob, value in changes.items():
        allowed = preset.changes.get(knob)
        if allowed is None:
            free = ", ".join(preset.changes) or "nothing"
            raise BadRules(f"{name} takes no other {knob!r}; it takes {free}. Send every knob for rules of your own.")
        if (
            isinstance(value, float | dict | list)
            or isinstance(value, bool) != (knob == "teams")
            or value not in allowed
        ):
            raise BadRules(f"{name} takes no {knob} of {value!r}; it takes {_choices(allowed)}.")
    whole = msgspec.to_builtins(preset.rules) | changes
    if "seats" in changes:
        whole["decks"] = changes["seats"]
    if whole["teams"] and whole["team_win"] is None:
        whole["team_win"] = "all"
    return _converted(whole)


def _choices(allowed: Container[Any]) -> str:
    if isinstance(allowed, range):
        return f"{allowed.start} to {allowed.stop - 1}"
    return " or ".join(str(value) for value in allowed) if isinstance(allowed, tuple) else str(allowed)


def _converted(whole: dict[str, Any]) -> Rules:
    unknown = [name for name in whole if name not in _KNOBS]
    if unknown:
        raise BadRules(f"There is no knob {unknown[0][:80]!r}; there are {', '.join(_KNOBS)}.")
    for name, kind in _KNOBS.items():
        if name not in whole:
            raise BadRules(f"{name} is missing: send every knob, or a preset and what is to be another.")
        try:
            msgspec.convert(whole[name], kind)
        except msgspec.ValidationError:
            value = msgspec.json.encode(whole[name]).decode()[:80]
            raise BadRules(f"{name} is {value}; it can be {_values(name, kind)}.") from None
    return msgspec.convert(whole, Rules)


def _values(name: str, kind: Any) -> str:
    """What a knob can be, in words."""
    options = get_args(kind) or (kind,)
    words: list[str] = []
    for option in options:
        if option is int:
            words.append("{} to {}".format(*LIMITS[name]) if name in LIMITS else "a whole number")
        elif option is bool:
            words += ["true", "false"]
        else:
            words += [str(value) for value in get_args(option)] or ["null" if option is NoneType else str(option)]
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]
