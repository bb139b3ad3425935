"""Cards as spans: the face if it is shown, otherwise the back."""

from collections.abc import Mapping

from cardhub.text.glyphs import Glyphs
from cardhub.text.sheet import Role, Span
from cardhub.text.wrapping import Word
from cardhub.view.spots import Spot
from cardhub.view.view import AreaView, CardCatalogue, CardView


class CardSpans:
    """Builds the spans of one sheet from the game's catalogue and the legal actions by spot."""

    def __init__(
        self, catalogue: CardCatalogue, glyphs: Glyphs, legal: Mapping[Spot, tuple[int, ...]]
    ) -> None:
        self.glyphs = glyphs
        self._catalogue = catalogue
        self._legal = legal
        # Labels with blanks need a wider gap, so that one can see where a card ends.
        self._gap = 2 if any(" " in face.label for face in catalogue.faces) else 1

    def name(self, card: CardView) -> str:
        """Return the name of a large card: its face's, or its back's such as `R?`."""
        if card.face is None:
            return self.glyphs.text(self._catalogue.backs[card.back].unknown)
        return self.glyphs.text(self._catalogue.faces[card.face].label)

    def detail(self, card: CardView) -> str:
        """Return the text below a large card: its foot, or the game's detail of its face."""
        detail = "" if card.face is None else self._catalogue.faces[card.face].detail
        return self.glyphs.text(card.foot or detail)

    def note(self, card: CardView) -> str:
        """Return the head and the mark of a card as a string, empty without them."""
        return self.glyphs.text(_listed(card.head, card.mark))

    def small_note(self, card: CardView) -> str:
        """Return head, foot and mark for a small card: in parentheses, or empty."""
        text = self.glyphs.text(_listed(card.head, card.foot, card.mark))
        return f"({text})" if text else ""

    def role(self, card: CardView) -> Role:
        """Return `card` for a face, `back` for a back."""
        return "back" if card.face is None else "card"

    def is_legal(self, spot: Spot) -> bool:
        """Return whether a legal action refers to the spot."""
        return spot in self._legal

    def marked(self, text: str, is_legal: bool) -> str:
        """Return a string, in brackets if it stands for a legal action."""
        opening, closing = self.glyphs.legal
        return f"{opening}{text}{closing}" if is_legal else text

    def span(self, card: CardView, spot: Spot, text: str, role: Role, is_stop: bool) -> Span:
        """Return a span that shows a card as the given string."""
        # A legal spot is always a stop, so that the cursor reaches every action.
        legal, colour = self.is_legal(spot), self._colour(card)
        return Span(text, role, colour, spot, is_stop or legal, legal, card.is_new)

    def small(self, card: CardView, number: int) -> Word:
        """Return a small card: `R14`, or the letter of a back without a gap before it."""
        spot = Spot("card", card.token, number)
        # Backs stand close together: a hand of ten unseen cards takes ten cells.
        is_seen, note = card.face is not None, self.small_note(card)
        letter = self._catalogue.backs[card.back].letter
        name = self.name(card) if is_seen else self.glyphs.text(letter)
        text = self.marked(name, self.is_legal(spot))
        if card.is_new:
            text += self.glyphs.changed
        notes = (Span(note, "note", "", spot),) if note else ()
        shown = self.span(card, spot, text, self.role(card), is_seen or bool(note))
        return Word((shown, *notes), gap=self._gap if is_seen or note else 0)

    def heading(self, area: AreaView, number: int) -> list[Word]:
        """Return an area's caption, its number of cards, its note and the cards that it awaits."""
        spot = Spot("area", 0, number)
        is_legal = self.is_legal(spot)
        parts = self.glyphs.text(area.note).split()
        if area.count or not area.note:
            parts.insert(0, str(area.count))
        if caption := self.marked(self.glyphs.text(area.caption), is_legal):
            parts.insert(0, caption)
        missing = area.slots - area.count
        if missing > 0:
            parts += [f"(waiting for {missing} more card{'s' if missing > 1 else ''})"]
        first = Span(parts[0], "caption", "", spot, is_stop=True, is_legal=is_legal)
        rest = [Word((Span(part, "note", "", spot),)) for part in parts[1:]]
        return [Word((first,), gap=2), *rest]

    def _colour(self, card: CardView) -> str:
        # A shown back has the colour of its kind: the colour of the face would give it away.
        if card.face is None:
            return self._catalogue.backs[card.back].colour
        return self._catalogue.faces[card.face].colour


def _listed(*texts: str) -> str:
    return ", ".join(text for text in texts if text)
