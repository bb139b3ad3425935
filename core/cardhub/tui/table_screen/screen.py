"""The screen of a local table: its result, its replay and the next game."""

from typing_extensions import override

from cardhub.play.host.table_host import Host
from cardhub.tui.table_screen.game_over import GameOver
from cardhub.tui.table_screen.play_screen import PlayScreen
from cardhub.tui.table_screen.table_view import CardSizes
from cardhub.view.layout.table_glyphs import TableGlyphs


class TableScreen(PlayScreen):
    """Plays the game of a host; at its end come its result and further games."""

    def __init__(self, host: Host, glyphs: TableGlyphs, *, card_size: CardSizes = "auto") -> None:
        super().__init__(host, glyphs, card_size=card_size)
        self._game_over = GameOver(self, host, glyphs)

    def action_replay(self) -> None:
        """Replay the game so far; a finished one leads back to its result."""
        self._game_over.open_replay(self.session)

    def action_result(self) -> None:
        """Show the result again."""
        self._show_result()

    @override
    def _show_result(self) -> None:
        self._game_over.show_result(self.session)
