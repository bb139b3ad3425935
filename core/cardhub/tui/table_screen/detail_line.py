"""The lines beneath the table in which cards are explained."""

from textual.widgets import Static

from cardhub.text.glyphs import Glyphs, clip

LINES = 2


class DetailLine(Static):
    """Says what the cursor or the mouse is at, and whatever else people are to be told."""

    DEFAULT_CSS = f"""
    DetailLine {{ height: {LINES}; color: $foreground 80%; }}
    """

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)
        self._glyphs = glyphs

    def say(self, text: str) -> None:
        """Show a text that is not about a card."""
        self.update(self._glyphs.text(text))

    def explain(self, text: str) -> str:
        """Show as much of a text as there is room for; return all of it if that is not all."""
        whole = self._glyphs.text(text)
        width = max(1, self.content_size.width)
        short = clip(whole, LINES * width - 10, f"{self._glyphs.more} (e: all)")
        self.update(short)
        return "" if short == whole else whole
