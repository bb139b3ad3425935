"""The colours of the table."""

from pathlib import Path
from typing import Any

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from cardhub import Theme
from cardhub.model.cards.cards import COLOURS
from cardhub.play.host.saved.preferences import Preferences
from cardhub.plugins.registry import PluginRegistry
from cardhub.tui.home_app import HomeApp
from cardhub.tui.palette import (
    ANSI,
    DARK,
    FAINT_CONTRAST,
    LIGHT,
    OWN_THEMES,
    TEXT_CONTRAST,
    Palette,
    as_textual,
    built_in,
    card_colours,
    contrast,
    faint_colour,
    theme_colours,
)

DUSK = Theme("dusk", "dim", "#8fa3c7", background="#1b1f2b", cards={"red": "#aa0000"})


def colours(terminal: Any) -> set[str]:
    """Return the colours of all text on the screen, as `#rrggbb`."""
    shown = [style.color.triplet for style in terminal.styles if style.color]
    return {triplet.hex for triplet in shown if triplet}


@pytest.mark.parametrize(
    ("theme", "is_dark", "red"),
    # The red of light tables is darkened for the middle of the table, which is grey there.
    [(None, True, DARK["red"]), ("textual-light", False, "#a91825"), (DUSK, True, "#aa0000")],
)
async def test_cards_are_shown_in_the_colours_of_the_theme(
    setting: Any, theme: Theme | str | None, is_dark: bool, red: str
) -> None:
    table = setting(seats=5, theme=theme)
    async with table.running() as terminal:
        await terminal.pilot.pause()
        assert table.app.current_theme.dark is is_dark
        assert red in colours(terminal)
        assert not ({DARK["red"], LIGHT["red"]} - {red}) & colours(terminal)


async def test_a_theme_of_a_plugin_colours_the_whole_table(setting: Any) -> None:
    table = setting(seats=3, theme=DUSK)
    async with table.running():
        assert table.app.screen.styles.background == Color.parse("#1b1f2b")


async def test_no_color_counts_more_than_a_theme(
    setting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    table = setting(seats=3, theme=DUSK)
    async with table.running():
        assert table.app.theme == "ansi-dark"


def palette_named(name: str) -> Palette:
    """Return the colours of a table in a theme that can be chosen without plugins."""
    own = {theme.name: as_textual(theme) for theme in OWN_THEMES}
    theme = own.get(name) or BUILTIN_THEMES[name]
    return theme_colours(theme, {} if theme.ansi else theme.to_color_system().generate())


@pytest.mark.parametrize("name", built_in())
def test_all_text_can_be_read_on_every_theme(name: str) -> None:
    """Text and cards have a contrast of at least 4.9 to 1, unplayable cards 4.2 to 1."""
    palette = palette_named(name)
    if not palette.base:
        return  # the terminal's own colours, which are not known
    for background in palette.backgrounds:
        for colour in (palette.text, palette.muted, palette.accent):
            assert contrast(colour, background) >= TEXT_CONTRAST == 4.9
    assert dict(palette.cards).keys() == ANSI.keys() == set(COLOURS)
    for background in (palette.base, palette.middle):
        for colour in (palette.text, *dict(palette.cards).values()):
            assert contrast(colour, background) >= TEXT_CONTRAST
            faint = faint_colour(palette, colour)
            assert contrast(faint, background) >= FAINT_CONTRAST == 4.2


def test_white_cards_are_dark_on_a_light_table() -> None:
    for name, is_dark in built_in().items():
        palette = palette_named(name)
        if palette.base:
            white = dict(palette.cards)["white"]
            assert (contrast(white, "#000000") > contrast(white, "#ffffff")) is is_dark


def test_a_theme_is_handed_on_colour_by_colour() -> None:
    textual = as_textual(Theme("dawn", "pale", "#2e6f95", is_dark=False, accent="#aa5500"))
    assert (textual.name, textual.dark, textual.accent) == ("dawn", False, "#aa5500")
    assert textual.background is None
    assert card_colours(as_textual(DUSK).variables) == {"red": "#aa0000"}


async def test_no_color_holds_for_the_home_screens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path))
    app = HomeApp(PluginRegistry([]), Preferences(theme="nord"), theme="nord")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("t", "right")
        await pilot.pause()
        assert app.navigator.preferences.theme != "nord"
        assert app.theme == "ansi-dark"
        styles = [s.style for strip in app.screen._compositor.render_strips() for s in strip]
        shown = {style.color.name for style in styles if style and style.color}
        assert shown <= {"default"}
