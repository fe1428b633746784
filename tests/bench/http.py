"""What does the API cost beside the bare floor? Moves and views over HTTP, by wrk, both sides on one server and store.

The floor of a move is a route that appends the very same bytes with the same script and answers with the version; that
of a view is a route that reads the same bytes from the store and answers with them. Debian: `apt-get install wrk`.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, Final

import httpx2
import msgspec
import uvicorn
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from events.game.commands import Create
from events.game.decide import decide_by
from events.game.events import SeatInfo
from events.game.legality import view
from events.game.moves import move_text
from events.game.presets import PRESETS
from events.game.shuffle import SeededDice, deal_seed
from events.log.append import Appender, Company, Line
from events.log.client import connect
from events.log.commit import BodyOf, seal
from events.log.packing import pack
from events.log.store import Store, utc_now
from events.log.submit import create
from services.api.access import access_of
from services.api.server import application, config_of, spare_the_collector
from services.embedded import EmbeddedStore
from services.settings import Settings, broker_of
from tests.bench.table import Row
from tests.live import eventually, free_port
from workers.bots.registry import find
from workers.turn import bot_command

GAMES: Final = 240
MOVES: Final = 100
"""Moves of each game that are sent: the games' first hundred, round robin."""
CONNECTIONS: Final = 8
SECONDS: Final = 3
ROUNDS: Final = 5
FLOORS: Final = {"view": "view floor", "move": "move floor", "move with a key": "move floor"}
MOST_OF_FLOOR: Final = 1 / 2.5
"""A move may take two and a half times as long as its floor (P8)."""
SEATS: Final = (SeatInfo("Ada", "human", None, ""), SeatInfo("Ben", "human", None, ""))
BOTS: Final = (SeatInfo("Ada", "bot", "greedy", ""), SeatInfo("Ben", "bot", "greedy", ""))
RULES: Final = PRESETS["spite-and-malice"].rules
SCRIPT: Final = """
local lines, at = {}, -1 -- wrk calls once before it begins
for line in io.lines(os.getenv("REQUESTS")) do lines[#lines + 1] = line end
local paths, tokens, bodies = {}, {}, {}
for n, line in ipairs(lines) do paths[n], tokens[n], bodies[n] = line:match("^(%S+) (%S+) ?(.*)$") end
local method, key = os.getenv("METHOD"), os.getenv("KEYED") == "1"
request = function()
  at = at + 1
  local n = (at - 1) % #lines + 1
  local headers = {["Authorization"] = "Bearer " .. tokens[n], ["Content-Type"] = "application/json"}
  if key then headers["Idempotency-Key"] = "bench-" .. at end
  return wrk.format(method, paths[n], headers, bodies[n])
end
if os.getenv("VERBOSE") then
  response = function(status, _, body) if status >= 300 then io.stderr:write(status, " ", body, "\\n") end end
end
done = function(summary, latency, requests)
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), summary.errors.status))
end
"""


class Sent(msgspec.Struct):
    """A move to be sent, and the bytes that the floor appends in its place."""

    game: str
    seat: int
    move: str
    version: int
    packed: bytes
    hash: str
    previous: str
    floor: str


def main(store_url: str, port: int, sent: Path) -> None:
    """The server: the API with the floor's routes beside it."""
    settings = Settings(data=Path("/nonexistent"))
    app = application(settings, store_url=store_url, broker_url=broker_of(store_url))
    client = connect(store_url)
    rows = msgspec.msgpack.decode(sent.read_bytes(), type=list[Sent])

    appender = Appender(client)

    def append(row: Sent) -> int:
        company = Company(
            request=None, mark=True, bots=False, seed=b"", ended=False, clock=None, turn_begins=False, status=None,
            listed=True,
        )  # fmt: skip
        line = Line(row.version, row.packed, row.hash, row.previous)
        return appender.game(row.floor, line, company).version

    async def floor_move(request: HttpRequest) -> Response:
        await request.body()
        version = await run_in_threadpool(append, rows[int(request.path_params["n"])])
        return Response(b'{"version":%d}' % version, media_type="application/json")

    async def floor_view(request: HttpRequest) -> Response:
        kept = await run_in_threadpool(client.get, f"bench:{request.path_params['n']}")
        return Response(kept, media_type="application/json")

    app.add_route("/floor/moves/{n}", floor_move, methods=["POST"])
    app.add_route("/floor/views/{n}", floor_view)
    config = config_of(app, host="127.0.0.1", port=port)
    config.load()
    spare_the_collector()
    uvicorn.Server(config).run()


def prepared(store: Store) -> list[Sent]:
    """Games for people, and what `greedy` would do in them; each beside a twin of bytes for the floor."""
    played: list[list[Sent]] = []
    for number in range(GAMES):
        seed = deal_seed("bench", number)
        game, floor = store.new_id(), store.new_id()
        create(store, Create(game=game, rules=RULES, seats=SEATS), seed=seed, by="system")
        begun = create(store, Create(game=floor, rules=RULES, seats=SEATS), seed=seed, by="system", mark=False)
        dice = SeededDice(seed)
        decided = decide_by(Create(game=game, rules=RULES, seats=BOTS), None, dice)
        previous, rows = begun.commit.hash, []
        while decided.game.result is None and len(rows) < MOVES:
            command: Any = bot_command(decided.game, len(rows) + 1, seed, find=find)
            decided = decide_by(command, decided.game, dice)
            body = BodyOf(
                version=len(rows) + 2, at=utc_now(), by=f"seat:{command.seat}", key=None, events=tuple(decided.events)
            )
            commit, text = seal(previous, body)
            rows.append(
                Sent(
                    game,
                    command.seat,
                    move_text(command.move),
                    commit.version,
                    pack(body, text),
                    commit.hash,
                    previous,
                    floor,
                )
            )
            previous = commit.hash
        played.append(rows)
    return [rows[at] for at in range(MOVES) for rows in played if at < len(rows)]


def run(base: str, method: str, requests: list[str], folder: Path, *, keyed: bool = False) -> tuple[float, int, int]:
    """Requests a second, p50 and p99 in microseconds."""
    script, lines = folder / "wrk.lua", folder / "requests.txt"
    script.write_text(SCRIPT)
    lines.write_text("\n".join(requests) + "\n")
    done = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "-s", str(script), base],
        env={"REQUESTS": str(lines), "METHOD": method, "KEYED": "1" if keyed else "0"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = re.search(r"RESULT (\d+) (\d+) (\d+) (\d+) (\d+)", done.stdout)
    if found is None or int(found[5]) or (method == "POST" and int(found[1]) > len(requests)):
        raise SystemExit(f"wrk was answered with errors, or ran out of requests: {done.stdout}{done.stderr}")
    count, micros, half, late, _ = map(int, found.groups())
    return 1e6 * count / micros, half, late


def compare() -> list[Row]:
    """Each route and its floor, taking turns."""
    if shutil.which("wrk") is None:
        return [Row(name="http", what="moves and views over HTTP", ours="needs wrk, which is not installed")]
    figures: dict[str, list[tuple[float, int, int]]] = {}
    with (
        tempfile.TemporaryDirectory() as name,
        EmbeddedStore(Path(name) / "data") as server,
        connect(server.url) as client,
    ):
        for _ in range(ROUNDS):
            client.flushall()
            for what, figure in one_round(client, server.url, Path(name)):
                figures.setdefault(what, []).append(figure)
    middle = {what: [median(column) for column in zip(*rows, strict=True)] for what, rows in figures.items()}
    return [_row(what, middle[what], middle[floor]) for what, floor in FLOORS.items()]


def _row(what: str, mine: list[float], floor: list[float]) -> Row:
    rate, half, late = mine
    ratio = rate / floor[0]
    moves = what.startswith("move")
    return Row(
        name="http",
        what=f"{what} over HTTP, {CONNECTIONS} connections, beside its bare floor",
        ours=f"{rate:,.0f}/s",
        beside=f"{floor[0]:,.0f}/s",
        ratio=ratio,
        target=f"{MOST_OF_FLOOR:g} ×" if moves else "–",
        reached=ratio >= MOST_OF_FLOOR if moves else None,
        notes=(f"{what}: p50 {half / 1000:.2f} ms, p99 {late / 1000:.2f} ms",),
    )


def one_round(client: Any, url: str, folder: Path) -> Iterator[tuple[str, tuple[float, int, int]]]:
    """Each route once, on one server, over games of its own."""
    store = Store(client, shards=16, now=utc_now)
    access = access_of(Settings(data=folder), store)
    rows, keyed = prepared(store), prepared(store)
    (folder / "sent").write_bytes(msgspec.msgpack.encode(rows))
    for number, row in enumerate(rows[:GAMES]):
        shown = view(store.load(row.game).game, row.seat, name=row.game, version=1)
        client.set(f"bench:{number}", msgspec.json.encode(shown))

    def moves(of: list[Sent]) -> list[str]:
        return [f'/v1/games/{row.game}/moves {access.token(row.game, row.seat)} {{"move":"{row.move}"}}' for row in of]

    port = free_port()
    base = f"http://127.0.0.1:{port}"
    process = subprocess.Popen([sys.executable, "-m", "tests.bench.http", url, str(port), str(folder / "sent")])
    try:
        eventually(lambda: _answers(base))
        yield "view floor", run(base, "GET", [f"/floor/views/{n} x" for n in range(GAMES)], folder)
        views = [f"/v1/games/{row.game} {access.token(row.game, row.seat)}" for row in rows[:GAMES]]
        yield "view", run(base, "GET", views, folder)
        floor = [f'/floor/moves/{n} x {{"move":"{row.move}"}}' for n, row in enumerate(rows)]
        yield "move floor", run(base, "POST", floor, folder)
        yield "move", run(base, "POST", moves(rows), folder)
        yield "move with a key", run(base, "POST", moves(keyed), folder, keyed=True)
    finally:
        process.terminate()
        process.wait()


def _answers(base: str) -> bool:
    try:
        return httpx2.get(f"{base}/healthz", trust_env=False).status_code == 200
    except httpx2.RequestError:
        return False


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
