"""A bot that plays one seat over HTTP and keeps playing on a bad network. Nothing but the standard library.

Given in the environment: BOT_URL, BOT_GAME, BOT_SEAT, BOT_TOKEN. Replace `choose`.
"""

import json
import os
import random
import sys
import time
import uuid
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

GAME = f"{os.environ['BOT_URL']}/v1/games/{os.environ['BOT_GAME']}"
TOKEN = {"Authorization": f"Bearer {os.environ['BOT_TOKEN']}"}


def choose(view: Any) -> str:
    """The bot's mind: one of view["legal"]. To the centre if it can, else any discard."""
    plays = [move for move in view["legal"] if ">c" in move]
    return plays[0] if plays else random.choice(view["legal"])


def ask(path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """Status and JSON of an answer. The request is repeated as it is, its key too, until there is a certain one."""
    pause = 0.1
    while True:
        request = Request(GAME + path, body and json.dumps(body).encode(), TOKEN | headers)
        try:
            with urlopen(request, timeout=90) as answer:
                return answer.status, json.load(answer)
        except HTTPError as refused:  # the service, or something on the way, has answered
            with refused:
                if refused.code != 429 and refused.code < 500:
                    return refused.code, {}
                wait = float(refused.headers.get("Retry-After", pause))
        except (OSError, HTTPException, ValueError):  # no connection, a broken one, or half an answer
            wait = pause
        time.sleep(wait)  # as it asks, or a moment where nobody answers
        pause = min(2 * pause, 5)


def look() -> Any:
    """What the seat may see now."""
    status, view = ask("")
    if status != 200:
        sys.exit(f"the game is not to be seen: {status}")  # a wrong token, or no such game
    return view


def wait(version: int) -> None:
    """Returns when there is something new beyond `version`, or after half a minute without."""
    ask(f"/events?after={version}&wait=30")


def play() -> None:
    """Play the game to its end. Whatever has happened before, the view says how it stands."""
    view = look()
    while view["status"] != "ended":
        if not view["legal"]:  # not our turn
            wait(view["version"])
            view = look()
            continue
        headers = {"If-Match": f'"{view["version"]}"', "Idempotency-Key": str(uuid.uuid4())}
        status, told = ask("/moves", {"move": choose(view)}, **headers, **{"Content-Type": "application/json"})
        view = told["view"] if status == 200 else look()  # refused: the game has moved on, so look again


if __name__ == "__main__":
    play()
