"""The screen of the saved settings."""

from collections.abc import Mapping, Sequence
from typing import Any

from typing_extensions import override

from cardhub.base.errors import OptionError
from cardhub.play.host.saved.preferences import (
    CARD_SIZES,
    CONFIRMING,
    PREFERENCES,
    changed,
    preferences_path,
)
from cardhub.tui.home.menu.menu_drawing import MenuPage, MenuRow, MenuSection
from cardhub.tui.home.menu.menu_screen import MenuScreen
from cardhub.tui.home.navigator import Navigator
from cardhub.view.explain.card_texts import as_notice
from cardhub.view.text.glyphs import GLYPH_CHOICES, UNICODE, Glyphs

FOOTER = (("↑↓", "move"), ("←→", "change"), ("enter", "change or type"), ("esc", "back"))
LABELS = {
    "theme": "theme",
    "card_size": "card size",
    "pace": "pace of the bots",
    "name": "your name",
    "bot_names": "names of the bots",
    "helps": "hints and undo",
    "plays_forced": "only choices",
    "confirms": "confirmation",
    "glyphs": "characters",
}
# The settings with a fixed list of values.
CHOICES: Mapping[str, Sequence[str]] = {
    "card_size": CARD_SIZES,
    "confirms": CONFIRMING,
    "glyphs": GLYPH_CHOICES,
}
PACE_STEP = 0.2


class SettingsScreen(MenuScreen):
    """Changes settings; it saves and applies each change immediately."""

    def __init__(
        self, navigator: Navigator, themes: Sequence[str], glyphs: Glyphs = UNICODE
    ) -> None:
        super().__init__(glyphs)
        self._navigator = navigator
        self._themes = tuple(themes)

    @override
    def build(self) -> MenuPage:
        rows = [self._row(name) for name in PREFERENCES]
        section = MenuSection(str(preferences_path()), rows)
        return MenuPage("cardhub  Settings", "for all games", [section], FOOTER)

    @override
    def open_row(self, row: MenuRow) -> None:
        if row.id in ("name", "bot_names"):
            start = row.value if row.id == "name" else ", ".join(self._value(row.id))
            self.ask_text(f"{LABELS[row.id]}: ", start, lambda text: self._set_names(row.id, text))
        else:
            self.change_row(row, 1)

    @override
    def change_row(self, row: MenuRow, by: int) -> None:
        value = self._value(row.id)
        if row.id == "theme":
            self._set(row.id, _next(("", *self._themes), value, by))
        elif row.id in CHOICES:
            self._set(row.id, _next(CHOICES[row.id], value, by))
        elif row.id == "pace":
            self._set(row.id, round(max(0.0, value + by * PACE_STEP), 1))
        elif isinstance(value, bool):
            self._set(row.id, not value)
        else:
            self.open_row(row)

    def _row(self, name: str) -> MenuRow:
        about = PREFERENCES[name].help
        return MenuRow(name, LABELS[name], about, "", self._shown(name), f"{about}.")

    def _shown(self, name: str) -> str:
        value = self._value(name)
        if isinstance(value, bool):
            return "on" if value else "off"
        if isinstance(value, float):
            return f"{value:g} s"
        if isinstance(value, tuple):
            return f"{', '.join(value[:2])} …"
        return value or "default"

    def _value(self, name: str) -> Any:
        return getattr(self._navigator.preferences, name)

    def _set_names(self, name: str, text: str) -> None:
        names = [part.strip() for part in text.split(",")]
        self._set(name, text.strip() if name == "name" else names)

    def _set(self, name: str, value: object) -> None:
        try:
            self._navigator.save(changed(self._navigator.preferences, name, value))
        except OptionError as error:
            self.say(as_notice(str(error)))
        else:
            self.rebuild()


def _next(values: Sequence[str], value: str, by: int) -> str:
    here = values.index(value) if value in values else 0
    return values[(here + by) % len(values)]
