"""What is left of a game of an arena? One row of the results, the same for a game in the store and a local one."""

from events.game.state import Game, Result
from events.log.course import Course
from workers.arena.standings import Row
from workers.arena.terms import Arena


def row(arena: Arena, number: int, game_id: str | None, course: Course) -> Row:
    """The row of a game that has ended on its course. Raises ValueError for one that has not."""
    board = course.table.board
    return _row(arena, number, game_id, course.result, course.version, board.turn, sum(board.resigned))


def row_of(arena: Arena, number: int, game_id: str | None, game: Game, version: int) -> Row:
    """The row of an ended game of `version` commits. Raises ValueError for one that has not ended."""
    left = sum(player.resigned for player in game.players)
    return _row(arena, number, game_id, game.result, version, game.turn.number if game.turn else 0, left)


def _row(
    arena: Arena, number: int, game_id: str | None, result: Result | None, version: int, turns: int, left: int
) -> Row:
    """Commits are the creation, the moves, and what made seats leave."""
    if result is None:
        raise ValueError(f"game {number} has not ended")
    return Row(
        number=number,
        game=game_id,
        pair=arena.fixture(number).pair,
        seats=_seats(arena, number),
        result=result.result,
        winners=result.winners,
        reason=result.reason,
        points=result.points,
        moves=version - 1 - left,
        turns=turns,
    )


def lost_row(arena: Arena, number: int, game_id: str) -> Row:
    """The row of a game whose log cannot be read any more: it counts for nobody."""
    return Row(
        number=number,
        game=game_id,
        pair=arena.fixture(number).pair,
        seats=_seats(arena, number),
        result="aborted",
        winners=(),
        reason="abandoned",
        points=None,
        moves=0,
        turns=0,
    )


def _seats(arena: Arena, number: int) -> tuple[str, ...]:
    return tuple(arena.labels[bot] for bot in arena.fixture(number).seats)
