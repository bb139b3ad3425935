"""The end of a game at its table: the result, its analysis, the replay and the next game."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from cardhub.base.errors import CardhubError
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.host.opening import NewGame, Opener, next_game
from cardhub.play.host.practice import NO_PRACTICE
from cardhub.play.host.table_host import Host
from cardhub.play.table_messages import ReviewedMove, ReviewMessage
from cardhub.play.table_model import TableReader
from cardhub.tui.dialogs.dialog import SingleResultScreen
from cardhub.view.explain.card_texts import as_sentence
from cardhub.view.layout.canvas import TableGlyphs

# Result and replay are imported on use, because the first board does not need them.
if TYPE_CHECKING:
    from cardhub.tui.results.screen import Analyse, ResultRequest


class GameOver:
    """Opens the result and the replay over a table, and closes the table for a new game."""

    def __init__(
        self, screen: SingleResultScreen[NewGame | Host], host: Host, glyphs: TableGlyphs
    ) -> None:
        self._screen = screen
        self._host = host
        self._glyphs = glyphs

    def show_result(self, reader: TableReader) -> None:
        """Show the result of the finished game."""
        from cardhub.tui.results.screen import ALL_REQUESTS, ResultScreen

        result = reader.result()
        if result is not None:
            # A practice table has the cards of the game, and its replay shows them.
            is_open = EVERYTHING in self._host.viewers
            screen = ResultScreen(
                result,
                reader.catalogue,
                self._glyphs,
                ALL_REQUESTS,
                self._analyse(reader),
                partial(self._practise, reader.view().viewer) if is_open else None,
                "" if is_open else NO_PRACTICE,
            )
            self._screen.app.push_screen(screen, partial(self._go_on, reader))

    def open_replay(self, reader: TableReader, step: int = 0) -> None:
        """Open the replay of the game up to now, with what its viewer may see."""
        from cardhub.tui.replay.screen import ReplayScreen

        replay = self._host.replay(reader.view().viewer)
        screen = ReplayScreen(replay, self._glyphs, self._opener(), self._leave_for, step=step)
        back = partial(self._back, reader)
        self._screen.app.push_screen(screen, back)

    def _back(self, reader: TableReader, _: object) -> None:
        if self._host.is_over and self._screen.is_current:
            self.show_result(reader)

    def _go_on(self, reader: TableReader, request: "ResultRequest | None") -> None:
        match request:
            case "again" | "same":
                self._screen.dismiss(next_game(self._host, is_same_deal=request == "same"))
            case "replay":
                self.open_replay(reader)
            case int():
                self.open_replay(reader, request)
            case "leave":
                self._screen.dismiss(None)
            case _:
                pass  # back to the table

    def _leave_for(self, host: Host) -> None:
        # Close the replay, which is in front of the table, first.
        self._screen.app.pop_screen()
        self._screen.dismiss(host)

    def _opener(self) -> Opener | None:
        host = self._host
        return Opener(host.registry, host.scheduler, host.turns.pace) if host.registry else None

    def _practise(self, viewer: int, move: "ReviewedMove") -> str:
        """Open a practice table over the result; return why that is impossible, or ""."""
        from cardhub.tui.table.practice_screen import PracticeScreen

        opener = self._opener()
        decision = self._host.session(viewer).find_costly(move.step)
        if opener is None or decision is None:
            return ""
        try:
            host = opener.practise(self._host.replay(viewer), viewer, decision)
        except CardhubError as error:
            return as_sentence(str(error).partition(" fix: ")[0])
        self._screen.app.push_screen(PracticeScreen(host, self._glyphs), lambda _: host.close())
        return ""

    def _analyse(self, reader: TableReader) -> "Analyse | None":
        """Return a function that has the bot of the hints review the viewer's moves."""
        viewer = reader.view().viewer
        if self._host.registry is None or viewer not in self._host.people:
            return None
        model = self._host.model(viewer)

        def analyse(on_change: "Callable[[ReviewMessage], None]") -> Callable[[], None]:
            model.review(on_change)
            return model.cancel_review

        return analyse
