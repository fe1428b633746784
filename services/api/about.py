"""What can be played here, by which bots, and is the service well? What needs no game."""

from typing import Final

from starlette.responses import Response

from events.errors import StoreUnavailable
from events.game.presets import PRESETS
from services.api import examples
from services.api.metrics import MEDIA as METRICS
from services.api.operation import Operation, Service, Shape
from services.api.schemas import BotLine, BotList, Health, RuleSets, rule_set
from services.api.wire import Ask, answer, sent


def list_rules(_service: Service, ask: Ask) -> Response:
    """The presets with every knob.

    `changes` lists, by knob, the values that a preset takes instead of its own.
    """
    ask.query()
    return answer(RuleSets(tuple(map(rule_set, PRESETS))))


def list_bots(service: Service, ask: Ask) -> Response:
    """The bots that may be seated, with a line each."""
    ask.query()
    return answer(BotList(tuple(BotLine(name, about) for name, about in service.bots.items())))


def health(_service: Service, ask: Ask) -> Response:
    """Is the process alive?

    It is while it answers; the store is not asked.
    """
    ask.query()
    return answer(Health("ok"))


def readiness(service: Service, ask: Ask) -> Response:
    """Can it serve now?

    The store answers at once, and somebody has swept it within the last minute; else 503.
    """
    ask.query()
    service.ready()
    return answer(Health("ready"))


def metrics(service: Service, ask: Ask) -> Response:
    """Figures for Prometheus.

    Of this process, and of the store while it answers within a second: `malice_store_up` says whether it did.
    """
    ask.query()
    return sent(service.metrics.text(), METRICS)


OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/rules",
        handler=list_rules,
        answers=(Shape(RuleSets, examples.rule_sets),),
        secured=False,
        waits=False,
    ),
    Operation(
        method="GET",
        path="/v1/bots",
        handler=list_bots,
        answers=(Shape(BotList, examples.bots),),
        secured=False,
        waits=False,
    ),
    Operation(
        method="GET",
        path="/healthz",
        handler=health,
        answers=(Shape(Health, examples.health),),
        secured=False,
        waits=False,
    ),
    Operation(
        method="GET",
        path="/readyz",
        handler=readiness,
        answers=(Shape(Health, lambda: Health("ready")),),
        problems=("unavailable",),
        met=lambda: (StoreUnavailable("Nobody has looked after the games for 90 s: do workers and beat run?"),),
        secured=False,
    ),
    Operation(
        method="GET",
        path="/metrics",
        handler=metrics,
        answers=(Shape(str, examples.metrics, METRICS),),
        secured=False,
    ),
)
