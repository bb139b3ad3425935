"""The table: one screen for all games."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Footer

from cardhub.errors import BotFaultError, BotIllegalError, IllegalActionError, RecordError
from cardhub.play.bot_process.client import BotClient
from cardhub.play.seeds import is_drawn, seed_in_words
from cardhub.text.glyphs import Glyphs
from cardhub.text.sheet import Sheet
from cardhub.text.sheet_layout import lay_out
from cardhub.text.spot_details import Explainer
from cardhub.tui.dialogs.table_dialogs import Dialogs
from cardhub.tui.session import Session
from cardhub.tui.table_screen.board import Board
from cardhub.tui.table_screen.bot_failure import BotFailure
from cardhub.tui.table_screen.bot_turns import BotTurns
from cardhub.tui.table_screen.detail_line import DetailLine
from cardhub.tui.table_screen.event_log import EventLog
from cardhub.tui.table_screen.hint_panel import HintPanel
from cardhub.tui.table_screen.hints import Hints
from cardhub.tui.table_screen.keys import TABLE_KEYS
from cardhub.tui.table_screen.prompt import STEPS, Prompt
from cardhub.tui.table_screen.table_messages import (
    ActionChosen,
    BotAnswered,
    ChoiceWanted,
    HintAnswered,
    Pointed,
)
from cardhub.tui.table_screen.too_small import TooSmall

FRAME = 0.1
"""How often the table is drawn while bots act without waiting, in seconds."""
UNHURRIED = 0.2
"""After how many seconds bots get ready: not before there is something to be seen."""
UNRECORDED = 1
"""The exit code after an action could not be recorded."""


class TableScreen(Screen[None]):
    """Shows a session and carries out what people choose.

    Whatever changes the table ends in `go_on`, which shows it and sees who is next.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*TABLE_KEYS]
    AUTO_FOCUS = "Board"
    # An annotation as ClassVar, which ruff wants, contradicts the one in Textual.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide"), (110, "-roomy")]  # noqa: RUF012
    CSS_PATH = "table_screen.tcss"

    def __init__(
        self,
        session: Session,
        bots: BotClient,
        adviser: BotClient,
        *,
        hint: str,
        pace: float,
        glyphs: Glyphs,
    ) -> None:
        super().__init__()
        self._session = session
        self._referee = session.referee
        self._glyphs = glyphs
        self._thinker = bots
        self._bots = BotTurns(self, bots, pace)
        self._hints = Hints(self, adviser, hint)
        self._dialogs = Dialogs(self, session, glyphs)
        self._trouble = BotFailure(
            self._bots,
            self._dialogs,
            retry=self.go_on,
            leave=self.action_leave,
            changed=self._show_prompt,
        )
        self._shown = 0.0

    def compose(self) -> ComposeResult:
        """Lay out the prompt, board and log, what is explained, and the keys."""
        yield Prompt(self._session, self._bots, self._glyphs, id="prompt")
        with Horizontal(id="middle"):
            yield Board(id="board")
            seed = self._referee.seed
            head = seed_in_words(seed, is_over=False) if is_drawn(seed) else ""
            yield EventLog(self._glyphs, head, id="log")
            yield HintPanel(self._glyphs, id="hint")
        yield DetailLine(self._glyphs, id="inspector")
        yield Footer(show_command_palette=False, compact=True)
        yield TooSmall(id="too-small", markup=False)

    def on_mount(self) -> None:
        """Begin where the game stands."""
        self.go_on()
        self.set_interval(1 / STEPS, self._tick)
        self.set_timer(UNHURRIED, self._get_ready)

    def on_resize(self, event: events.Resize) -> None:
        """Say so when there is too little room."""
        fits = self.query_one(TooSmall).fits(event.size)
        self.set_class(not fits, "-too-small")
        if fits and self.focused is None:
            self.query_one(Board).focus()

    def go_on(self) -> None:
        """Show the table, then have whoever is next act."""
        self._bots.cancel()
        self._hints.close()
        self._trouble.forget()
        session = self._session
        if session.next_holder is not None:
            self._hand_over(session.next_holder)
            return
        is_bots = session.is_bots_turn
        if self._bots.is_waiting or not is_bots or monotonic() - self._shown > FRAME:
            self.update_table()
        if self._referee.is_over:
            self._dialogs.show_result(self._trouble.decide)
        elif is_bots:
            self._start_bot()
        else:
            self._bots.rest()

    def update_table(self) -> None:
        """Show everything as the viewer may see it now."""
        session = self._session
        observation = session.observe()
        self._shown = monotonic()
        self._show_prompt()
        self.query_one(EventLog).show(session.events(), len(session.news()))
        changed, names = session.changed(), session.names

        def draw(width: int) -> Sheet:
            return lay_out(observation, names, width, changed, self._glyphs, numbered=True)

        self.query_one(Board).show(draw, Explainer(observation, names).explain)

    def _show_prompt(self) -> None:
        self.query_one(Prompt).show(is_stuck=self._trouble.fault is not None)

    def _hand_over(self, seat: int) -> None:
        def taken(raised: bool | None) -> None:
            if not raised:
                self.action_leave()
                return
            self._session.take_seat(seat)
            self.say("")  # what was explained to the one before
            self.go_on()

        self._dialogs.pass_to(seat, taken)

    def _start_bot(self) -> None:
        self._bots.start(self._referee.observe(self._referee.seat))

    def _get_ready(self) -> None:
        if any(not player.is_human for player in self._referee.players):
            with suppress(OSError):  # it is told as soon as a bot is asked
                self._thinker.start()

    def _tick(self) -> None:
        """Show that somebody thinks, and for how long; ask whether to wait if that is long."""
        self._hints.move()
        self.query_one(Prompt).show_thinking()
        self._trouble.watch()

    @on(ActionChosen)
    def act(self, message: ActionChosen) -> None:
        """Carry out what somebody chose."""
        if self._session.viewer == self._referee.seat:
            # A key pressed twice before the table was drawn anew is refused.
            seen, action = self._session.observe(), message.action
            self._carry_out(
                partial(self._referee.act, action), lambda _: self.say(seen.refusal(action))
            )

    @on(ChoiceWanted)
    def choose(self, message: ChoiceWanted) -> None:
        """Ask which of several actions is meant."""
        self._dialogs.ask(message.actions, self._chosen)

    @on(Pointed)
    def explain(self, message: Pointed) -> None:
        """Explain what somebody points at; all of it if they want to read on."""
        whole = self.query_one(DetailLine).explain(message.text)
        if message.opened and whole:
            self._dialogs.read(whole)

    @on(events.Click, "#inspector")
    def read_all(self) -> None:
        """Tell everything that the inspector has no room for."""
        self.query_one(Board).action_inspect()

    @on(BotAnswered)
    def hear_bot(self, message: BotAnswered) -> None:
        """Carry out what a bot chose, or tell that it failed."""
        if not self._bots.is_due(message):
            return
        answer = message.answer
        if isinstance(answer, BotFaultError):
            self._trouble.tell(answer)
        elif isinstance(answer, int):
            act = partial(self._referee.act, answer)
            seen = self._referee.observe(self._referee.seat)
            self._carry_out(
                act, lambda _: self._trouble.tell(BotIllegalError(seen.refusal(answer), answer))
            )

    @on(HintAnswered)
    def hear_hint(self, message: HintAnswered) -> None:
        """Show a hint, and have it recorded that it was seen."""
        try:
            self._hints.hear(message, partial(self._referee.note_hint, self._hints.bot))
        except RecordError as error:
            self.app.exit(error, return_code=UNRECORDED)
        self.query_one(EventLog).show(self._session.events(), len(self._session.news()))

    def _carry_out(self, deed: Callable[[], None], refused: Callable[[str], None]) -> None:
        """Do something at the table and go on, or say why not; leave if it cannot be recorded."""
        try:
            deed()
        except IllegalActionError as error:
            refused(str(error))
        except RecordError as error:
            self.app.exit(error, return_code=UNRECORDED)
        else:
            self.go_on()

    def _chosen(self, action: int | None) -> None:
        if action is not None:
            self.post_message(ActionChosen(action))

    def say(self, text: str) -> None:
        """Tell people something where cards are explained."""
        self.query_one(DetailLine).say(text)

    def action_help(self) -> None:
        """Show the keys and the rules."""
        self._dialogs.help()

    def action_type_action(self) -> None:
        """Have an action typed."""
        if self._is_own_turn():
            self._dialogs.ask(self._session.observe().legal(), self._chosen)

    def _is_own_turn(self) -> bool:
        """Return whether the viewer is to act; say so if not."""
        is_own = self._session.observe().is_to_act and not self._referee.is_over
        if not is_own:
            self.say("It is not your turn.")
        return is_own

    def action_undo(self) -> None:
        """Take the viewer's last action back, or say why that cannot be."""
        self._carry_out(partial(self._referee.undo, self._session.viewer), self.say)

    def action_skip(self) -> None:
        """Have the bots act at once until a person is next, and a hint be there at once."""
        if self._trouble.fault is not None:
            self.go_on()
        elif self._hints.is_thinking:
            self._hints.hurry()
        elif self._bots.is_deaf:
            self._trouble.break_off()
        elif self._session.is_bots_turn:
            self._bots.skip()

    def action_hint(self) -> None:
        """Have a hint thought over, or be rid of it."""
        if self._hints.is_open:
            self._hints.close()
        elif self._is_own_turn():
            self.action_back()
            self._hints.ask(self._session.observe())

    def action_pause(self) -> None:
        """Have the bots wait, or go on."""
        self._bots.pause(not self._bots.is_paused)
        self.update_table()

    def action_pace(self, sign: int) -> None:
        """Make the bots faster or slower."""
        self.say(f"Bots take at least {self._bots.change_pace(sign)} s for each action.")

    def action_whole_log(self) -> None:
        """Show nothing but the log, or the table again."""
        self._hints.close()
        self.toggle_class("-log")
        widget = EventLog if self.has_class("-log") else Board
        self.query_one(widget).focus()

    def action_back(self) -> None:
        """Return to the table, without a hint."""
        self._hints.close()
        self.remove_class("-log")
        self.query_one(Board).focus()

    def action_leave(self) -> None:
        """Leave; the record is complete already."""
        self._bots.cancel()
        self._hints.close()
        self.app.exit(self._trouble.result(), return_code=self._trouble.exit_code)
