"""Playing a game on the screen, from opening the table to its exit code."""

import os
from collections.abc import Callable
from multiprocessing import resource_tracker
from typing import Literal

from cardhub.play.host.table_host import Host
from cardhub.plugins.registrations import Theme


def run_table(
    host: Host,
    *,
    ascii_only: bool = False,
    theme: Theme | str | None = None,
    card_size: Literal["auto", "small", "large"] = "auto",
    opened: Callable[[Host], object] = lambda _: None,
) -> int:
    """Show the table of a host until it is left; return the exit code of the program.

    The person may play again: `opened` gets the host of each further game.

    0 for success, 3 after a bot failed, 128 + n after signal n, 1 after an internal error. No host
    is closed. Raises RecordError if the game cannot be recorded, and BotFaultError if it was
    left because of a bot's fault.
    """
    # Imports Textual, which plain text does not need.
    from cardhub.tui.app import TableApp

    # A bot that starts processes needs this process; under Textual it can no longer be started.
    if os.name == "posix":
        resource_tracker.ensure_running()
    app = TableApp(host, ascii_only=ascii_only, theme=theme, card_size=card_size, opened=opened)
    failure = app.run()
    if failure is not None:
        raise failure
    return app.return_code or 0
