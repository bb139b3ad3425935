"""The display of an OpenSpiel game with actions laid face down: these lie on the table as cards."""

from typing_extensions import override

from cardhub import Area, Names, Scene
from cardhub.model.table.faces import BLANK, blanked
from cardhub_openspiel.imported.laid.laid_actions_game import LaidActionsGame
from cardhub_openspiel.imported.openspiel_display import OpenSpielDisplay
from cardhub_openspiel.imported.openspiel_game import OpenSpielState


class LaidActionsDisplay(OpenSpielDisplay):
    """OpenSpiel's text and the laid cards, which sentences name once they are turned up."""

    game: LaidActionsGame

    @override
    def scene(self, state: OpenSpielState, viewer: int) -> Scene:
        areas = self.lines(state, viewer)
        if self.game.laid.players:
            areas.append(Area("laid", self.laid_tokens(state), room=self.room))
        return Scene(self.prompt(state, viewer), areas)

    @override
    def narration(
        self, before: OpenSpielState, action: int, after: OpenSpielState, names: Names
    ) -> list[str]:
        token = self.game.actions.token(action)
        if token is None:
            lines = super().narration(before, action, after, names)
        else:
            lines = [f"{names.player(before.seat)} lays {names.before.phrase(token)}"]
        old, new = blanked(before.face), blanked(after.face)
        turned_up = (
            token
            for token in after.drawn
            if token >= self.game.laid.first and old[token] == BLANK != new[token]
        )
        return lines + [
            f"{names.player(self.game.laid.player(token))} had laid "
            + self.laid_words(after, token, names)
            for token in turned_up
        ]

    @override
    def action_label(self, state: OpenSpielState, action: int) -> str:
        # A card's name differs from viewer to viewer, and only its player can list the actions.
        return "" if self.game.is_laid(state) else super().action_label(state, action)

    @property
    def room(self) -> int:
        """The greatest usual number of laid cards on the table."""
        return len(self.game.laid.players)

    def laid_tokens(self, state: OpenSpielState) -> list[int]:
        """Return the laid cards on the table: the cards that a viewer has not seen yet."""
        return [token for token in state.drawn if state.seen[token] != state.everybody]

    def laid_words(self, state: OpenSpielState, token: int, names: Names) -> str:
        """Return the words for a laid card that is turned up."""
        return names.card(token)
