"""An OpenSpiel game with actions that others do not observe immediately, as a cardhub game.

A hidden action is a card that its player lays face down. In the state it is a token in `drawn`,
like a card that chance draws.
"""

from typing import Any, ClassVar

from typing_extensions import override

from cardhub.base.errors import IllegalActionError
from cardhub.model.game.scene import Area, Names, Scene
from cardhub.model.table.faces import BLANK, blanked
from cardhub.model.table.settings import Settings
from cardhub.model.table.state import CHANCE, OVER
from cardhub_openspiel.imported.laid.hidden_actions import (
    UNKNOWN,
    histories,
    is_hidden,
    newly_observed,
)
from cardhub_openspiel.imported.laid.laid_actions import LaidActions
from cardhub_openspiel.imported.openspiel_game import (
    DRAWN,
    OpenSpielGame,
    OpenSpielState,
)
from cardhub_openspiel.imported.original import History


class LaidActionsGame(OpenSpielGame):
    """A game of OpenSpiel in which some actions are cards laid face down."""

    laid: ClassVar[LaidActions]

    @property
    def _room(self) -> int:
        """The greatest usual number of laid cards on the table."""
        return len(self.laid.players)

    @override
    def pack(self, settings: Settings, seats: int) -> list[int]:
        return self.cards.all_copies()

    @override
    def legal(self, state: OpenSpielState) -> list[int]:
        legal = super().legal(state)
        if not self._is_laid(state):
            return legal
        first = self.actions.starts[-1]
        token_of = {self.laid.action(state.face[token]): token for token in self._set(state)}
        return [first + token_of[action] for action in legal]

    @override
    def apply(self, state: OpenSpielState, action: int) -> None:
        token = self.actions.token(action)
        if token is None:
            first = self.original.game.num_distinct_actions()
            state.moves.append(action if state.seat != CHANCE else action - first)
        else:
            state.move(token, state.stack, state.drawn)
            state.moves.append(DRAWN)
        self._draw(state)

    @override
    def plausible(self, state: OpenSpielState) -> bool:
        return self.original.is_possible(self._steps(state))

    @override
    def scene(self, state: OpenSpielState, viewer: int) -> Scene:
        laid = (
            [Area("laid", self._laid_tokens(state), room=self._room)] if self.laid.players else []
        )
        return Scene(self._prompt(state, viewer), [*self._lines(state, viewer), *laid])

    def _laid_tokens(self, state: OpenSpielState) -> list[int]:
        """Return the laid cards on the table: the cards that a viewer has not seen yet."""
        return [token for token in state.drawn if state.seen[token] != state.everybody]

    @override
    def narration(
        self, before: OpenSpielState, action: int, after: OpenSpielState, names: Names
    ) -> list[str]:
        token = self.actions.token(action)
        if token is None:
            lines = super().narration(before, action, after, names)
        else:
            lines = [f"{names.player(before.seat)} lays {names.phrase(token)}"]
        old, new = blanked(before.face), blanked(after.face)
        turned_up = (
            token
            for token in before.drawn
            if token >= self.laid.first and old[token] == BLANK != new[token]
        )
        return lines + [
            f"{names.player(self.laid.player(token))} had laid "
            + self._laid_words(after, token, names)
            for token in turned_up
        ]

    def _laid_words(self, state: OpenSpielState, token: int, names: Names) -> str:
        """Return the words for a laid card that is turned up."""
        return names.card(token)

    @override
    def action_label(self, state: OpenSpielState, action: int) -> str:
        # A card's name differs from viewer to viewer, and only its player can list the actions.
        return "" if self._is_laid(state) else super().action_label(state, action)

    @override
    def _draw(self, state: OpenSpielState) -> None:
        node = self._at(state)
        if node.is_terminal():
            state.reveal(state.drawn)  # the returns depend on these cards
            state.seat = OVER
            return
        self._show_news(state)
        if node.is_chance_node():
            self.original.refuse_unseen(node)
            state.seat = CHANCE
        else:
            state.seat = int(node.current_player())
            for token in self._set(state) if self._is_laid(state) else ():
                state.show(token, state.seat)

    @override
    def _at(self, state: OpenSpielState) -> Any:
        # Unseen actions are filled in arbitrarily: `newly_observed` guarantees that a seat's view
        # does not depend on them.
        return self.original.at(self._history(state))

    def _history(self, state: OpenSpielState) -> History:
        history = next(histories(self.original, self._steps(state)), None)
        if history is None:
            raise IllegalActionError(f"{self.name}: this combination of laid cards is impossible")
        return history

    def _steps(self, state: OpenSpielState) -> History:
        faces = blanked(state.face)
        actions = (
            UNKNOWN if faces[token] == BLANK else self.laid.action(faces[token])
            for token in state.drawn
        )
        return tuple(next(actions) if step == DRAWN else step for step in state.moves)

    def _is_laid(self, state: OpenSpielState) -> bool:
        """Return whether the seat to act lays a card, for a hidden action or its only action."""
        if state.seat not in self.laid.players:
            return False
        node = self._at(state)
        return len(node.legal_actions()) < 2 or is_hidden(self.original, node)

    def _set(self, state: OpenSpielState) -> range:
        """Return the cards from which the seat to act chooses one."""
        used = sum(self.laid.player(token) == state.seat for token in state.drawn)
        return self.laid.tokens(state.seat, used)

    def _show_news(self, state: OpenSpielState) -> None:
        """Show laid cards to the seats that learn them from OpenSpiel in this state."""
        history = self._history(state)
        steps = [number for number, step in enumerate(state.moves) if step == DRAWN]
        token_of = dict(zip(steps, state.drawn, strict=True))
        for seat in range(state.seats):
            unknown = [step for step in steps if not state.seen[token_of[step]] >> seat & 1]
            for step in newly_observed(self.original, history, unknown, seat):
                state.show(token_of[step], seat)
        seats = (1 << state.seats) - 1
        state.reveal(token for token in state.drawn if state.seen[token] & seats == seats)
