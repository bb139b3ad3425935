"""Themes of the table: Textual's own, and those of plugins."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cardhub.plugins.registrations import Theme

if TYPE_CHECKING:
    from textual import theme as textual

# Prefix of the theme variables for the colours of cards.
PREFIX = "card-"


def built_in() -> dict[str, bool]:
    """Return a dict from the names of Textual's own themes to their flag `dark`."""
    # Imported on use: commands that name no theme do not wait for Textual.
    from textual.theme import BUILTIN_THEMES

    return {name: theme.dark for name, theme in BUILTIN_THEMES.items()}


def as_textual(theme: Theme) -> "textual.Theme":
    """Return an instance of Textual's theme class for a plugin's theme."""
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
