"""Card files, parsed and validated, the French deck, and the card objects of a game."""

from cardhub.model.cards.cardfile import load_cards
from cardhub.model.cards.cards import Back, Card, Cards, Suit
from cardhub.model.cards.french_deck import french_deck

__all__ = ["Back", "Card", "Cards", "Suit", "french_deck", "load_cards"]
