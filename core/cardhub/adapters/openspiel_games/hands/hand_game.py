"""An OpenSpiel card game whose public actions depend on hidden cards, as a cardhub game.

The cards of a viewer's state that it has not seen are filled in by a `Completion`. That is one
possible deal and no fair sample, so such a game has no determinizations.
"""

from typing import Any, ClassVar

from typing_extensions import override

from cardhub.adapters.openspiel_games.hands.completion import (
    ANY_PLAYER,
    NOBODY,
    Completions,
    KnownHistory,
)
from cardhub.adapters.openspiel_games.hands.known_cards import is_received, sees_draw
from cardhub.adapters.openspiel_games.laid.hidden_actions import UNKNOWN, is_hidden
from cardhub.adapters.openspiel_games.laid.laid_actions_game import LaidActionsGame
from cardhub.adapters.openspiel_games.openspiel_game import DRAWN, OpenSpielState
from cardhub.adapters.openspiel_games.original import History
from cardhub.errors import HiddenFaceError
from cardhub.table.faces import BLANK, blanked
from cardhub.table.state import CHANCE, OVER

# OpenSpiel's numbers of players for chance and after the end.
CHANCE_PLAYER, TERMINAL_PLAYER = -1, -4


class HandState(OpenSpielState):
    """The state of a card game; `actors` has OpenSpiel's player for each step."""

    actors: list[int]


class HandGame(LaidActionsGame):
    """A card game of OpenSpiel with hands, such as Hearts."""

    state_type = HandState
    no_determinizations = "its public actions depend on hidden cards, such as following suit"
    completions: ClassVar[Completions]

    @override
    def legal(self, state: OpenSpielState) -> list[int]:
        if not self._is_of_seat(state):
            # Those filled in would decide.
            raise HiddenFaceError("the cards of the seat to act are hidden from this one")
        legal = super().legal(state)
        if not self._is_laid(state):
            return legal
        # Cards passed together are laid in ascending order: their order would tell something.
        history, left = self._history(state), self._laid_in_a_row(state)
        last = history[-1] if self._is_in_a_row(state) else -1
        possible = legal[: len(legal) - left + 1]
        return [action for action in possible if self._meaning(state, action) > last]

    @override
    def apply(self, state: OpenSpielState, action: int) -> None:
        assert isinstance(state, HandState)
        state.actors.append(CHANCE_PLAYER if state.seat == CHANCE else state.seat)
        super().apply(state, action)

    @override
    def action_label(self, state: OpenSpielState, action: int) -> str:
        return super().action_label(state, action) if self._is_of_seat(state) else ""

    def _is_of_seat(self, state: OpenSpielState) -> bool:
        """Return whether this state has all faces that the seat to act has seen."""
        faces, seat = blanked(state.face), max(state.seat, 0)
        return not any(state.seen[t] >> seat & 1 and faces[t] == BLANK for t in state.drawn)

    @override
    def plausible(self, state: OpenSpielState) -> bool:
        return True

    @override
    def _draw(self, state: OpenSpielState) -> None:
        was_laid = bool(state.moves) and state.moves[-1] == DRAWN
        now = self._now(state)
        while now.is_chance_node() and self._is_draw(state, now):
            self._deal_card(state)
            now = self._now(state)
        if now.is_terminal():
            state.reveal(state.drawn)  # the returns depend on them
            state.seat = OVER
            return
        if now.is_chance_node():
            self.original.refuse_unseen(now)
            state.seat = CHANCE
            return
        state.seat = self._next(state, now)
        # Of `now`, whose cards may be others: until it is told who has received which cards, those
        # filled in need not fit the player who is to act.
        is_laid = state.seat in self.laid.players and is_hidden(self.original, now)
        if was_laid and not is_laid:
            self._tell(state)
        for token in self._set(state) if is_laid else ():
            state.show(token, state.seat)

    def _deal_card(self, state: OpenSpielState) -> None:
        assert isinstance(state, HandState)
        token = len(self._draws(state))
        state.move(token, state.stack, state.drawn)
        state.moves.append(DRAWN)
        state.actors.append(CHANCE_PLAYER)
        history, draws = self._history(state, ANY_PLAYER), self._draws(state)
        seats = []
        for seat in range(state.seats):
            unseen = [index for index, each in draws.items() if not state.seen[each] >> seat & 1]
            if sees_draw(self.original, history, unseen[:-1], seat):
                seats.append(seat)
        if len(seats) == state.seats:
            state.reveal([token])
        for seat in seats:
            state.show(token, seat)

    def _next(self, state: OpenSpielState, now: Any) -> int:
        # Hidden cards decide it, such as the one that leads; so it has to be made public.
        player = int(now.current_player())
        for seat in range(state.seats - 1):
            if state.answer(lambda: player == seat):  # noqa: B023  # called at once
                return seat
        return state.seats - 1

    @override
    def _tell(self, state: OpenSpielState) -> None:
        history = self._history(state, ANY_PLAYER)
        for index, token in self._tokens(state).items():
            if token >= self.laid.first:
                for seat in range(state.seats):
                    if not state.seen[token] >> seat & 1 and is_received(
                        self.original, history, index, seat
                    ):
                        state.show(token, seat)

    def state_of(self, state: OpenSpielState) -> Any:
        """Return OpenSpiel's state, with cards filled in that are unseen in this one."""
        return self._at(state)

    def _now(self, state: OpenSpielState) -> Any:
        """Return OpenSpiel's state while the seat to act is not yet known."""
        return self.original.at(self._history(state, ANY_PLAYER))

    @override
    def _history(self, state: OpenSpielState, player: int | None = None) -> History:
        if player is None:
            other = CHANCE_PLAYER if state.seat == CHANCE else TERMINAL_PLAYER
            player = state.seat if state.seat >= 0 else other
        steps = self._steps(state)
        if UNKNOWN not in steps:
            return steps
        return self.completions.of(self._known(state, steps, player))

    def _known(self, state: OpenSpielState, steps: History, player: int) -> KnownHistory:
        assert isinstance(state, HandState)
        tokens, draws = self._tokens(state), self._draws(state)
        seen = {steps[index] for index in draws}
        return KnownHistory(
            steps,
            tuple((n, self._holder(state, t)) for n, t in draws.items() if steps[n] == UNKNOWN),
            tuple((n, self._receiver(state, t)) for n, t in tokens.items() if n not in draws),
            tuple(card for card in self.survey.deck.kinds if card not in seen),
            (*state.actors, player),
        )

    def _holder(self, state: OpenSpielState, token: int) -> int:
        """Return the player who has seen a card, by what all know of who has seen it."""
        return next((s for s in range(state.seats) if state.seen[token] >> s & 1), NOBODY)

    def _receiver(self, state: OpenSpielState, token: int) -> int:
        player = self.laid.player(token)
        seats = (s for s in range(state.seats) if s != player and state.seen[token] >> s & 1)
        return next(seats, NOBODY)

    @override
    def _steps(self, state: OpenSpielState) -> History:
        faces, steps = blanked(state.face), list(state.moves)
        for index, token in self._tokens(state).items():
            face = faces[token]
            steps[index] = UNKNOWN if face == BLANK else self._value(token, face)
        return tuple(steps)

    def _value(self, token: int, face: int) -> int:
        is_laid = token >= self.laid.first
        return self.laid.action(face) if is_laid else self.survey.deck.kinds[face]

    def _tokens(self, state: OpenSpielState) -> dict[int, int]:
        """Return the drawn and laid cards by their indices in the history."""
        indices = (index for index, step in enumerate(state.moves) if step == DRAWN)
        return dict(zip(indices, state.drawn, strict=True))

    def _draws(self, state: OpenSpielState) -> dict[int, int]:
        return {n: token for n, token in self._tokens(state).items() if token < self.laid.first}

    def _is_draw(self, state: OpenSpielState, now: Any) -> bool:
        history = self._history(state, ANY_PLAYER)
        return self.survey.deck.is_next(now, tuple(history[n] for n in self._draws(state)))

    def _meaning(self, state: OpenSpielState, action: int) -> int:
        token = self.actions.token(action)
        assert token is not None
        return self._value(token, state.face[token])

    @override
    def _is_laid(self, state: OpenSpielState) -> bool:
        # Hidden actions come first in these games, and each of them is a choice: see `hand_survey`.
        return state.seat in self.laid.players and is_hidden(self.original, self._at(state))

    @property
    @override
    def _room(self) -> int:
        return len(self.laid.players) * self.laid.sets

    def _is_in_a_row(self, state: OpenSpielState) -> bool:
        """Return whether the last step was a hidden action of the seat to act."""
        assert isinstance(state, HandState)
        return bool(state.moves) and state.moves[-1] == DRAWN and state.actors[-1] == state.seat

    def _laid_in_a_row(self, state: OpenSpielState) -> int:
        """Return how many hidden actions the seat to act takes now, one after the other."""
        count, now = 0, self._at(state)
        while now.current_player() == state.seat and is_hidden(self.original, now):
            count, now = count + 1, now.child(now.legal_actions()[0])
        return max(count, 1)

    @override
    def _set(self, state: OpenSpielState) -> range:
        laid = [token for token in state.drawn if token >= self.laid.first]
        used = sum(self.laid.player(token) == state.seat for token in laid)
        return self.laid.tokens(state.seat, used)

    @override
    def _shown(self, state: OpenSpielState) -> list[int]:
        tokens = list(self._tokens(state).values())
        if not tokens or state.moves[-1] != DRAWN:
            return []
        return [token for token in tokens if token >= self.laid.first]
