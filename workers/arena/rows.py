"""What is left of a game of an arena? One row of the results, the same for a game in the store and a local one."""

from events.game.state import Game
from workers.arena.standings import Row
from workers.arena.terms import Arena


def row(arena: Arena, number: int, game_id: str | None, game: Game, version: int) -> Row:
    """The row of an ended game of `version` commits: creation, moves, and what made seats leave."""
    if game.result is None or game.turn is None:
        raise ValueError(f"game {number} has not ended")
    left = sum(player.resigned for player in game.players)
    return Row(
        number=number,
        game=game_id,
        pair=arena.fixture(number).pair,
        seats=_seats(arena, number),
        result=game.result.result,
        winners=game.result.winners,
        reason=game.result.reason,
        points=game.result.points,
        moves=version - 1 - left,
        turns=game.turn.number,
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
