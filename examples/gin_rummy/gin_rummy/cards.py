"""The cards: faces are numbered suit by suit, from the ace, which is low, to the king."""

from pathlib import Path

from cardhub import load_cards

SUITS = ("spades", "clubs", "diamonds", "hearts")
RANKS = 13
CARDS = load_cards(
    Path(__file__).with_name("cards.yaml"), suit=SUITS, rank=range(1, RANKS + 1), value=int
)
VALUE = CARDS.ints("value")
