"""Messages from the widget of the table to its screen."""

from dataclasses import dataclass

from textual.message import Message

from cardhub.view.spots import Spot


@dataclass
class SpotPointed(Message):
    """The cursor moved to a spot, or only the mouse, `is_hovered`.

    `is_kept`: the person did not move it; the view is a new one.
    """

    spot: Spot
    is_hovered: bool = False
    is_kept: bool = False


@dataclass
class SpotChosen(Message):
    """The person wants to act at a spot; `picked` is the action shown of several there."""

    spot: Spot
    picked: int | None = None


@dataclass
class KeyHeld(Message):
    """A key did not act, as it may be held down since it acted."""


@dataclass
class TextWanted(Message):
    """The person wants to read the whole of the detail."""


@dataclass
class StepChosen(Message):
    """The person clicked a line of the log, which tells of this step."""

    step: int
