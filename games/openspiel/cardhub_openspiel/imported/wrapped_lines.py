"""OpenSpiel's texts as lines of the table."""

from cardhub.view.text.glyphs import cells, wrapped

# OpenSpiel's texts are wrapped to this width, which leaves room for the log on the screen.
WIDTH = 52


def wrapped_lines(text: str) -> list[str]:
    """Return the lines of a text wrapped for the smallest screen, without blank lines."""
    return [part for line in text.splitlines() for part in wrap(line)]


def wrap(line: str) -> list[str]:
    """Return a line wrapped for the smallest screen; a blank line gives an empty list."""
    line = line.rstrip()
    if cells(line) <= WIDTH:
        return [line] if line else []
    fields = line.replace("][", "] [").split("|")  # [Private: 1][Round 1]... or Phase:bidding|Skat:
    return [part for field in fields for part in wrapped(field, WIDTH) if part.strip()]
