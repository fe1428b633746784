"""How are two worlds asked the same thing over HTTP, and every byte of the two answers compared?

`Twins` are two services with two stores and two secrets. A `Pair` is one game in each, that differ in what the watcher
may not know. What is replaced before comparing: ids, tokens, commitments and times, each by its own literal text; all
other bytes of status, headers and body must be the same. Lengths are never touched: they may tell too.
"""

import hashlib
import random
import re
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import httpx2
import msgspec

from events.game.events import Position
from events.game.evolve import fold
from events.game.legality import legal_moves
from events.game.moves import Move
from events.game.position import position_of
from events.game.rules import Rules, Seat
from events.game.state import Game
from events.game.views import Viewer, bare_view
from events.log.keys import SECRET_KEY
from tests.services.api.table import ADMIN, Api

Json: TypeAlias = Any
_TIMES: Final = re.compile(rb'(?<=at":")[-0-9T:.]{23}Z|(?<="deadline":")[-0-9T:.]{23}Z|(?<="next":")[0-9]{13}(?=[.])')


class ToldApart(AssertionError):
    """A watcher can tell the two worlds apart: which request, and at which byte of the answer."""


class World:
    """One service, and the texts that stand for something in this world alone."""

    def __init__(self, delay: int) -> None:
        self.api = Api(spectator_delay=delay)
        self.own: dict[bytes, bytes] = {}
        """Its ids, tokens and commitments → what stands for each in both worlds. Same length: nothing moves."""

    def learn(self, text: str, role: str) -> None:
        """From now on this text is compared as `role`."""
        self.own[text.encode()] = (role + "·" * 99).encode("latin-1")[: len(text)]

    def plain(self, answer: httpx2.Response) -> bytes:
        """The answer as it came over the wire, with what stands for something in this world alone replaced."""
        head = b"".join(name + b": " + value + b"\n" for name, value in answer.headers.raw)
        wire = b"%d\n%s\n%s" % (answer.status_code, head, answer.content)
        for text, role in self.own.items():
            wire = wire.replace(text, role)
        return _TIMES.sub(b"<time>", wire)


class Twins:
    """Two services that are asked the same, one after the other. With one `secret` a key makes one id in both.

    `delay`: seconds that spectators are late.
    """

    def __init__(self, secret: str | None = None, delay: int = 0) -> None:
        self.worlds = (World(delay), World(delay))
        for world in self.worlds if secret else ():
            world.api.store.client.set(SECRET_KEY, secret or "")
        self.asked = 0
        """Requests whose answers were compared."""
        self._begun = 0

    def begin(
        self, tables: tuple[Position, Position] | None, rules: Rules, seeds: tuple[bytes, bytes], **more: Json
    ) -> "Pair":
        """A game in each world: from these two positions, or dealt from these two seeds. By the admin, who may seed."""
        seats = more.pop("seats", None) or [{"name": f"seat {seat}"} for seat in range(rules.seats)]
        bodies = [
            {"rules": msgspec.to_builtins(rules), "seats": seats, "seed": seed.hex(), **more}
            | ({"position": msgspec.to_builtins(tables[number])} if tables else {})
            for number, seed in enumerate(seeds)
        ]
        return self.made("/v1/games", bodies, seeds)

    def made(self, path: str | tuple[str, str], bodies: list[Json], seeds: tuple[bytes, bytes]) -> "Pair":
        """The pair of games that these two requests by the admin begin."""
        paths = (path, path) if isinstance(path, str) else path
        told: list[Json] = []
        self._begun += 1
        for world, where, body, seed in zip(self.worlds, paths, bodies, seeds, strict=True):
            answer = world.api.post(where, body, ADMIN | {"Idempotency-Key": f"game-{self._begun}"})
            assert answer.status_code == 201, answer.text
            told.append(answer.json())
            world.learn(hashlib.sha256(seed).hexdigest(), "commitment")
        names = [one.get("game") or one["match"] for one in told]
        pair = Pair(self, (names[0], names[1]))
        for number, world in enumerate(self.worlds):
            world.learn(names[number], f"id{len(world.own)}")
            for seat in told[number]["seats"]:
                pair.seated(number, seat["seat"], seat["token"])
        return pair


class Pair:
    """One game (or match) in each world, and its tokens."""

    def __init__(self, twins: Twins, names: tuple[str, str]) -> None:
        self.twins = twins
        self.names = names
        self.tokens: tuple[dict[Seat, str], dict[Seat, str]] = ({}, {})

    def seated(self, world: int, seat: Seat, token: str) -> None:
        """Whoever has this token has this seat in this world."""
        self.tokens[world][seat] = token
        self.twins.worlds[world].learn(token.rpartition(".")[2], f"token{seat}")

    def game_of_it(self, names: tuple[str, str]) -> "Pair":
        """This pair is of matches, and these are a game of each: the tokens hold for it too."""
        game = Pair(self.twins, names)
        game.tokens = self.tokens
        for world, name in zip(self.twins.worlds, names, strict=True):
            world.learn(name, f"id{len(world.own)}")
        return game

    def games(self) -> tuple[Game, Game]:
        """The truth, of which nobody is told."""
        here, there = (
            world.api.store.load(name).game for world, name in zip(self.twins.worlds, self.names, strict=True)
        )
        return here, there

    def seeds(self) -> tuple[bytes, bytes]:
        """The secrets that the shuffles come from."""
        here, there = (
            world.api.store.load(name).seed for world, name in zip(self.twins.worlds, self.names, strict=True)
        )
        return here, there

    @property
    def version(self) -> int:
        """The last version, which is the same in both."""
        here, there = (world.api.store.version(name) for world, name in zip(self.twins.worlds, self.names, strict=True))
        assert here == there
        return here

    def one(
        self,
        world: int,
        who: Viewer,
        method: str,
        path: str,
        body: Json = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx2.Response:
        """Ask in one world; `{id}` stands for the game's own. `body`: bytes as they are, anything else as JSON."""
        name, tokens = self.names[world], self.tokens[world]
        content = body if isinstance(body, bytes) or body is None else msgspec.json.encode(body)
        sent = {"X-Request-Id": "watching"} | ({"Content-Type": "application/json"} if content is not None else {})
        sent |= {"Authorization": f"Bearer {tokens[who]}"} if who is not None else {}
        sent |= dict(headers or {})
        sent = {header: value.replace("{id}", name) for header, value in sent.items()}
        http = self.twins.worlds[world].api.http
        return http.request(method, path.replace("{id}", name), content=content, headers=sent)

    def both(self, *asked: Any, **more: Any) -> tuple[httpx2.Response, httpx2.Response]:
        """The same in both worlds."""
        return self.one(0, *asked, **more), self.one(1, *asked, **more)

    def ask(
        self, who: Viewer, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None
    ) -> httpx2.Response:
        """Ask in both worlds as the watcher. Raises `ToldApart`, naming request and byte, where the answers differ."""
        what = f"{method} {path} by {'a spectator' if who is None else f'seat {who}'} with {body!r} {headers or {}}"
        return self.same(what, self.both(who, method, path, body, headers))

    def same(self, what: str, answers: tuple[httpx2.Response, httpx2.Response]) -> httpx2.Response:
        """Raises `ToldApart` where these answers differ; `what` names the request."""
        here, there = (world.plain(answer) for world, answer in zip(self.twins.worlds, answers, strict=True))
        self.twins.asked += 1
        if here != there:
            shorter = min(len(here), len(there))
            byte = next((at for at in range(shorter) if here[at] != there[at]), shorter)
            around = slice(max(byte - 60, 0), byte + 60)
            raise ToldApart(f"{what}: byte {byte}:\n  {here[around]!r}\n  {there[around]!r}")
        return answers[0]


def common_moves(pair: Pair) -> list[Move]:
    """What the seat to move may do in both worlds."""
    here, there = pair.games()
    assert here.turn is not None
    assert here.turn == there.turn
    seat = here.turn.seat
    also = set(legal_moves(bare_view(there, seat, name=None, version=0)))
    return [move for move in legal_moves(bare_view(here, seat, name=None, version=0)) if move in also]


def table_of(game: Game) -> Position:
    """The whole table, to begin a game from."""
    return position_of(fold((), game))


def some_seed(rng: random.Random) -> bytes:
    """64 bytes."""
    return rng.randbytes(64)
