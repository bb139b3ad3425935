"""Imported without Textual, because each command loads it: show a replay until its end."""

import os
from multiprocessing import resource_tracker

from cardhub.base.errors import CardhubError
from cardhub.play.host.opening import Opener
from cardhub.play.host.replays.replay import Replay
from cardhub.plugins.registrations import Theme
from cardhub.view.text.glyphs import GlyphChoice


def run_replay(
    replay: Replay,
    opener: Opener,
    *,
    viewer: int | None = None,
    glyphs: GlyphChoice = "auto",
    theme: Theme | str | None = None,
) -> int:
    """Show a replay, and games continued from it, until they are left; return the exit code.

    0 for success, 128 + n after signal n, 1 after an internal error. The scheduler of `opener` must
    be a LoopScheduler. Raises RecordError if a continued game cannot be recorded.
    """
    # Imports Textual, which plain text does not need.
    from cardhub.tui.replay.replay_app import ReplayApp

    # Bots that start processes need the resource tracker, which cannot start under Textual.
    if os.name == "posix":
        resource_tracker.ensure_running()
    app = ReplayApp(replay, opener, viewer=viewer, glyphs=glyphs, theme=theme)
    failure: CardhubError | None = app.run()
    if failure is not None:
        raise failure
    return app.return_code or 0
