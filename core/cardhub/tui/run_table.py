"""Opening the table and leaving it with an exit code."""

import os
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

from cardhub.play.bot_process.client import BotClient
from cardhub.play.referee import Referee
from cardhub.plugins.theme import Theme

PACE = 0.6
"""How many seconds an action of a bot takes at least, unless somebody says otherwise."""


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
    """Play on at the screen until somebody leaves; return the exit code of the program.

    0 if all went well, 3 after a bot failed, 128 + n after signal n, 1 if the table itself broke.
    `adviser` gives hints and is called `hint`; `record` is where the game is being saved, for
    people to read; `theme` is a plugin's, or the name of one of Textual's. Raises RecordError as
    soon as the game cannot be recorded, and BotFaultError when somebody has left because a bot
    could not go on.
    """
    from cardhub.tui.app import TableApp

    if os.name == "posix":  # a bot that starts processes cannot start this one under Textual
        resource_tracker.ensure_running()
    pace = PACE if pace is None else pace
    app = TableApp(
        referee,
        bots,
        adviser,
        hint=hint,
        pace=pace,
        ascii_only=ascii_only,
        record=record,
        theme=theme,
    )
    failure = app.run()
    if failure is not None:
        raise failure
    return app.return_code or 0
