"""A bot that makes one mistake, named on its command line, and is as good as `good_bot.py` otherwise."""

import json
import signal
import sys
import uuid
from collections.abc import Iterator
from http.client import HTTPException
from itertools import count
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import good_bot

MISTAKE = sys.argv[1]
TURN = {"type": "TurnStarted", "seat": int(good_bot.os.environ["BOT_SEAT"])}
JSON = {"Content-Type": "application/json"}


def once() -> Iterator[bool]:
    """True for the first time, then False."""
    yield True
    while True:
        yield False


first = once()
numbers = count(1)


def send(path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """A request on its own, not repeated: status, and JSON where there is any."""
    try:
        with urlopen(Request(good_bot.GAME + path, body and json.dumps(body).encode(), headers), timeout=30) as answer:
            return answer.status, json.load(answer)
    except HTTPError as refused:
        with refused:
            return refused.code, None


def key() -> str:
    return f"move-{next(numbers)}" if MISTAKE == "key_reused" else str(uuid.uuid4())


def move(view: Any) -> Any:
    """Send a move, with the mistake that is to be made; the view after it, None where it was refused."""
    body = {"move": good_bot.choose(view)}
    headers = good_bot.TOKEN | JSON | {"If-Match": f'"{view["version"]}"', "Idempotency-Key": key()}
    match MISTAKE:
        case "illegal_move" if next(first):
            body = {"move": "p>c9"}
        case "bad_request" if next(first):
            body = {"mvoe": "pass"}
        case "stale_version" if view["version"] > 1 and next(first):
            headers["If-Match"] = '"1"'
        case "no_token" if next(first):
            del headers["Authorization"]
            assert send("/moves", body, **headers)[0] == 403
        case "token_in_url" if next(first):
            send(f"?token={good_bot.TOKEN['Authorization'].split()[1]}", **good_bot.TOKEN)
        case "no_key":
            del headers["Idempotency-Key"]
        case "no_if_match":
            del headers["If-Match"]
        case "too_slow":
            signal.pause()
        case "gave_up":
            return send("/moves", body, **headers)[1]["view"]
        case "new_key":
            return insist(body, headers)
        case "retry_after":
            while (told := send("/moves", body, **headers))[0] in (429, 502, 503):
                pass
            return told[1] and told[1]["view"]
        case _:
            pass
    status, told = good_bot.ask("/moves", body, **headers)
    return told["view"] if status == 200 else None


def insist(body: Any, headers: dict[str, str]) -> Any:
    while True:
        try:
            told = send("/moves", body, **headers)[1]
            return told and told["view"]
        except (OSError, HTTPException):
            headers["Idempotency-Key"] = key()


def wait(view: Any) -> None:
    """Wait for another seat, with the mistake that is to be made."""
    match MISTAKE:
        case "out_of_turn" if next(first):
            send("/moves", {"move": "pass"}, **good_bot.TOKEN, **JSON, **{"Idempotency-Key": key()})
        case "hot_polling":
            pass
        case "counts_events":  # moves at each turn that it is told of, and is told of some twice
            _, told = good_bot.ask(f"/events?after={view['version']}&wait=30")
            turns = [event for commit in told["commits"] for event in commit["events"] if TURN.items() <= event.items()]
            if turns and not good_bot.look()["legal"] and next(first):
                send("/moves", {"move": "pass"}, **good_bot.TOKEN, **JSON, **{"Idempotency-Key": key()})
        case "strict":
            _, told = good_bot.ask(f"/events?after={view['version']}&wait=30")
            names = [event["type"] for commit in told["commits"] for event in commit["events"]]
            if "WeatherChanged" in names:
                sys.exit("unknown event: WeatherChanged")
        case "trusting":
            urlopen(Request(f"{good_bot.GAME}/events?after={view['version']}&wait=30", headers=good_bot.TOKEN)).read()
        case _:
            good_bot.ask(f"/events?after={view['version']}&wait=30")


def main() -> None:
    view = good_bot.look()
    while view["status"] != "ended":
        if view["legal"]:
            view = move(view) or good_bot.look()
        else:
            wait(view)
            view = good_bot.look()
    while MISTAKE == "after_end":
        good_bot.look()
    if MISTAKE == "does_not_end":
        signal.pause()
    if MISTAKE == "exit_code":
        sys.exit("I lost, and am cross")


main()
