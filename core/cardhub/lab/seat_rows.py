"""The games of a match as rows, one for each seat of each game."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardhub.lab.match.task import End, GameResult


class SeatRow(NamedTuple):
    """What a bot reached in a seat of a game.

    `id`: the game's id. `game`: the id of the game that was played, with `options` if deals vary
    them. `steps`: the number of actions in the game. `score`: the game's own. `place`: the place in
    the match, 1 for the best. `is_absent`: whether a substitute played for a withdrawn bot.
    `fault`: the kind of fault of the bot, if any.
    """

    id: str
    game: str
    options: str
    deal: int
    end: End
    steps: int
    seat: int
    bot: str
    score: int
    place: int
    is_absent: bool
    fault: str | None


def seat_rows(games: Iterable[GameResult]) -> Iterator[SeatRow]:
    """Yield the rows of games, in their order."""
    for game in games:
        faults = {note.seat: note.fault for note in game.faults}
        options = ", ".join(f"{name} {value}" for name, value in game.vary.items())
        seats = zip(game.seats, game.scores, game.places, strict=True)
        for seat, (bot, score, place) in enumerate(seats):
            yield SeatRow(
                id=game.id,
                game=game.contest,
                options=options,
                deal=game.deal,
                end=game.end,
                steps=game.steps,
                seat=seat,
                bot=bot,
                score=score,
                place=place,
                is_absent=seat in game.absent,
                fault=faults.get(seat),
            )
