"""The display of an OpenSpiel card game with hands, whose laid cards can be numbered options."""

from typing_extensions import override

from cardhub import Names
from cardhub.model.table.faces import BLANK, blanked
from cardhub_openspiel.imported.hands.hand_game import HandGame
from cardhub_openspiel.imported.laid.laid_actions_display import LaidActionsDisplay
from cardhub_openspiel.imported.openspiel_game import DRAWN, OpenSpielState


class HandDisplay(LaidActionsDisplay):
    """OpenSpiel's words for options, for those who can see the cards on which they depend."""

    game: HandGame

    @override
    def narration(
        self, before: OpenSpielState, action: int, after: OpenSpielState, names: Names
    ) -> list[str]:
        lines = super().narration(before, action, after, names)
        if (
            self.game.is_laid(before)
            and self.game.facts.cards.has_options
            and self.game.is_of_seat(before)
        ):
            words = self._option_words(before, action)
            return [f"{names.player(before.seat)}: {words}", *lines[1:]] if words else lines
        return lines

    @override
    def action_label(self, state: OpenSpielState, action: int) -> str:
        if not self.game.is_of_seat(state):
            return ""
        if self.game.is_laid(state) and self.game.facts.cards.has_options:
            return self._option_words(state, action)
        return super().action_label(state, action)

    def _option_words(self, state: OpenSpielState, action: int) -> str:
        """Return OpenSpiel's words for an action whose card is a number; empty if unknown."""
        token = self.game.actions.token(action)
        face = BLANK if token is None else blanked(state.face)[token]
        legal = self.game.state_of(state).legal_actions()
        number = len(legal) if face == BLANK else self.game.laid.action(face)
        return self.words(state, legal[number]) if number < len(legal) else ""

    @override
    def laid_words(self, state: OpenSpielState, token: int, names: Names) -> str:
        if not self.game.facts.cards.has_options:
            return super().laid_words(state, token, names)
        history, tokens = self.game.history(state), self.game.facts.cards.drawn(state)
        index = next(number for number, drawn in tokens.items() if drawn == token)
        node = self.game.original.at(history[:index])
        words = str(node.action_to_string(node.current_player(), history[index]))
        return self.game.playing_cards.text(words)

    @property
    @override
    def room(self) -> int:
        return len(self.game.laid.players) * self.game.facts.hand_survey.in_a_row

    @override
    def laid_tokens(self, state: OpenSpielState) -> list[int]:
        """Return the laid cards since the last step of another kind."""
        tokens = list[int]()
        for token, step in zip(reversed(state.drawn), reversed(state.moves), strict=False):
            if step != DRAWN or token < self.game.laid.first:
                break
            tokens.insert(0, token)
        return tokens
