"""The catalogue of a game: its faces and backs as data."""

from typing import Any

from cardhub.cards.cards import Card, Cards
from cardhub.game.game import Game
from cardhub.view.view import CardBack, CardCatalogue, CardFace


def catalogue_of(game: Game[Any]) -> CardCatalogue:
    """Return the faces and backs of a game, in the order of its card file."""
    cards = game.cards
    return CardCatalogue(
        faces=tuple(_face(game, cards, card) for card in cards.faces),
        backs=tuple(
            CardBack(letter=b.letter, unknown=b.unknown, title=b.title, colour=b.colour)
            for b in cards.backs
        ),
    )


def _face(game: Game[Any], cards: Cards, card: Card) -> CardFace:
    return CardFace(
        label=card.label,
        short=card.label,
        title=card.title,
        colour=card.colour or cards.backs[card.back].colour,
        detail=game.detail(card),
        text=card.text,
    )
