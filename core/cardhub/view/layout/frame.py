"""A frame: the drawn table as rows of styled runs, and the stops of its cursor."""

from typing import Literal, NamedTuple

from cardhub.view.spots import Spot

# The part that a run plays, from which a theme derives its style.
Role = Literal[
    "text",
    "muted",
    "accent",  # the turn, the cursor, what is new
    "line",  # rules between regions
    "card",  # the face of a card, in its colour
    "frame",  # the border of a card
    "back",
    "outline",  # where a card is expected, and where one lay
    "button",
    "key",  # the key of a button or of the footer
    "bar",  # the prompt bar and the footer
    "turn",  # the tag at the left of the prompt bar
    "pips",
]


class Style(NamedTuple):
    """The look of a run, independent of themes.

    `colour` is one of COLOURS or empty. `is_faint`: not legal now; `is_heavy`: under the cursor or
    of the same action.
    """

    role: Role = "text"
    colour: str = ""
    is_bold: bool = False
    is_faint: bool = False
    is_heavy: bool = False


TEXT = Style()


class Run(NamedTuple):
    """Text of one style, within one row."""

    text: str
    style: Style = TEXT


class Box(NamedTuple):
    """A rectangle in cells: column, row, width, height."""

    x: int
    y: int
    width: int
    height: int


class Stop(NamedTuple):
    """A place of the cursor: its spot, its box, and the name of its region."""

    spot: Spot
    box: Box
    region: str


class LoggedRow(NamedTuple):
    """A row of the log pane and the step that it tells of."""

    box: Box
    step: int


class Frame(NamedTuple):
    """A drawn table: exactly `height` rows of `width` cells each, and stops for clicks."""

    width: int
    height: int
    rows: tuple[tuple[Run, ...], ...]
    stops: tuple[Stop, ...]
    logged: tuple[LoggedRow, ...] = ()
