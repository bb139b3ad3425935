"""Cribs with leaks, and with a method that does not return."""

from tests.games.cribs import DEAL, Cribs, Table

from cardhub import Display, Names, Scene


class NotingTable(Table):
    """A position that remembers too much."""

    note: int


class LeakingDisplay(Display[NotingTable]):
    """Shows a card that nobody has seen."""

    def scene(self, state: NotingTable, viewer: int) -> Scene:
        """Mention the note in the prompt."""
        return Scene(f"{state.note}: choose", super().scene(state, viewer).areas)


class LeakingCribs(Cribs):
    """Notes the card on the stack, which its display shows."""

    state_type, display_type = NotingTable, LeakingDisplay

    def apply(self, state: Table, action: int) -> None:
        """Note the card after a deal."""
        super().apply(state, action)
        if isinstance(state, NotingTable) and action == DEAL:
            state.note = state.face[state.stack[0]]


class WaitingDisplay(LeakingDisplay):
    """Also has a reason that it never finds."""

    def why_not(self, state: NotingTable, action: int, names: Names) -> str | None:
        """Return no reason."""
        while action not in self.game.legal(state):
            pass
        return None


class WaitingCribs(LeakingCribs):
    """Has leaks, and a method of the display that does not return."""

    display_type = WaitingDisplay
