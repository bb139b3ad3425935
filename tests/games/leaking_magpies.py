"""Magpies that leak hidden information, or rule out possible determinizations."""

from tests.games.faulty_magpies import Noting
from tests.games.magpie import (
    CARDS,
    DRAW,
    DROP,
    FETCHING,
    HIDE,
    TAKE,
    VALUE,
    Magpie,
    MagpieDisplay,
    Table,
)

from cardhub import Actions, Area, Names, Scene, Summary, Tokens
from cardhub.model.table.actions import CardName
from cardhub.model.table.faces import blanked


class NotesHiddenCard(Magpie):
    """Keeps in its state which card was hidden last."""

    state_type = Noting

    def apply(self, state: Table, action: int) -> None:
        """Note the face of a card that is laid face down."""
        if isinstance(state, Noting) and HIDE <= action < DROP:
            state.note = state.face[action - HIDE]
        super().apply(state, action)


class HidesHighOnly(Magpie):
    """Allows hiding cards above 1 only, without the inference in `allows`."""

    def legal(self, state: Table) -> list[int]:
        """Leave out the hiding of low cards."""
        legal = super().legal(state)
        return [a for a in legal if not HIDE <= a < DROP or VALUE[state.face[a - HIDE]] > 1]


class ShowsNoteDisplay(MagpieDisplay):
    """Shows the note in an area."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Add an area with the note."""
        assert isinstance(state, Noting)
        scene = super().scene(state, viewer)
        return Scene(scene.prompt, [*scene.areas, Area(f"note {state.note}")], scene.points)


class ShowsNote(NotesHiddenCard):
    """Shows the note in an area."""

    display_type = ShowsNoteDisplay


class TellsNoteDisplay(MagpieDisplay):
    """Tells the note in the story."""

    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        """Show the note."""
        assert isinstance(after, Noting)
        return [f"something worth {after.note} lies in a nest"]


class TellsNote(NotesHiddenCard):
    """Tells the note in the story."""

    display_type = TellsNoteDisplay


class SumsUpNoteDisplay(MagpieDisplay):
    """Shows the note in the summary."""

    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        """Show the note."""
        assert isinstance(after, Noting)
        return Summary("Nests", [["worth", str(after.note)]])


class SumsUpNote(NotesHiddenCard):
    """Shows the note in the summary."""

    display_type = SumsUpNoteDisplay


class PausesAtNote(NotesHiddenCard):
    """Shows the note in a pause."""

    def apply(self, state: Table, action: int) -> None:
        """Pause after every action."""
        super().apply(state, action)
        assert isinstance(state, Noting)
        state.pause(f"something worth {state.note} lies in a nest")


class LogsNote(NotesHiddenCard):
    """Writes the note into the log."""

    def apply(self, state: Table, action: int) -> None:
        """Log the note after every action."""
        super().apply(state, action)
        assert isinstance(state, Noting)
        state.log("something worth {note} lies in a nest", note=state.note)


class SaysNoteDisplay(MagpieDisplay):
    """Shows the note next to every action."""

    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Show the note."""
        assert isinstance(state, Noting)
        return f"something worth {state.note} lies in a nest"


class SaysNote(NotesHiddenCard):
    """Shows the note next to every action."""

    display_type = SaysNoteDisplay


class NamesChapterByNoteDisplay(MagpieDisplay):
    """Names the part of the game by the note."""

    def chapter(self, state: Table) -> str:
        """Show the note."""
        assert isinstance(state, Noting)
        return f"worth {state.note}"


class NamesChapterByNote(NotesHiddenCard):
    """Names the part of the game by the note."""

    display_type = NamesChapterByNoteDisplay


class AllowsByNote(NotesHiddenCard):
    """Offers the discard pile depending on the card hidden last."""

    def legal(self, state: Table) -> list[int]:
        """Leave out taking."""
        assert isinstance(state, Noting)
        actions = super().legal(state)
        return [DRAW] if state.note % 2 and DRAW in actions else actions


class PeeksAtStack(Magpie):
    """Offers the stack only if its next card is worth points."""

    def legal(self, state: Table) -> list[int]:
        """Leave out drawing a worthless card."""
        if state.phase == FETCHING and state.stack and state.discard:
            return [DRAW, TAKE] if VALUE[state.face[state.stack[-1]]] > 1 else [TAKE]
        return super().legal(state)


class ShowsStackDisplay(MagpieDisplay):
    """Reads hidden faces for its scene."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Sort the stack by value."""
        scene = super().scene(state, viewer)
        stack = Area("sorted", sorted(state.stack, key=lambda token: VALUE[state.face[token]]))
        return Scene(scene.prompt, [*scene.areas, stack], scene.points)


class ShowsStack(Magpie):
    """Reads hidden faces for its scene."""

    display_type = ShowsStackDisplay


class TellsStackDisplay(MagpieDisplay):
    """Reads hidden faces for its story."""

    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        """Show the value of the cards left."""
        return [f"there is {sum(VALUE[after.face[token]] for token in after.stack)} left"]


class TellsStack(Magpie):
    """Reads hidden faces for its story."""

    display_type = TellsStackDisplay


class SumsUpStackDisplay(MagpieDisplay):
    """Reads hidden faces for its summary."""

    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        """Show the value of the cards left."""
        return Summary("Left", [[str(sum(VALUE[after.face[token]] for token in after.stack))]])


class SumsUpStack(Magpie):
    """Reads hidden faces for its summary."""

    display_type = SumsUpStackDisplay


class SortsHands(Magpie):
    """Deals each hand sorted by value."""

    def deal(self, state: Table) -> None:
        """Sort the dealt cards."""
        super().deal(state)
        for hand in state.hand:
            hand.sort(key=lambda token: VALUE[state.face[token]])


class NotesStack(Magpie):
    """Keeps the face of a card in the stack in an extra field."""

    state_type = Noting

    def deal(self, state: Table) -> None:
        """Note the next card."""
        super().deal(state)
        assert isinstance(state, Noting)
        state.note = state.face[state.stack[-1]]


class ReadsHands(Magpie):
    """Looks into all hands without asking."""

    def apply(self, state: Table, action: int) -> None:
        """Add up values that only their owners know."""
        super().apply(state, action)
        sum(VALUE[state.face[token]] for hand in state.hand for token in hand)


class DeniesTruth(Magpie):
    """Rules out that a hidden card is worth more than 3."""

    def allows(self, state: Table, token: int, face: int) -> bool:
        """Rule out what may well be, as long as there are other cards."""
        return VALUE[face] <= 3


class MasksTruth(Magpie):
    """Rules the same out by masks."""

    def possible(self, state: Table, token: int) -> int:
        """Rule out what may well be, as long as there are other cards."""
        return sum(1 << face for face, value in enumerate(VALUE) if value <= 3)


class DoubtsTruth(Magpie):
    """Finds it implausible that the first hand is worth much."""

    def plausible(self, state: Table) -> bool:
        """Rule out what may well be."""
        return sum(VALUE[state.face[token]] for token in state.hand[0]) < 9


# The true faces; a rule must not store them.
FACES: list[int] = []


class Knowing(Tokens):
    """Names the true cards, not those that the viewer knows."""

    def text(self, index: int, name: CardName) -> str:
        """Look the card up."""
        is_kept = index < len(FACES) and FACES[index] >= 0
        return f"{self.verb} {CARDS.faces[FACES[index]].name if is_kept else name(index)}"


class NamesAnyCard(Magpie):
    """Drops cards under their true names; an attempt to drop another's card reveals its name."""

    actions = Actions(*Magpie.actions.groups[:-1], Knowing("drop", CARDS.count))

    def apply(self, state: Table, action: int) -> None:
        """Keep the faces aside."""
        FACES[:] = blanked(state.face)
        super().apply(state, action)


class KnowingPeople(Knowing):
    """Names the true cards to people, too."""

    def label(self, index: int, name: CardName) -> str:
        """Look the card up."""
        return self.text(index, name)


class LabelsAnyCard(NamesAnyCard):
    """As before, in the words of errors."""

    actions = Actions(*Magpie.actions.groups[:-1], KnowingPeople("drop", CARDS.count))


class ReadsForReasonDisplay(MagpieDisplay):
    """Reads a hidden card to explain why it cannot be dropped."""

    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        """Name the value of any card."""
        if action < HIDE or action in self.game.legal(state):
            return None
        return f"a card of {VALUE[state.face[(action - HIDE) % len(state.face)]]} is no use"


class ReadsForReason(Magpie):
    """Reads a hidden card to explain why it cannot be dropped."""

    display_type = ReadsForReasonDisplay
