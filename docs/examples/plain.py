"""A whole game against `greedy` with Python's own library alone: what is lost is asked again, a cut feed is resumed."""

import json
import sys
import time
import uuid
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

GAMES = (sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000") + "/v1/games"


def ask(path, body=None, **headers):
    """The answer. Where none comes the same request is sent again: its Idempotency-Key makes that safe."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()} | {"Content-Type": "application/json"}
    while True:
        try:
            with urlopen(Request(GAMES + path, body and json.dumps(body).encode(), sent), timeout=30) as answer:
                return json.load(answer)
        except HTTPError as error:
            if error.code not in (429, 503):
                raise
            time.sleep(int(error.headers["Retry-After"]))  # as the service asks
        except (OSError, HTTPException):
            time.sleep(0.5)  # the network gets a moment


def play():
    """A move, if it is our turn."""
    view = ask(game, Authorization=token)
    if view["legal"]:
        key = f"move-{view['version']}"
        ask(f"{game}/moves", {"move": view["legal"][0]}, Authorization=token, Idempotency_Key=key)


asked = {"rules": {"preset": "gato-e-rato", "payoff": 5}, "seats": [{"name": "Ada"}, {"bot": "greedy"}]}
created = ask("", asked, Idempotency_Key=str(uuid.uuid4()))
game, token = f"/{created['game']}", f"Bearer {created['seats'][0]['token']}"
last, kind, ended = 0, b"", False
while not ended:
    try:
        play()
        resumed = {"Authorization": token, "Accept": "text/event-stream", "Last-Event-ID": str(last)}
        for line in urlopen(Request(f"{GAMES}{game}/events", headers=resumed), timeout=45):
            name, _, value = line.partition(b": ")
            kind = value.strip() if name == b"event" else kind
            if name == b"data" and kind == b"commit":
                commit = json.loads(value)
                last, ended = commit["version"], commit["events"][-1]["type"] == "GameEnded"
                print(last, *(event["type"] for event in commit["events"]))
                play()
    except (OSError, HTTPException):
        time.sleep(0.5)  # before the feed is opened again
print("result:", ask(game)["result"])
