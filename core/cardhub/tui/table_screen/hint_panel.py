"""The panel beside the table in which a hint is read."""

from collections.abc import Iterable, Sequence

from textual.widgets import Static

from cardhub.play.advice import Told, advice_lines
from cardhub.text.glyphs import Glyphs


class HintPanel(Static):
    """Text in front of which nothing lies and that lies in front of nothing.

    It takes the place of the log; where there is none, that of the top lines of the board.
    """

    DEFAULT_CSS = """
    HintPanel {
        display: none; width: 26; height: 1fr;
        border-left: solid $foreground 30%; padding-left: 1;
    }
    """

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)
        self._glyphs = glyphs
        self._bot = ""
        self._told: Sequence[Told] = ()

    def say(self, *lines: str) -> None:
        """Show something else than an advice."""
        self._told = ()
        self._write(lines)

    def show(self, bot: str, told: Sequence[Told]) -> None:
        """Show an advice, the best action first."""
        self._bot, self._told = bot, told
        self._lay_out()

    def on_resize(self) -> None:
        """Lay out for the new width."""
        if self._told:
            self._lay_out()

    def _lay_out(self) -> None:
        self._write(advice_lines(self._bot, self._told, self.content_size.width))

    def _write(self, lines: Iterable[str]) -> None:
        self.update("\n".join(map(self._glyphs.text, lines)))
