"""Magpies with sides, each with a fault in them."""

from tests.games.magpie import VALUE, Magpie, Table

from cardhub import Settings


class Feathers(Magpie):
    """Has two sides, and no fault: every seat knows them."""

    sides = ("black", "white")

    def side(self, state: Table, seat: int) -> int | None:
        """Return a side by the number of the seat."""
        return seat % 2


class Undecided(Feathers):
    """Has no fault: its partners change, and are nobody's at the end."""

    def side(self, state: Table, seat: int) -> int | None:
        """Return a side in the first phase only."""
        return None if state.phase else seat % 2 if state.seat >= 0 else None


class AlliesTwice(Feathers):
    """Has teams as well."""

    def teams(self, settings: Settings, seats: int) -> list[int]:
        """Return the same team for the first two seats."""
        return [0, 0, *range(2, seats)]


class NamesTwice(Feathers):
    """Has two sides of one name."""

    sides = ("black", "black")


class GoesBeyond(Feathers):
    """Returns the number of a third side."""

    def side(self, state: Table, seat: int) -> int:
        """Return a side that has no name."""
        return 2


class Guesses(Feathers):
    """Takes a side for known that the viewer cannot know."""

    def side(self, state: Table, seat: int) -> int:
        """Return another side if a card of the seat is unseen."""
        return int(all(map(state.has_face, state.hand[seat])))


class NeverTells(Feathers):
    """Has sides by cards that stay hidden at the end."""

    def side(self, state: Table, seat: int) -> int:
        """Return the side by the first card of the hand."""
        return VALUE[state.face[state.hand[seat][0]]] % 2


class DividesScores(Feathers):
    """Has one side for all, whose members have different scores."""

    def side(self, state: Table, seat: int) -> int:
        """Return the same side for every seat."""
        return 0


class AlliedTable(Table):
    """A position with the seat that is white, which follows from hidden cards."""

    white: int


class Whispers(Feathers):
    """Notes the white seat by a hidden card, and shows it to all."""

    state_type = AlliedTable

    def side(self, state: Table, seat: int) -> int:
        """Return the side that was written down."""
        assert isinstance(state, AlliedTable)
        return int(seat == state.white)

    def apply(self, state: Table, action: int) -> None:
        """Read the top card of the stack."""
        super().apply(state, action)
        assert isinstance(state, AlliedTable)
        if state.stack:
            state.white = VALUE[state.face[state.stack[-1]]] % 2
