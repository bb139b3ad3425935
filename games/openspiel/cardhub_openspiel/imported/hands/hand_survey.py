"""Properties of a card game whose public actions depend on hidden cards, found by random play."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from cardhub_openspiel.imported.deck import Deck
from cardhub_openspiel.imported.hands.known_cards import is_put_back, refuse_unseen
from cardhub_openspiel.imported.hands.known_history import rounded
from cardhub_openspiel.imported.laid.hidden_actions import is_hidden
from cardhub_openspiel.imported.original import Original, odds, random_step
from cardhub_openspiel.imported.survey import Survey, check_sight

GAMES, MAX_STEPS = 40, 12_000
# The number of steps in which the players' observations are checked, which is slow.
CHECKED_STEPS = 1500


@dataclass(slots=True)
class HandSurvey:
    """The survey of a game, and the greatest counts in a game.

    `decks`: the number of decks, dealt one after the other. `laid`: a player's hidden actions.
    `in_a_row`: a player's consecutive hidden actions. `options`: the legal actions at a hidden
    action. `steps`: the steps played in all games. `has_public_returns`: whether OpenSpiel always
    shows all returns to all players. `laid_now`: the hidden actions of each player in the present
    game. `words`: the words for drawing each card. `a_laid`: a hidden action, or None.
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
        """Return the number to provide for, given the greatest number in random games."""
        return 2 * most if self.decks > 1 else most


def has_hands(deck: Deck) -> bool:
    """Return whether the deck is dealt without replacement and all its cards are different."""
    return bool(deck.outcomes) and not deck.draws and len(deck.kinds) == len(deck.outcomes)


def hand_survey(original: Original, deck: Deck) -> HandSurvey:
    """Return the survey; raises PluginError if an action or a draw is partly hidden."""
    hands, rng = HandSurvey(Survey(deck=deck)), Random(0)
    while hands.steps < MAX_STEPS and hands.survey.games < GAMES:
        _play(original, hands, rng)
        hands.survey.games += 1
    hands.survey.note_more_returns(original, rng, hands.steps)
    hands.has_public_returns &= hands.survey.has_integer_returns
    return hands


def _play(original: Original, hands: HandSurvey, rng: Random) -> None:
    state, draws, decks, row = original.game.new_initial_state(), list[int](), 1, 0
    hands.laid_now.clear()
    changed = False
    while not state.is_terminal():
        hands.survey.note_words(state)
        step = random_step(state, rng)
        if state.is_chance_node():
            if is_new_deck(hands.survey.deck, state, draws):
                draws, decks = [], decks + 1
            if _is_draw(original, hands, state, draws):
                hands.note_cards(state)
                draws.append(step)
            while is_put_back(state, step):
                step = random_step(state, rng)
                draws[-1] = step
        else:
            row = row + 1 if _is_hidden(original, hands, state) else 0
            hands.in_a_row = max(hands.in_a_row, row)
            _note_returns(original, hands, state)
            hands.survey.note_lines(original, state)
        changed = changed or any(state.returns())
        state.apply_action(step)
        hands.steps += 1
    hands.survey.note_lines(original, state)
    hands.survey.note_returns(state.returns())
    hands.decks, hands.laid = (
        max(hands.decks, decks),
        max(hands.laid, *hands.laid_now.values(), 0),
    )
    hands.has_public_returns &= changed


def is_new_deck(deck: Deck, state: Any, draws: list[int]) -> bool:
    """Return whether a chance node draws from a complete deck after draws from another deck."""
    return bool(draws) and not deck.is_next(state, tuple(draws)) and deck.is_next(state, ())


def _is_draw(original: Original, hands: HandSurvey, state: Any, draws: list[int]) -> bool:
    is_checked = hands.steps < CHECKED_STEPS
    if is_checked:
        check_sight(original, state, [o for o in odds(state) if not is_put_back(state, o)])
    if hands.survey.deck.is_next(state, tuple(draws)):
        return True
    if is_checked:
        refuse_unseen(original, state)
    return False


def _is_hidden(original: Original, hands: HandSurvey, state: Any) -> bool:
    if hands.steps >= CHECKED_STEPS and not hands.survey.hidden:
        return False
    if not is_hidden(original, state):
        return False
    player = state.current_player()
    hands.survey.hidden.add(player)
    hands.laid_now[player] += 1
    hands.a_laid = int(state.legal_actions()[0])
    hands.options = max(hands.options, len(state.legal_actions()))
    return True


def _note_returns(original: Original, hands: HandSurvey, state: Any) -> None:
    """Note whether a line that all players see ends with all returns."""
    if hands.has_public_returns and any(state.returns()):
        lines = (set(original.sight(state, p).splitlines()) for p in range(original.players))
        words = [line.split() for line in set.intersection(*lines)]
        values = [str(value) for value in rounded(state.returns())]
        hands.has_public_returns = any(line[-len(values) :] == values for line in words)
