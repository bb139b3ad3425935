"""The display of an OpenSpiel game: OpenSpiel's text line by line, and its names of actions."""

from typing_extensions import override

from cardhub import CHANCE, OVER, Area, Display, Grid, Names, Scene
from cardhub.model.table.faces import BLANK, blanked
from cardhub_openspiel.imported.names import numbered, without_player
from cardhub_openspiel.imported.openspiel_game import OpenSpielGame, OpenSpielState
from cardhub_openspiel.imported.wrapped_lines import wrapped_lines

# The caption of a line of OpenSpiel's text.
NO_CAPTION = " "
# The greatest number of drawn cards that get a line each.
MOST_LISTED = 4


class OpenSpielDisplay(Display[OpenSpielState]):
    """OpenSpiel's text for each viewer, and its names of actions in sentences."""

    game: OpenSpielGame

    @override
    def scene(self, state: OpenSpielState, viewer: int) -> Scene:
        areas = self.lines(state, viewer)
        if self.game.survey.deck.outcomes:
            areas.append(Area("drawn", state.drawn, look="row"))
        return Scene(self.prompt(state, viewer), areas)

    @override
    def narration(
        self, before: OpenSpielState, action: int, after: OpenSpielState, names: Names
    ) -> list[str]:
        step, actor = action - self.game.original.game.num_distinct_actions(), "chance"
        if before.seat != CHANCE:
            step, actor = action, names.player(before.seat)
        line = f"{actor}: {self.words(before, step)}"
        tokens = [token for token in after.drawn if token not in before.drawn]
        if len(tokens) > MOST_LISTED:
            return [line, f"{len(tokens)} cards are dealt"]
        return [line, *(f"{names.phrase(token)} is drawn" for token in tokens)]

    @override
    def action_label(self, state: OpenSpielState, action: int) -> str:
        # The notation of an action is a number if its name in OpenSpiel depends on the position.
        is_numbered = self.game.actions.text(action, str) == numbered(action)
        is_possible = state.seat >= 0 and action in self.game.legal(state)
        return self.words(state, action) if is_numbered and is_possible else ""

    @override
    def rules(self) -> str:
        original = self.game.original
        parameters = original.game.get_parameters()
        lines = [f"- {name}: {value}" for name, value in sorted(parameters.items())]
        return "\n".join(
            [
                f"# {self.game.title}",
                "",
                f"The rules are OpenSpiel's, of the game `{original.text}`. Its parameters:",
                "",
                *lines,
                "",
            ]
        )

    def prompt(self, state: OpenSpielState, viewer: int) -> str:
        """Return the prompt for a viewer."""
        return "act" if state.seat == viewer else "wait"

    def _text(self, state: OpenSpielState, viewer: int) -> str:
        is_seat = viewer < state.seats
        if is_seat or self.game.original.is_open or state.seat == OVER:
            text = self.game.original.sight(self.game.state_of(state), viewer if is_seat else 0)
        elif self._shows_hidden(state):
            text = str(self.game.state_of(state))
        else:
            return "OpenSpiel shows this game to its players only"
        return self.game.playing_cards.text(text)

    def _shows_hidden(self, state: OpenSpielState) -> bool:
        """Return whether this state has faces that at least one viewer has not seen."""
        faces = blanked(state.face)
        return any(state.seen[t] != state.everybody and faces[t] != BLANK for t in state.drawn)

    def lines(self, state: OpenSpielState, viewer: int) -> list[Area | Grid]:
        """Return the text for a viewer as areas."""
        areas = lines_as_areas(self._text(state, viewer))
        # Pad to a constant number of lines, because OpenSpiel adds lines during a game and areas
        # below would move.
        return [*areas, *[Area(NO_CAPTION, note=" ")] * (self.game.survey.lines - len(areas))]

    def words(self, state: OpenSpielState, step: int) -> str:
        """Return OpenSpiel's name of an action in a state."""
        node = self.game.state_of(state)
        words = node.action_to_string(node.current_player(), step)
        return self.game.playing_cards.text(without_player(" ".join(words.split())))


def lines_as_areas(text: str) -> list[Area | Grid]:
    """Return the lines of OpenSpiel's text as areas."""
    # A note has the full width of the table, and an area with a note shows no count of cards.
    return [Area(NO_CAPTION, note=line) for line in wrapped_lines(text)]
