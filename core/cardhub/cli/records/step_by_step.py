"""A recorded game step by step: on the screen, or in plain text by commands."""

import os

from cardhub.cli.params import parse_theme
from cardhub.cli.records.plain_replay import PlainReplay
from cardhub.cli.session.painter import Painter, choose_glyphs
from cardhub.play.host.opening import PACE, Opener
from cardhub.play.host.replays.replay import Replay
from cardhub.play.host.replays.stepping.replay_session import ReplaySession
from cardhub.play.host.saved.preferences import load_preferences
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.plugins.registry import PluginRegistry
from cardhub.tui.replay_screen.run_replay import run_replay
from cardhub.view.text import Glyphs


def show_steps(
    registry: PluginRegistry, replay: Replay, viewer: int, *, plain: bool, ascii_only: bool
) -> int:
    """Let a person step through a replay; return the exit code."""
    if not plain and os.environ.get("TERM") != "dumb":
        return _on_screen(registry, replay, viewer, ascii_only=ascii_only)
    _step_through(registry, replay, viewer, choose_glyphs(ascii_only))
    return 0


def _on_screen(registry: PluginRegistry, replay: Replay, viewer: int, *, ascii_only: bool) -> int:
    liked = load_preferences()
    opener = Opener(registry, LoopScheduler(), pace=PACE if liked.pace is None else liked.pace)
    is_ascii = choose_glyphs(ascii_only or liked.ascii).is_ascii
    theme = parse_theme(liked.theme) if liked.theme else None
    return run_replay(replay, opener, viewer=viewer, ascii_only=is_ascii, theme=theme)


def _step_through(registry: PluginRegistry, replay: Replay, viewer: int, glyphs: Glyphs) -> None:
    session = ReplaySession(replay, viewer=viewer)
    painter = Painter(glyphs).for_game(session.catalogue)
    painter.say(f"{replay.game.title}: {replay.last} steps; `help` lists the commands")
    PlainReplay(session, registry, painter).run()
