"""A game on the screen: actions of people and bots, hints, and leaving."""

from collections.abc import Callable
from functools import cached_property, partial
from time import monotonic
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from cardhub.errors import BotFaultError, BotIllegalError, IllegalActionError, RecordError
from cardhub.tui.table_screen.board import Board
from cardhub.tui.table_screen.bot_turns import FaultHandler
from cardhub.tui.table_screen.table_messages import (
    ActionChosen,
    BotAnswered,
    ChoiceWanted,
    HintAnswered,
)
from cardhub.tui.table_screen.text_lines import SIGN_STEPS, Prompt
from cardhub.tui.table_screen.view import TableView

# Seconds between two drawings of the table while bots act without waiting.
MIN_FRAME = 0.1
# Seconds after which the bots' process is started: the table is drawn first.
PREPARE_BOTS_AFTER = 0.2
# The time of a summary where only bots play, as a multiple of the time of a bot's action.
SUMMARY_PACES = 5
# The exit code after an action could not be recorded.
NOT_RECORDED = 1


class TableScreen(TableView):
    """Shows a session and carries out the actions of people and bots.

    After each change `proceed` shows the table and asks the next player.
    """

    # People can assign other keys by these ids.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "Help", key_display="?", id="table.help"),
        Binding("colon", "type_action", "Type", key_display=":", id="table.type"),
        Binding("i", "hint", "Hint", id="table.hint"),
        Binding("w", "why_not", "Why not", id="table.why"),
        Binding("u", "undo", "Undo", id="table.undo"),
        Binding("full_stop", "skip", "Skip", key_display=".", id="table.skip"),
        Binding("p", "pause", "Pause", show=False, id="table.pause"),
        Binding("plus,equals_sign", "pace(-1)", "Pace", key_display="+ -", id="table.faster"),
        Binding("minus", "pace(1)", "Slower", show=False, id="table.slower"),
        Binding("L", "whole_log", "Log", key_display="L", id="table.log"),
        Binding("escape", "back", "Back", show=False, id="table.back"),
        Binding("q,ctrl+q", "leave", "Leave", key_display="q", priority=False, id="table.leave"),
    ]

    @cached_property
    def _failure(self) -> FaultHandler:
        return FaultHandler(
            self._bots,
            self._dialogs,
            retry=self.proceed,
            leave=self.action_leave,
            changed=lambda: self.query_one(Prompt).show(has_failed=True),
        )

    def on_mount(self) -> None:
        """Begin with the present state."""
        self.proceed()
        self.set_interval(1 / SIGN_STEPS, self._tick)
        if any(not player.is_human for player in self._referee.players):
            # Starting a process takes time in which the first frame could not be drawn.
            self.set_timer(PREPARE_BOTS_AFTER, self._bots.prepare)

    def proceed(self) -> None:
        """Show the table, then ask the next player."""
        # Answers to the state before must not count in the state that is shown now.
        self._bots.cancel()
        self._hints.close()
        self._failure.clear()
        if self._stops_at_summary():
            return
        seat = self._session.next_holder
        if seat is not None:
            self._hand_over(seat)
            return
        is_bots = self._session.is_bots_turn
        # Fast bots act more often than a terminal can draw.
        if self._bots.is_waiting or not is_bots or monotonic() - self._shown_at > MIN_FRAME:
            self._show()
        if self._referee.is_over:
            self._dialogs.show_result(self._failure.decide)
        elif is_bots:
            self._bots.start(self._referee.observe(self._referee.seat))
        else:
            self._bots.rest()

    def _show(self) -> None:
        self.show_table(has_failed=self._failure.fault is not None)

    def _stops_at_summary(self) -> bool:
        """Show the summaries of rounds that have ended since, if any, and proceed afterwards."""
        summaries = self._session.unread_summaries()
        # Where only bots play, a game without pace or skipped to its end does not stop.
        if not summaries or not (self._session.has_people or self._bots.is_waiting):
            return False
        self._show()
        is_timed = not self._session.has_people and not self._bots.is_paused
        seconds = self._bots.pace * SUMMARY_PACES if is_timed else None

        def handle(button: str | None) -> None:
            if button == "leave":
                self.action_leave()
            else:
                self.proceed()

        self._dialogs.show_summaries(summaries, handle, seconds)
        return True

    def _hand_over(self, seat: int) -> None:
        def handle(is_taken: bool | None) -> None:
            if not is_taken:
                self.action_leave()
                return
            self._session.take_seat(seat)
            self.say("")  # it may describe a card that only the player before may see
            self.proceed()

        self._dialogs.hand_over(seat, handle)

    def _tick(self) -> None:
        self._hints.show_thinking()
        self.query_one(Prompt).show_thinking()
        self._failure.watch()

    @on(ActionChosen)
    def act(self, message: ActionChosen) -> None:
        """Carry out an action of the person at the terminal."""
        # A message may arrive after the seat to act has changed: it is dropped.
        if self._session.viewer == self._referee.seat:
            # Illegal after a key was pressed twice before the table was drawn again.
            action = message.action
            self._carry_out(
                partial(self._referee.apply, action),
                lambda _: self.say_all(self.reasons().of(action)),
            )

    @on(ChoiceWanted)
    def choose(self, message: ChoiceWanted) -> None:
        """Ask for one of several actions."""
        # A message may arrive after the seat to act has changed: it is dropped.
        if self._session.observe().is_to_act:
            self._dialogs.ask(message.actions, self._chosen)

    @on(BotAnswered)
    def receive_answer(self, message: BotAnswered) -> None:
        """Carry out a bot's action, or show its fault."""
        if not self._bots.is_due(message):
            return
        answer = message.answer
        if isinstance(answer, BotFaultError):
            self._failure.show(answer)
        elif isinstance(answer, int):
            seen = self._referee.observe(self._referee.seat)
            self._carry_out(
                partial(self._referee.apply, answer),
                lambda _: self._failure.show(BotIllegalError(seen.refusal(answer), answer)),
            )

    @on(HintAnswered)
    def receive_hint(self, message: HintAnswered) -> None:
        """Show a hint, and note it in the record."""
        try:
            self._hints.receive(message, partial(self._referee.note_hint, self._hints.bot))
        except RecordError as error:
            self.app.exit(error, return_code=NOT_RECORDED)
        self.show_log()

    def _carry_out(self, step: Callable[[], None], refuse: Callable[[str], None]) -> None:
        """Call `step` and proceed; pass a refusal to the callback `refuse`; exit on RecordError."""
        try:
            step()
        except IllegalActionError as error:
            refuse(str(error))
        except RecordError as error:
            self.app.exit(error, return_code=NOT_RECORDED)
        else:
            self.proceed()

    def _chosen(self, action: int | None) -> None:
        if action is not None:
            self.post_message(ActionChosen(action))

    def action_type_action(self) -> None:
        """Open the box for typing an action."""
        if self.is_own_turn():
            self._dialogs.ask(self._session.observe().legal(), self._chosen)

    def action_why_not(self) -> None:
        """Show why no action is possible at the cursor, or the action that can be done there."""
        self.query_one(Board).ask_why()

    def action_undo(self) -> None:
        """Undo the viewer's last action, or show why that is impossible."""
        self._carry_out(partial(self._referee.undo, self._session.viewer), self.say)

    def action_skip(self) -> None:
        """Finish a search early and skip pacing; retry after a fault."""
        if self._failure.fault is not None:
            self.proceed()
        elif self._hints.is_thinking:
            self._hints.hurry()
        elif self._bots.is_unresponsive:
            self._failure.stop_bot()
        elif self._session.is_bots_turn:
            self._bots.skip()

    def action_hint(self) -> None:
        """Ask for a hint, or hide it."""
        if self._hints.is_open:
            self._hints.close()
        elif self.is_own_turn():
            self.action_back()
            self._hints.ask(self._session.observe())

    def action_pause(self) -> None:
        """Pause the bots, or let them go on."""
        self._bots.pause(not self._bots.is_paused)
        self._show()

    def action_pace(self, sign: int) -> None:
        """Change the pace of the bots by a step."""
        self.say(f"Bots take at least {self._bots.change_pace(sign)} s for each action.")

    def action_leave(self) -> None:
        """Leave the game; its record is complete already."""
        self._bots.cancel()
        self._hints.close()
        # Every action was recorded when it was carried out: there is nothing to save here.
        self.app.exit(self._failure.fault, return_code=self._failure.exit_code)
