"""Opening the home screen, up to its exit code."""

import os
from multiprocessing import resource_tracker

from cardhub.play.host.saved.preferences import Preferences
from cardhub.plugins.registrations import Theme
from cardhub.plugins.registry import PluginRegistry


def run_home(
    registry: PluginRegistry,
    preferences: Preferences,
    *,
    ascii_only: bool = False,
    theme: Theme | str | None = None,
) -> int:
    """Show the home screen, and all that is opened from it, until it is left; return an exit code.

    0 for success, 128 + n after signal n, 1 after an internal error.
    """
    # Imports Textual, which other commands do not need.
    from cardhub.tui.home_app import HomeApp

    # A bot that starts processes needs this process; under Textual it can no longer be started.
    if os.name == "posix":
        resource_tracker.ensure_running()
    message = ""
    while True:
        app = HomeApp(registry, preferences, ascii_only=ascii_only, theme=theme, message=message)
        app.run()
        if not app.failure:
            return app.return_code or 0
        # A game failed at its table: home again, with the settings of now.
        message, before, preferences = app.failure, preferences, app.desk.preferences
        if preferences.theme != before.theme:
            theme = app.desk.theme_of(preferences.theme)
