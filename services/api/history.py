"""What has happened in a game? Its events as one may see them, its log file, and whether that file is true.

Law kept: while anything is hidden no hash leaves the service but to the admin key, since with one card unknown it could
be guessed from it.
"""

from typing import Final

from starlette.responses import Response

from events.errors import UnknownVersion, Unreadable
from events.game.views import seen_by
from events.log.commit import Commit
from events.log.record import Head, export
from events.log.verify import Verification, unreadable, verify
from services.api import examples
from services.api.games import Look, eyes, hides, look, revealed
from services.api.operation import Operation, Service, Shape
from services.api.problems import Forbidden
from services.api.schemas import Commits, SeenCommit
from services.api.wire import JSON, NDJSON, Ask, answer, lines, sent, whole_number
from services.eyes import Eyes

_RUNS: Final = "The log of a running game, or of a fork of one, is for the admin key alone."
DEFAULT_LIMIT: Final = 100
LIMIT: Final = 1000


def read_events(service: Service, ask: Ask) -> Response:
    """What happened, commit by commit, as the caller may know it.

    Beyond version `after`, oldest first; by Accept as one JSON document or as NDJSON, a commit a line.
    """
    looked = look(service, ask)
    query = ask.query("after", "limit", "as")
    after = whole_number("after", query.get("after", "0"), 0)
    limit = whole_number("limit", query.get("limit", str(DEFAULT_LIMIT)), 1, LIMIT)
    as_whom = eyes(service.store, looked, query.get("as"))
    if after > looked.loaded.version:
        raise UnknownVersion(after, looked.loaded.version)
    commits = tuple(
        seen_commit(commit, as_whom) for commit in service.store.read(looked.name, after=after, limit=limit)
    )
    return answer(Commits(commits)) if ask.prefers(JSON, NDJSON) == JSON else lines(commits)


def read_log(service: Service, ask: Ask) -> Response:
    """The log file.

    Of a game that has ended, to anybody; of a running one, with all its hidden cards, to the admin key alone.
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


def seen_commit(commit: Commit, eyes: Eyes) -> SeenCommit:
    """The commit as these eyes may see it."""
    events = commit.events if eyes == "all" else tuple(seen_by(event, eyes) for event in commit.events)
    return SeenCommit(commit.version, commit.at, commit.by, events)


def _check_readable(service: Service, looked: Look) -> None:
    if not looked.caller.admin and not revealed(service.store, looked.loaded.game):
        raise Forbidden(_RUNS)


_PROBLEMS: Final = ("malformed", "bad_token", "forbidden", "unknown_game", "damaged_log", "unavailable")
OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/games/{game}/events",
        handler=read_events,
        answers=(Shape(Commits, examples.commits), Shape(str, examples.commit_lines, NDJSON, lines=(SeenCommit,))),
        parameters=("after", "limit", "as"),
        problems=(*_PROBLEMS, "unknown_version"),
        met=lambda: (hides("all"),),
    ),
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
