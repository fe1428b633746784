"""How do made-up requests get anywhere? Schemathesis makes them from the document; `Callers` lends what no schema says.

It remembers the tokens that are given out and sends the token of the seat to move, lets every other new game be one
that can be played, and waits for no feed.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import cycle
from random import Random
from typing import Any, Final

import jsonschema_rs
import msgspec
import schemathesis
from schemathesis import hooks
from schemathesis.config import SchemathesisConfig
from schemathesis.core import NotSet
from schemathesis.engine import events, from_schema
from schemathesis.engine.recorder import CaseNode, ScenarioRecorder

from events.game.legality import view
from tests.services.api.table import LOCAL, PEOPLE, Api

PHASES: Final = ("examples", "coverage", "fuzzing", "stateful")
REFUSED: Final = ["2xx", "304", "401", "403", "404", "409", "412", "422", "429"]
"""What a request in the form asked for may meet: all but 400, 413, 415 and faults."""
CHECKS: Final[dict[str, Any]] = {
    "positive_data_acceptance": {"expected-statuses": REFUSED},
    # An arena that is cancelled stays, with the games that it has played.
    "use_after_free": {"enabled": False},
}


PLAYING: Final = [
    "create_game",
    "read_game",
    "play",
    "resign",
    "read_log",
    "fork_game",
    "rematch",
    "import_game",
    "read_events",
]
LONG: Final = [str(second) for second in range(1, 61)]
NEW: Final[dict[str, Any]] = {
    "create_game": {"rules": {"preset": "gato-e-rato", "payoff": 5}, "seats": PEOPLE},
    "start_match": {"rules": "spite-and-malice", "seats": PEOPLE},
}
"""Every other new game and match: no bot plays here, and of a bot's name made up by chance there is none."""


@schemathesis.serializer("application/x-ndjson")
def _lines(_: schemathesis.SerializationContext, value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.deserializer("application/x-ndjson")
def _text(_: schemathesis.DeserializationContext, response: schemathesis.Response) -> str:
    return response.content.decode()


class Callers:
    """Requests made from the document of this API, and what came of them."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.tokens: dict[str, dict[int, str]] = {}
        """Of every game and match: the tokens of its seats."""
        self.made: Counter[str] = Counter()
        """Requests by phase."""
        self.answers: Counter[tuple[str, str, int]] = Counter()
        """Answers by phase, operation and status."""
        self.followed: Counter[tuple[str, int]] = Counter()
        """Links that were followed, by their operation (its id) and status."""
        self.lines = 0
        """Lines and messages that were of the shape described."""
        self.found: dict[tuple[str, str, str], str] = {}
        """What was found wrong: by check, operation and title, the first such case."""
        self._pages = cycle(["application/json", "application/x-ndjson"])
        self._lot = Random(1)

    def call(self, *, phases: Sequence[str] = PHASES, examples: int, walks: int, steps: int) -> None:
        """These phases: `examples` made up for each operation, `walks` along links of up to so many `steps`.

        Then as many walks again among games alone: of all that may be begun, few walks lead to a table.
        """
        self._run(list(phases), None, examples=examples, walks=walks, steps=steps)
        self._run(["stateful"], PLAYING, examples=examples, walks=walks, steps=steps)

    def _run(self, phases: list[str], only: list[str] | None, *, examples: int, walks: int, steps: int) -> None:
        walking = {
            "max-steps": steps,
            "generation": {"max-examples": walks},
            "inference": {"algorithms": []},  # the document's own links are what is followed
        }
        config = SchemathesisConfig.from_dict(
            {
                "base-url": LOCAL,
                "request-timeout": 5,
                "max-stream-events": 3,
                "checks": CHECKS,
                "generation": {"max-examples": examples, "deterministic": True, "database": "none", "no-shrink": True},
                "phases": {phase: {"enabled": phase in phases} for phase in PHASES}
                | {"stateful": {"enabled": "stateful" in phases} | walking},
            }
        )
        schema = schemathesis.openapi.from_dict(self.api.get("/openapi.json").json(), config=config)
        schema.app = self.api.app
        if only is not None:
            schema = schema.include(operation_id=only)

        def before_call(context: object, case: Any, kwargs: object) -> None:
            self._before(case)

        def after_call(context: object, case: Any, response: Any) -> None:
            self._after(case, response)

        def filter_failure(context: object, failure: Any, case: Any, response: Any) -> bool:
            return not _is_meant(case, failure)

        schema.hook(after_call)
        schema.hook(filter_failure)
        schemathesis.hook(before_call)  # which there is for all schemas alone
        try:
            for event in from_schema(schema).execute():
                self._heard(event)
        finally:
            hooks.unregister(before_call)

    def _before(self, case: Any) -> None:
        name = case.operation.definition.raw["operationId"]
        headers = case.headers
        query = case.query if isinstance(case.query, dict) else {}
        if name == "read_events":
            resumes = "after" in query or "Last-Event-ID" in headers
            headers.setdefault(
                "Accept", next(self._pages) if resumes or self._lot.random() < 0.5 else "text/event-stream"
            )
            query.update({"limit": "1"} if headers["Accept"] == "text/event-stream" else {})
            if str(query.get("wait", "")) in LONG:
                query["wait"] = "0"
        if name in NEW and case.meta.phase.name.value == "stateful" and self._lot.random() < 0.8:
            case.body = NEW[name]
            headers.pop("Idempotency-Key", None)
        if case.meta.generation.mode.is_positive:
            if not isinstance(case.body, NotSet):
                case.body = _whole(case.body)
            if str(query.get("as")) in "234567":
                query["as"] = "1"  # a seat that the game has
            if "arena" in query or not re.fullmatch(r"[0-9]+\.[0-9a-z]+", str(query.get("cursor"))):
                query.pop("cursor", None)  # nobody makes up a cursor
        game = (case.path_parameters or {}).get("game")
        if isinstance(game, str) and game in self.tokens and "Authorization" not in headers:
            self._sit(case, name, game)

    def _sit(self, case: Any, name: str, game: str) -> None:
        """Lend the token of the seat to move, and every other time a move that it may make."""
        table = self.api.store.load(game)
        seat = table.game.turn.seat if table.game.turn is not None else 0
        token = self.tokens[game].get(seat)
        if token is None:
            return
        if name in ("read_game", "fork_game") and self._lot.random() < 0.7:
            case.query = {}  # as the link has it
            case.headers.pop("Idempotency-Key", None)
        case.headers["Authorization"] = f"Bearer {token}"
        if not case.meta.generation.mode.is_positive:
            return
        if name == "resign" or (name == "play" and self._lot.random() < 0.5):
            for condition in ("If-Match", "Idempotency-Key"):
                case.headers.pop(condition, None)
            legal = view(table.game, seat, name=game, version=table.version).legal
            case.body = {"move": legal[0] if legal else "pass"} if name == "play" else {}

    def _after(self, case: Any, response: Any) -> None:
        if response.status_code >= 400:
            self._judge(case, response)
        else:
            self._judge_lines(case, response)
        if response.status_code != 201:
            return
        told = response.json()
        if "seats" in told:
            tokens = {seat["seat"]: seat["token"] for seat in told["seats"]}
            if "match" in told:
                self.tokens[self.api.store.matches.terms(told["match"]).game(0)] = tokens
            else:
                self.tokens[told["game"]] = tokens
        elif "token" in told:
            owner = told["token"].partition(".")[0]
            self.tokens.setdefault(owner, {})[told["seat"]] = told["token"]

    def _judge(self, case: Any, response: Any) -> None:
        """Every code of a problem must stand in the document where it is met."""
        if case.method != case.operation.method.upper():
            return  # of another method the document says nothing
        code = response.json()["code"]
        told = case.operation.definition.raw["responses"].get(str(response.status_code), {})
        examples = told.get("content", {}).get("application/problem+json", {}).get("examples", {})
        if code not in examples and code not in ("not_found", "method_not_allowed"):
            self.found.setdefault(("code", case.operation.label, code), response.text)

    def _judge_lines(self, case: Any, response: Any) -> None:
        """Every line, and every message's data, must be of a shape that the document names for it."""
        told = case.operation.definition.raw["responses"].get(str(response.status_code), {}).get("content", {})
        media = response.headers.get("content-type", [""])[0].partition(";")[0]
        shapes = told.get(media, {}).get("x-itemSchema")
        if shapes is None:
            return
        whole = {"allOf": [shapes], "components": case.operation.schema.raw_schema["components"]}
        judge = jsonschema_rs.validator_for(whole)
        for line in response.content.decode().splitlines():
            text = line.removeprefix("data: ")
            if text.startswith("{"):
                self.lines += 1
                for error in judge.iter_errors(msgspec.json.decode(text)):
                    self.found.setdefault(("line", case.operation.label, media), f"{error}\n{line}")

    def _heard(self, event: object) -> None:
        match event:
            case events.ScenarioFinished():
                for key, node in event.recorder.cases.items():
                    self._count(event.phase.value, event.recorder, key, node)
            case events.NonFatalError():
                self.found.setdefault(("error", event.label, type(event.value).__name__), str(event.value))
            case events.FatalError():
                raise event.exception
            case _:
                pass

    def _count(self, phase: str, recorder: ScenarioRecorder, key: str, node: CaseNode) -> None:
        self.made[phase] += 1
        response = recorder.find_response(case_id=key)
        name = node.value.operation.definition.raw["operationId"]
        status = response.status_code if response is not None else 0
        self.answers[phase, name, status] += 1
        if node.parent_id is not None and node.is_transition_applied:
            self.followed[name, status] += 1
        for check in recorder.checks.get(key, []):
            if check.failure_info is not None:
                failure = check.failure_info.failure
                told = f"{failure.message}\n{check.failure_info.code_sample}\n{response.text if response else ''}"
                self.found.setdefault((check.name, node.value.operation.label, failure.title), told)


def _whole(value: Any) -> Any:
    """Numbers as every JSON writer writes them: to JSON Schema 5.0 is an integer too."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {key: _whole(one) for key, one in value.items()}
        case list():
            return [_whole(one) for one in value]
        case _:
            return value


def _is_meant(case: Any, failure: Any) -> bool:
    """Not wrong: `GET /v1/games/import` asks for a game of that name, as the document says."""
    return case.operation.path == "/v1/games/import" and "Unsupported method GET" in failure.message
