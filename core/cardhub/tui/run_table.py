"""Playing a game on the screen, from opening the table to its exit code."""

import os
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

from cardhub.play.bot_process.client import BotClient
from cardhub.play.referee import Referee
from cardhub.plugins.registrations import Theme

# Default for the least number of seconds between actions of bots.
PACE = 0.6


def run_table(
    referee: Referee[Any],
    bots: BotClient,
    adviser: BotClient,
    *,
    hint: str,
    pace: float | None = None,
    ascii_only: bool = False,
    record: Path | None = None,
    theme: Theme | str | None = None,
) -> int:
    """Show the table until it is left; return the exit code of the program.

    0 for success, 3 after a bot failed, 128 + n after signal n, 1 after an internal error.
    `adviser` is the client of the process for hints, `hint` the spec of its bot; `pace` is in
    seconds, by default PACE; `record` is the path to show at the end. Raises RecordError if the
    game cannot be recorded, and BotFaultError if it was left because of a bot's fault.
    """
    # Imports Textual, which plain text does not need.
    from cardhub.tui.app import TableApp

    # A bot that starts processes needs this process; under Textual it can no longer be started.
    if os.name == "posix":
        resource_tracker.ensure_running()
    app = TableApp(
        referee,
        bots,
        adviser,
        hint=hint,
        pace=PACE if pace is None else pace,
        ascii_only=ascii_only,
        record=record,
        theme=theme,
    )
    failure = app.run()
    if failure is not None:
        raise failure
    return app.return_code or 0
