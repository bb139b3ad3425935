"""The sizes of cards: S, M, L and XL, with widths computed once for the cards of a game."""

from enum import IntEnum
from typing import NamedTuple

from cardhub.view.text.glyphs import cells, wrapped
from cardhub.view.view import CardCatalogue, CardFace

# Cells inside the smallest card with a border, and the most cells of a name.
PLAIN, NAMED = 4, 10
TITLE_INSIDE, TEXT_INSIDE = 11, 20
# Visible cells of an overlapped card: value and suit.
OVERLAPPED_M, OVERLAPPED_L = 4, 5


class CardSize(IntEnum):
    """A size of cards, from one row of text to a card with its whole text."""

    S = 0
    M = 1
    L = 2
    XL = 3


class CardSizes(NamedTuple):
    """Widths and heights of a game's cards by size.

    `is_named`: cards show names instead of values and suits, so they are never overlapped.
    `is_largest_used`: XL shows more than L.
    """

    widths: tuple[int, int, int, int]
    heights: tuple[int, int, int, int]
    is_named: bool
    is_largest_used: bool

    def overlapped(self, size: CardSize) -> int:
        """Return the smallest distance between overlapped cards at which all stay recognizable."""
        if self.is_named or size in (CardSize.S, CardSize.XL):
            return self.widths[size]
        return OVERLAPPED_M if size is CardSize.M else OVERLAPPED_L


def sizes_of(catalogue: CardCatalogue) -> CardSizes:
    """Return the sizes of the cards of a game."""
    names = [face.short for face in catalogue.faces] + [back.unknown for back in catalogue.backs]
    corners = (cells(face.corner) for face in catalogue.faces)
    short, corner = max(map(cells, names), default=PLAIN), max(corners, default=0)
    # A corner that is not part of the name is an additional value.
    is_named = short > PLAIN or any(face.corner not in face.short for face in catalogue.faces)
    small = short + corner + 1 if is_named and corner else short
    has_texts = 2 * sum(bool(face.text) for face in catalogue.faces) > len(catalogue.faces)
    middle = min(max(short + is_named, PLAIN), NAMED)
    large = TITLE_INSIDE if is_named else PLAIN + 2
    largest = TEXT_INSIDE if has_texts else TITLE_INSIDE - 2
    return CardSizes(
        (small, middle + 2, large + 2, largest + 2),
        (1, 3, 5, 9 if has_texts else 7),
        is_named,
        any(face.text or _is_long(face, large, is_named) for face in catalogue.faces),
    )


def _is_long(face: CardFace, inside: int, is_named: bool) -> bool:
    """Return whether a title needs more than the two lines that L has for it."""
    return is_named and len(wrapped(face.title, inside)) > 2
