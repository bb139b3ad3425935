"""The screen of a game between bots: watched live, with the keys of a replay to go back in time."""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from typing_extensions import override

from cardhub.play.host.opening import Opener
from cardhub.play.host.saved.preferences import CardSize
from cardhub.play.host.table_host import Host
from cardhub.play.table_commands import SetPace
from cardhub.play.table_messages import BeatView, TableStatus
from cardhub.tui.dialogs.dialog import SummaryDialog
from cardhub.tui.keys import VIEW_KEYS, WATCH_KEYS, Key, bindings
from cardhub.tui.replay.screen import ReplayScreen
from cardhub.tui.table.beats import BeatPlayer
from cardhub.tui.table.game_over import GameOver
from cardhub.tui.table.hint_panel import busy_text
from cardhub.tui.table.play_screen import MIN_FRAME, SHOW_THINKING_AFTER, SIGN_STEPS
from cardhub.tui.table.status_dialogs import StatusDialogs
from cardhub.tui.table.table_view import changed_pace
from cardhub.view.layout.canvas import TableGlyphs
from cardhub.view.layout.drawing.table_painter import NO_TAG

# The time of a round's summary, as a multiple of the pace.
SUMMARY_PACES = 5


class WatchScreen(ReplayScreen):
    """Shows a game between bots at its last step, until the viewer goes back in time.

    The game is paused while an earlier step is shown. Autoplay leads back to the present, where the
    bots go on.
    """

    KEYS: ClassVar[Sequence[Key]] = WATCH_KEYS
    BINDINGS: ClassVar[list[BindingType]] = bindings((*WATCH_KEYS, *VIEW_KEYS))

    def __init__(self, host: Host, glyphs: TableGlyphs, *, card_size: CardSize = "auto") -> None:
        replay = host.live_replay()
        opener = Opener(host.registry, host.scheduler, host.turns.pace) if host.registry else None
        super().__init__(
            replay, glyphs, opener, self.dismiss, step=replay.last, card_size=card_size
        )
        self.host = host
        self._live = host.model(len(host.players))
        self._beats = BeatPlayer(self.set_timer, self._draw_beat, self._follow)
        self._game_over = GameOver(self, host, glyphs)
        self._status_dialogs = StatusDialogs(self)
        self._is_at_present = True
        self._is_due = self._is_result_seen = False
        self._shown_at = 0.0
        self._unsubscribe: Callable[[], None] = lambda: None

    def on_mount(self) -> None:
        """Follow the game, then start the bots."""
        self._unsubscribe = self.host.subscribe(self._changed)
        self.set_interval(1 / SIGN_STEPS, self._tick)
        # After the first frame, because starting the processes of bots takes time.
        self.call_after_refresh(self.host.begin)

    @override
    def works(self, key: Key) -> bool:
        works = {
            "replay.forward": not self._is_at_present or not self.replay.is_over,
            "watch.skip": self._is_at_present and not self.replay.is_over,
        }
        return works.get(key.id, True) and (key.id in works or super().works(key))

    @override
    def show_replay(self) -> None:
        status = self._live.status()
        if not self.autoplay.is_on:
            is_paused = not self._is_at_present or status.is_paused or self.replay.is_over
            self.session.is_paused = is_paused
        self.session.pace = status.pace
        if self.is_attached:
            self.table.change(busy="")
        super().show_replay()

    @override
    def tag(self) -> str:
        step, last = self.session.step, self.replay.last
        if not self._is_at_present:
            return f"STEP {step} of {last}"
        if self.replay.is_over:
            return "GAME OVER"
        return "PAUSED" if self.session.is_paused else "WATCHING"

    @override
    def show_next_action(self) -> None:
        status = self._live.status()
        if not self._is_at_present or self.replay.is_over:
            super().show_next_action()
        elif status.fault is not None:
            self.say("Press . to try again, or q to leave.")
        else:
            self.say(
                "Paused. Press space to continue, or → for one action." if status.is_paused else ""
            )

    @override
    def stop_and(self, go: Callable[[], object]) -> None:
        self._live.request("pause")
        super().stop_and(go)
        self._is_at_present = self.session.is_at_end
        self.show_replay()

    @override
    def reach_end(self) -> None:
        self._is_at_present = True
        self._live.request("resume")
        self.show_replay()

    @override
    def action_step(self, by: int) -> None:
        if by > 0 and self._is_at_present:
            self._live.request("pause")
            self._live.request("step")
        else:
            super().action_step(by)

    @override
    def action_play(self) -> None:
        if not self._is_at_present or self.replay.is_over:
            super().action_play()
            self._is_at_present = self.session.is_at_end
        else:
            self._live.request("resume" if self._live.status().is_paused else "pause")
        self.show_replay()

    @override
    def action_pace(self, sign: int) -> None:
        pace = changed_pace(self._live.status().pace, sign)
        self._live.send(SetPace(seconds=pace))
        self.session.set_pace(pace)
        self.autoplay.keep_pace()

    def action_skip(self) -> None:
        """Play to the end without pauses, end a search early, or retry after a fault."""
        self._live.request("resume")
        self._live.request("skip")

    @override
    def action_result(self) -> None:
        self.autoplay.stop()
        self._game_over.show_result(self.session)

    def _changed(self) -> None:
        """Schedule a drawing; fast bots act more often than a terminal can draw."""
        if self._is_due or not self.is_attached:
            return
        self._is_due = True
        wait = self._shown_at + MIN_FRAME - monotonic()
        if wait <= 0 or self.host.is_waiting_for_people:
            self.call_later(self._follow)
        else:
            self.set_timer(wait, self._follow)

    def _follow(self) -> None:
        """Show the last step of the game, unless the viewer went back in time."""
        self._is_due, self._shown_at = False, monotonic()
        if not self.is_attached:
            return
        status = self._live.status()
        if status.failure is not None:
            self.action_leave()
            return
        is_followed = self._is_at_present
        if is_followed and self._beats.show_next(self.host.model(self.session.viewer)):
            return
        if self._stops_at_summary(status):
            return
        if self._is_at_present:
            self.session.go(self.replay.last)
        else:
            self.show_replay()
        self._status_dialogs.show(self._live, status, self._live.view())
        if self.host.is_over and not self._is_result_seen:
            self._is_result_seen = True
            self._game_over.show_result(self.session)

    def _draw_beat(self, beat: BeatView) -> None:
        log = self.host.model(beat.view.viewer).log()
        self.table.change(turn=NO_TAG, busy="", news="")
        self.table.show_view(
            beat.view, self.session.catalogue, [line for line in log if line.step <= beat.step]
        )
        self.say("")

    def on_key(self, event: events.Key) -> None:
        """Go on from a beat."""
        self._beats.go_on()

    def _stops_at_summary(self, status: TableStatus) -> bool:
        """Show summaries of completed rounds over the table at their end."""
        summaries = self._live.unread_summaries()
        # Do not stop in a game without pace, or at the end, where the result is shown.
        if summaries and (self.host.is_over or not status.is_waiting):
            self._live.request("read")
            return False
        if not summaries:
            return False
        # The help may be in front of the dialog.
        if any(isinstance(shown, SummaryDialog) for shown in self.app.screen_stack):
            return True
        # Not the last step, because the next round may be dealt already.
        self.session.go(max((line.step for line in self._live.log() if line.summary), default=0))
        seconds = None if status.is_paused else status.pace * SUMMARY_PACES
        columns, texts = self.app.size.width, self.glyphs.texts
        dialog = SummaryDialog(summaries, texts, columns, seconds, on_help=self.action_help)
        self.app.push_screen(dialog, self._read_summary)
        return True

    def _read_summary(self, button: str | None) -> None:
        if button == "leave":
            self.action_leave()
        else:
            self._live.request("read")
            self._follow()

    def _tick(self) -> None:
        status = self._live.status()
        if self._is_at_present and (status.thinking or 0) >= SHOW_THINKING_AFTER:
            self.table.change(busy=busy_text(status))
        self._status_dialogs.show(self._live, status, self._live.view())

    @override
    def action_leave(self) -> None:
        self._unsubscribe()
        self._unsubscribe = lambda: None
        super().action_leave()
