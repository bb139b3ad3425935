"""Themes: the colours of the table on the screen."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from cardhub.cards.cards import COLOURS
from cardhub.plugins.word import check_word
from cardhub.suggest import did_you_mean

_COLOUR = re.compile("#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours for the table on the screen, each as `#rrggbb`; `name` is what people type.

    From `primary` follows whatever is left out. `cards` says how the colours of card files look,
    `{"red": "#c00000"}`; those left out fit a dark or a light table. Raises ValueError.
    """

    name: str
    summary: str
    primary: str
    is_dark: bool = True
    secondary: str | None = None
    accent: str | None = None
    foreground: str | None = None
    background: str | None = None
    surface: str | None = None
    panel: str | None = None
    warning: str | None = None
    error: str | None = None
    success: str | None = None
    cards: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Refuse what is no name or no colour."""
        check_word("theme", self.name)
        for name in self.cards:
            if name not in COLOURS:
                hint = did_you_mean(name, COLOURS)
                known = ", ".join(COLOURS)
                raise ValueError(f"cards have no colour {name!r}.{hint} Colours: {known}")
        for place, value in [*_given(self).items(), *self.cards.items()]:
            if not isinstance(value, str) or not _COLOUR.fullmatch(value):
                raise ValueError(
                    f"{place} of theme {self.name!r} is {value!r}, not a colour such as '#2e6f95'"
                )


def _given(theme: Theme) -> dict[str, object]:
    """Return the colours that a theme names, by what they are for, without those of cards."""
    others = ("name", "summary", "is_dark", "cards")
    named = {each.name: getattr(theme, each.name) for each in fields(theme)}
    return {n: value for n, value in named.items() if n not in others and value is not None}
