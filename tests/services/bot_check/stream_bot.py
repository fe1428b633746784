"""The good bot, following the stream of events instead of polling for them."""

import time
from http.client import HTTPException
from urllib.request import Request, urlopen

import good_bot


def wait(version: int) -> None:
    """Returns when there is a commit beyond `version`, or the stream has broken and the view may tell more."""
    headers = good_bot.TOKEN | {"Accept": "text/event-stream", "Last-Event-ID": str(version)}
    try:
        with urlopen(Request(good_bot.GAME + "/events", headers=headers), timeout=90) as stream:
            for line in stream:
                if line.startswith(b"id:") and int(line[3:]) > version:
                    return
    except (OSError, HTTPException):
        time.sleep(0.2)  # before the stream is opened again


good_bot.wait = wait
good_bot.play()
