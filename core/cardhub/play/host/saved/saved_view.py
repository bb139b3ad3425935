"""The table of a saved game as its only person left it."""

from typing import Any, NamedTuple

from cardhub.model.game.game import Game
from cardhub.play.host.saved.saved_list import SavedGame, find_position
from cardhub.play.seating import bots_by_seat, names_by_seat
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import catalogue_of
from cardhub.view.view import CardCatalogue, View


class SavedTable(NamedTuple):
    """The view of a saved game, and the faces and backs that it names."""

    view: View
    catalogue: CardCatalogue


def saved_table(game: Game[Any], saved: SavedGame) -> SavedTable | None:
    """Return the table as the only person sees it, else as a spectator does.

    None where a spectator's view would show several people their own hidden cards. Raises
    RecordError if the record cannot be replayed.
    """
    observation = find_position(game, saved).observation
    if observation is None:
        return None
    names, bots = names_by_seat(saved.players), bots_by_seat(saved.players)
    return SavedTable(build_view(observation, names, bots=bots), catalogue_of(game))
