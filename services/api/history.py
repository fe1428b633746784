"""What has happened in a game, all of it? Its log file, and whether that file is true.

Law kept: while anything is hidden no hash leaves the service but to the admin key, since with one card unknown it could
be guessed from it.
"""

from typing import Final

from starlette.responses import Response

from events.errors import Unreadable
from events.log.commit import Commit
from events.log.record import Head, export
from events.log.verdicts import Verification
from events.log.verify import unreadable, verify
from services.api import examples
from services.api.games import Look, look, revealed
from services.api.operation import Operation, Service, Shape
from services.api.problems import Forbidden
from services.api.wire import NDJSON, Ask, answer, sent

_RUNS: Final = "The log of a running game, or of a fork of one, is for the admin key alone."


def read_log(service: Service, ask: Ask) -> Response:
    """The log file.

    Of a game that has ended, to anybody; of a running one, with all its hidden cards, to the admin key alone. A
    head, then a commit a line. The `hash` of a commit is the hex SHA-256 of the hash before it (64 zeros before the
    first), as ASCII, and of its own line without `hash`: JSON in UTF-8, keys sorted, no spaces.
    """
    looked = look(service, ask)
    _check_readable(service, looked)
    ask.query()
    name = {"Content-Disposition": f'attachment; filename="{looked.name}.ndjson"'}
    return sent(export(service.store, looked.name), NDJSON, headers=name)


def read_verification(service: Service, ask: Ask) -> Response:
    """Is the log true?

    Every line in form and in the chain, every move legal, every consequence and every shuffle right. Of a running game
    to the admin key alone.
    """
    try:
        looked = look(service, ask)
        ask.query()
        _check_readable(service, looked)
        verdict = verify(export(service.store, looked.name))
    except Unreadable as error:
        # The store's copy is damaged. To who may read it that is the verdict, not a failure to give one; nobody else
        # may learn why, which can name a hidden card.
        if not service.access.caller(ask).admin:
            raise
        verdict = unreadable(ask.game, error)
    return answer(verdict)


def _check_readable(service: Service, looked: Look) -> None:
    if not looked.caller.admin and not revealed(service.store, looked.loaded.game):
        raise Forbidden(_RUNS)


_PROBLEMS: Final = ("malformed", "bad_token", "forbidden", "unknown_game", "damaged_log", "unavailable")
OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/games/{game}/log",
        handler=read_log,
        answers=(Shape(str, examples.log_file, NDJSON, lines=(Head, Commit)),),
        headers=("Content-Disposition",),
        problems=_PROBLEMS,
        met=lambda: (Forbidden(_RUNS),),
    ),
    Operation(
        method="GET",
        path="/v1/games/{game}/verification",
        handler=read_verification,
        long=True,
        answers=(Shape(Verification, examples.verification),),
        problems=tuple(code for code in _PROBLEMS if code != "damaged_log"),
        met=lambda: (Forbidden(_RUNS),),
    ),
)
