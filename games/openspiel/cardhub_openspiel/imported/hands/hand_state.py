"""The state of a card game of OpenSpiel, and a viewer's knowledge of its history."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from cardhub import Omitted, Range
from cardhub.model.table.faces import BLANK, blanked
from cardhub_openspiel.imported.hands.known_history import (
    NOBODY,
    KnownHistory,
    Returns,
    UnknownDraw,
    option_of,
)
from cardhub_openspiel.imported.laid.hidden_actions import UNKNOWN
from cardhub_openspiel.imported.laid.laid_actions import LaidActions
from cardhub_openspiel.imported.openspiel_game import DRAWN, OpenSpielState
from cardhub_openspiel.imported.original import History


class HandState(OpenSpielState):
    """The state of a card game.

    `actors`: OpenSpiel's player for each step. `returns`: for each change of the public returns,
    an index in the history and the returns. `is_hiding`: 1 if the next action is hidden. `under`:
    the cards that were put under the stack.
    """

    actors: Annotated[list[int], Omitted()]
    returns: Annotated[list[int], Omitted()]
    is_hiding: Annotated[int, Range(0, 1)]
    under: Annotated[list[int], Omitted()]


@dataclass(frozen=True, slots=True)
class HandCards:
    """The tokens of a card game: `decks` decks of `kinds`, then the sets for hidden actions.

    `has_options`: the cards of a set are numbers of legal actions instead of actions.
    """

    kinds: Sequence[int]
    decks: int
    laid: LaidActions
    has_options: bool

    def deck(self, token: int) -> int:
        """Return the deck number of a token that is not laid."""
        return token // len(self.kinds)

    def drawn(self, state: OpenSpielState) -> dict[int, int]:
        """Return the tokens of drawn and laid cards by their indices in the history."""
        indices = (index for index, step in enumerate(state.moves) if step == DRAWN)
        return dict(zip(indices, state.drawn, strict=True))

    def draws(self, state: OpenSpielState) -> dict[int, int]:
        """Return the tokens of drawn cards by their indices in the history."""
        return {n: token for n, token in self.drawn(state).items() if token < self.laid.first}

    def next_token(self, state: HandState, *, is_new: bool) -> int:
        """Return the token for the next draw; the first token of the sets if the decks are used."""
        draws, size = [token for token in state.drawn if token < self.laid.first], len(self.kinds)
        deck, used = draws[-1] // size + is_new if draws else 0, set(draws)
        # The tokens of a deck are drawn in order, at last the tokens under the stack.
        tokens = [t for t in range(deck * size, (deck + 1) * size) if t not in state.under]
        remaining = (token for token in (*tokens, *state.under) if token not in used)
        return next((t for t in remaining if t // size == deck < self.decks), self.laid.first)

    def current(self, state: OpenSpielState) -> list[int]:
        """Return the indices of the draws from the present deck."""
        draws = self.draws(state)
        last = max(map(self.deck, draws.values()), default=0)
        return [index for index, token in draws.items() if self.deck(token) == last]

    def value(self, token: int, face: int) -> int:
        """Return the step that a token's face means."""
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

    def knowledge(self, state: HandState, steps: History, player: int) -> KnownHistory:
        """Return the knowledge of the history in a state; `player`: the player to act."""
        size, drawn = len(self.kinds), self.drawn(state)
        draws = {n: token for n, token in drawn.items() if token < self.laid.first}
        decks: list[set[int]] = [set() for _ in range(max(draws.values()) // size + 1)]
        starts = dict[int, int]()
        for index, token in draws.items():
            decks[token // size].add(steps[index])
            starts.setdefault(token // size, index)
        faces = blanked(state.face) if state.under else []
        for token in state.under:  # all players have seen this card
            decks[token // size].add(self.value(token, faces[token]))
        laid_tokens = {n: token for n, token in drawn.items() if n not in draws}
        width = state.seats + 1
        changes = (state.returns[n : n + width] for n in range(0, len(state.returns), width))
        return KnownHistory(
            steps,
            tuple(
                UnknownDraw(n, token // size, self._holder(state, token))
                for n, token in draws.items()
                if steps[n] == UNKNOWN
            ),
            tuple((n, self._receiver(state, token)) for n, token in laid_tokens.items()),
            tuple(tuple([c for c in self.kinds if c not in seen_cards]) for seen_cards in decks),
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
