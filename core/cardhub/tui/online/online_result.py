"""The result of a game at a server, with a rematch and the replay as a page."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.binding import BindingType
from typing_extensions import override

from cardhub.base.errors import RemoteError
from cardhub.base.writing import listed
from cardhub.online.remote.remote_client import RemoteClient
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_client import save_replay_page
from cardhub.online.remote.table_texts import names_of
from cardhub.online.wire.client_messages import BeginPractice, Rematch
from cardhub.play.table_messages import ReviewedMove, ReviewMessage
from cardhub.play.table_model import TableModel
from cardhub.tui.keys import Key, bindings
from cardhub.tui.online.chat_dialog import ChatDialog
from cardhub.tui.online.online_keys import ONLINE_RESULT_KEYS
from cardhub.tui.online.online_practice import OnlinePracticeScreen
from cardhub.tui.results.screen import ResultScreen
from cardhub.view.explain.card_texts import as_notice
from cardhub.view.layout.canvas import TableGlyphs
from cardhub.view.view import ResultView


class OnlineResult(ResultScreen):
    """Shows a result. A rematch begins when all people want it."""

    KEYS: ClassVar[Sequence[Key]] = ONLINE_RESULT_KEYS
    BINDINGS: ClassVar[list[BindingType]] = bindings(ONLINE_RESULT_KEYS)

    def __init__(
        self,
        result: ResultView,
        model: TableModel,
        glyphs: TableGlyphs,
        client: RemoteClient,
        address: TableAddress,
    ) -> None:
        analyse = partial(_review, model) if client.is_seated else None
        requests = ("again", "table", "leave")
        super().__init__(result, model.catalogue, glyphs, requests, analyse, self._go_to)
        self._client = client
        self._address = address
        self._unsubscribe: Callable[[], None] | None = None
        self._waits_for = ""
        self._practice: TableModel | None = None

    def on_mount(self) -> None:
        """Follow the requests for a rematch."""
        self._unsubscribe = self._client.subscribe(self._follow)
        self._follow()

    def on_unmount(self) -> None:
        """Unsubscribe from the table."""
        if self._unsubscribe is not None:
            self._unsubscribe()

    @override
    def works(self, key: Key) -> bool:
        if key.id == "result.again":
            return self._client.is_seated
        if key.id == "online.chat":
            return self._client.state is not None and self._client.state.has_chat
        return key.id == "online.page" or super().works(key)

    @override
    def _request(self, request: str) -> None:
        # The screen stays open until the next game begins. A second request does not wait for
        # people who have left.
        state = self._client.state
        if self._client.is_seated and state is not None:
            has_asked = state.seats[self._client.viewer].wants_rematch
            self._client.send(Rematch(without_absent=has_asked))

    def _go_to(self, move: ReviewedMove) -> str:
        """Ask for practice at a move of the review, or show the table before it."""
        if self._analysis is not None and self._analysis.can_play_on:
            self._client.send(BeginPractice(id=0, step=move.step))
        else:
            self.dismiss(move.step)
        return ""

    def _open_practice(self) -> None:
        """Open the practice table that the server has opened."""
        model = self._client.practice.model
        if model is not None and model is not self._practice:
            self._practice = model
            screen = OnlinePracticeScreen(self._client, model, self._glyphs)
            self.app.push_screen(screen)

    def action_page(self) -> None:
        """Save the replay as a page in this folder."""
        game = self._client.game
        if game is not None:
            self.say("Downloading the page…")
            self._fetch(game.number)

    def action_chat(self) -> None:
        """Open the chat."""
        self.app.push_screen(ChatDialog(self._client, self._glyphs.texts))

    @work(thread=True, exclusive=True)
    def _fetch(self, number: int) -> None:
        try:
            text = f"The page is saved as {save_replay_page(self._address, number, Path.cwd())}"
        except RemoteError as error:
            text = as_notice(str(error))
        self.app.call_from_thread(self.say, text)

    def _follow(self) -> None:
        """Show who wants a rematch, or that the connection is lost."""
        state = self._client.state
        if not self.is_attached or state is None:
            return
        self._open_practice()
        people = [number for number, seat in enumerate(state.seats) if seat.name and not seat.bot]
        ready = [number for number in people if state.seats[number].wants_rematch]
        text = self._client.banner
        if not text and ready:
            missing = [number for number in people if number not in ready]
            text = rematch_text(names_of(state, ready), names_of(state, missing))
            if missing and not any(state.seats[number].is_here for number in missing):
                without = listed(names_of(state, missing))
                text = f"{text} Press Enter to start without {without}."
        if text != self._waits_for:
            self._waits_for = text
            self.say(text)


def _review(model: TableModel, on_change: Callable[[ReviewMessage], None]) -> Callable[[], None]:
    """Have the server's bot review the person's moves; return a function that ends the review."""
    model.review(on_change)
    return model.cancel_review


def rematch_text(ready: Sequence[str], missing: Sequence[str]) -> str:
    """Return who wants to play again, and who has not answered yet."""
    names = listed(ready)
    wish = f"{names} wants to play again." if len(ready) == 1 else f"{names} want to play again."
    return f"{wish} Waiting for {listed(missing)}." if missing else wish
