"""Card files, parsed and validated, and the card objects of a game."""

from cardhub.model.cards.cardfile import load_cards
from cardhub.model.cards.cards import Back, Card, Cards, Suit

__all__ = ["Back", "Card", "Cards", "Suit", "load_cards"]
