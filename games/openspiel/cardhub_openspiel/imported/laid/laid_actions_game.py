"""An OpenSpiel game with actions that others do not observe immediately, as a cardhub game.

A hidden action is a card that its player lays face down. In the state it is a token in `drawn`,
like a card that chance draws.
"""

from typing import Any, ClassVar

from typing_extensions import override

from cardhub import CHANCE, OVER, IllegalActionError, Settings
from cardhub.model.table.faces import BLANK, blanked
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
    display_type = ".laid_actions_display:LaidActionsDisplay"

    @override
    def pack(self, settings: Settings, seats: int) -> list[int]:
        return self.cards.all_copies()

    @override
    def legal(self, state: OpenSpielState) -> list[int]:
        legal = super().legal(state)
        if not self.is_laid(state):
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
    def _draw(self, state: OpenSpielState) -> None:
        node = self.state_of(state)
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
            for token in self._set(state) if self.is_laid(state) else ():
                state.show(token, state.seat)

    @override
    def state_of(self, state: OpenSpielState) -> Any:
        # Unseen actions are filled in arbitrarily: `newly_observed` guarantees that a seat's view
        # does not depend on them.
        return self.original.at(self.history(state))

    def history(self, state: OpenSpielState) -> History:
        """Return OpenSpiel's history, with any possible action in place of an unseen one."""
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

    def is_laid(self, state: OpenSpielState) -> bool:
        """Return whether the seat to act lays a card, for a hidden action or its only action."""
        if state.seat not in self.laid.players:
            return False
        node = self.state_of(state)
        return len(node.legal_actions()) < 2 or is_hidden(self.original, node)

    def _set(self, state: OpenSpielState) -> range:
        """Return the cards from which the seat to act chooses one."""
        used = sum(self.laid.player(token) == state.seat for token in state.drawn)
        return self.laid.tokens(state.seat, used)

    def _show_news(self, state: OpenSpielState) -> None:
        """Show laid cards to the seats that learn them from OpenSpiel in this state."""
        history = self.history(state)
        steps = [number for number, step in enumerate(state.moves) if step == DRAWN]
        token_of = dict(zip(steps, state.drawn, strict=True))
        for seat in range(state.seats):
            unknown = [step for step in steps if not state.seen[token_of[step]] >> seat & 1]
            for step in newly_observed(self.original, history, unknown, seat):
                state.show(token_of[step], seat)
        seats = (1 << state.seats) - 1
        state.reveal(token for token in state.drawn if state.seen[token] & seats == seats)
