"""The colours of the table."""

from typing import Any

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from cardhub import Theme
from cardhub.cards.cards import COLOURS
from cardhub.tui.table_screen.styles import ANSI, DARK, LIGHT
from cardhub.tui.textual_themes import as_textual, built_in, card_colours

DUSK = Theme("dusk", "dim", "#8fa3c7", background="#1b1f2b", cards={"red": "#aa0000"})


def colours(terminal: Any) -> set[str]:
    """Return the colours of all text on the screen, as `#rrggbb`."""
    shown = [style.color.triplet for style in terminal.styles if style.color]
    return {triplet.hex for triplet in shown if triplet}


@pytest.mark.parametrize(
    ("theme", "is_dark", "red"),
    [(None, True, DARK["red"]), ("textual-light", False, LIGHT["red"]), (DUSK, True, "#aa0000")],
)
async def test_cards_are_shown_in_the_colours_of_the_theme(
    setting: Any, theme: Theme | str | None, is_dark: bool, red: str
) -> None:
    """Those of a plugin's theme, or those that can be read on a dark or a light table."""
    table = setting(seats=5, theme=theme)
    async with table.running() as terminal:
        await terminal.pilot.pause()
        assert table.app.current_theme.dark is is_dark
        assert red in colours(terminal)
        assert not ({DARK["red"], LIGHT["red"]} - {red}) & colours(terminal)


async def test_a_theme_of_a_plugin_colours_the_whole_table(setting: Any) -> None:
    """Its background is the table's."""
    table = setting(seats=3, theme=DUSK)
    async with table.running():
        assert table.app.screen.styles.background == Color.parse("#1b1f2b")


async def test_no_color_counts_more_than_a_theme(
    setting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who wants no colours gets none."""
    monkeypatch.setenv("NO_COLOR", "1")
    table = setting(seats=3, theme=DUSK)
    async with table.running():
        assert table.app.theme == "ansi-dark"


def test_every_colour_of_a_card_can_be_read_on_every_theme() -> None:
    """WCAG asks for 3 to 1 for large and bold text, and cards are bold."""
    assert DARK.keys() == LIGHT.keys() == ANSI.keys() == set(COLOURS)
    for name, is_dark in built_in().items():
        theme = BUILTIN_THEMES[name]
        if theme.ansi:
            continue
        background = Color.parse(theme.to_color_system().generate()["background"])
        for colour in (DARK if is_dark else LIGHT).values():
            assert contrast(Color.parse(colour), background) >= 3, (name, colour)


def contrast(one: Color, other: Color) -> float:
    """Return the contrast of two colours as WCAG defines it."""
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def luminance(colour: Color) -> float:
    """Return how bright a colour is, 0 to 1."""
    parts = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in colour.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def test_a_theme_is_handed_on_colour_by_colour() -> None:
    """Textual derives missing colours."""
    textual = as_textual(Theme("dawn", "pale", "#2e6f95", is_dark=False, accent="#aa5500"))
    assert (textual.name, textual.dark, textual.accent) == ("dawn", False, "#aa5500")
    assert textual.background is None
    assert card_colours(as_textual(DUSK).variables) == {"red": "#aa0000"}
