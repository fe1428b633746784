"""How do bots meet? `/v1/arenas`: many games between bots, played by the workers, counted while they are played.

Law kept: an arena's games are ordinary games with logs of their own; what is answered here is counted from their rows
each time.
"""

import secrets
from typing import Annotated, Any, Final

import msgspec
from starlette.background import BackgroundTask
from starlette.responses import Response

from events.errors import BadRules, KeyReused, Malformed
from events.game.presets import named, resolve
from events.log.commit import seconds_between
from events.log.keys import spread_id
from events.log.listing import read_cursor
from services.api import examples
from services.api.listing import DEFAULT_LIMIT, LIMIT
from services.api.moves import request_of
from services.api.operation import Operation, Service, Shape
from services.api.problems import Forbidden
from services.api.schemas import ArenaList, ListedArena, StartedArena, WantedRules
from services.api.wire import NDJSON, Ask, answer, lines, whole_number
from workers.arena import ledger, listing
from workers.arena.keys import UnknownArena
from workers.arena.report import Report, report
from workers.arena.results import rows_after
from workers.arena.sprt import Judged, Sprt
from workers.arena.sprt import check as check_sprt
from workers.arena.standings import Row
from workers.arena.terms import STATUSES, Arena, Progress


class NewArena(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which bots play how many games, under which rules; `seed` is any text, drawn by lot where none is given."""

    bots: Annotated[list[str], msgspec.Meta(extra_json_schema={"minItems": 2, "maxItems": ledger.MOST_BOTS})]
    """Of `GET /v1/bots`; one may be named more than once."""
    games: Annotated[int, msgspec.Meta(extra_json_schema={"minimum": 1, "maximum": ledger.MOST_GAMES})]
    """How many games are played in all. Where the last deal does not get every seating its games count as they are."""
    rules: WantedRules
    seed: Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": ledger.SEED_LENGTH})] | None = None
    """Any text, from which every deal's seed is derived; drawn by lot where none is given."""
    sprt: Sprt | None = None
    """Ends as soon as it is known whether the first of two bots is the better one; `games` are the most there are."""


_ARENAS: Final = msgspec.json.Decoder(NewArena)


def start_arena(service: Service, ask: Ask) -> Response:
    """Start an arena.

    Deals are played in groups: every seating of the bots gets the same cards. The same bots, rules and seed give the
    same games, move by move. With `sprt` the pairs are judged in the order of the schedule, and the arena ends with the
    one that decides.
    """
    body = ask.read(_ARENAS)
    caller = service.access.caller(ask)
    service.access.check_may_create(caller)
    ask.query()
    ledger.check_size(body.bots, body.games, body.seed or "")
    if body.sprt is not None:
        check_sprt(body.sprt, body.bots, resolve(body.rules))
    key = ask.key()
    digest = service.access.derive(f"arena:{caller.name}|{key}" if key else f"arena:{secrets.token_hex(32)}")
    name = spread_id(digest, service.store.shards)
    request = request_of(caller.name, key, f"arena {msgspec.json.encode(body, order='sorted').decode()}")
    known = request is not None and _is_known(service, name)
    if not known:
        _check_bots(service, body.bots)
    try:
        ledger.start(
            service.store,
            tuple(body.bots),
            body.games,
            resolve(body.rules),
            secrets.token_hex(16) if body.seed is None else body.seed,
            sprt=body.sprt,
            arena=name,
            digest=request.digest if request else "",
        )
    except KeyReused:
        raise KeyReused(key or "") from None
    headers = {"Location": f"/v1/arenas/{name}"}
    if known:
        return answer(StartedArena(name), 201, headers | {"Idempotent-Replayed": "true"})
    return answer(StartedArena(name), 201, headers, then=BackgroundTask(_ring, service, name))


def list_arenas(service: Service, ask: Ask) -> Response:
    """The arenas that there are, newest first.

    `next` is what `cursor` takes for the page behind. Nothing is counted for the list: standings are with each arena.
    """
    service.access.caller(ask)
    query = ask.query("status", "limit", "cursor")
    asked = query.get("status")
    if asked is not None and asked not in STATUSES:
        raise Malformed(f"status is {asked[:40]!r}; it takes {' or '.join(STATUSES)}.")
    limit = whole_number("limit", query.get("limit", str(DEFAULT_LIMIT)), 1, LIMIT)
    before = read_cursor(query["cursor"]) if "cursor" in query else None
    statuses = STATUSES if asked is None else tuple(status for status in STATUSES if status == asked)
    found, behind = listing.page(service.store, statuses, before, limit)
    told = tuple([listed(arena, progress) for arena, progress in found])
    return answer(ArenaList(told, behind.cursor if behind else None))


def listed(arena: Arena, progress: Progress) -> ListedArena:
    """The line of an arena on the list."""
    return ListedArena(
        arena=arena.arena,
        status=progress.status,
        bots=arena.labels,
        done=progress.done,
        games=arena.games,
        rules=named(arena.rules),
        started_at=progress.started_at,
        ended_at=progress.ended_at,
        verdict=(progress.judged or Judged()).verdict if arena.sprt is not None else None,
    )


def read_arena(service: Service, ask: Ask) -> Response:
    """How far an arena has come, and how its bots stand."""
    service.access.caller(ask)
    ask.query()
    return answer(_report(service, ask.arena))


def read_results(service: Service, ask: Ask) -> Response:
    """The games of an arena that have ended, in the order of the schedule, a game a line.

    With `after` those after the first so many of the schedule; of a running arena up to the first that has not ended.
    So whoever asks again with the last row's `number` + 1 misses none. Games beyond the pair that decided a sequential
    test are left out.
    """
    service.access.caller(ask)
    arena = ledger.find(service.store, ask.arena)
    after = ask.query("after").get("after")
    if after is None:
        return lines(ledger.rows(service.store, ask.arena))
    first = whole_number("after", after, 0, ledger.MOST_GAMES)
    return lines(rows_after(service.store, arena, ledger.progress(service.store, ask.arena), first))


def cancel_arena(service: Service, ask: Ask) -> Response:
    """End an arena before its time.

    Games that have ended stay counted. Those in the middle are abandoned by the workers, within moments; one that ends
    first still counts. An arena that has ended stays ended. Who may create games may do this.
    """
    ledger.find(service.store, ask.arena)
    service.access.check_may_create(service.access.caller(ask))
    ask.query()
    ledger.cancel(service.store, ask.arena)
    return answer(_report(service, ask.arena), then=BackgroundTask(_ring, service, ask.arena))


def _report(service: Service, name: str) -> Report:
    arena = ledger.find(service.store, name)
    progress = ledger.progress(service.store, name)
    until = progress.ended_at or service.store.now()
    since = progress.started_at or until
    return report(arena, progress, ledger.rows(service.store, name), seconds_between(since, until))


def _ring(service: Service, name: str) -> None:
    for lane in range(ledger.LANES):
        service.ring_lane(name, lane)


def _is_known(service: Service, name: str) -> bool:
    try:
        ledger.find(service.store, name)
    except UnknownArena:
        return False
    return True


def _check_bots(service: Service, bots: list[str]) -> None:
    for bot in bots:
        if bot not in service.bots:
            raise BadRules(f"There is no bot {bot[:80]!r}; there are {', '.join(service.bots) or 'none'}.")


def _not_to_seats() -> Forbidden:
    return Forbidden("A seat's token cannot create games where API keys are set: send an API key.")


_READING: Final[dict[str, Any]] = {"problems": ("bad_token", "unknown_arena", "unavailable")}
OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/arenas",
        handler=start_arena,
        status=201,
        body=Shape(NewArena, lambda: NewArena(["greedy", "uniform"], 100, "gato-e-rato", "spring")),
        answers=(Shape(StartedArena, lambda: StartedArena(examples.ARENA)),),
        parameters=("Idempotency-Key",),
        headers=("Location", "Idempotent-Replayed"),
        problems=(
            "malformed", "bad_token", "forbidden", "too_large", "too_slow", "unsupported_media", "bad_rules",
            "key_reused", "unavailable",
        ),
        met=lambda: (_not_to_seats(), BadRules("There is no bot 'gredy'; there are uniform, eager, greedy, planner.")),
    ),
    Operation(
        method="GET",
        path="/v1/arenas",
        handler=list_arenas,
        answers=(Shape(ArenaList, lambda: ArenaList((listed(*examples.arena()),), None)),),
        parameters=("arenas.status", "arenas.limit", "arenas.cursor"),
        problems=("bad_token", "unavailable"),
    ),
    Operation(
        method="GET",
        path="/v1/arenas/{arena}",
        handler=read_arena,
        answers=(Shape(Report, examples.arena_report),),
        **_READING,
    ),
    Operation(
        method="GET",
        path="/v1/arenas/{arena}/results",
        handler=read_results,
        answers=(Shape(str, examples.arena_rows, NDJSON, lines=(Row,)),),
        parameters=("results.after",),
        **_READING,
    ),
    Operation(
        method="DELETE",
        path="/v1/arenas/{arena}",
        handler=cancel_arena,
        answers=(Shape(Report, examples.cancelled_arena),),
        problems=("bad_token", "forbidden", "unknown_arena", "unavailable"),
        met=lambda: (_not_to_seats(),),
    ),
)  # fmt: skip
