"""The styles of a drawn table in a theme: readable colours, palettes, and Textual's themes."""

from collections.abc import Mapping
from functools import cache
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.style import Style as RichStyle

from cardhub.plugins.registrations import Theme
from cardhub.view.layout.canvas import Style

if TYPE_CHECKING:
    from textual import theme as textual
    from textual.app import App


# The weights of red, green and blue in a colour's luminance.
WEIGHTS = (0.2126, 0.7152, 0.0722)
# The step by which a colour moves towards black or white, as a share of the distance.
STEP = 0.04


class Rgb(NamedTuple):
    """A colour by its channels, each from 0 to 255."""

    red: int
    green: int
    blue: int

    @property
    def hex(self) -> str:
        """The colour as `#rrggbb`."""
        return "#{:02x}{:02x}{:02x}".format(*self)

    def mixed(self, other: "Rgb", share: float) -> "Rgb":
        """Return the colour at a share of the way, from 0 to 1, to another colour."""
        return Rgb(*(round(a + (b - a) * share) for a, b in zip(self, other, strict=True)))


BLACK, WHITE = Rgb(0, 0, 0), Rgb(255, 255, 255)


def parse_colour(text: str) -> Rgb:
    """Return the colour of a text `#rrggbb`."""
    return Rgb(*(int(text[n : n + 2], 16) for n in (1, 3, 5)))


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours `#rrggbb`, from 1 to 21."""
    bright, dim = sorted((_luminance(parse_colour(c)) for c in (first, second)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def readable(colour: str, backgrounds: tuple[str, ...], least: float) -> str:
    """Return a colour, made lighter or darker until its contrast to each background is `least`.

    The result may be black or white, with less contrast.
    """
    average = fsum(_luminance(parse_colour(back)) for back in backgrounds) / len(backgrounds)
    goal = WHITE if average < 0.2 else BLACK
    start, share = parse_colour(colour), 0.0
    while min(contrast(colour, back) for back in backgrounds) < least and share < 1:
        share = min(share + STEP, 1.0)
        colour = start.mixed(goal, share).hex
    return colour


def _luminance(colour: Rgb) -> float:
    parts = [part / 255 for part in colour]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return fsum(weight * x for weight, x in zip(WEIGHTS, linear, strict=True))


# The least contrast of text, and of unplayable cards.
TEXT_CONTRAST, FAINT_CONTRAST = 4.9, 4.2


class CardColour(NamedTuple):
    """Colours of a card for dark and light backgrounds and for the terminal's palette."""

    dark: str
    light: str
    ansi: str


COLOURS = {
    # White cards are black on a light background, like print on paper.
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

    Empty strings mean the terminal's default colours; marks are then reversed or bold text.
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

    `own_cards`: the theme's colours of cards, which are used unchanged. All other colours are
    changed until text is readable.
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
    """Return the terminal's style of a run; `is_middle`: it is in the middle of the table."""
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
    """Return the colour of an unplayable card."""
    faint = parse_colour(colour).mixed(parse_colour(palette.base), 0.45).hex
    return readable(faint, (palette.base, palette.middle), FAINT_CONTRAST)


# Prefix of the theme variables for the colours of cards.
PREFIX = "card-"
# The default theme, and the themes of cardhub.
DEFAULT_THEME = "dark"
OWN_THEMES = (
    Theme(
        "dark",
        "Light text on a dark table",
        "#6ea8fe",
        accent="#f5b54a",
        foreground="#e8e6e1",
        background="#14171b",
        surface="#1a1e24",
        panel="#262b34",
    ),
    Theme(
        "light",
        "Dark text on a light table",
        "#0550ae",
        is_dark=False,
        accent="#a8430f",
        foreground="#1f2328",
        background="#f7f5ef",
        surface="#efece4",
        panel="#e4dfd3",
    ),
)


def built_in() -> dict[str, bool]:
    """Return the names of cardhub's and Textual's themes, each with its flag `dark`."""
    # Imported here, because most commands do not need Textual.
    from textual.theme import BUILTIN_THEMES

    themes = {theme.name: theme.is_dark for theme in OWN_THEMES}
    return themes | {name: theme.dark for name, theme in BUILTIN_THEMES.items()}


def as_textual(theme: Theme) -> "textual.Theme":
    """Return a plugin's theme as Textual's theme."""
    from textual.theme import Theme as TextualTheme

    cards = {PREFIX + name: colour for name, colour in theme.cards.items()}
    return TextualTheme(
        name=theme.name,
        primary=theme.primary,
        secondary=theme.secondary,
        warning=theme.warning,
        error=theme.error,
        success=theme.success,
        accent=theme.accent,
        foreground=theme.foreground,
        background=theme.background,
        surface=theme.surface,
        panel=theme.panel,
        dark=theme.is_dark,
        variables=cards,
    )


def card_colours(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the colours of cards by name, from the variables of a theme."""
    return {
        name.removeprefix(PREFIX): colour
        for name, colour in variables.items()
        if name.startswith(PREFIX)
    }


def palette_of(app: "App[Any]") -> "Palette":
    """Return the colours of a table in the current theme of an app."""
    return NO_COLOUR if app.no_color else theme_colours(app.current_theme, app.theme_variables)


def theme_colours(theme: "textual.Theme", variables: Mapping[str, str]) -> "Palette":
    """Return the colours of a table in a theme; `variables` includes derived variables."""
    if theme.ansi:
        return ANSI_PALETTE
    names = ("background", "surface", "panel", "foreground", "accent")
    given = tuple((name, variables[name]) for name in names)
    return theme_palette(given, tuple(card_colours(theme.variables).items()), theme.dark)
