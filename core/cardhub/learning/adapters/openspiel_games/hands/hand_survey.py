"""The facts of a card game whose public actions depend on hidden cards, found by random play."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from cardhub.learning.adapters.openspiel_games.deck import Deck
from cardhub.learning.adapters.openspiel_games.hands.known_cards import is_put_back, refuse_unseen
from cardhub.learning.adapters.openspiel_games.hands.known_history import rounded
from cardhub.learning.adapters.openspiel_games.laid.hidden_actions import is_hidden
from cardhub.learning.adapters.openspiel_games.original import Original, odds, random_step
from cardhub.learning.adapters.openspiel_games.survey import Survey, check_sight

GAMES, MAX_STEPS = 40, 12_000
# Steps in which it is checked what the players observe, which takes long.
CHECKED_STEPS = 1500


@dataclass(slots=True)
class HandSurvey:
    """The survey of a game, and how much of everything a game has at most.

    `decks` are dealt one after the other, `laid` are hidden actions of a player, `in_a_row` those
    that follow one another, `options` the actions among which one is hidden. `has_public_returns`
    tells whether all players are always told all returns; `words` are those for drawing each card,
    `a_laid` is one of the hidden actions.
    """

    survey: Survey
    decks: int = 1
    laid: int = 0
    in_a_row: int = 0
    options: int = 0
    steps: int = 0
    has_public_returns: bool = True
    laid_now: Counter[int] = field(default_factory=Counter)
    words: dict[int, set[str]] = field(default_factory=dict)
    a_laid: int | None = None

    def note_cards(self, state: Any) -> None:
        """Note the words for the cards that can be drawn."""
        for card in odds(state) if len(self.words) < len(self.survey.deck.kinds) else ():
            self.words.setdefault(card, {state.action_to_string(state.current_player(), card)})

    def room(self, most: int) -> int:
        """Return the number for which there is room, given the greatest one in random games."""
        return 2 * most if self.decks > 1 else most


def has_hands(deck: Deck) -> bool:
    """Return whether a deck is dealt, and all its cards are different."""
    return bool(deck.outcomes) and not deck.draws and len(deck.kinds) == len(deck.outcomes)


def hand_survey(original: Original, deck: Deck) -> HandSurvey:
    """Return the facts; raises PluginError if an action or a draw is hidden in part."""
    found, rng = HandSurvey(Survey(deck=deck)), Random(0)
    while found.steps < MAX_STEPS and found.survey.games < GAMES:
        _play(original, found, rng)
        found.survey.games += 1
    found.survey.note_more_returns(original, rng, found.steps)
    found.has_public_returns &= found.survey.has_integer_returns
    return found


def _play(original: Original, found: HandSurvey, rng: Random) -> None:
    state, drawn, decks, row = original.game.new_initial_state(), list[int](), 1, 0
    found.laid_now.clear()
    changed = False
    while not state.is_terminal():
        found.survey.note_words(state)
        step = random_step(state, rng)
        if state.is_chance_node():
            if is_new_deck(found.survey.deck, state, drawn):
                drawn, decks = [], decks + 1
            if _is_draw(original, found, state, drawn):
                found.note_cards(state)
                drawn.append(step)
            while is_put_back(state, step):
                step = random_step(state, rng)
                drawn[-1] = step
        else:
            row = row + 1 if _is_hidden(original, found, state) else 0
            found.in_a_row = max(found.in_a_row, row)
            _note_returns(original, found, state)
            found.survey.note_lines(original, state)
        changed = changed or any(state.returns())
        state.apply_action(step)
        found.steps += 1
    found.survey.note_lines(original, state)
    found.survey.note_returns(state.returns())
    found.decks, found.laid = max(found.decks, decks), max(found.laid, *found.laid_now.values(), 0)
    found.has_public_returns &= changed


def is_new_deck(deck: Deck, state: Any, drawn: list[int]) -> bool:
    """Return whether a chance node draws from a complete deck, after draws from another one."""
    return bool(drawn) and not deck.is_next(state, tuple(drawn)) and deck.is_next(state, ())


def _is_draw(original: Original, found: HandSurvey, state: Any, drawn: list[int]) -> bool:
    is_checked = found.steps < CHECKED_STEPS
    if is_checked:
        check_sight(original, state, [o for o in odds(state) if not is_put_back(state, o)])
    if found.survey.deck.is_next(state, tuple(drawn)):
        return True
    if is_checked:
        refuse_unseen(original, state)
    return False


def _is_hidden(original: Original, found: HandSurvey, state: Any) -> bool:
    if found.steps >= CHECKED_STEPS and not found.survey.hidden:
        return False
    if not is_hidden(original, state):
        return False
    player = state.current_player()
    found.survey.hidden.add(player)
    found.laid_now[player] += 1
    found.a_laid = int(state.legal_actions()[0])
    found.options = max(found.options, len(state.legal_actions()))
    return True


def _note_returns(original: Original, found: HandSurvey, state: Any) -> None:
    """Note whether one line that all players are shown has all returns."""
    if found.has_public_returns and any(state.returns()):
        lines = (set(original.sight(state, p).splitlines()) for p in range(original.players))
        words = [line.split() for line in set.intersection(*lines)]
        values = [str(value) for value in rounded(state.returns())]
        found.has_public_returns = any(line[-len(values) :] == values for line in words)
