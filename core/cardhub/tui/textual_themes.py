"""Themes of the table: its own two, Textual's, and those of plugins."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cardhub.plugins.registrations import Theme

if TYPE_CHECKING:
    from textual import theme as textual
    from textual.app import App

    from cardhub.tui.palette import Palette

# Prefix of the theme variables for the colours of cards.
PREFIX = "card-"
# The theme without an option, and the one for a light terminal.
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
    """Return a dict from the names of the table's and Textual's own themes to their flag `dark`."""
    # Imported on use: commands that name no theme do not wait for Textual.
    from textual.theme import BUILTIN_THEMES

    own = {theme.name: theme.is_dark for theme in OWN_THEMES}
    return own | {name: theme.dark for name, theme in BUILTIN_THEMES.items()}


def as_textual(theme: Theme) -> "textual.Theme":
    """Return an instance of Textual's theme class for a theme of a plugin."""
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
    """Return a dict of the colours of cards by name, from the variables of a theme."""
    return {
        name.removeprefix(PREFIX): colour
        for name, colour in variables.items()
        if name.startswith(PREFIX)
    }


def palette_of(app: "App[Any]") -> "Palette":
    """Return the colours of a table in the present theme of a running app."""
    from cardhub.tui.palette import NO_COLOUR

    return NO_COLOUR if app.no_color else theme_colours(app.current_theme, app.theme_variables)


def theme_colours(theme: "textual.Theme", variables: Mapping[str, str]) -> "Palette":
    """Return the colours of a table in a theme with all its variables, derived ones included."""
    from cardhub.tui.palette import ANSI_PALETTE, theme_palette

    if theme.ansi:
        return ANSI_PALETTE
    names = ("background", "surface", "panel", "foreground", "accent")
    given = tuple((name, variables[name]) for name in names)
    return theme_palette(given, tuple(card_colours(theme.variables).items()), theme.dark)
