"""What has the bot done wrong? Judged from the requests as they came, and from how it ended; the bot is not asked.

Each request is blamed for one thing at the most, the first that applies: what follows from a mistake is not another.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from services.bot_check.exchange import Asked

HOT: Final = 5
"""Requests a second in another seat's turn; beyond it a bot had better wait (`wait=`) or follow the stream."""
PAUSE_SECONDS: Final = 1.0
"""Shorter waits are not counted in."""
LOOKS_AFTER_END: Final = 5
"""Requests after the end that are no fault: the last view, the log, its verification."""
CROSSING_SECONDS: Final = 0.1
"""A request may cross the news of the end on the way."""
RETRY_TOLERANCE_SECONDS: Final = 0.1
SHOWN: Final = 160
_GAME: Final = re.compile(r"(/v1/games/)[^/]+")

RIGHT: Final = {
    "illegal_move": "Choose one of the `legal` moves of the newest view.",
    "out_of_turn": "Move when the newest view has `legal` moves, and not before.",
    "stale_version": "Send as If-Match the version of the view that the move was chosen from; play a seat only once.",
    "bad_request": "Send requests as /docs describes them.",
    "no_token": "Send the seat's token with every request: Authorization: Bearer TOKEN.",
    "token_in_url": "Send the token in the header Authorization alone: addresses end up in logs.",
    "no_key": "Send an Idempotency-Key with every POST, a new one for each move.",
    "new_key": "Repeat a request whose answer was lost as it was, with the same Idempotency-Key; or look first.",
    "key_reused": "Take a new Idempotency-Key for each move; random ones stay new after a restart.",
    "retry_after": "Wait as many seconds as Retry-After says before the request is repeated.",
    "hot_polling": f"Wait with `wait=` or the event stream; look at most {HOT} times a second otherwise.",
    "gave_up": "Go on until the game has ended: repeat what was lost, look again at what was refused.",
    "too_slow": "Answer in time: here, and where a turn clock runs.",
    "after_end": "Stop when the game has ended.",
    "does_not_end": "Leave when the game has ended.",
    "exit_code": "End with exit code 0 when the game has ended, however it ended.",
    "invitation": "Answer an invitation with 2xx at once, a repeated one too, and play in the background.",
    "no_if_match": "Send If-Match with each move, and it counts only for the table that it was chosen for.",
}
"""Every finding, and what would be right."""
HINTS: Final = frozenset({"no_if_match"})
"""Findings that are only advice."""


class Finding(msgspec.Struct, frozen=True):
    """What was seen at first, how often, and what would be right."""

    finding: str
    seen: str
    right: str
    times: int
    hint: bool


class Ending(msgspec.Struct, frozen=True):
    """How the bot and its game came to their end."""

    over: bool
    """The game was over."""
    running: bool
    """The program still ran."""
    exit_code: int | None
    """None for a bot without a program, and for one that was still running."""
    last_words: Sequence[str]
    refused: str
    seconds: float
    """How long it had."""
    silent: float
    """For how long it had not asked for anything."""


def judge(requests: Sequence[Asked], pauses: Sequence[tuple[float, float]], ending: Ending) -> list[Finding]:
    """The findings, in the order in which they were first seen."""
    blamed: dict[str, list[str]] = {}
    for finding, seen in _all(requests, pauses, ending):
        blamed.setdefault(finding, []).append(seen)
    return [Finding(finding, seen[0], RIGHT[finding], len(seen), finding in HINTS) for finding, seen in blamed.items()]


def _all(requests: Sequence[Asked], pauses: Sequence[tuple[float, float]], ending: Ending) -> Iterator[tuple[str, str]]:
    for number, asked in enumerate(requests):
        if (blame := _of_request(asked, requests[:number])) is not None:
            yield blame
        if asked.is_move and asked.status == 200 and "if-match" not in asked.headers:
            yield "no_if_match", f"{_line(asked)} came without If-Match."
    for began, until in pauses:
        yield from _of_pause(requests, began, until)
    yield from _of_ending(requests, ending)


def _of_request(asked: Asked, before: Sequence[Asked]) -> tuple[str, str] | None:
    token = asked.headers.get("authorization", "").partition(" ")[2]
    if "token=" in asked.query or (token and token in f"{asked.path}?{asked.query}"):
        return "token_in_url", f"{_line(asked)} had a token in its address."
    if _is_late(asked, before):
        return "after_end", f"{_line(asked)} came {asked.after_end:.1f} s after the bot was told that the game is over."
    if asked.status in (401, 403) or (asked.is_move and not token):
        return "no_token", f"{_line(asked)} came {'with a token of no use' if token else 'without a token'}."
    if (early := _early(asked, before)) is not None:
        return "retry_after", early
    if asked.is_move:
        return _of_key(asked, before) or _of_answer(asked)
    return _of_answer(asked)


def _is_late(asked: Asked, before: Sequence[Asked]) -> bool:
    if asked.after_end is None:
        return False
    if asked.method == "POST" and asked.after_end > CROSSING_SECONDS:
        return True
    return sum(other.after_end is not None for other in before if other.life == asked.life) >= LOOKS_AFTER_END


def _early(asked: Asked, before: Sequence[Asked]) -> str | None:
    last = next((other for other in reversed(before) if (other.method, other.path) == (asked.method, asked.path)), None)
    if last is None or last.retry_after is None or last.sent_at is None or last.life != asked.life:
        return None
    waited = asked.at - last.sent_at
    if waited >= last.retry_after - RETRY_TOLERANCE_SECONDS:
        return None
    return (
        f"{_line(asked)} came {waited:.2f} s after an answer of {last.status} with Retry-After: {last.retry_after:g}."
    )


def _of_key(asked: Asked, before: Sequence[Asked]) -> tuple[str, str] | None:
    if asked.key is None:
        return "no_key", f"{_line(asked)} came without Idempotency-Key."
    moves = [other for other in before if other.is_move]
    first = next((other for other in moves if other.key == asked.key), None)
    if first is not None and _same(first) != _same(asked):
        return "key_reused", f"{_line(asked)} came with the key of {_line(first)}."
    if first is None and moves and _is_in_doubt(moves[-1]) and _same(moves[-1]) == _same(asked):
        looked = before[_place(before, moves[-1]) + 1 :]
        if not any(other.status == 200 for other in looked) and moves[-1].life == asked.life:
            return "new_key", f"{_line(asked)} was sent again under another key{_fault(moves[-1])}."
    return None


def _of_answer(asked: Asked) -> tuple[str, str] | None:
    match asked.status, asked.code:
        case (404, "unknown_game") | (409, "game_over" | "not_started"):
            return None
        case (409 | 412 | 422, _) if asked.overtaken or (asked.fault and asked.code not in _JUDGED):
            return None
        case 422, "illegal_move":
            return "illegal_move", f"{_line(asked)} was not legal: {_detail(asked)}"
        case 409, "not_your_turn":
            return "out_of_turn", f"{_line(asked)} came in another seat's turn."
        case 412, "version_conflict":
            return (
                "stale_version",
                f"{_line(asked)} came with If-Match {asked.headers.get('if-match')}: {_detail(asked)}",
            )
        case (400 | 404 | 405 | 408 | 413 | 415 | 422) as status, code:
            return "bad_request", f"{_line(asked)} was answered with {status} {code}: {_detail(asked)}"
        case _:
            return None


_JUDGED: Final = ("illegal_move", "not_your_turn", "version_conflict")


def _of_pause(requests: Sequence[Asked], began: float, until: float) -> Iterator[tuple[str, str]]:
    asked = sum(began <= one.at < until for one in requests)
    if until - began >= PAUSE_SECONDS and asked > HOT * (until - began):
        yield "hot_polling", f"{asked} requests came in {until - began:g} s of another seat's turn."


def _of_ending(requests: Sequence[Asked], ending: Ending) -> Iterator[tuple[str, str]]:
    if ending.refused:
        yield "invitation", ending.refused
    last = (
        f" Its last request: {_line(requests[-1])}{_fault(requests[-1])}." if requests else " It had asked for nothing."
    )
    said = f" It said: {ending.last_words[-1][:SHOWN]}" if ending.last_words else ""
    match ending:
        case Ending(over=False, running=False):
            yield "gave_up", f"It ended with exit code {ending.exit_code} while the game went on.{last}{said}"
        case Ending(over=False) if ending.silent > ending.seconds / 2 and requests and not _is_answered(requests[-1]):
            yield "gave_up", f"It fell silent, and the game went on.{last}"
        case Ending(over=False):
            yield "too_slow", f"After {ending.seconds:g} s the game had not ended.{last}"
        case Ending(running=True) if not _flooded(requests):
            yield "does_not_end", f"The game was over, and {ending.seconds:g} s later it had not ended.{last}"
        case Ending(running=False, exit_code=code) if code:
            yield "exit_code", f"The game was over, and it ended with exit code {code}.{said}"
        case _:
            pass


def _flooded(requests: Sequence[Asked]) -> bool:
    return bool(requests) and _is_late(requests[-1], requests[:-1])


def _is_in_doubt(asked: Asked) -> bool:
    """Does its sender not know whether it was done?"""
    return asked.sent_at is None or (asked.status or 500) >= 500


def _is_answered(asked: Asked) -> bool:
    """Has its sender got what was asked for?"""
    return asked.sent_at is not None and asked.status in (200, 204)


def _same(asked: Asked) -> tuple[str, object, str | None]:
    """What must be equal for a request to be a repeat."""
    try:
        body: object = msgspec.json.decode(asked.body) if asked.body else None
    except msgspec.DecodeError:
        body = asked.body
    return asked.path, body, asked.headers.get("if-match")


def _place(requests: Sequence[Asked], wanted: Asked) -> int:
    return next(place for place, asked in enumerate(requests) if asked is wanted)


def _line(asked: Asked) -> str:
    """The request in one line, without the game's id."""
    path = _GAME.sub(r"\1…", asked.path)
    body = f" {asked.body.decode(errors='replace')[:60]}" if asked.body else ""
    return f"{asked.method} {path}{body}"


def _fault(asked: Asked) -> str:
    """What happened to the request on its way, if anything."""
    return f" ({asked.fault.rstrip('.')})" if asked.fault else ""


def _detail(asked: Asked) -> str:
    try:
        told = msgspec.json.decode(bytes(asked.told))
    except msgspec.DecodeError:
        return ""
    return str(told.get("detail", ""))[:SHOWN] if isinstance(told, dict) else ""
