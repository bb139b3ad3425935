"""Schema of the upsets in `result.json`."""

from msgspec import Struct


class UpsetGame(Struct, frozen=True):
    """A game that `loser` lost to a weaker bot, by `margin` points; `seat` is the winner's.

    `difference` is by how much the loser's rating is above the winner's, in Elo or in points as
    `BotRow.rank` counts them; None if a rating is not finite.
    """

    game_id: str
    winner: str
    loser: str
    seat: int
    difference: float | None
    margin: int
