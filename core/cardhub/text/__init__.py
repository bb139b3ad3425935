"""A scene as lines of text, the same for the screen, for pipes and for screen readers."""

from cardhub.text.glyphs import ASCII, UNICODE, Glyphs
from cardhub.text.layout import lay_out
from cardhub.text.plain import render
from cardhub.text.rules import rules_here
from cardhub.text.sheet import Sheet, Span, Spot

__all__ = [
    "ASCII",
    "UNICODE",
    "Glyphs",
    "Sheet",
    "Span",
    "Spot",
    "lay_out",
    "render",
    "rules_here",
]
