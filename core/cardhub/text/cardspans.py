"""Cards as spans: the face where the viewer has seen it, otherwise the back."""

from collections.abc import Collection, Mapping
from typing import Any

from cardhub.game.scene import Area
from cardhub.hidden.observation import Observation
from cardhub.table.faces import blanked
from cardhub.text.glyphs import Glyphs
from cardhub.text.sheet import Role, Span
from cardhub.text.wrapping import Word
from cardhub.view.spots import Spot

HIDDEN = -1


class CardSpans:
    """Builds the spans of one sheet from an observation, its legal actions and changed tokens.

    `marks` are the texts to show with tokens, as in a scene.
    """

    def __init__(
        self,
        observation: Observation[Any],
        glyphs: Glyphs,
        legal: Mapping[Spot, tuple[int, ...]],
        changed: Collection[int],
        marks: Mapping[int, str],
    ) -> None:
        self.glyphs = glyphs
        self._game = observation.game
        self._faces = blanked(observation.state.face)
        self._backs = observation.state.back
        self._legal = legal
        self._changed = changed
        self._marks = marks
        # Labels with blanks need a wider gap, so that one can see where a card ends.
        self._gap = len(self._game.cards.separator)

    def face(self, token: int, closed: bool = False) -> int:
        """Return the index of the face to show, or HIDDEN."""
        return HIDDEN if closed else self._faces[token]

    def name(self, token: int, closed: bool = False) -> str:
        """Return the name of a large card: its face's, or its back's such as `R?`."""
        face, cards = self.face(token, closed), self._game.cards
        name = cards.backs[self._backs[token]].unknown if face < 0 else cards.faces[face].label
        return self.glyphs.text(name)

    def detail(self, token: int, closed: bool = False) -> str:
        """Return the game's detail of a face as a string, empty for a back."""
        face = self.face(token, closed)
        if face < 0:
            return ""
        return self.glyphs.text(self._game.detail(self._game.cards.faces[face]))

    def mark(self, token: int) -> str:
        """Return the mark of a token as a string, empty without one."""
        return self.glyphs.text(self._marks.get(token, ""))

    def small_mark(self, token: int) -> str:
        """Return the mark for a small card: in parentheses, or empty."""
        mark = self.mark(token)
        return f"({mark})" if mark else ""

    def role(self, token: int, closed: bool = False) -> Role:
        """Return `card` for a face, `back` for a back."""
        return "card" if self.face(token, closed) >= 0 else "back"

    def is_legal(self, spot: Spot) -> bool:
        """Return whether a legal action refers to the spot."""
        return spot in self._legal

    def is_changed(self, token: int) -> bool:
        """Return whether a card is to be marked as changed."""
        return token in self._changed

    def marked(self, text: str, is_legal: bool) -> str:
        """Return a string, in brackets if it stands for a legal action."""
        opening, closing = self.glyphs.legal
        return f"{opening}{text}{closing}" if is_legal else text

    def span(self, token: int, spot: Spot, text: str, role: Role, is_stop: bool) -> Span:
        """Return a span that shows a card as the given string."""
        # A legal spot is always a stop, so that the cursor reaches every action.
        legal, changed = self.is_legal(spot), self.is_changed(token)
        return Span(text, role, self._colour(token, role), spot, is_stop or legal, legal, changed)

    def small(self, token: int, area: Area, number: int) -> Word:
        """Return a small card: `R14`, or the letter of a back without a gap before it."""
        spot = Spot("card", token, number)
        # Backs stand close together: a hand of ten unseen cards takes ten cells.
        role = self.role(token, area.closed)
        letter = self._game.cards.backs[self._backs[token]].letter
        name = self.name(token, area.closed) if role == "card" else self.glyphs.text(letter)
        text = self.marked(name, self.is_legal(spot))
        if self.is_changed(token):
            text += self.glyphs.changed
        is_seen, mark = role == "card", self.small_mark(token)
        marks = (Span(mark, "note", "", spot),) if mark else ()
        card = self.span(token, spot, text, role, is_seen or bool(mark))
        return Word((card, *marks), gap=self._gap if is_seen or mark else 0)

    def heading(self, area: Area, number: int) -> list[Word]:
        """Return an area's caption, its number of cards, and its note."""
        spot = Spot("area", 0, number)
        is_legal = self.is_legal(spot)
        parts = self.glyphs.text(area.note).split()
        if area.tokens or not area.note:
            parts.insert(0, str(len(area.tokens)))
        if caption := self.marked(self.glyphs.text(area.caption), is_legal):
            parts.insert(0, caption)
        first = Span(parts[0], "caption", "", spot, is_stop=True, is_legal=is_legal)
        rest = [Word((Span(part, "note", "", spot),)) for part in parts[1:]]
        return [Word((first,), gap=2), *rest]

    def _colour(self, token: int, role: Role) -> str:
        face, cards = self._faces[token], self._game.cards
        # A shown back has the colour of its kind: the colour of the face would give it away.
        own: str = cards.faces[face].colour if face >= 0 and role != "back" else ""
        return own or cards.backs[self._backs[token]].colour
