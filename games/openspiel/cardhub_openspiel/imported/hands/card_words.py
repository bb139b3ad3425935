"""The cards that OpenSpiel's words for an action name."""

import re
from collections.abc import Mapping
from typing import Any

from cardhub_openspiel.imported.original import Original
from cardhub_openspiel.library import pyspiel


class CardWords:
    """The cards that actions concern, found by the words for cards in the actions' words.

    `outcomes`: the words for drawing each card; the last word is the card's name: `9D` in
    `Deal 9D`. `actions`: the words of the actions that random play met. An action may concern
    several cards: `Choose 9D KC`, `5h6h7h`. `laid`: a hidden action, or None if the game has none.
    """

    def __init__(
        self,
        original: Original,
        outcomes: Mapping[int, set[str]],
        actions: Mapping[int, set[str]],
        laid: int | None = None,
    ) -> None:
        self._start = original.game.new_initial_state()
        names = {o: min(words).split()[-1:] for o, words in outcomes.items() if words}
        self._card_of = {word: card for card, last in names.items() for word in last}
        longest_first = sorted(map(re.escape, self._card_of), key=len, reverse=True)
        self._word = re.compile("|".join(longest_first) or r"(?!)")
        self._cards_of = {action: self.parse(min(words)) for action, words in actions.items()}
        # The number of cards that a hidden action gives away.
        self.cards_given = 0 if laid is None else len(self.of(laid))

    def of(self, action: int, state: Any = None) -> tuple[int, ...]:
        """Return the cards that an action concerns.

        `state`: a state in which the action is legal, or None for the initial state.
        """
        cards = self._cards_of.get(action)
        if cards is None:
            at, player = (self._start, 0) if state is None else (state, state.current_player())
            try:
                cards = self.parse(at.action_to_string(player, action))
            except pyspiel.SpielError:
                return ()  # the action has no words in this state
            self._cards_of[action] = cards
        return cards

    def parse(self, words: str) -> tuple[int, ...]:
        """Return the cards in all words that consist only of names of cards."""
        return tuple(
            self._card_of[name]
            for word in words.split()
            if not self._word.sub("", word)
            for name in self._word.findall(word)
        )
