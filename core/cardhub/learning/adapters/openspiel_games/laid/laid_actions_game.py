"""An OpenSpiel game with actions that others do not observe at once, as a cardhub game.

Such an action is a card that its player lays face down. In the state it is a token in `drawn`, as
a card is that chance draws.
"""

from typing import Any, ClassVar

from typing_extensions import override

from cardhub.base.errors import IllegalActionError
from cardhub.learning.adapters.openspiel_games.laid.hidden_actions import (
    UNKNOWN,
    histories,
    is_hidden,
    learned,
)
from cardhub.learning.adapters.openspiel_games.laid.laid_actions import LaidActions
from cardhub.learning.adapters.openspiel_games.openspiel_game import (
    DRAWN,
    OpenSpielGame,
    OpenSpielState,
)
from cardhub.learning.adapters.openspiel_games.original import History
from cardhub.model.game.scene import Area, Names, Scene
from cardhub.model.table.faces import BLANK, blanked
from cardhub.model.table.settings import Settings
from cardhub.model.table.state import CHANCE, OVER


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
        laid = [Area("laid", self._shown(state), room=self._room)] if self.laid.players else []
        return Scene(self._prompt(state, viewer), [*self._lines(state, viewer), *laid])

    def _shown(self, state: OpenSpielState) -> list[int]:
        """Return the laid cards on the table: those that not everybody has seen."""
        return [token for token in state.drawn if state.seen[token] != state.everybody]

    @override
    def narration(
        self, before: OpenSpielState, action: int, after: OpenSpielState, names: Names
    ) -> list[str]:
        token = self.actions.token(action)
        if token is None:
            told = super().narration(before, action, after, names)
        else:
            told = [f"{names.player(before.seat)} lays {names.phrase(token)}"]
        old, new = blanked(before.face), blanked(after.face)
        turned_up = (
            laid
            for laid in before.drawn
            if laid >= self.laid.first and old[laid] == BLANK != new[laid]
        )
        return told + [
            f"{names.player(self.laid.player(laid))} had laid "
            + self._laid_words(after, laid, names)
            for laid in turned_up
        ]

    def _laid_words(self, state: OpenSpielState, token: int, names: Names) -> str:
        """Return the words for a laid card that has been turned up."""
        return names.card(token)

    @override
    def action_label(self, state: OpenSpielState, action: int) -> str:
        # Cards have names, which differ from viewer to viewer; only their player can list them.
        return "" if self._is_laid(state) else super().action_label(state, action)

    @override
    def _draw(self, state: OpenSpielState) -> None:
        now = self._at(state)
        if now.is_terminal():
            state.reveal(state.drawn)  # the returns depend on them
            state.seat = OVER
            return
        self._tell(state)
        if now.is_chance_node():
            self.original.refuse_unseen(now)
            state.seat = CHANCE
        else:
            state.seat = int(now.current_player())
            for token in self._set(state) if self._is_laid(state) else ():
                state.show(token, state.seat)

    @override
    def _at(self, state: OpenSpielState) -> Any:
        # Unseen actions are filled in arbitrarily: `learned` makes sure that what a seat sees does
        # not depend on those that it has not seen.
        return self.original.at(self._history(state))

    def _history(self, state: OpenSpielState) -> History:
        found = next(histories(self.original, self._steps(state)), None)
        if found is None:
            raise IllegalActionError(f"{self.name}: the laid cards are impossible together")
        return found

    def _steps(self, state: OpenSpielState) -> History:
        faces, laid = blanked(state.face), iter(state.drawn)
        known = (
            UNKNOWN if faces[token] == BLANK else self.laid.action(faces[token]) for token in laid
        )
        return tuple(next(known) if step == DRAWN else step for step in state.moves)

    def _is_laid(self, state: OpenSpielState) -> bool:
        """Return whether the seat to act lays a card, as for an action that others may not see."""
        if state.seat not in self.laid.players:
            return False
        now = self._at(state)
        return len(now.legal_actions()) < 2 or is_hidden(self.original, now)

    def _set(self, state: OpenSpielState) -> range:
        """Return the cards from which the seat to act chooses one."""
        used = sum(self.laid.player(token) == state.seat for token in state.drawn)
        return self.laid.tokens(state.seat, used)

    def _tell(self, state: OpenSpielState) -> None:
        """Show the laid cards to the seats that OpenSpiel tells of them now."""
        history = self._history(state)
        steps = [number for number, step in enumerate(state.moves) if step == DRAWN]
        token_of = dict(zip(steps, state.drawn, strict=True))
        for seat in range(state.seats):
            unknown = [step for step in steps if not state.seen[token_of[step]] >> seat & 1]
            for step in learned(self.original, history, unknown, seat):
                state.show(token_of[step], seat)
        seats = (1 << state.seats) - 1
        state.reveal(token for token in state.drawn if state.seen[token] & seats == seats)
