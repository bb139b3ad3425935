"""An OpenSpiel card game whose public actions depend on hidden cards, as a cardhub game.

A `Completion` fills in the cards that a viewer has not seen. This is a possible deal but not a fair
sample, so the game supports no determinizations. Facts that are public although they follow from
hidden cards, for example who leads, are published as answers.
"""

from typing import ClassVar

from typing_extensions import override

from cardhub import CHANCE, OVER, HiddenFaceError, IllegalActionError
from cardhub.model.table.faces import BLANK, blanked
from cardhub_openspiel.imported.hands.hand_facts import HandFacts
from cardhub_openspiel.imported.hands.hand_state import HandState
from cardhub_openspiel.imported.hands.known_history import (
    CHANCE_PLAYER,
    TERMINAL_PLAYER,
)
from cardhub_openspiel.imported.hands.public_facts import (
    CHANCE_NODE,
    DRAW,
    END,
    HIDDEN,
    NEW_DECK,
    PUT_BACK,
)
from cardhub_openspiel.imported.laid.hidden_actions import UNKNOWN, is_hidden
from cardhub_openspiel.imported.laid.laid_actions_game import LaidActionsGame
from cardhub_openspiel.imported.openspiel_game import DRAWN, OpenSpielState
from cardhub_openspiel.imported.original import History


class HandGame(LaidActionsGame):
    """A card game of OpenSpiel with hands, for example Hearts."""

    state_type = HandState
    no_determinizations = "its public actions depend on hidden cards, such as following suit"
    facts: ClassVar[HandFacts]
    display_type = ".hand_display:HandDisplay"

    @override
    def deal(self, state: OpenSpielState) -> None:
        assert isinstance(state, HandState)
        # The index of the first step, then the returns from there: zeros.
        has_returns = self.facts.hand_survey.has_public_returns
        state.returns = [0] * (1 + state.seats) if has_returns else []
        super().deal(state)

    @override
    def legal(self, state: OpenSpielState) -> list[int]:
        if not self.is_of_seat(state):
            # The filled-in cards would decide which actions are legal.
            raise HiddenFaceError("the cards of the seat to act are hidden from this one")
        if not self.is_laid(state):
            return super().legal(state)
        first, tokens = self.actions.starts[-1], self._set(state)
        token_of = {self.laid.action(state.face[token]): token for token in tokens}
        legal = self.state_of(state).legal_actions()
        if self.facts.cards.has_options:
            return [first + token_of[number] for number in range(len(legal))]
        # Cards that are passed together are laid in ascending order, because their order would
        # reveal information.
        history, remaining = self.history(state), self._laid_in_a_row(state)
        last = history[-1] if self._is_in_a_row(state) else -1
        possible = legal[: len(legal) - remaining + 1]
        return [first + token_of[action] for action in possible if action > last]

    @override
    def apply(self, state: OpenSpielState, action: int) -> None:
        assert isinstance(state, HandState)
        state.actors.append(CHANCE_PLAYER if state.seat == CHANCE else state.seat)
        super().apply(state, action)

    def is_of_seat(self, state: OpenSpielState) -> bool:
        """Return whether this state has all faces that the seat to act has seen."""
        faces, seat = blanked(state.face), max(state.seat, 0)
        return not any(state.seen[t] >> seat & 1 and faces[t] == BLANK for t in state.drawn)

    @override
    def plausible(self, state: OpenSpielState) -> bool:
        return True

    @override
    def _draw(self, state: OpenSpielState) -> None:
        assert isinstance(state, HandState)
        if state.actors and state.actors[-1] != CHANCE_PLAYER:
            self.facts.publish_returns(state)
        while (fact := self.facts.next(state)).kind in (DRAW, NEW_DECK, PUT_BACK):
            if fact.kind == PUT_BACK:
                self._put_under(state)
            else:
                self._deal_card(state, fact.of, is_new=fact.kind == NEW_DECK)
        state.is_hiding = int(fact.kind == HIDDEN)
        if fact.kind == END:
            state.reveal(state.drawn)  # the returns depend on these cards
            state.seat = OVER
        elif fact.kind == CHANCE_NODE:
            state.seat = CHANCE
        else:
            state.seat = fact.of
            self.facts.show_news(state)
            for token in self._set(state) if state.is_hiding else ():
                state.show(token, state.seat)

    def _deal_card(self, state: HandState, seats: int, *, is_new: bool) -> None:
        token = self.facts.cards.next_token(state, is_new=is_new)
        if token >= self.laid.first:
            raise IllegalActionError(
                f"{self.name}: here a game has at most {self.facts.cards.decks} deals"
            )
        state.move(token, state.stack, state.drawn)
        state.moves.append(DRAWN)
        state.actors.append(CHANCE_PLAYER)
        if seats == (1 << state.seats) - 1:
            state.reveal([token])
            self.facts.publish_returns(state)
        for seat in range(state.seats):
            if seats >> seat & 1:
                state.show(token, seat)

    def _put_under(self, state: HandState) -> None:
        """Turn the next card up and put it under the stack, because OpenSpiel puts it back."""
        token = self.facts.cards.next_token(state, is_new=False)
        state.reveal([token])
        state.under.append(token)

    @override
    def history(self, state: OpenSpielState) -> History:
        assert isinstance(state, HandState)
        steps = self._steps(state)
        if UNKNOWN not in steps:
            return self.facts.completions.resolved(steps)
        without_seat = CHANCE_PLAYER if state.seat == CHANCE else TERMINAL_PLAYER
        player = state.seat if state.seat >= 0 else without_seat
        return self.facts.completions.of(self.facts.cards.knowledge(state, steps, player))

    @override
    def _steps(self, state: OpenSpielState) -> History:
        return self.facts.cards.steps(state)

    @override
    def is_laid(self, state: OpenSpielState) -> bool:
        assert isinstance(state, HandState)
        return state.seat >= 0 and bool(state.is_hiding)

    def _is_in_a_row(self, state: OpenSpielState) -> bool:
        """Return whether the last step was a hidden action of the seat to act."""
        assert isinstance(state, HandState)
        return bool(state.moves) and state.moves[-1] == DRAWN and state.actors[-1] == state.seat

    def _laid_in_a_row(self, state: OpenSpielState) -> int:
        """Return how many consecutive hidden actions the seat to act takes from here."""
        count, node = 0, self.state_of(state)
        while node.current_player() == state.seat and is_hidden(self.original, node):
            count, node = count + 1, node.child(node.legal_actions()[0])
        return max(count, 1)

    @override
    def _set(self, state: OpenSpielState) -> range:
        laid_tokens = [token for token in state.drawn if token >= self.laid.first]
        used = sum(self.laid.player(token) == state.seat for token in laid_tokens)
        return self.laid.tokens(state.seat, used)
