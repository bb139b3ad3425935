"""The row of a game in a list of games."""

from dataclasses import dataclass

from cardhub.lab.match.log.game_page import ENDINGS
from cardhub.lab.match.task import GameResult


@dataclass(frozen=True)
class SeatCell:
    """The bot at a seat, its place as a string and its score; `is_absent` after a withdrawal."""

    bot: str
    place: str
    score: int
    is_absent: bool


@dataclass(frozen=True)
class GameRow:
    """A game with its seats, faults, and the commands that show it or reproduce a fault."""

    id: str
    game: str
    deal: int
    options: str
    seats: tuple[SeatCell, ...]
    remarks: tuple[str, ...]
    show: str
    repros: tuple[str, ...]


def game_row(game: GameResult) -> GameRow:
    """Return the row of a game; its commands have to be run in the folder of the match."""
    seats = enumerate(zip(game.seats, game.places, game.scores, strict=True))
    faults = [f"{note.bot}: {note.fault} after {note.step} actions" for note in game.faults]
    return GameRow(
        id=game.id,
        game=game.contest,
        deal=game.deal,
        options=", ".join(f"{key} {value}" for key, value in game.vary.items()),
        seats=tuple(SeatCell(b, ordinal(p), s, n in game.absent) for n, (b, p, s) in seats),
        remarks=(*faults, *([ENDINGS[game.end]] if game.end in ENDINGS else [])),
        show=f"cardhub match show . {game.id}",
        repros=tuple(f"cardhub match repro . {game.id} --seat {n.seat}" for n in game.faults),
    )


def ordinal(number: int) -> str:
    """Return a place as an ordinal number: 1st, 2nd, 3rd, 4th."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    # 11th, 12th and 13th, not 11st.
    is_teen = number // 10 % 10 == 1
    return f"{number}{'th' if is_teen else endings.get(number % 10, 'th')}"
