"""Styles of spans on a terminal."""

from collections.abc import Mapping, Sequence

from rich.segment import Segment
from rich.style import Style

from cardhub.text.sheet import Line, Span, Spot

DARK = {
    "white": "#f2f2f2",
    "blue": "#6ea8fe",
    "violet": "#c792ea",
    "red": "#ff7b72",
    "yellow": "#ffd866",
    "green": "#7ee787",
    "cyan": "#76e3ea",
    "grey": "#a0a0a0",
}
"""Colours of cards on a dark background."""
LIGHT = {
    "white": "#1f2328",
    "blue": "#0550ae",
    "violet": "#8250df",
    "red": "#cf222e",
    "yellow": "#7d5c00",
    "green": "#116329",
    "cyan": "#0b6673",
    "grey": "#656d76",
}
"""Colours of cards on a light background; white cards are black there, as on paper."""
ANSI = {
    "white": "bright_white",
    "blue": "bright_blue",
    "violet": "magenta",
    "red": "red",
    "yellow": "yellow",
    "green": "green",
    "cyan": "cyan",
    "grey": "white",
}
"""Colours of cards for themes that leave colours to the terminal."""


class SpanStyles:
    """Turns lines into styled segments; all that a colour says is also said by text."""

    def __init__(self, colours: Mapping[str, str]) -> None:
        self._colours = colours

    def segments(self, line: Line, cursor: Sequence[Spot]) -> list[Segment]:
        """Return a line's segments; the first spot of `cursor` is reversed, others underlined."""
        return [Segment(span.text, self._style(span, cursor)) for span in line]

    def _style(self, span: Span, cursor: Sequence[Spot]) -> Style:
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
