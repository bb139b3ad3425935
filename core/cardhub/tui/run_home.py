"""Imported without Textual, because each command loads it: show the home screen until its end."""

import os
from multiprocessing import resource_tracker

from cardhub.play.host.saved.preferences import Preferences
from cardhub.plugins.registrations import Theme
from cardhub.plugins.registry import PluginRegistry
from cardhub.view.text.glyphs import GlyphChoice


def run_home(
    registry: PluginRegistry,
    preferences: Preferences,
    *,
    glyphs: GlyphChoice = "auto",
    theme: Theme | str | None = None,
) -> int:
    """Show the home screen, and the screens opened from it; return the exit code of the program.

    0 for success, 128 + n after signal n, 1 after an internal error.
    """
    # Imports Textual, which other commands do not need.
    from cardhub.tui.home_app import HomeApp

    # Bots that start processes need the resource tracker, which cannot start under Textual.
    if os.name == "posix":
        resource_tracker.ensure_running()
    message = ""
    while True:
        app = HomeApp(registry, preferences, glyphs=glyphs, theme=theme, message=message)
        app.run()
        if not app.failure:
            return app.return_code or 0
        # A game failed at its table: return to the home screen, with the current settings.
        message, before, preferences = app.failure, preferences, app.navigator.preferences
        if preferences.theme != before.theme:
            theme = app.navigator.theme_of(preferences.theme)
