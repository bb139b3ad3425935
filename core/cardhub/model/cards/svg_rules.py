"""The part of SVG that drawings on cards may use: elements, and attributes with their values."""

import re
from collections.abc import Mapping

from cardhub.base.yamlfile import StringType
from cardhub.model.cards.cards import COLOURS

# Names of the theme's other colours; those of cards are theme colours as well.
THEME_COLOURS = (*COLOURS, "text", "muted", "line", "accent", "paper", "raised")
_NUMBER = r"-?(?:\d{1,4}(?:\.\d{0,4})?|\.\d{1,4})"
_FUNCTION = rf"(?:translate|rotate|scale|matrix|skewX|skewY)\((?:[ ,]*{_NUMBER})+ *\)"


def _matching(description: str, pattern: str) -> StringType:
    compiled = re.compile(pattern, re.ASCII)
    return StringType(description, lambda text: compiled.fullmatch(text) is not None)


NUMBER = _matching("a number such as 1.5", _NUMBER)
COLOUR = _matching(
    f"none, currentColor, #rgb, #rrggbb or var(--ch-NAME) with NAME {', '.join(THEME_COLOURS)}",
    r"none|currentColor|#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}"
    rf"|var\(--ch-(?:{'|'.join(THEME_COLOURS)})\)",
)
_PAINT: dict[str, StringType] = {
    "fill": COLOUR,
    "fill-rule": _matching("evenodd or nonzero", "evenodd|nonzero"),
    "opacity": _matching("a number from 0 to 1", r"1|0|0?\.\d{1,4}"),
    "stroke": COLOUR,
    "stroke-linecap": _matching("butt, round or square", "butt|round|square"),
    "stroke-linejoin": _matching("miter, round or bevel", "miter|round|bevel"),
    "stroke-width": NUMBER,
    "transform": _matching(
        "functions such as 'translate(2 3) rotate(45)'", rf"{_FUNCTION}(?:[ ,]*{_FUNCTION})*"
    ),
}
_POINTS = _matching("numbers separated by blanks or commas", rf"{_NUMBER}(?:[ ,]+{_NUMBER})+")
_BOX = _matching("four numbers such as '0 0 24 24'", rf"{_NUMBER}(?: {_NUMBER}){{3}}")
_PATH = _matching("a path of commands and numbers", r"[Mm][MmZzLlHhVvCcSsQqTtAa0-9+\-., ]*")


def _numbers(*names: str) -> dict[str, StringType]:
    return dict.fromkeys(names, NUMBER) | _PAINT


# All elements of drawings, each with its attributes; there is no other one.
ATTRIBUTES: Mapping[str, Mapping[str, StringType]] = {
    "svg": {"viewBox": _BOX} | _PAINT,
    "g": _PAINT,
    "path": {"d": _PATH} | _PAINT,
    "circle": _numbers("cx", "cy", "r"),
    "ellipse": _numbers("cx", "cy", "rx", "ry"),
    "rect": _numbers("x", "y", "width", "height", "rx", "ry"),
    "line": _numbers("x1", "y1", "x2", "y2"),
    "polyline": {"points": _POINTS} | _PAINT,
    "polygon": {"points": _POINTS} | _PAINT,
}
