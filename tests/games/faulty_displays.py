"""Magpies whose display has one fault each, planted on purpose."""

from collections.abc import Sequence

from tests.games.faulty_magpies import Noting
from tests.games.magpie import (
    DRAW,
    Magpie,
    MagpieDisplay,
    Table,
)

from cardhub import (
    WATCHED,
    Actions,
    Area,
    BreakdownRow,
    BreakdownSection,
    Choice,
    Frequency,
    Names,
    PlayedStep,
    Scene,
    Summary,
    Target,
)
from cardhub.model.table.faces import blanked


class PointsNowhereDisplay(MagpieDisplay):
    """Has an action point at an area that is not there."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Misspell an area."""
        scene = super().scene(state, viewer)
        return Scene(scene.prompt, scene.areas, {DRAW: Target("area", "stak")})


class PointsNowhere(Magpie):
    """Has an action point at an area that is not there."""

    display_type = PointsNowhereDisplay


class ShowsTooMuchDisplay(MagpieDisplay):
    """Shows a card that does not exist."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Add a token."""
        scene = super().scene(state, viewer)
        return Scene(scene.prompt, [*scene.areas, Area("more", [len(state.face)])], scene.points)


class ShowsTooMuch(Magpie):
    """Shows a card that does not exist."""

    display_type = ShowsTooMuchDisplay


class PausesForNobody(Magpie):
    """Names the player of a pause without a seat."""

    def apply(self, state: Table, action: int) -> None:
        """Pause before every action."""
        state.pause("{player} waits")
        super().apply(state, action)


class LogsLines(Magpie):
    """Writes two lines as one sentence."""

    def apply(self, state: Table, action: int) -> None:
        """Log every action."""
        super().apply(state, action)
        state.log("{player} acts.\nThat is all", 0)


class CountsViewers(Magpie):
    """Changes the state if people watch."""

    state_type = Noting

    def apply(self, state: Table, action: int) -> None:
        """Note that people watch."""
        super().apply(state, action)
        if WATCHED and isinstance(state, Noting):
            state.note = 1


class Stammers(Magpie):
    """Writes two actions alike."""

    actions = Actions(Choice("roll", ("x", "x", "x")), *Magpie.actions.groups[1:])


class SaysNothingDisplay(MagpieDisplay):
    """Describes no events."""

    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        """Return no sentence."""
        return []


class SaysNothing(Magpie):
    """Describes no events."""

    display_type = SaysNothingDisplay


class SumsUpUnevenlyDisplay(MagpieDisplay):
    """Has a longer second row."""

    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        """Leave out a cell."""
        return Summary("Action", [["player"], [names.player(after.player), "1"]])


class SumsUpUnevenly(Magpie):
    """Has a longer second row."""

    display_type = SumsUpUnevenlyDisplay


class ExplainsEverythingDisplay(MagpieDisplay):
    """Has a reason against every action, legal ones too."""

    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        """Refuse."""
        return "that is never allowed"


class ExplainsEverything(Magpie):
    """Has a reason against every action, legal ones too."""

    display_type = ExplainsEverythingDisplay


class ExplainsAtLengthDisplay(MagpieDisplay):
    """Has a reason of two lines."""

    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        """Refuse in a paragraph."""
        return None if action in self.game.legal(state) else "it is not allowed.\nThat is all"


class ExplainsAtLength(Magpie):
    """Has a reason of two lines."""

    display_type = ExplainsAtLengthDisplay


class SaysAtLengthDisplay(MagpieDisplay):
    """Tells a consequence in two lines."""

    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Go on and on."""
        return "your nest grows\nby a card"


class SaysAtLength(Magpie):
    """Tells a consequence in two lines."""

    display_type = SaysAtLengthDisplay


class NumbersForEachDisplay(MagpieDisplay):
    """Has a chapter for every viewer."""

    def chapter(self, state: Table) -> str:
        """Count the cards that this viewer sees."""
        return f"cards {sum(face >= 0 for face in blanked(state.face))}"


class NumbersForEach(Magpie):
    """Has a chapter for every viewer."""

    display_type = NumbersForEachDisplay


class ForgetsCausesDisplay(MagpieDisplay):
    """Explains a part of the scores."""

    def breakdown(self, state: Table) -> list[BreakdownSection]:
        """Leave out the last point of every seat."""
        points = [score - 1 for score in self.game.scores(state)]
        return [BreakdownSection("", [BreakdownRow("nest", points)])]


class ForgetsCauses(Magpie):
    """Explains a part of the scores."""

    display_type = ForgetsCausesDisplay


class CountsTooMuchDisplay(MagpieDisplay):
    """Counts more events than occasions."""

    def player_statistics(
        self, steps: Sequence[PlayedStep[Table]], seat: int
    ) -> dict[str, Frequency]:
        """Count all steps of the seat as draws."""
        own = sum(step.before.seat == seat for step in steps)
        return {"draws": Frequency(own + 2, of=own + 1)}


class CountsTooMuch(Magpie):
    """Counts more events than occasions."""

    display_type = CountsTooMuchDisplay


class LeavesOutPilesDisplay(MagpieDisplay):
    """Shows areas with cards only."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Leave out areas without cards."""
        scene = super().scene(state, viewer)
        areas = [area for area in scene.areas if not isinstance(area, Area) or area.tokens]
        return Scene(scene.prompt, areas, scene.points)


class LeavesOutPiles(Magpie):
    """Shows areas with cards only."""

    display_type = LeavesOutPilesDisplay


class CrampsHandsDisplay(MagpieDisplay):
    """Has room for two cards in hand."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Declare too little room."""
        scene = super().scene(state, viewer)
        hand = Area("cards", state.hand[0], 0, "count", room=2)
        return Scene(scene.prompt, [*scene.areas, hand], scene.points)


class CrampsHands(Magpie):
    """Has room for two cards in hand."""

    display_type = CrampsHandsDisplay
