"""The cards that OpenSpiel's words of an action name."""

import re
from collections.abc import Mapping
from typing import Any

from cardhub.learning.adapters.openspiel_games.original import Original
from cardhub.learning.adapters.openspiel_library import pyspiel


class CardWords:
    """The cards that actions are about, by the words for cards that the words of actions contain.

    `outcomes` are the words for drawing each card; a card is called by the last of them: the word
    `9D` in `Deal 9D`. An action may be about several cards: `Choose 9D KC`, `5h6h7h`. `actions` are
    the words of those that were met, `laid` is a hidden one, if there are any.
    """

    def __init__(
        self,
        original: Original,
        outcomes: Mapping[int, set[str]],
        actions: Mapping[int, set[str]],
        laid: int | None = None,
    ) -> None:
        self._start = original.game.new_initial_state()
        named = {o: min(words).split()[-1:] for o, words in outcomes.items() if words}
        self._card_of = {word: card for card, last in named.items() for word in last}
        longest_first = sorted(map(re.escape, self._card_of), key=len, reverse=True)
        self._word = re.compile("|".join(longest_first) or r"(?!)")
        self._known = {action: self.named(min(words)) for action, words in actions.items()}
        # The number of cards of a hidden action.
        self.given = 0 if laid is None else len(self.of(laid))

    def of(self, action: int, state: Any = None) -> tuple[int, ...]:
        """Return the cards that an action is about; in a state in which it is legal, if given."""
        found = self._known.get(action)
        if found is None:
            at, player = (self._start, 0) if state is None else (state, state.current_player())
            try:
                found = self.named(at.action_to_string(player, action))
            except pyspiel.SpielError:
                return ()  # it has no words in this state
            self._known[action] = found
        return found

    def named(self, words: str) -> tuple[int, ...]:
        """Return the cards of each word that consists of cards only."""
        return tuple(
            self._card_of[found]
            for word in words.split()
            if not self._word.sub("", word)
            for found in self._word.findall(word)
        )
