"""The table: one screen for all games."""

from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Footer, Static

from cardhub.errors import IllegalActionError, RecordError
from cardhub.text.explanation import Explainer
from cardhub.text.glyphs import Glyphs, clip
from cardhub.text.layout import lay_out
from cardhub.text.sheet import Sheet
from cardhub.tui.board import Board
from cardhub.tui.bot_turns import BotTurns
from cardhub.tui.dialogs import Dialogs
from cardhub.tui.keys import TABLE_KEYS
from cardhub.tui.log import EventLog
from cardhub.tui.messages import ActionChosen, BotAnswered, ChoiceWanted, Pointed
from cardhub.tui.prompt import Prompt
from cardhub.tui.session import Session

SMALLEST = (60, 20)
FRAME = 0.1
"""How often the table is drawn while bots act without waiting, in seconds."""
BOT_FAILED, UNRECORDED = 3, 1
"""The exit codes after a bot failed, and after an action could not be recorded."""


class TableScreen(Screen[None]):
    """Shows a session and carries out what people choose.

    Whatever changes the table ends in `go_on`, which shows it and sees who is next.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*TABLE_KEYS]
    AUTO_FOCUS = "Board"
    # An annotation as ClassVar, which ruff wants, contradicts the one in Textual.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide"), (110, "-roomy")]  # noqa: RUF012
    CSS_PATH = "table_screen.tcss"

    def __init__(self, session: Session, pace: float, glyphs: Glyphs) -> None:
        super().__init__()
        self._session = session
        self._referee = session.referee
        self._glyphs = glyphs
        self._bots = BotTurns(self, pace)
        self._dialogs = Dialogs(self, session, glyphs)
        self._bot_failed = self._is_stuck = False
        self._shown = 0.0

    def compose(self) -> ComposeResult:
        """Lay out the prompt, board and log, what is explained, and the keys."""
        yield Prompt(self._session, self._glyphs, id="prompt")
        with Horizontal(id="middle"):
            yield Board(id="board")
            yield EventLog(self._glyphs, id="log")
        yield Static("", id="inspector", markup=False)
        yield Footer(show_command_palette=False, compact=True)
        yield Static("", id="too-small", markup=False)

    def on_mount(self) -> None:
        """Begin where the game stands."""
        self.go_on()

    def on_resize(self, event: events.Resize) -> None:
        """Say so when there is too little room."""
        width, height = event.size
        is_small = width < SMALLEST[0] or height < SMALLEST[1]
        self.set_class(is_small, "-too-small")
        self.query_one("#too-small", Static).update(
            f"The table needs {SMALLEST[0]}x{SMALLEST[1]} characters; this terminal has "
            f"{width}x{height}. Make it larger, or press q to save and leave."
        )
        if not is_small and self.focused is None:
            self.query_one(Board).focus()

    def go_on(self) -> None:
        """Show the table, then have whoever is next act."""
        self._bots.cancel()
        self._is_stuck = False
        session = self._session
        if session.next_holder is not None:
            self._hand_over(session.next_holder)
            return
        is_bots = self._referee.seat in session.bots
        if self._bots.is_waiting or not is_bots or monotonic() - self._shown > FRAME:
            self.update_table()
        if self._referee.is_over:
            self._dialogs.show_result(self._decided)
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
        prompt = self.query_one(Prompt)
        prompt.show(is_paused=self._bots.is_paused, is_stuck=self._is_stuck)

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
        seat = self._referee.seat
        self._bots.start(self._session.bots[seat], self._referee.observe(seat))

    @on(ActionChosen)
    def act(self, message: ActionChosen) -> None:
        """Carry out what somebody chose."""
        if self._session.viewer == self._referee.seat:
            # A key pressed twice before the table was drawn anew is refused.
            self._carry_out(partial(self._referee.act, message.action), self.say)

    @on(ChoiceWanted)
    def choose(self, message: ChoiceWanted) -> None:
        """Ask which of several actions is meant."""
        self._dialogs.ask(message.actions, self._chosen)

    @on(Pointed)
    def explain(self, message: Pointed) -> None:
        """Explain what somebody points at; all of it if they want to read on."""
        text = self._glyphs.text(message.text)
        inspector = self.query_one("#inspector", Static)
        width = max(1, inspector.content_size.width)
        short = clip(text, 2 * width - 10, f"{self._glyphs.more} (i: all)")
        inspector.update(short)
        if message.opened and short != text:
            self._dialogs.read(text)

    @on(events.Click, "#inspector")
    def read_all(self) -> None:
        """Tell everything that the inspector has no room for."""
        self.query_one(Board).action_inspect()

    @on(BotAnswered)
    def hear_bot(self, message: BotAnswered) -> None:
        """Carry out what a bot chose, or tell that it failed."""
        if not self._bots.is_due(message):
            return
        if isinstance(message.answer, BaseException):
            self._tell_failure(f"{type(message.answer).__name__}: {message.answer}")
            return
        self._carry_out(partial(self._referee.act, message.answer), self._tell_failure)

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

    def _tell_failure(self, why: str) -> None:
        self._bot_failed = self._is_stuck = True
        self._show_prompt()
        self._dialogs.tell_failure(why, self._decided)

    def _decided(self, button: str | None) -> None:
        if button == "leave":
            self.action_leave()
        elif button == "retry":
            self.go_on()

    def _chosen(self, action: int | None) -> None:
        if action is not None:
            self.post_message(ActionChosen(action))

    def say(self, text: str) -> None:
        """Tell people something where cards are explained."""
        self.query_one("#inspector", Static).update(self._glyphs.text(text))

    def action_help(self) -> None:
        """Show the keys and the rules."""
        self._dialogs.help()

    def action_type_action(self) -> None:
        """Have an action typed."""
        observation = self._session.observe()
        if observation.is_to_act and not self._referee.is_over:
            self._dialogs.ask(observation.legal(), self._chosen)
        else:
            self.say("It is not your turn.")

    def action_undo(self) -> None:
        """Take the viewer's last action back, or say why that cannot be."""
        self._carry_out(partial(self._referee.undo, self._session.viewer), self.say)

    def action_skip(self) -> None:
        """Have the bots act at once until a person is next."""
        if self._is_stuck:
            self.go_on()
        elif self._referee.seat in self._session.bots:
            self._bots.skip()

    def action_pause(self) -> None:
        """Have the bots wait, or go on."""
        self._bots.pause(not self._bots.is_paused)
        self.update_table()

    def action_pace(self, sign: int) -> None:
        """Make the bots faster or slower."""
        self.say(f"Bots take at least {self._bots.change_pace(sign)} s for each action.")

    def action_whole_log(self) -> None:
        """Show nothing but the log, or the table again."""
        self.toggle_class("-log")
        widget = EventLog if self.has_class("-log") else Board
        self.query_one(widget).focus()

    def action_back(self) -> None:
        """Return to the table."""
        self.remove_class("-log")
        self.query_one(Board).focus()

    def action_leave(self) -> None:
        """Leave; the record is complete already."""
        self._bots.cancel()
        self.app.exit(return_code=BOT_FAILED if self._bot_failed else 0)
