"""Playing cards in OpenSpiel's words, with suits as symbols: `9♦` for 9D, 9d, D9 or ♦9."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from cardhub.model.cards.french_deck import FRENCH_SUITS

SYMBOLS = {suit.key: suit.glyph for suit in FRENCH_SUITS.values()}
COLOURS = {suit.glyph: suit.colour for suit in FRENCH_SUITS.values()}
# Unicode's playing cards, which are too small to read: the first character of each suit, and ranks.
DRAWN = {"♠": 0x1F0A0, "♥": 0x1F0B0, "♦": 0x1F0C0, "♣": 0x1F0D0}
DRAWN_RANKS = " A23456789TJ QK"
WORDS_OF_DRAWN = {
    first + number: rank + suit
    for suit, first in DRAWN.items()
    for number, rank in enumerate(DRAWN_RANKS)
    if rank != " "
}
RANK, SUIT = "10|[2-9AJKQT]", "[CDHS♣♦♥♠]"
CARD = re.compile(rf"(?:({RANK})({SUIT})|({SUIT})({RANK}))", re.IGNORECASE)
EDGE = "[A-Za-z0-9]"
NO_LABELS: Final[Mapping[str, str]] = MappingProxyType({})


class PlayingCards:
    """The cards of a deck by their names in OpenSpiel; empty unless all are playing cards."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        labels = {name: _label(name) for name in names}
        is_deck = all(labels.values()) and len({label[-1:] for label in labels.values()}) > 1
        self._labels = labels if is_deck else NO_LABELS
        card = "|".join(sorted(map(re.escape, self._labels), key=len, reverse=True)) or "(?!)"
        self._card = re.compile(card)
        # Words may consist of several cards: 5h6h7h.
        self._word = re.compile(rf"(?<!{EDGE})(?:{card})+(?!{EDGE})")

    def colour(self, name: str) -> str:
        """Return the colour of a card's suit; empty for other names."""
        return COLOURS[self._labels[name][-1]] if name in self._labels else ""

    def text(self, words: str) -> str:
        """Return words with the labels of all cards in them."""
        if not self._labels:
            return words
        words = words.translate(WORDS_OF_DRAWN)
        return self._word.sub(lambda word: self._card.sub(self._replaced, word[0]), words)

    def _replaced(self, card: re.Match[str]) -> str:
        return self._labels[card[0]]


NO_PLAYING_CARDS: Final = PlayingCards()


def _label(name: str) -> str:
    match = CARD.fullmatch(name)
    if match is None:
        return ""
    rank, suit = match[1] or match[4], (match[2] or match[3]).upper()
    return rank.upper() + SYMBOLS.get(suit, suit)
