"""The widgets of the table, and showing a session in them."""

from time import monotonic
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Footer
from typing_extensions import override

from cardhub.play.bot_process.client import BotClient
from cardhub.play.seeds import is_drawn, seed_in_words
from cardhub.text import Glyphs
from cardhub.text.sheet import Sheet
from cardhub.text.sheet_layout import lay_out
from cardhub.tui.dialogs.table_dialogs import TableDialogs
from cardhub.tui.session import Session
from cardhub.tui.table_screen.board import Board
from cardhub.tui.table_screen.bot_turns import BotTurns
from cardhub.tui.table_screen.event_log import EventLog
from cardhub.tui.table_screen.hints import HintPanel, Hints
from cardhub.tui.table_screen.table_messages import IllegalChosen, Pointed, WhyAsked
from cardhub.tui.table_screen.text_lines import DetailLine, Prompt, TooSmall
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import catalogue_of
from cardhub.view.explanations import Explainer
from cardhub.view.reasons import Reasons


class TableView(Screen[None]):
    """Shows a session in widgets; the subclass TableScreen adds the handlers of the game."""

    AUTO_FOCUS = "Board"
    # ruff wants a ClassVar, which contradicts the annotation in Textual.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide"), (110, "-roomy")]  # noqa: RUF012
    CSS_PATH: ClassVar[str] = "table_screen.tcss"

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
        self._bots = BotTurns(self, bots, pace)
        self._hints = Hints(self, adviser, hint, session.names)
        self._dialogs = TableDialogs(self, session, glyphs)
        self._shown_at = 0.0

    @override
    def compose(self) -> ComposeResult:
        yield Prompt(self._session, self._bots, self._glyphs, id="prompt")
        with Horizontal(id="middle"):
            yield Board(id="board")
            seed = self._referee.seed
            # The commitment, never a drawn seed: the deal could be computed from it.
            heading = seed_in_words(seed, is_over=False) if is_drawn(seed) else ""
            yield EventLog(self._glyphs, heading, id="log")
            yield HintPanel(self._glyphs, id="hint")
        yield DetailLine(self._glyphs, id="detail")
        yield Footer(show_command_palette=False, compact=True)
        yield TooSmall(id="too-small", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        """Show a notice instead of the table if the terminal is too small."""
        fits = self.query_one(TooSmall).fits(event.size)
        self.set_class(not fits, "-too-small")
        if fits and self.focused is None:  # hiding the widgets took the focus away
            self.query_one(Board).focus()

    def show_table(self, *, has_failed: bool) -> None:
        """Show the viewer's present observation and events."""
        observation = self._session.observe()
        # Not read in `draw`, which runs again after each change of size.
        names = self._session.names
        origins = dict.fromkeys(self._session.changed(), "")
        view = build_view(observation, names, origins=origins)
        catalogue = catalogue_of(observation.game)
        self._shown_at = monotonic()
        self.query_one(Prompt).show(has_failed=has_failed)
        self.show_log()

        def draw(width: int) -> Sheet:
            return lay_out(view, catalogue, width, self._glyphs, numbered=True)

        self.query_one(Board).show(draw, Explainer(observation, names).explain)

    def show_log(self) -> None:
        """Show the viewer's present events."""
        self.query_one(EventLog).show(self._session.events(), len(self._session.news()))

    def say(self, text: str) -> None:
        """Show a short text in the detail line."""
        self.query_one(DetailLine).say(text)

    def say_all(self, text: str) -> None:
        """Show a text of any length: a dialog has the whole of a long one."""
        whole = self.query_one(DetailLine).explain(text)
        if whole:
            self._dialogs.show_text(whole)

    def reasons(self) -> Reasons:
        """Return the reasons of illegal actions for the viewer, who must be to act."""
        return Reasons(self._session.observe(), self._session.names)

    def is_own_turn(self) -> bool:
        """Return whether the viewer is to act; otherwise say that it is not their turn."""
        is_own = self._is_to_act()
        if not is_own:
            self.say("It is not your turn.")
        return is_own

    def _is_to_act(self) -> bool:
        return self._session.observe().is_to_act and not self._referee.is_over

    @on(IllegalChosen)
    def refuse(self, message: IllegalChosen) -> None:
        """Show why no action is possible at a spot; describe a spot that is for looking only."""
        reason = self.reasons().at(message.spot) if self._is_to_act() else None
        if reason is None:
            self.query_one(Board).inspect(message.spot)
        else:
            self.say_all(reason)

    @on(WhyAsked)
    def explain_spot(self, message: WhyAsked) -> None:
        """Show why no action is possible at a spot, or the actions that can be done there."""
        if self.is_own_turn():
            self.say_all(self.reasons().here(message.spot))

    @on(Pointed)
    def explain(self, message: Pointed) -> None:
        """Show the description of a spot; an optional dialog has its whole text."""
        whole = self.query_one(DetailLine).explain(message.text)
        if message.is_opened and whole:
            self._dialogs.show_text(whole)

    @on(events.Click, "#detail")
    def explain_in_full(self) -> None:
        """Show the whole text that the detail line clips."""
        self.query_one(Board).action_inspect()

    def action_help(self) -> None:
        """Show the keys and the rules."""
        self._dialogs.show_help()

    def action_whole_log(self) -> None:
        """Show the log only, or the table again."""
        self._hints.close()
        self.toggle_class("-log")
        widget = EventLog if self.has_class("-log") else Board
        self.query_one(widget).focus()

    def action_back(self) -> None:
        """Return to the table, and close the hint."""
        self._hints.close()
        self.remove_class("-log")
        self.query_one(Board).focus()
