"""Cards as spans: a face where it has been seen, the back's letter elsewhere."""

from collections.abc import Collection, Mapping
from typing import Any

from cardhub.game.scene import Area, Target
from cardhub.hidden.observation import Observation
from cardhub.table.faces import blanked
from cardhub.text.flow import Word
from cardhub.text.glyphs import Glyphs
from cardhub.text.sheet import Role, Span, Spot

HIDDEN = -1


class CardSpans:
    """Makes the spans of one sheet: knows what the viewer may see, what is legal, what changed."""

    def __init__(
        self,
        observation: Observation[Any],
        glyphs: Glyphs,
        legal: Mapping[Spot, tuple[int, ...]],
        changed: Collection[int],
    ) -> None:
        self.glyphs = glyphs
        self._game = observation.game
        self._faces = blanked(observation.state.face)
        self._backs = observation.state.back
        self._legal = legal
        self._changed = changed

    def face(self, token: int, closed: bool = False) -> int:
        """Return the face to show, or HIDDEN."""
        return HIDDEN if closed else self._faces[token]

    def name(self, token: int, closed: bool = False) -> str:
        """Return what a large card is called: its name, or the back's `R?`."""
        face, cards = self.face(token, closed), self._game.cards
        name = cards.backs[self._backs[token]].unknown if face < 0 else cards.faces[face].name
        return self.glyphs.text(name)

    def detail(self, token: int, closed: bool = False) -> str:
        """Return what the game wants beneath a large card."""
        face = self.face(token, closed)
        if face < 0:
            return ""
        return self.glyphs.text(self._game.detail(self._game.cards.faces[face]))

    def colour(self, token: int, role: Role) -> str:
        """Return the name of the colour of a card's face, or of its back if that is shown."""
        face, cards = self._faces[token], self._game.cards
        own: str = cards.faces[face].colour if face >= 0 and role != "back" else ""
        return own or cards.backs[self._backs[token]].colour

    def role(self, token: int, closed: bool = False) -> Role:
        """Return whether a face or a back is shown."""
        return "card" if self.face(token, closed) >= 0 else "back"

    def is_legal(self, spot: Spot) -> bool:
        """Return whether something can be done with what is at the spot."""
        return spot in self._legal

    def is_changed(self, token: int) -> bool:
        """Return whether a card is to be marked as changed."""
        return token in self._changed

    def marked(self, text: str, is_legal: bool) -> str:
        """Return the text, between the marks of what is legal if it is."""
        opening, closing = self.glyphs.legal
        return f"{opening}{text}{closing}" if is_legal else text

    def span(self, token: int, spot: Spot, text: str, role: Role, is_stop: bool) -> Span:
        """Return a span about a card with everything known about it but its text."""
        legal = self.is_legal(spot)
        changed = self.is_changed(token)
        return Span(text, role, self.colour(token, role), spot, is_stop or legal, legal, changed)

    def small(self, token: int, area: Area, number: int) -> Word:
        """Return a small card: `R14`, or a back's letter close beside its neighbours."""
        spot = Spot(Target("card", token), number)
        seen = self.face(token, area.closed) >= 0
        letter = self.glyphs.text(self._game.cards.backs[self._backs[token]].letter)
        name = self.name(token, area.closed) if seen else letter
        text = self.marked(name, self.is_legal(spot))
        if self.is_changed(token):
            text += self.glyphs.changed
        span = self.span(token, spot, text, self.role(token, area.closed), is_stop=seen)
        return Word((span,), gap=1 if seen else 0)

    def heading(self, area: Area, number: int) -> list[Word]:
        """Return an area's caption, how many cards it has, and its note."""
        spot = Spot(Target("area", area.caption), number)
        legal = self.is_legal(spot)
        caption = self.marked(self.glyphs.text(area.caption), legal)
        count = [str(len(area.tokens))] if area.tokens or not area.note else []
        first, *rest = [
            *([caption] if caption else []),
            *count,
            *self.glyphs.text(area.note).split(),
        ]
        return [
            Word((Span(first, "caption", "", spot, True, legal),), gap=2),
            *(Word((Span(part, "note", "", spot),)) for part in rest),
        ]
