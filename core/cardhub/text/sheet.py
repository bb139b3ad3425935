"""A sheet: the table as lines of spans, each knowing what it stands for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from cardhub.game.scene import Target
from cardhub.text.glyphs import cells

Role = Literal["text", "player", "caption", "note", "card", "back", "detail", "button"]
"""What a span is, for whoever gives it a style."""


class Spot(NamedTuple):
    """A target in one place: `area` is the number of its area in the scene, -1 for a button."""

    target: Target
    area: int


@dataclass(frozen=True, slots=True)
class Span:
    """Text of one kind. `colour` is that of the card.

    `spot` is what the text stands for. `is_stop`: a cursor stops here; `is_legal`: something can be
    done with it; `is_changed`: it is not as it was before the last actions.
    """

    text: str
    role: Role = "text"
    colour: str = ""
    spot: Spot | None = None
    is_stop: bool = False
    is_legal: bool = False
    is_changed: bool = False

    @property
    def width(self) -> int:
        """How many cells the span takes up."""
        return cells(self.text)


Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What `lay_out` made of a scene.

    `legal` holds the actions at each spot, `buttons` the lines with actions that point at nothing
    on the table; `notations` are the legal actions as one types them, in the order of their spots
    on the page.
    """

    prompt: str
    lines: tuple[Line, ...]
    buttons: tuple[Line, ...]
    legal: Mapping[Spot, tuple[int, ...]]
    notations: Mapping[str, int]

    @property
    def all_lines(self) -> tuple[Line, ...]:
        """The lines of the table, then those with the buttons."""
        return (*self.lines, *self.buttons)

    def names(self, spot: Spot) -> list[str]:
        """Return the actions at a spot as one types them."""
        actions = self.legal.get(spot, ())
        return [name for name, action in self.notations.items() if action in actions]

    def companions(self, spot: Spot) -> frozenset[Spot]:
        """Return all spots that an action at this spot points at as well, itself included."""
        actions = set(self.legal.get(spot, ()))
        return frozenset(other for other, those in self.legal.items() if actions & set(those))
