"""A sheet: the table as lines of spans, each with the target that it shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from cardhub.text.glyphs import cells
from cardhub.view.spots import Spot

# The kind of a span, from which a front end derives its style.
Role = Literal["text", "player", "caption", "note", "card", "back", "detail", "button"]


@dataclass(frozen=True, slots=True)
class Span:
    """Text of one role; `colour` is that of the card, `spot` the target that it shows.

    `is_stop`: the cursor stops here; `is_legal`: a legal action refers to it; `is_changed`: it
    differs from the state before the last actions.
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
        """The width in terminal cells."""
        return cells(self.text)


Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A scene laid out as lines.

    `legal` holds the actions at each spot, `buttons` the lines of actions without a target on the
    table. `choices` is a dict from the strings that people can type to legal actions, in
    the order of their spots.
    """

    prompt: str
    lines: tuple[Line, ...]
    buttons: tuple[Line, ...]
    legal: Mapping[Spot, tuple[int, ...]]
    choices: Mapping[str, int]

    @property
    def all_lines(self) -> tuple[Line, ...]:
        """The lines of the table, then the buttons."""
        return (*self.lines, *self.buttons)

    def names(self, spot: Spot) -> list[str]:
        """Return the names of the actions at a spot."""
        actions = self.legal.get(spot, ())
        return [name for name, action in self.choices.items() if action in actions]

    def companions(self, spot: Spot) -> frozenset[Spot]:
        """Return all spots of the actions at this spot, itself included."""
        # An action with several targets is at a spot for each of them.
        actions = set(self.legal.get(spot, ()))
        return frozenset(other for other, those in self.legal.items() if actions & set(those))
