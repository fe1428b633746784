"""Bots that nobody would want at a table, and a few that anybody would. For processes of their own alone."""

import os
import random
import signal
import sys
import time
from typing import Any

from events.game.moves import parse_move
from events.game.views import View

asked = 0


def fair(view: View, rng: random.Random) -> str:
    """Any legal move.

    By its own dice.
    """
    return rng.choice(view.legal)


def gambles(view: View, rng: random.Random) -> str:
    return random.choice(view.legal)


def moves(view: View, rng: random.Random) -> Any:
    return parse_move(view.legal[0])


def prints(view: View, rng: random.Random) -> str:
    sys.stdout.write("a" * 100_000)
    sys.stdout.flush()
    os.write(1, b"\xff" * 1000)
    return view.legal[0]


def reads(view: View, rng: random.Random) -> str:
    return view.legal[0] if sys.stdin.read() == "" and set(os.environ) <= {"PYTHONHASHSEED", "LC_CTYPE"} else "pass"


def remembers(view: View, rng: random.Random) -> str:
    """Legal once; then it knows too much."""
    global asked  # noqa: PLW0603 - to keep something is what it is here for
    asked += 1
    return view.legal[0] if asked == 1 else "p@9>c0"


def loops(view: View, rng: random.Random) -> str:
    while True:
        pass


def sleeps(view: View, rng: random.Random) -> str:
    time.sleep(1000)
    return view.legal[0]


def raises(view: View, rng: random.Random) -> str:
    raise RuntimeError("a bot's own fault")


def leaves(view: View, rng: random.Random) -> str:
    sys.exit(0)


def exits(view: View, rng: random.Random) -> str:
    os._exit(0)


def crashes(view: View, rng: random.Random) -> str:
    os.kill(os.getpid(), signal.SIGSEGV)
    return view.legal[0]


def allocates(view: View, rng: random.Random) -> str:
    hoard: list[bytearray] = []
    while True:
        hoard.append(bytearray(2**22))


def recurses(view: View, rng: random.Random) -> str:
    return recurses(view, rng)


def says_nothing(view: View, rng: random.Random) -> Any:
    return None


def says_all(view: View, rng: random.Random) -> Any:
    return list(view.legal)


def babbles(view: View, rng: random.Random) -> str:
    return "please discard the seven"


def cheats(view: View, rng: random.Random) -> str:
    return "p@1>c0"


def rants(view: View, rng: random.Random) -> str:
    return "7h>c2" * 5_000_000


def forges(view: View, rng: random.Random) -> str:
    """Writes to whatever is open."""
    for number in range(3, 64):
        try:
            os.write(number, b"\xff" * 100_000)
        except OSError:
            continue
    return view.legal[0]


def closes(view: View, rng: random.Random) -> str:
    os.closerange(0, 256)
    time.sleep(1000)
    return view.legal[0]


def forks(view: View, rng: random.Random) -> str:
    """Leaves a child behind that has let go of it, and one that has not, and ends its group."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(1000)
    if os.fork() == 0:
        time.sleep(1000)
    os.killpg(0, signal.SIGKILL)
    return view.legal[0]


def forks_and_plays(view: View, rng: random.Random) -> str:
    if os.fork() == 0:
        os.setsid()
        time.sleep(1000)
    return view.legal[0]


def kills_its_parent(view: View, rng: random.Random) -> str:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(1000)
    return view.legal[0]


def stops_its_parent(view: View, rng: random.Random) -> str:
    os.kill(os.getppid(), signal.SIGSTOP)
    return view.legal[0]


number = 7
FAILING = (
    loops, sleeps, raises, leaves, exits, crashes, recurses, closes, forges, forks, kills_its_parent, says_nothing,
    says_all, babbles, cheats,
)  # fmt: skip


def fails(view: View, rng: random.Random) -> Any:
    """Plays as the bot of `FAILING` whose number is the version: all of them in one template."""
    return FAILING[view.version](view, rng)
