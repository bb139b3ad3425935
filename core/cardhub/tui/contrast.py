"""Contrast of two colours as WCAG defines it, and colours changed until text can be read."""

from typing import NamedTuple

# The parts of red, green and blue in how bright a colour is.
WEIGHTS = (0.2126, 0.7152, 0.0722)
# Share of the way to black or white by which a colour is changed at a time.
STEP = 0.04


class Rgb(NamedTuple):
    """A colour by its parts, each from 0 to 255."""

    red: int
    green: int
    blue: int

    @property
    def hex(self) -> str:
        """The colour as `#rrggbb`."""
        return "#{:02x}{:02x}{:02x}".format(*self)

    def mixed(self, other: "Rgb", share: float) -> "Rgb":
        """Return the colour at a share of the way to another one, 0 to 1."""
        return Rgb(*(round(a + (b - a) * share) for a, b in zip(self, other, strict=True)))


BLACK, WHITE = Rgb(0, 0, 0), Rgb(255, 255, 255)


def parse_colour(text: str) -> Rgb:
    """Return the colour of a text `#rrggbb`."""
    return Rgb(*(int(text[n : n + 2], 16) for n in (1, 3, 5)))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours `#rrggbb`, from 1 to 21."""
    bright, dim = sorted((_luminance(parse_colour(c)) for c in (one, other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def readable(colour: str, backgrounds: tuple[str, ...], least: float) -> str:
    """Return a colour, made lighter or darker until its contrast to all backgrounds suffices.

    If none suffices, the result is black or white.
    """
    average = sum(_luminance(parse_colour(each)) for each in backgrounds) / len(backgrounds)
    goal = WHITE if average < 0.2 else BLACK
    start, share = parse_colour(colour), 0.0
    while min(contrast(colour, each) for each in backgrounds) < least and share < 1:
        share = min(share + STEP, 1.0)
        colour = start.mixed(goal, share).hex
    return colour


def _luminance(colour: Rgb) -> float:
    parts = [part / 255 for part in colour]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return sum(weight * x for weight, x in zip(WEIGHTS, linear, strict=True))
