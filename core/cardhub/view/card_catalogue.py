"""The catalogue of a game: its faces and backs as data. Not compiled, because it is built once."""

from typing import Any

from cardhub.model.game.game import Game
from cardhub.view.view import CardBack, CardCatalogue, CardFace


def build_catalogue(game: Game[Any]) -> CardCatalogue:
    """Return the faces and backs of a game, in the order of its card file."""
    cards = game.cards
    return CardCatalogue(
        faces=tuple(face_of(game, face) for face in range(len(cards.faces))),
        backs=tuple(
            CardBack(
                letter=b.letter,
                unknown=b.unknown,
                title=b.title,
                colour=b.colour,
                art=b.art,
                short=b.short,
            )
            for b in cards.backs
        ),
        ascii={suit.glyph: suit.ascii for suit in cards.suits},
        art=cards.drawings,
    )


def face_of(game: Game[Any], face: int) -> CardFace:
    """Return a face of a game by its index."""
    card = game.cards.faces[face]
    return CardFace(
        label=card.label,
        short=card.short,
        corner=card.corner,
        title=card.title,
        colour=card.colour or game.cards.backs[card.back].colour,
        name="" if card.name == card.label else card.name,
        detail=game.display.detail(card),
        text=card.text,
        art=card.art,
    )
