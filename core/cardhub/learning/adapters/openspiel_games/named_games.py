"""OpenSpiel's games by name, each as a class of its own."""

from importlib.metadata import version as installed

from cardhub.base.errors import IllegalActionError, PluginError
from cardhub.learning.adapters.openspiel_games.boards.board import Board, board_of
from cardhub.learning.adapters.openspiel_games.boards.board_game import BoardGame
from cardhub.learning.adapters.openspiel_games.deck import Deck
from cardhub.learning.adapters.openspiel_games.hands.card_words import CardWords
from cardhub.learning.adapters.openspiel_games.hands.completions import Completions
from cardhub.learning.adapters.openspiel_games.hands.hand_checks import check_hands
from cardhub.learning.adapters.openspiel_games.hands.hand_facts import HandFacts
from cardhub.learning.adapters.openspiel_games.hands.hand_game import HandGame
from cardhub.learning.adapters.openspiel_games.hands.hand_state import HandCards
from cardhub.learning.adapters.openspiel_games.hands.hand_survey import hand_survey, has_hands
from cardhub.learning.adapters.openspiel_games.laid.laid_actions import (
    cards_of_actions,
    hidden_sets,
    laid_actions,
)
from cardhub.learning.adapters.openspiel_games.laid.laid_actions_game import LaidActionsGame
from cardhub.learning.adapters.openspiel_games.names import actions_of, cards_of, cards_played_with
from cardhub.learning.adapters.openspiel_games.openspiel_game import OpenSpielGame
from cardhub.learning.adapters.openspiel_games.original import Original
from cardhub.learning.adapters.openspiel_games.survey import Survey, deck_of, explore
from cardhub.learning.adapters.openspiel_library import pyspiel
from cardhub.model.table.actions import Actions, Tokens
from cardhub.model.table.goal import Goal
from cardhub.model.table.seats import Seats

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
        deck = deck_of(found)
        return _explored(found, deck) or _with_hands(found, deck)
    except (pyspiel.SpielError, IllegalActionError) as error:
        raise PluginError(
            f"{found.text} cannot be played here: OpenSpiel's error: {error}"
        ) from error


def _explored(found: Original, deck: Deck) -> type[OpenSpielGame] | None:
    """Return the class of a game; None if it is a card game that has no determinizations."""
    try:
        seen = explore(found, deck)
    except PluginError:
        if has_hands(deck):
            return None
        raise
    kind = _with_laid_actions(found, seen) if seen.hidden else _with_open_actions(found, seen)
    kind.survey = seen
    return kind


def _with_hands(found: Original, deck: Deck) -> type[HandGame]:
    seen = hand_survey(found, deck)
    playing = cards_played_with(deck, seen.words)
    drawn = cards_of(Deck(deck.outcomes, seen.room(seen.decks)), seen.words, playing)
    sets = seen.room(seen.laid)
    hidden, options = hidden_sets(found, seen.survey.hidden, sets, seen.options, drawn)
    words = {n: {f"option {n + 1}"} for n in range(hidden.size)} if options else seen.survey.words
    faces = cards_of_actions(hidden, words, drawn, playing)
    cards_in_play = HandCards(deck.kinds, seen.room(seen.decks), hidden, options)
    completions = Completions(found, CardWords(found, seen.words, seen.survey.words, seen.a_laid))

    class NamedHandGame(HandGame):
        laid = hidden
        cards = faces
        playing_cards = playing
        actions = Actions(
            *actions_of(found, seen.survey, playing).groups, Tokens("lay", faces.count)
        )
        survey = seen.survey
        facts = HandFacts(found, cards_in_play, seen, completions)

    return NamedHandGame


def _with_open_actions(found: Original, seen: Survey) -> type[OpenSpielGame]:
    if on_board := board_of(found):
        return _with_board(found, seen, on_board)

    class NamedOpenGame(OpenSpielGame):
        playing_cards = cards_played_with(seen.deck, seen.outcomes)
        cards = cards_of(seen.deck, seen.outcomes, playing_cards)
        actions = actions_of(found, seen, playing_cards)

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
        cards = cards_of_actions(sets, seen.words)
        actions = Actions(*actions_of(found, seen).groups, Tokens("lay", sets.cards))
        # The same action has a card in each set.
        face_classes = tuple(sets.action(face) for face in range(sets.cards))

    return NamedLaidGame
