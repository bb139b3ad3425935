"""OpenSpiel's games by name, each as a class of its own."""

from importlib.metadata import version as installed

from cardhub.adapters.openspiel_games.boards.board import Board, board_of
from cardhub.adapters.openspiel_games.boards.board_game import BoardGame
from cardhub.adapters.openspiel_games.hands.completion import Completions
from cardhub.adapters.openspiel_games.hands.hand_checks import check_hands
from cardhub.adapters.openspiel_games.hands.hand_game import HandGame
from cardhub.adapters.openspiel_games.hands.hand_survey import cards_of_actions as action_cards
from cardhub.adapters.openspiel_games.hands.hand_survey import hand_survey, has_hands
from cardhub.adapters.openspiel_games.laid.laid_actions import (
    LaidActions,
    cards_of_actions,
    laid_actions,
)
from cardhub.adapters.openspiel_games.laid.laid_actions_game import LaidActionsGame
from cardhub.adapters.openspiel_games.names import actions_of, cards_of
from cardhub.adapters.openspiel_games.openspiel_game import OpenSpielGame
from cardhub.adapters.openspiel_games.original import Original
from cardhub.adapters.openspiel_games.survey import Survey, deck_of, explore
from cardhub.adapters.openspiel_library import pyspiel
from cardhub.errors import IllegalActionError, PluginError
from cardhub.table.actions import Actions, Tokens
from cardhub.table.goal import Goal
from cardhub.table.seats import Seats

CARDS_VERSION = "1"


def game_named(name: str, text: str) -> OpenSpielGame:
    """Return the OpenSpiel game with the load string `text` as `name`; raises PluginError."""
    found = Original(text)
    kind = _kind(found)
    kind.original, kind.name = found, name
    kind.named = staticmethod(game_named)
    kind.title = f"{found.title} (OpenSpiel)"
    # The rules change with OpenSpiel, the cards with the last number.
    kind.version = ".".join([*installed("open_spiel").split(".")[:2], CARDS_VERSION])
    kind.seats = Seats(found.players)
    kind.goal = Goal.COMMON if found.has_common_score else Goal.SCORE
    game = kind()
    if isinstance(game, HandGame):
        check_hands(game)
    return game


def _kind(found: Original) -> type[OpenSpielGame]:
    try:
        seen = explore(found)
    except (pyspiel.SpielError, IllegalActionError) as error:
        raise PluginError(
            f"{found.text} cannot be played here: OpenSpiel's error: {error}"
        ) from error
    except PluginError:
        if not has_hands(deck_of(found)):
            raise
        return _with_hands(found)
    kind = _with_laid_actions(found, seen) if seen.hidden else _with_open_actions(found, seen)
    kind.survey = seen
    return kind


def _with_hands(found: Original) -> type[HandGame]:
    seen, most = hand_survey(found)
    drawn = cards_of(seen.deck, seen.outcomes)
    size = int(found.game.num_distinct_actions())
    sets = LaidActions(size, tuple(sorted(seen.hidden)), most, drawn.count, len(drawn.faces))
    faces = cards_of_actions(sets, seen, drawn)

    class NamedHandGame(HandGame):
        laid = sets
        cards = faces
        actions = Actions(*actions_of(found, seen).groups, Tokens("lay", faces.count))
        survey = seen
        completions = Completions(found, action_cards(seen))

    return NamedHandGame


def _with_open_actions(found: Original, seen: Survey) -> type[OpenSpielGame]:
    if on_board := board_of(found):
        return _with_board(found, seen, on_board)

    class NamedOpenGame(OpenSpielGame):
        cards = cards_of(seen.deck, seen.outcomes)
        actions = actions_of(found, seen)

    return NamedOpenGame


def _with_board(found: Original, seen: Survey, on_board: Board) -> type[BoardGame]:
    class NamedBoardGame(BoardGame):
        board = on_board
        cards = on_board.cards
        actions = actions_of(found, seen)

    return NamedBoardGame


def _with_laid_actions(found: Original, seen: Survey) -> type[LaidActionsGame]:
    sets = laid_actions(found, seen)

    class NamedLaidGame(LaidActionsGame):
        laid = sets
        cards = cards_of_actions(sets, seen)
        actions = Actions(*actions_of(found, seen).groups, Tokens("lay", sets.cards))
        # The same action has a card in each set.
        face_classes = tuple(sets.action(face) for face in range(sets.cards))

    return NamedLaidGame
