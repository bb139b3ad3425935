"""Imported without Textual, because each command loads it: show a table until its end."""

import os
from collections.abc import Callable
from multiprocessing import resource_tracker

from cardhub.play.host.saved.preferences import DEFAULTS, Preferences
from cardhub.play.host.table_host import Host
from cardhub.plugins.registrations import Theme
from cardhub.view.text.glyphs import GlyphChoice


def run_table(
    host: Host,
    *,
    glyphs: GlyphChoice = "auto",
    theme: Theme | str | None = None,
    preferences: Preferences = DEFAULTS,
    on_opened: Callable[[Host], object] = lambda _: None,
) -> int:
    """Show the table of a host until it is left; return the exit code of the program.

    The person may play again: `on_opened` is called with the host of each further game.

    0 for success, 3 after a bot failed, 128 + n after signal n, 1 after an internal error. Hosts
    are not closed. Raises RecordError if the game cannot be recorded, and BotFaultError if the
    person left because of a bot's fault.
    """
    # Imports Textual, which plain text does not need.
    from cardhub.tui.app import TableApp

    # Bots that start processes need the resource tracker, which cannot start under Textual.
    if os.name == "posix":
        resource_tracker.ensure_running()
    app = TableApp(host, glyphs=glyphs, theme=theme, preferences=preferences, on_opened=on_opened)
    failure = app.run()
    if failure is not None:
        raise failure
    return app.return_code or 0
