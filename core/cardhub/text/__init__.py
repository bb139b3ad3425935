"""Scenes as lines of text, the same for the screen, for pipes and for screen readers."""

from cardhub.text.glyphs import ASCII, UNICODE, Glyphs
from cardhub.text.plain_text import prompt_line, render, rules_with_options
from cardhub.text.sheet import Sheet, Span
from cardhub.text.sheet_layout import lay_out
from cardhub.text.summaries import summary_lines

__all__ = [
    "ASCII",
    "UNICODE",
    "Glyphs",
    "Sheet",
    "Span",
    "lay_out",
    "prompt_line",
    "render",
    "rules_with_options",
    "summary_lines",
]
