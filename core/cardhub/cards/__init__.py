"""Card files, and the cards that a game reads from one."""

from cardhub.cards.cardfile import load_cards
from cardhub.cards.cards import Back, Card, Cards

__all__ = ["Back", "Card", "Cards", "load_cards"]
