"""How is a match played? `/v1/matches`: games between the same seats until a total reaches the target.

Law kept: every game of a match is an ordinary game with a log of its own, and the workers create them; the tokens given
here hold for all of them. A match's log holds no hidden card, so it is open while the match goes on.
"""

from typing import Annotated, Any, Final

import msgspec
from starlette.background import BackgroundTask
from starlette.responses import Response

from events.errors import (
    BadPosition,
    BadRules,
    KeyReused,
    Malformed,
    MaliceError,
    Reason,
    Rejected,
    UnknownGame,
    UnknownMatch,
    Unreadable,
)
from events.game.events import Position, SeatInfo
from events.game.presets import resolve
from events.game.rules import Rules
from events.log.clocks import ClockTerms
from events.log.match_record import MatchHead, export_match
from events.log.matches import MatchCommit, Terms
from events.log.record import export
from events.log.verdicts import MatchVerification
from events.log.verify_match import unreadable_match, verify_match
from services.api import examples
from services.api.access import Caller
from services.api.creation import AskedSitting, sit_down
from services.api.moves import request_of
from services.api.operation import Operation, Service, Shape
from services.api.problems import Forbidden
from services.api.schemas import CreatedMatch, MatchGame, MatchState, Sat, WantedRules
from services.api.seating import (
    AskedSeat,
    AskedSeats,
    Visibility,
    check_may_seed,
    check_seats,
    new_id,
    seats_of,
    token_key,
    tokens,
)
from services.api.wire import NDJSON, Ask, answer, sent
from workers.matches import SEED_LENGTH, agree, begin


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is agreed before a match; the rules say to how many points it goes (`match`)."""

    rules: WantedRules
    """As for a game, with a `match` of points: `spite-and-malice`, or rules of one's own."""
    seats: AskedSeats
    """One for each seat of the rules, in their order."""
    seed: Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": SEED_LENGTH})] | None = None
    """Any text, from which every deal's seed is derived: for bots only, or with the admin key."""
    position: Position | None = None
    """Always null: every game of a match is a new deal."""
    clock: ClockTerms | None = None
    """The turn clock of every game of the match; null for no clock."""
    visibility: Visibility = "public"
    """`unlisted` keeps all its games off the list of games."""


_NO_MATCH: Final = (
    "These rules have no match: null is no number of points to play to. "
    'Ask for "spite-and-malice", or for rules of your own with points and match.'
)
_NO_POSITION: Final = "A match starts from no position: each of its games is a new deal (R23)."
_MATCHES: Final = msgspec.json.Decoder(NewMatch)
_SITTINGS: Final = msgspec.json.Decoder(AskedSitting)


def start_match(service: Service, ask: Ask) -> Response:
    """Start a match.

    Its first game can be played at once, the next begins by itself when one has ended. The tokens in the answer move
    the human seats in all games, and are never shown again but to a repeat of this request with the same key.
    """
    body = ask.read(_MATCHES)
    caller = service.access.caller(ask)
    service.access.check_may_create(caller)
    ask.query()
    seats = seats_of(body.seats)
    if body.seed is not None:
        _check_seed(body.seed, caller, seats)
    key = token_key(service, caller, ask)
    name = new_id(service, "match", caller, key)
    request = request_of(caller.name, key, f"match {msgspec.json.encode(body, order='sorted').decode()}")
    digest = request.digest if request is not None else ""
    terms = _known(service, name)
    replayed = terms is not None
    if terms is None:
        rules = _rules(service, body, seats)
        listed = body.visibility == "public"
        terms = agree(service.store, name, rules, seats, seed=body.seed, digest=digest, clock=body.clock, listed=listed)
    if terms.digest != digest:
        raise KeyReused(key or "")
    begin(service.store, terms)
    first = terms.game(0)
    told = CreatedMatch(name, tokens(service, name, service.store.at(first, 1).game))
    headers = {"Location": f"/v1/matches/{name}"} | ({"Idempotent-Replayed": "true"} if replayed else {})
    return answer(told, 201, headers, then=BackgroundTask(service.wake, first))


def take_match_seat(service: Service, ask: Ask) -> Response:
    """Take the first open seat of a match.

    With the last one its first game is dealt. The token in the answer moves the seat in all games.
    """
    body = ask.read(_SITTINGS)
    terms = service.store.matches.terms(ask.match)
    caller = _caller(service, ask)
    ask.query()
    try:
        return sit_down(service, ask, terms.game(0), caller, body)
    except Rejected as refusal:
        # That the first game is over says nothing of the match, in which every seat is taken by then.
        if refusal.reason is Reason.GAME_OVER and not service.store.matches.load(ask.match).match.ended:
            raise Rejected(Reason.SEAT_TAKEN, "No seat is open.") from None
        raise


def read_match(service: Service, ask: Ask) -> Response:
    """How a match stands.

    `games` has them in order; while the match runs its last one is being played, with a `result` of null. Between two
    games, for a moment, none is: ask again. Totals and points are listed by seat.
    """
    match = service.store.matches.load(ask.match).match
    _caller(service, ask)
    ask.query()
    games = [MatchGame(one.game, one.result, one.winners, one.points) for one in match.games]
    current = service.store.matches.terms(ask.match).game(len(games))
    if not match.ended and service.store.version(current):
        games.append(MatchGame(current, None, (), None))
    status = "ended" if match.ended else "running"
    return answer(MatchState(ask.match, status, match.target, match.totals, tuple(games), match.winner))


def read_match_log(service: Service, ask: Ask) -> Response:
    """The log file of a match, as far as it has come."""
    file = export_match(service.store, ask.match)
    _caller(service, ask)
    ask.query()
    name = {"Content-Disposition": f'attachment; filename="{ask.match}.ndjson"'}
    return sent(file, NDJSON, headers=name)


def read_match_verification(service: Service, ask: Ask) -> Response:
    """Is the log of a match true?

    Every game that it scores is verified by its own log, and their points must add up to the totals.
    """
    service.store.matches.terms(ask.match)
    _caller(service, ask)
    ask.query()
    return answer(_verified(service, ask.match))


def _verified(service: Service, match: str) -> MatchVerification:
    def log_of(game: str) -> bytes | None:
        try:
            return export(service.store, game)
        except UnknownGame:
            return None

    try:
        return verify_match(export_match(service.store, match), log_of)
    except Unreadable as error:
        return unreadable_match(match, error)


def _caller(service: Service, ask: Ask) -> Caller:
    """Who asks about this match. Raises `BadToken`, and `Forbidden` for a token of another."""
    caller = service.access.caller(ask)
    if caller.owner not in (None, ask.match):
        raise Forbidden(f"This token is for a seat of {caller.owner}, not of match {ask.match}.")
    return caller


def _known(service: Service, name: str) -> Terms | None:
    try:
        return service.store.matches.terms(name)
    except UnknownMatch:
        return None


def _check_seed(seed: str, caller: Caller, seats: tuple[SeatInfo, ...]) -> None:
    if len(seed) > SEED_LENGTH:
        raise Malformed(f"The seed of a match may have {SEED_LENGTH} characters; this one has {len(seed)}.")
    check_may_seed(caller, seats)


def _rules(service: Service, body: NewMatch, seats: tuple[SeatInfo, ...]) -> Rules:
    """Raises `BadRules`, `BadPosition`."""
    rules = resolve(body.rules)
    check_seats(service, body.rules, rules, seats)
    if rules.match is None:
        raise BadRules(_NO_MATCH)
    if body.position is not None:
        raise BadPosition(_NO_POSITION)
    return rules


def _met() -> tuple[MaliceError, ...]:
    return (Forbidden(f"This token is for a seat of {examples.ANOTHER}, not of match {examples.MATCH}."),)


_PROBLEMS: Final = ("bad_token", "forbidden", "unknown_match", "damaged_log", "unavailable")
_READING: Final[dict[str, Any]] = {"problems": _PROBLEMS, "met": _met}
OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/matches",
        handler=start_match,
        status=201,
        body=Shape(
            NewMatch, lambda: NewMatch("spite-and-malice", [AskedSeat(name="Ada"), AskedSeat(bot="greedy")])
        ),
        answers=(Shape(CreatedMatch, examples.created_match),),
        parameters=("Idempotency-Key",),
        headers=("Location", "Idempotent-Replayed"),
        problems=(
            "malformed", "bad_token", "forbidden", "too_large", "too_slow", "unsupported_media", "bad_rules",
            "bad_position", "key_reused", "unavailable",
        ),
        met=lambda: (
            Forbidden("A seed is for games of bots only: who knows it knows all cards."),
            BadRules(_NO_MATCH),
            BadPosition(_NO_POSITION),
        ),
    ),
    Operation(
        method="POST",
        path="/v1/matches/{match}/seats",
        handler=take_match_seat,
        status=201,
        body=Shape(AskedSitting, lambda: AskedSitting("Ben", "a line of mine")),
        answers=(Shape(Sat, examples.sat_in_match),),
        parameters=("Idempotency-Key",),
        headers=("Idempotent-Replayed",),
        problems=(
            "malformed", "bad_token", "forbidden", "unknown_match", "unknown_game", "game_over", "seat_taken",
            "version_conflict", "too_large", "too_slow", "unsupported_media", "key_reused", "damaged_log",
            "unavailable",
        ),
        met=_met,
    ),
    Operation(
        method="GET",
        path="/v1/matches/{match}",
        handler=read_match,
        answers=(Shape(MatchState, examples.match_state),),
        **_READING,
    ),
    Operation(
        method="GET",
        path="/v1/matches/{match}/log",
        handler=read_match_log,
        answers=(Shape(str, examples.match_file, NDJSON, lines=(MatchHead, MatchCommit)),),
        headers=("Content-Disposition",),
        **_READING,
    ),
    Operation(
        method="GET",
        path="/v1/matches/{match}/verification",
        handler=read_match_verification,
        long=True,
        answers=(Shape(MatchVerification, examples.match_verification),),
        met=_met,
        problems=tuple(code for code in _PROBLEMS if code != "damaged_log"),
    ),
)  # fmt: skip
