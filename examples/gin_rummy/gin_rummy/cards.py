"""The cards: faces are numbered suit by suit, from the ace, which is low, to the king."""

from cardhub import french_deck

SUITS = ("spades", "clubs", "diamonds", "hearts")
RANKS = 13
# `value`: what a card counts as deadwood.
CARDS = french_deck(SUITS, range(1, RANKS + 1), value=lambda suit, rank: min(rank, 10))
VALUE = CARDS.ints("value")
