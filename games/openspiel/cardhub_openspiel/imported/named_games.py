"""OpenSpiel's games by name; each has a class of its own."""

from functools import lru_cache
from importlib.metadata import version as installed

from cardhub import Actions, Goal, Heuristics, IllegalActionError, PluginError, Seats, Tokens
from cardhub_openspiel.imported.boards.board import Board, board_of
from cardhub_openspiel.imported.boards.board_game import BoardGame
from cardhub_openspiel.imported.deck import Deck
from cardhub_openspiel.imported.hands.card_words import CardWords
from cardhub_openspiel.imported.hands.completions import Completions
from cardhub_openspiel.imported.hands.hand_checks import check_hands
from cardhub_openspiel.imported.hands.hand_facts import HandFacts
from cardhub_openspiel.imported.hands.hand_game import HandGame
from cardhub_openspiel.imported.hands.hand_state import HandCards
from cardhub_openspiel.imported.hands.hand_survey import hand_survey, has_hands
from cardhub_openspiel.imported.laid.laid_actions import (
    cards_of_actions,
    hidden_sets,
    laid_actions,
)
from cardhub_openspiel.imported.laid.laid_actions_game import LaidActionsGame
from cardhub_openspiel.imported.names import actions_of, cards_of, cards_played_with
from cardhub_openspiel.imported.openspiel_game import OpenSpielGame, OpenSpielState
from cardhub_openspiel.imported.original import Original
from cardhub_openspiel.imported.survey import Survey, deck_of, explore
from cardhub_openspiel.library import pyspiel

CARDS_VERSION = "1"
# How many games are kept for the next call with the same name.
KEPT = 32


@lru_cache(maxsize=KEPT)  # exploring and checking a game takes up to seconds
def game_named(name: str, text: str) -> OpenSpielGame:
    """Return OpenSpiel's game with the load string `text`, named `name`; raises PluginError."""
    game = build_game(name, text)
    if isinstance(game, HandGame):
        check_hands(game)
    return game


def build_game(name: str, text: str) -> OpenSpielGame:
    """Return the same game, but do not check yet what its seats are shown if it is a HandGame."""
    original = Original(text)
    kind = _kind(original)
    kind.original, kind.name = original, name
    kind.create = staticmethod(game_named)
    kind.title = f"{original.title} (OpenSpiel)"
    # OpenSpiel's version stands for the rules, the last number for the cards.
    kind.version = ".".join([*installed("open_spiel").split(".")[:2], CARDS_VERSION])
    kind.seats = Seats(original.players)
    kind.goal = Goal.COMMON if original.has_common_score else Goal.SCORE
    return kind()


def _kind(original: Original) -> type[OpenSpielGame]:
    try:
        deck = deck_of(original)
        return _explored(original, deck) or _with_hands(original, deck)
    except (pyspiel.SpielError, IllegalActionError) as error:
        raise PluginError(
            f"{original.text} cannot be played here: OpenSpiel's error: {error}"
        ) from error


def _explored(original: Original, deck: Deck) -> type[OpenSpielGame] | None:
    """Return the class of a game, or None for a card game that needs a HandGame."""
    try:
        properties = explore(original, deck)
    except PluginError:
        if has_hands(deck):
            return None
        raise
    kind = (
        _with_laid_actions(original, properties)
        if properties.hidden
        else _with_open_actions(original, properties)
    )
    kind.survey = properties
    return kind


def _with_hands(original: Original, deck: Deck) -> type[HandGame]:
    hands = hand_survey(original, deck)
    playing = cards_played_with(deck, hands.words)
    drawn_cards = cards_of(Deck(deck.outcomes, hands.room(hands.decks)), hands.words, playing)
    sets = hands.room(hands.laid)
    hidden_cards, options = hidden_sets(
        original, hands.survey.hidden, sets, hands.options, drawn_cards
    )
    words = (
        {n: {f"option {n + 1}"} for n in range(hidden_cards.size)}
        if options
        else hands.survey.words
    )
    faces = cards_of_actions(hidden_cards, words, drawn_cards, playing)
    cards_in_play = HandCards(deck.kinds, hands.room(hands.decks), hidden_cards, options)
    completions = Completions(
        original, CardWords(original, hands.words, hands.survey.words, hands.a_laid)
    )

    class NamedHandGame(HandGame):
        laid = hidden_cards
        cards = faces
        playing_cards = playing
        actions = Actions(
            *actions_of(original, hands.survey, playing).groups, Tokens("lay", faces.count)
        )
        survey = hands.survey
        facts = HandFacts(original, cards_in_play, hands, completions)

    return NamedHandGame


def _with_open_actions(original: Original, properties: Survey) -> type[OpenSpielGame]:
    if on_board := board_of(original):
        return _with_board(original, properties, on_board)

    class NamedOpenGame(OpenSpielGame):
        playing_cards = cards_played_with(properties.deck, properties.outcomes)
        cards = cards_of(properties.deck, properties.outcomes, playing_cards)
        actions = actions_of(original, properties, playing_cards)

    return NamedOpenGame


def _with_board(original: Original, properties: Survey, on_board: Board) -> type[BoardGame]:
    class NamedBoardGame(BoardGame):
        board = on_board
        cards = on_board.cards
        actions = actions_of(original, properties)

    return NamedBoardGame


def _with_laid_actions(original: Original, properties: Survey) -> type[LaidActionsGame]:
    sets = laid_actions(original, properties)

    class NamedLaidHeuristics(Heuristics[OpenSpielState]):
        # Each set has a card for the same action.
        face_classes = tuple(sets.action(face) for face in range(sets.cards))

    class NamedLaidGame(LaidActionsGame):
        heuristics_type = NamedLaidHeuristics
        laid = sets
        cards = cards_of_actions(sets, properties.words)
        actions = Actions(*actions_of(original, properties).groups, Tokens("lay", sets.cards))

    return NamedLaidGame
