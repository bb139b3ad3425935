"""Views as lines of text, for pipes, files and screen readers."""

from cardhub.view.text.glyphs import ASCII, UNICODE, Glyphs
from cardhub.view.text.result_sheet import summary_lines
from cardhub.view.text.table_text import board_lines, prompt_text, seat_lines, table_lines

__all__ = [
    "ASCII",
    "UNICODE",
    "Glyphs",
    "board_lines",
    "prompt_text",
    "seat_lines",
    "summary_lines",
    "table_lines",
]
