"""The screen of a replay: finding, notes, bots' choices, the result and playing on."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from textual.binding import BindingType
from typing_extensions import override

from cardhub.base.errors import CardhubError
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.host.opening import Opener
from cardhub.play.host.replays.replay import Replay
from cardhub.play.host.replays.stepping.playing_on import why_not_play_on
from cardhub.play.host.replays.stepping.step_notes import LONGEST_NOTE
from cardhub.play.host.table_host import Host
from cardhub.tui.dialogs.text_box import TextBox
from cardhub.tui.keys import Key, bindings
from cardhub.tui.replay_screen.bot_choices import BotChoices
from cardhub.tui.replay_screen.replay_keys import REPLAY_KEYS, VIEW_KEYS
from cardhub.tui.replay_screen.stepping_view import SteppingView
from cardhub.tui.table_screen.table_view import CardSizes
from cardhub.view.layout.table_glyphs import TableGlyphs

OpenTable = Callable[[Host], object]


class ReplayScreen(SteppingView):
    """Shows a replay; `opener` is needed to ask bots, and with `open_table` to play on.

    `open_table` gets the host of a new game, which has not begun.
    """

    KEYS: ClassVar[Sequence[Key]] = REPLAY_KEYS
    BINDINGS: ClassVar[list[BindingType]] = bindings((*REPLAY_KEYS, *VIEW_KEYS))

    def __init__(
        self,
        replay: Replay,
        glyphs: TableGlyphs,
        opener: Opener | None = None,
        open_table: OpenTable | None = None,
        *,
        step: int = 0,
        viewer: int | None = None,
        card_size: CardSizes = "auto",
    ) -> None:
        super().__init__(replay, glyphs, step=step, viewer=viewer, card_size=card_size)
        self._opener = opener
        self._open_table = open_table
        self._bots = BotChoices(self, self.session, opener) if opener else None

    def on_unmount(self) -> None:
        """End the process of the bots that were asked."""
        if self._bots is not None:
            self._bots.close()

    @override
    def works(self, key: Key) -> bool:
        session = self.session
        works = {
            "replay.back": session.step > 0,
            "replay.forward": session.step < self.replay.last,
            "replay.all": EVERYTHING in self.replay.viewers,
            "replay.on": not self._why_not_play_on(),
            "replay.bot": self._bots is not None and session.coming() is not None,
            "replay.result": self.replay.is_over,
        }
        return works.get(key.id, True)

    @override
    def show_replay(self) -> None:
        super().show_replay()
        if self._bots is not None and self.is_attached:
            self._bots.drop_other_steps()

    def action_find(self) -> None:
        """Find a text in the log, from here on and around."""
        self.autoplay.stop()
        self.app.push_screen(TextBox("Find in the log:"), self._find)

    def action_note(self) -> None:
        """Write a note on this step."""
        self.autoplay.stop()
        step = self.session.step
        question = f"Note on step {step}, empty to remove it:"
        box = TextBox(question, self.notes.at(step), LONGEST_NOTE)
        self.app.push_screen(box, partial(self._note, step))

    def action_play_on(self) -> None:
        """Play on from here: a new game, whose record names this one."""
        if reason := self._why_not_play_on():
            self.say(reason)
        elif self._opener is not None and self._open_table is not None:
            self.autoplay.stop()
            try:
                host = self._opener.play_on(self.replay, self.session.step, self.session.viewer)
            except CardhubError as error:
                self.say(str(error))
            else:
                self._open_table(host)

    def action_ask_bot(self) -> None:
        """Ask the bot of hints for its choice here, or hide it."""
        if self._bots is not None:
            self.autoplay.stop()
            self._bots.ask()

    def action_ask_other(self) -> None:
        """Ask another bot for its choice here."""
        if self._bots is not None:
            self.autoplay.stop()
            self.app.push_screen(TextBox("Name of the bot:"), self._bots.ask_named)

    def action_page(self) -> None:
        """Write the replay as a page for a browser, beside the record."""
        from cardhub.online.browser.saved_page import save_page

        self.autoplay.stop()
        try:
            path = save_page(self.replay, self.session.viewer)
        except OSError as error:
            self.say(f"the page cannot be written: {error.strerror}")
        else:
            self.say(f"written to {path}")

    def action_result(self) -> None:
        """Show the result."""
        from cardhub.tui.result_screen.screen_of_result import ResultScreen

        result = self.session.result()
        if result is not None:
            self.autoplay.stop()
            screen = ResultScreen(result, self.session.catalogue, self.glyphs)
            self.app.push_screen(screen, self._leave_result)

    def action_back(self) -> None:
        """Hide the choice of a bot."""
        if self._bots is not None:
            self._bots.hide()

    def action_leave(self) -> None:
        """Leave the replay."""
        self.autoplay.stop()
        self.dismiss(None)

    def _leave_result(self, step: object) -> None:
        if isinstance(step, int):
            self.action_go(step)

    def _why_not_play_on(self) -> str:
        if self._opener is None or self._open_table is None:
            return "A game cannot be played on from here."
        return why_not_play_on(self.replay, self.session.step)

    def _find(self, text: str | None) -> None:
        found = self.replay.find(text, self.session.viewer, self.session.step) if text else None
        if found is not None:
            self.action_go(found)
        elif text:
            self.say(f"No line of the log has {text!r}.")

    def _note(self, step: int, text: str | None) -> None:
        if text is None:
            return
        try:
            self.notes.write(step, text)
        except CardhubError as error:
            self.say(str(error))
        else:
            self.show_replay()
