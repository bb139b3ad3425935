"""The state of a card game of OpenSpiel, and what a viewer knows of its history."""

from collections.abc import Sequence
from dataclasses import dataclass

from cardhub.learning.adapters.openspiel_games.hands.known_history import (
    NOBODY,
    KnownHistory,
    Returns,
    UnknownDraw,
    option_of,
)
from cardhub.learning.adapters.openspiel_games.laid.hidden_actions import UNKNOWN
from cardhub.learning.adapters.openspiel_games.laid.laid_actions import LaidActions
from cardhub.learning.adapters.openspiel_games.openspiel_game import DRAWN, OpenSpielState
from cardhub.learning.adapters.openspiel_games.original import History
from cardhub.model.table.faces import BLANK, blanked


class HandState(OpenSpielState):
    """The state of a card game.

    `actors` has OpenSpiel's player for each step, `is_hiding` is 1 if the next action is hidden;
    `returns` has an index in the history and the public returns, for each change; `under` are the
    cards that were put under the stack.
    """

    actors: list[int]
    returns: list[int]
    is_hiding: int
    under: list[int]


@dataclass(frozen=True, slots=True)
class HandCards:
    """The tokens of a card game: `decks` of the cards `kinds`, then the sets for hidden actions.

    With `has_options` a set has numbers of legal actions instead of actions.
    """

    kinds: Sequence[int]
    decks: int
    laid: LaidActions
    has_options: bool

    def deck(self, token: int) -> int:
        """Return the number of the deck of a token that is no laid one."""
        return token // len(self.kinds)

    def drawn(self, state: OpenSpielState) -> dict[int, int]:
        """Return the drawn and laid cards by their indices in the history."""
        indices = (index for index, step in enumerate(state.moves) if step == DRAWN)
        return dict(zip(indices, state.drawn, strict=True))

    def draws(self, state: OpenSpielState) -> dict[int, int]:
        """Return the drawn cards by their indices in the history."""
        return {n: token for n, token in self.drawn(state).items() if token < self.laid.first}

    def next_token(self, state: HandState, *, is_new: bool) -> int:
        """Return the token for the next draw; the first laid one if there is none."""
        draws = [token for token in state.drawn if token < self.laid.first]
        deck, size = self.deck(draws[-1]) + is_new if draws else 0, len(self.kinds)
        # The tokens of a deck in their order, at last those that were put under the stack.
        tokens = [t for t in range(deck * size, (deck + 1) * size) if t not in state.under]
        left = (token for token in (*tokens, *state.under) if token not in draws)
        return next((t for t in left if self.deck(t) == deck < self.decks), self.laid.first)

    def current(self, state: OpenSpielState) -> list[int]:
        """Return the indices of the draws from the present deck."""
        draws = self.draws(state)
        last = max(map(self.deck, draws.values()), default=0)
        return [index for index, token in draws.items() if self.deck(token) == last]

    def value(self, token: int, face: int) -> int:
        """Return the step that a face stands for."""
        if token < self.laid.first:
            return self.kinds[face % len(self.kinds)]
        action = self.laid.action(face)
        return option_of(action) if self.has_options else action

    def steps(self, state: OpenSpielState) -> History:
        """Return the history, with UNKNOWN for faces that are hidden in this state."""
        faces, steps = blanked(state.face), list(state.moves)
        for index, token in self.drawn(state).items():
            face = faces[token]
            steps[index] = UNKNOWN if face == BLANK else self.value(token, face)
        return tuple(steps)

    def known(self, state: HandState, steps: History, player: int) -> KnownHistory:
        """Return what is known of the history in a state; `player` is to act."""
        draws = self.draws(state)
        decks: list[set[int]] = [set() for _ in range(max(map(self.deck, draws.values())) + 1)]
        starts = dict[int, int]()
        for index, token in draws.items():
            decks[self.deck(token)].add(steps[index])
            starts.setdefault(self.deck(token), index)
        faces = blanked(state.face)
        for token in state.under:  # all have seen it
            decks[self.deck(token)].add(self.value(token, faces[token]))
        laid = {n: t for n, t in self.drawn(state).items() if n not in draws}
        width = state.seats + 1
        changes = (state.returns[n : n + width] for n in range(0, len(state.returns), width))
        return KnownHistory(
            steps,
            tuple(
                UnknownDraw(n, self.deck(token), self._holder(state, token))
                for n, token in draws.items()
                if steps[n] == UNKNOWN
            ),
            tuple((n, self._receiver(state, token)) for n, token in laid.items()),
            tuple(tuple(card for card in self.kinds if card not in seen) for seen in decks),
            tuple(starts.values()),
            (*state.actors, player),
            tuple(Returns(index, tuple(values)) for index, *values in changes),
        )

    def _holder(self, state: HandState, token: int) -> int:
        """Return the first player who has seen a card."""
        return next((s for s in range(state.seats) if state.seen[token] >> s & 1), NOBODY)

    def _receiver(self, state: HandState, token: int) -> int:
        """Return another player who has seen a laid card."""
        player = self.laid.player(token)
        seats = (s for s in range(state.seats) if s != player and state.seen[token] >> s & 1)
        return next(seats, NOBODY)
