"""Viewpoints of a replay: the viewers who may see a recorded game."""

from collections.abc import Sequence
from typing import Any

from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.state_declaration import shows_spectators_more
from cardhub.play.records.reading import Record
from cardhub.play.seating import Player

# Names of the two viewers without a seat.
ALL, SPECTATOR = "all", "spectator"


def permitted_viewers(game: Game[Any], record: Record) -> tuple[int, ...]:
    """Return the viewers of a record: seats, then the number of seats for a spectator, then all.

    A redacted record has the cards that one viewer saw, and an unfinished game is still secret to
    all but spectators and people, also those who left.
    """
    seats = len(record.header.players)
    own = record.header.viewer
    if own is not None:
        return (own,) if own == seats else (own, seats)
    if record.is_finished:
        return (*range(seats), seats, EVERYTHING)
    people = record.people
    # In some games spectators see the hands that their owners do not see.
    is_secret = people and shows_spectators_more(game.state_type.zones)
    return (*people, *(() if is_secret else (seats,)))


def is_opened(game: Game[Any], *, is_over: bool) -> bool:
    """Return whether everybody may see all cards."""
    return is_over and game.opens_at_end


def default_viewer(game: Game[Any], record: Record) -> int:
    """Return the viewer of a record who is shown first.

    All cards of a finished game are shown if the game opens them, except of a redacted record;
    else the view of the only person, or of a spectator.
    """
    seats, own = len(record.header.players), record.header.viewer
    if own is not None:
        return own
    if is_opened(game, is_over=record.is_finished):
        return EVERYTHING
    people = record.people
    # With several people, the view of one would show that hand to the others.
    return people[0] if len(people) == 1 else seats


def viewer_name(players: Sequence[Player], viewer: int) -> str:
    """Return the name of a viewer: a player's, `spectator` or `all`."""
    if viewer == EVERYTHING:
        return ALL
    return players[viewer].name if viewer < len(players) else SPECTATOR
