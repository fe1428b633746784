"""Who wins a match? Games are played until a total reaches the target; totals are not capped (R23)."""

from events.game.rules import Seat


def add_points(totals: tuple[int, ...], points: tuple[int, ...], target: int) -> tuple[tuple[int, ...], Seat | None]:
    """The totals after a game and the seat that has won the match with it, or None while it goes on."""
    after = tuple(total + more for total, more in zip(totals, points, strict=True))
    winner = next((seat for seat, total in enumerate(after) if total >= target), None)
    return after, winner
