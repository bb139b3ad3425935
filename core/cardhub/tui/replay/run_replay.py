"""A replay on the screen, from opening it to the exit code."""

import os
from multiprocessing import resource_tracker

from cardhub.base.errors import CardhubError
from cardhub.play.host.opening import Opener
from cardhub.play.host.replays.replay import Replay
from cardhub.plugins.registrations import Theme


def run_replay(
    replay: Replay,
    opener: Opener,
    *,
    viewer: int | None = None,
    ascii_only: bool = False,
    theme: Theme | str | None = None,
) -> int:
    """Show a replay, and games played on from it, until they are left; return the exit code.

    0 for success, 128 + n after signal n, 1 after an internal error. The scheduler of the opener is
    a LoopScheduler. Raises RecordError if a game that is played on cannot be recorded.
    """
    # Imports Textual, which plain text does not need.
    from cardhub.tui.replay.replay_app import ReplayApp

    # A bot that starts processes needs this process; under Textual it can no longer be started.
    if os.name == "posix":
        resource_tracker.ensure_running()
    app = ReplayApp(replay, opener, viewer=viewer, ascii_only=ascii_only, theme=theme)
    failure: CardhubError | None = app.run()
    if failure is not None:
        raise failure
    return app.return_code or 0
