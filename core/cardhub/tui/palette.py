"""The styles of a drawn table: roles and colours of its runs as styles of the terminal."""

from functools import cache
from typing import NamedTuple

from rich.style import Style as RichStyle

from cardhub.tui.contrast import parse_colour, readable
from cardhub.view.layout.frame import Style

# The least contrast of text, and of cards that cannot be played.
TEXT_CONTRAST, FAINT_CONTRAST = 4.9, 4.2


class CardColour(NamedTuple):
    """Colours of a card for dark and light backgrounds and for the terminal's palette."""

    dark: str
    light: str
    ansi: str


COLOURS = {
    # White cards are black on a light background, as on paper.
    "white": CardColour("#f2f2f2", "#33373d", "bright_white"),
    "blue": CardColour("#6ea8fe", "#0550ae", "bright_blue"),
    "violet": CardColour("#c792ea", "#7338c4", "magenta"),
    "red": CardColour("#ff7b72", "#b81a28", "red"),
    "yellow": CardColour("#ffd866", "#735400", "yellow"),
    "green": CardColour("#7ee787", "#116329", "green"),
    "cyan": CardColour("#76e3ea", "#0b6673", "cyan"),
    "grey": CardColour("#a8a8a8", "#55595f", "white"),
}
DARK = {name: colour.dark for name, colour in COLOURS.items()}
LIGHT = {name: colour.light for name, colour in COLOURS.items()}
ANSI = {name: colour.ansi for name, colour in COLOURS.items()}


class Palette(NamedTuple):
    """The colours of a table: backgrounds of the screen, of its middle and of bars; and of text.

    Empty strings are the terminal's own colours; then marks are reversed or bold text.
    """

    base: str = ""
    middle: str = ""
    bar: str = ""
    text: str = ""
    muted: str = ""
    line: str = ""
    accent: str = ""
    cards: tuple[tuple[str, str], ...] = ()

    @property
    def backgrounds(self) -> tuple[str, ...]:
        """All backgrounds that text can have."""
        return (self.base, self.middle, self.bar)


NO_COLOUR = Palette()
ANSI_PALETTE = Palette(accent="bright_yellow", cards=tuple(ANSI.items()))


@cache
def theme_palette(
    colours: tuple[tuple[str, str], ...], own_cards: tuple[tuple[str, str], ...], is_dark: bool
) -> Palette:
    """Return the palette of a theme from its variables, pairs of a name and `#rrggbb`.

    `own_cards` are colours of cards that the theme itself gives: they are not changed. All other
    colours are changed where text could not be read.
    """
    given = dict(colours)
    base, middle, bar = (given[name][:7] for name in ("background", "surface", "panel"))
    backgrounds = (base, middle, bar)
    text = readable(given["foreground"][:7], backgrounds, TEXT_CONTRAST)
    muted = parse_colour(text).mixed(parse_colour(base), 0.4).hex
    cards = {
        name: readable(colour, (base, middle), TEXT_CONTRAST)
        for name, colour in (DARK if is_dark else LIGHT).items()
    }
    return Palette(
        base=base,
        middle=middle,
        bar=bar,
        text=text,
        muted=readable(muted, backgrounds, TEXT_CONTRAST),
        line=parse_colour(text).mixed(parse_colour(base), 0.7).hex,
        accent=readable(given["accent"][:7], backgrounds, TEXT_CONTRAST),
        cards=tuple({**cards, **dict(own_cards)}.items()),
    )


@cache
def rich_style(palette: Palette, style: Style, *, is_middle: bool = False) -> RichStyle:
    """Return the terminal's style of a run; `is_middle`: it lies where cards meet."""
    colour = _colour(palette, style)
    if style.role == "back":
        return _on_colour(palette, colour)
    if style.role == "turn":
        return _on_colour(palette, palette.accent) + RichStyle(bold=True)
    on_bar = style.role in ("bar", "button", "key")
    background = palette.bar if on_bar else palette.middle if is_middle else palette.base
    is_dim = not palette.text and (style.role in ("muted", "line", "outline") or style.is_faint)
    return RichStyle(
        color=colour or None,
        bgcolor=background or None,
        bold=style.is_bold or style.is_heavy or style.role == "key",
        dim=is_dim,
    )


def _on_colour(palette: Palette, colour: str) -> RichStyle:
    if not colour:
        return RichStyle(reverse=True)
    return RichStyle(color=palette.base or "black", bgcolor=colour)


def _colour(palette: Palette, style: Style) -> str:
    if style.is_heavy or style.role in ("accent", "key"):
        return palette.accent
    card = dict(palette.cards).get(style.colour, "")
    if style.is_faint and palette.text:
        return faint_colour(palette, card or palette.text)
    if card:
        return card
    muted = {"muted": palette.muted, "line": palette.line, "outline": palette.line}
    return muted.get(style.role, palette.text)


@cache
def faint_colour(palette: Palette, colour: str) -> str:
    """Return the colour of a card that cannot be played."""
    faint = parse_colour(colour).mixed(parse_colour(palette.base), 0.45).hex
    return readable(faint, (palette.base, palette.middle), FAINT_CONTRAST)
