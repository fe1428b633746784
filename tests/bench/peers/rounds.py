"""How is a peer asked? It says what it is, then plays a round for every line that it reads; it answers in JSON lines.

So both sides of a comparison stay warm, and take turns on a machine that may be busy.
"""

import json
import platform
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any


def rounds(package: str, play: Callable[[], dict[str, Any]]) -> None:
    """Serve rounds of `play` until the input ends; `count` and `seconds` are the figures that all peers give."""
    print(json.dumps({"what": f"{package} {version(package)}, Python {platform.python_version()}"}), flush=True)
    for _ in sys.stdin:
        print(json.dumps(play()), flush=True)
