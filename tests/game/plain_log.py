"""The log file once more, from section 3 of the contract alone: canonical JSON and the chain of hashes.

It shares no line with `events.log`.
"""

import hashlib
import json
from typing import Any

from tests.game.plain_game import Event


def plain_json(value: Any) -> str:
    """Keys sorted, no spaces, escapes only where JSON needs them."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def plain_log(game: str, commits: list[tuple[str, list[Event]]]) -> bytes:
    """The log file of a game that is over; one commit a second, keys on every third."""
    lines = [plain_json({"format": "malice-log/1", "game": game, "complete": True})]
    previous = "0" * 64
    for version, (by, events) in enumerate(commits, 1):
        minutes, seconds = divmod(version, 60)
        hours, minutes = divmod(minutes, 60)
        at = f"2026-01-{1 + hours // 24:02}T{hours % 24:02}:{minutes:02}:{seconds:02}.{version % 1000:03}Z"
        key = f"clé {version}" if version % 3 == 0 else None
        commit = {"version": version, "at": at, "by": by, "key": key, "events": events}
        previous = hashlib.sha256((previous + plain_json(commit)).encode("utf-8")).hexdigest()
        lines.append(plain_json(commit | {"hash": previous}))
    return ("\n".join(lines) + "\n").encode("utf-8")
