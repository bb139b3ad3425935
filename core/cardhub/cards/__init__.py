"""Card files and the table of faces that a game reads from one."""

from cardhub.cards.cardfile import load_cards
from cardhub.cards.deck import Back, Card, Cards

__all__ = ["Back", "Card", "Cards", "load_cards"]
