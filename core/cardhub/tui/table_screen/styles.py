"""Styles of spans on a terminal."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style

from cardhub.text.sheet import Line, Span
from cardhub.view.spots import Spot


class CardColour(NamedTuple):
    """Colour strings of a card for dark and light backgrounds and for the terminal's palette."""

    dark: str
    light: str
    ansi: str


COLOURS = {
    # White cards are black on a light background, as on paper.
    "white": CardColour("#f2f2f2", "#1f2328", "bright_white"),
    "blue": CardColour("#6ea8fe", "#0550ae", "bright_blue"),
    "violet": CardColour("#c792ea", "#8250df", "magenta"),
    "red": CardColour("#ff7b72", "#cf222e", "red"),
    "yellow": CardColour("#ffd866", "#7d5c00", "yellow"),
    "green": CardColour("#7ee787", "#116329", "green"),
    "cyan": CardColour("#76e3ea", "#0b6673", "cyan"),
    "grey": CardColour("#a0a0a0", "#656d76", "white"),
}
DARK = {name: colour.dark for name, colour in COLOURS.items()}
LIGHT = {name: colour.light for name, colour in COLOURS.items()}
ANSI = {name: colour.ansi for name, colour in COLOURS.items()}


class SpanStyles:
    """Turns lines into styled segments; all that a colour says is also said by text."""

    def __init__(self, colours: Mapping[str, str]) -> None:
        self._colours = colours

    def segments(self, line: Line, cursor: Sequence[Spot]) -> list[Segment]:
        """Return a line's segments; the first spot of `cursor` is reversed, others underlined."""
        return [Segment(span.text, self._style(span, cursor)) for span in line]

    def _style(self, span: Span, cursor: Sequence[Spot]) -> Style:
        # Underlines and reversed video combine with all colours, and work without colours.
        style = self._base_style(span)
        if span.is_changed:
            style += Style(underline=True)
        if span.spot is not None and span.spot in cursor[1:]:
            style += Style(underline2=True, bold=True)
        if cursor and span.spot == cursor[0]:
            style += Style(reverse=span.role != "back", bold=True)  # backs are reversed already
        return style

    def _base_style(self, span: Span) -> Style:
        colour = self._colours.get(span.colour)
        if span.role == "back":
            return Style(color=colour, reverse=True)
        if span.role == "card":
            return Style(color=colour, bold=True)
        if span.role == "detail":
            return Style(color=colour)
        if span.role in ("button", "player") or span.is_legal:
            return Style(bold=True)
        return Style(dim=span.role == "caption")
