"""Run the app for a table of a server, and return the exit code."""

from cardhub.online.remote.table_address import TableAddress
from cardhub.play.host.saved.preferences import DEFAULTS, Preferences
from cardhub.plugins.registrations import Theme
from cardhub.tui.online.join_app import JoinApp
from cardhub.view.text.glyphs import GlyphChoice


def run_join(
    address: TableAddress,
    name: str | None = None,
    seat: int | None = None,
    *,
    glyphs: GlyphChoice = "auto",
    theme: Theme | str | None = None,
    preferences: Preferences = DEFAULTS,
) -> int:
    """Show a table until the person leaves; return the exit code of the program.

    0 for success, 128 + n after signal n, 1 after an internal error. Raises RemoteError if the
    table cannot be reached or joined, or the connection cannot be restored.
    """
    app = JoinApp(address, name, seat, glyphs=glyphs, theme=theme, preferences=preferences)
    failure = app.run()
    if failure is not None:
        raise failure
    return app.return_code or 0
