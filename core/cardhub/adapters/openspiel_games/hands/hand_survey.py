"""The facts of a card game whose public actions depend on hidden cards, found by random play."""

from collections import Counter
from random import Random

from cardhub.adapters.openspiel_games.deck import Deck
from cardhub.adapters.openspiel_games.laid.hidden_actions import is_hidden
from cardhub.adapters.openspiel_games.original import Original, random_step
from cardhub.adapters.openspiel_games.survey import Survey, deck_of, has_integer_returns
from cardhub.errors import PluginError

GAMES, MAX_STEPS = 40, 12_000


def has_hands(deck: Deck) -> bool:
    """Return whether a deck is dealt, and all its cards are different."""
    return bool(deck.outcomes) and not deck.draws and len(deck.kinds) == len(deck.outcomes)


def hand_survey(original: Original) -> tuple[Survey, int]:
    """Return the facts, and the greatest number of hidden actions of a player in a game.

    Raises PluginError if cards are drawn unseen, or actions are hidden, after an open action, or an
    action is hidden in part.
    """
    survey, rng, most, steps = Survey(deck=deck_of(original)), Random(0), 0, 0
    while steps < MAX_STEPS and survey.games < GAMES:
        state, laid, is_open = original.game.new_initial_state(), Counter[int](), False
        while not state.is_terminal():
            survey.note_words(state)
            is_chance = state.is_chance_node()
            is_hiding = not original.is_public(state) if is_chance else is_hidden(original, state)
            if is_hiding and is_open:
                what = "chance draws unseen" if is_chance else "actions are hidden"
                raise PluginError(
                    f"{original.text} cannot be played here: cards are hidden, and {what} after "
                    "open actions"
                )
            if not is_chance:
                survey.note_lines(original, state)
                is_open = not is_hiding
                laid[state.current_player()] += is_hiding
            state.apply_action(random_step(state, rng))
            steps += 1
        survey.note_lines(original, state)
        survey.hidden |= {player for player, count in laid.items() if count}
        most = max(most, *laid.values(), 0)
        survey.games += 1
    survey.has_integer_returns = has_integer_returns(original, rng)
    return survey, most


def cards_of_actions(survey: Survey) -> dict[int, int]:
    """Return by action the card that it is about: the one that OpenSpiel calls by the same word."""
    card_of = {word: card for card in survey.deck.kinds for word in _last(survey.outcomes[card])}
    return {
        action: card_of[word]
        for action, words in survey.words.items()
        for word in _last(words)
        if word in card_of
    }


def _last(words: set[str]) -> set[str]:
    return {each.split()[-1] for each in words if each.split()}
