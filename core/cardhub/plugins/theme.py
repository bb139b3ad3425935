"""Colour themes of the terminal interface."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from cardhub.cards.cards import COLOURS
from cardhub.errors.suggestions import did_you_mean
from cardhub.plugins.catalogue import check_word

_COLOUR = re.compile("#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours for the terminal interface, each as `#rrggbb`; only `primary` is required.

    The other colours are derived from `primary` by default. `cards` maps the colours of card files
    to display colours, `{"red": "#c00000"}`; the default fits a dark or light theme. Raises
    ValueError.
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
        """Reject an invalid name and invalid colours."""
        check_word("theme", self.name)
        for name in self.cards:
            if name not in COLOURS:
                hint = did_you_mean(name, COLOURS)
                known = ", ".join(COLOURS)
                raise ValueError(f"cards have no colour {name!r}.{hint} Colours: {known}")
        for key, value in [*_given(self).items(), *self.cards.items()]:
            if not isinstance(value, str) or not _COLOUR.fullmatch(value):
                raise ValueError(
                    f"{key} of theme {self.name!r} is {value!r}, not a colour such as '#2e6f95'"
                )


def _given(theme: Theme) -> dict[str, object]:
    """Return the given colours of a theme by field name, without those of cards."""
    others = ("name", "summary", "is_dark", "cards")
    named = {each.name: getattr(theme, each.name) for each in fields(theme)}
    return {n: value for n, value in named.items() if n not in others and value is not None}
