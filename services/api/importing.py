"""How does a log file become a game here? `POST /v1/games/import`.

Law kept: nothing is written of a log that does not verify; and an imported game gives nobody more than the file does,
which whoever sent it has.
"""

from typing import Final

from starlette.responses import Response

from events.log.commit import Commit
from events.log.incoming import import_log, request_to_import
from events.log.record import Head
from services.api import examples
from services.api.operation import Operation, Service, Shape
from services.api.problems import Forbidden, UnsupportedMedia
from services.api.schemas import Taken
from services.api.wire import BYTES, NDJSON, Ask, answer

LOG_LIMIT: Final = 16 << 20


def import_game(service: Service, ask: Ask) -> Response:
    """Take in the log file of an ended game.

    It is verified first, and refused whole when it does not verify or the game has not ended; `version` is then the
    lowest that is missing or wrong. The game keeps the id in the file's head where that is free here, and gets another
    one else; its events are kept to the byte, the first id in `GameCreated` with them. Sending the same file
    again changes nothing and answers the same game.
    """
    # No text/plain: a page of another site may send that without asking this service first. (A body of no stated type
    # it may send too; `LocalOnly` and keys are what keeps strangers out.)
    file = ask.read_file(NDJSON, BYTES)
    caller = service.access.caller(ask)
    service.access.check_may_create(caller)
    ask.query()
    key = ask.key()
    request = None if key is None else request_to_import(caller.name, key, file)
    taken = import_log(service.store, file, derive=service.access.derive, request=request)
    headers = {"Location": f"/v1/games/{taken.game}"}
    return answer(Taken(taken.game), 201, headers | ({"Idempotent-Replayed": "true"} if taken.replayed else {}))


OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/games/import",
        handler=import_game,
        long=True,
        status=201,
        body=Shape(str, examples.log_file, NDJSON, also=(BYTES,), lines=(Head, Commit)),
        body_limit=LOG_LIMIT,
        answers=(Shape(Taken, lambda: Taken(examples.GAME)),),
        parameters=("Idempotency-Key",),
        headers=("Location", "Idempotent-Replayed"),
        problems=(
            "malformed", "bad_token", "forbidden", "too_large", "too_slow", "unsupported_media", "bad_log",
            "key_reused", "unavailable",
        ),
        met=lambda: (
            Forbidden("A seat's token cannot create games where API keys are set: send an API key."),
            UnsupportedMedia(f"The body is text/plain; send {NDJSON} or {BYTES}."),
        ),
    ),
)  # fmt: skip
