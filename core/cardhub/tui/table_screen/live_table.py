"""A game in progress on the screen: its view, rounds, faults of bots, and the curtain."""

from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import ClassVar

import msgspec
from typing_extensions import override

from cardhub.play.host.session import Course, Session, Wish
from cardhub.play.host.table_access import TableAccess
from cardhub.play.host.terminal import SharedTerminal
from cardhub.tui.dialogs.handover_screen import HandoverScreen
from cardhub.tui.dialogs.summary_dialog import SummaryDialog
from cardhub.tui.keys import TABLE_KEYS, Key
from cardhub.tui.table_screen.course_dialogs import CourseDialogs, actor
from cardhub.tui.table_screen.hint_panel import HintPanel, thinking_sign
from cardhub.tui.table_screen.look_screen import LookScreen
from cardhub.tui.table_screen.table_view import CardSizes, TableView
from cardhub.view.layout.table_glyphs import TableGlyphs
from cardhub.view.view import LogLine, View

# Seconds between two drawings of the table while bots act without waiting.
MIN_FRAME = 0.1
# Steps per second of the sign of thinking, and seconds after which it is shown.
SIGN_STEPS, SHOW_THINKING_AFTER = 4, 0.5
# Columns from which the table has a pane of the cards not seen yet.
UNSEEN_FROM = 160


class LiveTable(TableView):
    """Shows the game of a table; after each change `refresh_table` shows it.

    `drawn_revision` is that of the view that was drawn last.
    """

    KEYS: ClassVar[Sequence[Key]] = TABLE_KEYS

    def __init__(
        self, host: TableAccess, glyphs: TableGlyphs, *, card_size: CardSizes = "auto"
    ) -> None:
        super().__init__(glyphs, card_size)
        self.host = host
        self._terminal = SharedTerminal(host)
        self._course_dialogs = CourseDialogs(self, self._wish, self.action_leave)
        self._past: View | None = None
        self._is_due = False
        self._shown_at = 0.0
        self.drawn_revision = -1
        self._is_result_seen = False
        self._is_unseen_hidden = False

    @property
    @override
    def session(self) -> Session:
        return self._terminal.session

    @property
    @override
    def shown_view(self) -> View:
        return self._past or self.session.view()

    def on_mount(self) -> None:
        """Show the table, then let bots act."""
        self._terminal.subscribe(self._changed)
        self.refresh_table()
        self.set_interval(1 / SIGN_STEPS, self._tick)
        # After the first frame: starting the processes of bots takes time.
        self.call_after_refresh(self.host.begin)

    @override
    def works(self, key: Key) -> bool:
        view, course = self.session.view(), self.session.course()
        is_own, is_bots = bool(view.choices), view.to_act >= 0 and view.to_act != view.viewer
        works = {
            "table.type": is_own,
            "table.hint": is_own,
            "table.why": is_own,
            "table.undo": view.can_undo,
            "table.skip": is_bots or course.fault is not None or self._hint.is_thinking,
            "table.pause": is_bots or course.is_paused,
            "table.hide": self._terminal.is_shared and not view.is_over,
            "table.result": view.is_over,
            "table.replay": bool(self.session.log()),
        }
        return works.get(key.id, True)

    def refresh_table(self) -> None:
        """Show the state of the session: a curtain, the summary of a round, or the table."""
        self._is_due = False
        if not self.is_attached or self._terminal is None:
            return
        course = self.session.course()
        if course.failure is not None:
            self.action_leave()
        elif not self._stops_at_summary() and not self._is_handed_over():
            self._show_present(course)

    def _changed(self) -> None:
        """Draw soon; fast bots act more often than a terminal can draw."""
        if self._is_due or not self.is_attached:
            return
        self._is_due = True
        course, view = self.session.course(), self.session.view()
        wait = self._shown_at + MIN_FRAME - monotonic()
        if course.is_waiting or view.choices or view.is_over or wait <= 0:
            self.call_later(self.refresh_table)
        else:
            self.set_timer(wait, self.refresh_table)

    def _show_present(self, course: Course) -> None:
        view = self.session.view()
        self._past, self._shown_at = None, monotonic()
        if self.drawn_revision != view.revision:
            self.drawn_revision = view.revision
            self._close_hint()
            self.say("")
        tag = self._turn_tag(course)
        self._draw(view, turn=tag)
        if self.notice:
            self.say(self.notice)
        self._course_dialogs.show(course, view)
        if view.is_over and not self._is_result_seen:
            self._is_result_seen = True
            self._show_result()

    def _show_result(self) -> None:
        raise NotImplementedError

    def _draw(self, view: View, *, turn: str, until: int | None = None) -> None:
        log = self.session.log()
        if until is not None:
            log = [line for line in log if line.step <= until]
        self.table.change(
            turn=turn,
            busy="",
            news=self._news(log),
            says_you=len(self.host.people) == 1,
            unseen=self.session.unseen() if self._shows_unseen else (),
        )
        self.table.show_view(view, self.session.catalogue, log)

    @property
    def _shows_unseen(self) -> bool:
        return self.app.size.width >= UNSEEN_FROM and not self._is_unseen_hidden

    def _news(self, log: Sequence[LogLine]) -> str:
        """Return the new lines of the log, the oldest left out where they are too long."""
        texts: list[str] = []
        for line in reversed(log):
            if not line.is_new or len(" · ".join((line.text, *texts))) > self.app.size.width - 3:
                break
            texts.insert(0, line.text)
        return " · ".join(texts) or (log[-1].text if log and log[-1].is_new else "")

    def _turn_tag(self, course: Course) -> str:
        view = self.session.view()
        self.notice = ""
        if course.fault is not None:
            self.notice = ". to try again, q to leave."
            return f"{actor(view)} failed"
        if course.is_paused and view.to_act >= 0 and not view.choices:
            self.notice = "Paused: p to go on, . for one step."
            return "PAUSED"
        return ""

    def _stops_at_summary(self) -> bool:
        """Show the summaries of rounds that have ended, over the table at that time."""
        summaries = self.session.unread_summaries()
        if not summaries:
            return False
        if isinstance(self.app.screen, SummaryDialog):
            return True
        step = max((line.step for line in self.session.log() if line.summary), default=0)
        # Not the present state: the next round may have been dealt already.
        # Its prompt is that of the next round.
        self.session.view_at(step, partial(self._draw_round_end, step))
        dialog = SummaryDialog(summaries, self.glyphs.texts, self.app.size.width)
        self.app.push_screen(dialog, self._read_summary)
        return True

    def _draw_round_end(self, step: int, view: View) -> None:
        self._draw(msgspec.structs.replace(view, prompt=""), turn="ROUND OVER", until=step)

    def _wish(self, wish: Wish) -> None:
        self.session.wish(wish)

    def _read_summary(self, button: str | None) -> None:
        if button == "leave":
            self.action_leave()
        else:
            self.session.wish("read")
            self.refresh_table()

    def _is_handed_over(self) -> bool:
        """Hide the table until the next person takes the terminal, if another one is to act."""
        seat = self._terminal.next_holder
        if seat is None:
            return False
        if not isinstance(self.app.screen, HandoverScreen):
            # Nothing of the table may be seen, not even for a moment after the curtain, nor a log
            # or detail that the person before has left open.
            while self.app.screen is not self:
                self.app.pop_screen()
            self.table.clear()
            self._close_hint()
            names = [self.glyphs.texts.text(p.name) for p in self.session.view().players]
            others = {str(n + 1): names[n] for n in self._terminal.others(seat)}
            screen = HandoverScreen(names[seat], others, self._look)
            self.app.push_screen(screen, partial(self._take, seat))
        return True

    def _look(self, key: str) -> None:
        """Show a person their own cards, over the screen that hides the table."""
        self.app.push_screen(LookScreen(self._terminal.look(int(key) - 1), self.glyphs))

    def action_hide(self) -> None:
        """Hide the table from others in the room; a key shows it again."""
        self._terminal.cover()

    def _take(self, seat: int, is_taken: bool | None) -> None:
        if not is_taken:
            self.action_leave()
            return
        self._terminal.take(seat)
        self.refresh_table()

    def _tick(self) -> None:
        if self.app.screen is not self and not self.is_current:
            return
        course, view = self.session.course(), self.session.view()
        self._hint.show_thinking()
        if course.thinking is not None and course.thinking >= SHOW_THINKING_AFTER:
            busy = ". again to break it off" if course.is_unresponsive else ""
            self.table.change(busy=f"thinks {thinking_sign(course.thinking)} {busy}".rstrip())
        self._course_dialogs.show(course, view)

    @property
    def _hint(self) -> HintPanel:
        return self.query_one(HintPanel)

    def _close_hint(self) -> None:
        if self._hint.is_open:
            self.session.cancel_hint()
            self._hint.close()

    @override
    def action_whole_log(self) -> None:
        self._close_hint()
        super().action_whole_log()

    def action_leave(self) -> None:
        """Leave the game; its record is complete already."""
        self.session.cancel_hint()
        self.dismiss(None)
