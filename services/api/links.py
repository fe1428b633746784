"""What may one do next? The links of the OpenAPI document: how the answer of one operation leads to another.

A link names no token: that goes in `Authorization`, and stands in the answer that created the seat.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple


class Link(NamedTuple):
    """From an answer to an operation (its id): what to put into its parameters and its body."""

    to: str
    about: str
    parameters: Mapping[str, str] = MappingProxyType({})
    body: Any = None


_NEW: Final = {"game": "$response.body#/game"}
_SAME: Final = {"game": "$request.path.game"}
_PLAYERS: Final = [{"name": "Ada"}, {"bot": "greedy"}]
_OF_NEW_GAME: Final = {
    "view": Link("read_game", "The table, with the moves that the seat to move may make.", _NEW),
    "events": Link("read_events", "What has happened in it.", _NEW),
    "move": Link("play", "A move in it: one of the view's `legal`.", _NEW),
    "sit": Link("take_seat", "Its open seat, if it has one.", _NEW),
    "resign": Link("resign", "Leave it.", _NEW),
}
_AFTER_THE_END: Final = {
    "log": Link("read_log", "The log file, once the game has ended.", _SAME),
    "verification": Link("read_verification", "Whether that log is true.", _SAME),
    "fork": Link("fork_game", "Go on from its deal.", _SAME, {"at": 1, "seats": _PLAYERS}),
    "rematch": Link("rematch", "Play again.", _SAME),
}

LINKS: Final[dict[str, dict[str, Link]]] = {
    "create_game": _OF_NEW_GAME,
    "fork_game": _OF_NEW_GAME,
    "rematch": {name: _OF_NEW_GAME[name] for name in ("view", "events", "sit")},
    "import_game": {name: _OF_NEW_GAME[name] for name in ("view", "events")}
    | {"log": Link("read_log", "The same file again.", _NEW)},
    "list_games": {
        "view": Link("read_game", "The first of them.", {"game": "$response.body#/games/0/game"}),
        "more": Link("list_games", "The games that follow, unless `next` is null.", {"cursor": "$response.body#/next"}),
    },
    "take_seat": {
        "view": Link("read_game", "The table as one's seat sees it.", _SAME),
        "move": Link("play", "A move, when it is one's turn.", _SAME),
    },
    "read_game": {
        "move": Link(
            "play",
            "The first legal move, on the very version that one has seen.",
            _SAME | {"If-Match": "$response.header.ETag"},
            {"move": "$response.body#/legal/0"},
        ),
        "again": Link(
            "read_game", "304 while nothing has happened.", _SAME | {"If-None-Match": "$response.header.ETag"}
        ),
        "events": Link("read_events", "What has happened.", _SAME),
        "resign": Link("resign", "Leave the game.", _SAME),
    }
    | _AFTER_THE_END,
    "play": {
        "view": Link("read_game", "The table after the move.", _SAME),
        "move": Link(
            "play", "The next move, where it is still one's turn.", _SAME, {"move": "$response.body#/view/legal/0"}
        ),
        "events": Link("read_events", "What happens from here on.", _SAME | {"after": "$response.body#/version"}),
        "resign": Link("resign", "Leave the game.", _SAME),
    },
    "resign": {"view": Link("read_game", "How it ended.", _SAME), "events": Link("read_events", "All of it.", _SAME)}
    | _AFTER_THE_END,
    "read_log": {"import": Link("import_game", "The file, taken in by this or another service.", {}, "$response.body")},
    "start_match": {
        "match": Link("read_match", "How it stands, and its games.", {"match": "$response.body#/match"}),
        "sit": Link("take_match_seat", "Its open seat, if it has one.", {"match": "$response.body#/match"}),
    },
    "read_match": {
        "game": Link("read_game", "Its first game.", {"game": "$response.body#/games/0/game"}),
        "log": Link("read_match_log", "Its log file.", {"match": "$request.path.match"}),
        "verification": Link("read_match_verification", "Whether that is true.", {"match": "$request.path.match"}),
    },
    "take_match_seat": {"match": Link("read_match", "How it stands.", {"match": "$request.path.match"})},
    "start_arena": {
        "arena": Link("read_arena", "How far it has come.", {"arena": "$response.body#/arena"}),
        "results": Link("read_results", "Its games that have ended.", {"arena": "$response.body#/arena"}),
        "cancel": Link("cancel_arena", "End it before its time.", {"arena": "$response.body#/arena"}),
    },
    "read_arena": {
        "results": Link("read_results", "Its games that have ended.", {"arena": "$request.path.arena"}),
        "cancel": Link("cancel_arena", "End it before its time.", {"arena": "$request.path.arena"}),
    },
}
"""By the operation whose success they follow."""


def links(operation: str, known: set[str]) -> dict[str, Any]:
    """The links of an operation to those that are known, as the document has them."""
    return {
        name: {"operationId": link.to, "description": link.about}
        | ({"parameters": dict(link.parameters)} if link.parameters else {})
        | ({"requestBody": link.body} if link.body is not None else {})
        for name, link in LINKS.get(operation, {}).items()
        if link.to in known
    }
