"""Render modes of environments: a table as text, which is returned, or printed for a person."""

import sys

from cardhub.base.errors import OptionError
from cardhub.base.errors.quoting import printable

ANSI, HUMAN = RENDER_MODES = ("ansi", "human")


def check_render_mode(mode: str | None) -> None:
    """Raise OptionError unless the mode is None or one of RENDER_MODES."""
    if mode not in (None, *RENDER_MODES):
        modes = " or ".join(map(repr, RENDER_MODES))
        raise OptionError(f"render_mode cannot be {mode!r}: it is None, {modes}")


def render_text(text: str, mode: str) -> str | None:
    """Return the text, or print it in the mode `human`, as Gymnasium and PettingZoo want it."""
    if mode == ANSI:
        return text
    sys.stdout.write(f"{printable(text, lines=True)}\n")
    return None
