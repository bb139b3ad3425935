"""What is shown where there is too little room for a table."""

from textual.geometry import Size
from textual.widgets import Static

SMALLEST = Size(60, 20)


class TooSmall(Static):
    """Says how large a terminal must be."""

    DEFAULT_CSS = """
    TooSmall { display: none; }
    """

    def fits(self, size: Size) -> bool:
        """Return whether there is room for a table, and be ready to say how much there is."""
        self.update(
            f"The table needs {SMALLEST.width}x{SMALLEST.height} characters; this terminal has "
            f"{size.width}x{size.height}. Make it larger, or press q to save and leave."
        )
        return size.width >= SMALLEST.width and size.height >= SMALLEST.height
