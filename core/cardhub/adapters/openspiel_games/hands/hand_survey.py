"""The facts of a card game whose public actions depend on hidden cards, found by random play."""

from collections import Counter
from random import Random

from cardhub.adapters.openspiel_games.laid.hidden_actions import is_hidden
from cardhub.adapters.openspiel_games.original import Original, random_step
from cardhub.adapters.openspiel_games.survey import Survey, deck_of, has_integer_returns
from cardhub.errors import PluginError

GAMES, MAX_STEPS = 40, 12_000


def hand_survey(original: Original) -> tuple[Survey, int]:
    """Return the facts, and the greatest number of hidden actions of a player in a game.

    Raises PluginError if there is no deck of different cards, an action is hidden in part, or
    after an open one.
    """
    survey, rng, most, steps = Survey(deck=deck_of(original)), Random(0), 0, 0
    if not survey.deck.outcomes or survey.deck.draws:
        raise PluginError(f"{original.text} cannot be played here: no deck is dealt")
    if len(survey.deck.kinds) < len(survey.deck.outcomes):
        raise PluginError(f"{original.text} cannot be played here: some cards are alike")
    while steps < MAX_STEPS and survey.games < GAMES:
        state, laid, is_open = original.game.new_initial_state(), Counter[int](), False
        while not state.is_terminal():
            survey.note_words(state)
            if not state.is_chance_node():
                survey.note_lines(original, state)
                hidden = is_hidden(original, state)
                if hidden and is_open:
                    raise PluginError(f"{original.text}: hidden actions after open ones")
                is_open = not hidden
                laid[state.current_player()] += hidden
            state.apply_action(random_step(state, rng))
            steps += 1
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
