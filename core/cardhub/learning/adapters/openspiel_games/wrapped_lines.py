"""OpenSpiel's texts as lines of the table."""

from cardhub.view.text.glyphs import cells, wrapped

# Width to which OpenSpiel's texts are wrapped, so that they fit beside the log of the screen.
WIDTH = 52


def wrapped_lines(text: str) -> list[str]:
    """Return the lines of a text wrapped for the smallest screen, without blank ones."""
    return [part for line in text.splitlines() for part in wrap(line)]


def wrap(line: str) -> list[str]:
    """Return a line wrapped for the smallest screen; no lines for a blank one."""
    line = line.rstrip()
    if cells(line) <= WIDTH:
        return [line] if line else []
    fields = line.replace("][", "] [").split("|")  # [Private: 1][Round 1]... or Phase:bidding|Skat:
    return [part for field in fields for part in wrapped(field, WIDTH) if part.strip()]
