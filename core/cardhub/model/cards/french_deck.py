"""The French deck: 52 playing cards, or some of their ranks, with four colours for four suits."""

from collections.abc import Callable, Sequence

from cardhub.base.errors.quoting import did_you_mean
from cardhub.model.cards.cardfile import PLAIN_BACK
from cardhub.model.cards.cards import Card, Cards, Suit

FRENCH_SUITS = {
    "clubs": Suit("C", "♣", "C", "green"),
    "diamonds": Suit("D", "♦", "D", "blue"),
    "spades": Suit("S", "♠", "S", "white"),
    "hearts": Suit("H", "♥", "H", "red"),
}
"""The suits by the words in the field `suit` of their cards."""

# By rank: the ace is 1 or 14, so that it is low or high, and the two is 2 or 15.
_TITLES = (
    "",
    *("Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"),
    *("Jack", "Queen", "King", "Ace", "Two"),
)
_SHORT = ("", "A", *map(str, range(2, 11)), "J", "Q", "K", "A", "2")
RANKS = len(_TITLES) - 1
JOKER = "joker"


def french_deck(
    suits: Sequence[str] = tuple(FRENCH_SUITS),
    ranks: Sequence[int] = range(2, 15),
    *,
    jokers: int = 0,
    copies: int = 1,
    **fields: Callable[[str, int], int | str],
) -> Cards:
    """Return the cards of a French deck, suit by suit and in each suit rank by rank.

    `ranks`: 2 to 10, 11 for the jack, 12 for the queen, 13 for the king, 1 or 14 for the ace, 15
    for a two above the ace. `jokers`: the number of jokers, cards of one face of the suit `joker`
    and the rank 0; `copies`: how often the deck has each other card. Cards have the fields `suit`
    and `rank`, and further `fields`: functions of suit and rank. Raises ValueError.
    """
    for suit in suits:
        if suit not in FRENCH_SUITS:
            hint = did_you_mean(suit, FRENCH_SUITS)
            raise ValueError(f"unknown suit {suit!r}: {', '.join(FRENCH_SUITS)} are known.{hint}")
    if outside := [rank for rank in ranks if not 1 <= rank <= RANKS]:
        raise ValueError(f"unknown rank {outside[0]}: ranks go from 1 to {RANKS}")
    if jokers < 0:
        raise ValueError(f"a deck cannot have {jokers} jokers")
    if copies < 1:
        raise ValueError(f"a deck cannot have {copies} copies of its cards")
    faces = [_card(suit, rank, copies, fields) for suit in suits for rank in ranks]
    if len({face.name for face in faces}) < len(faces):
        raise ValueError("a suit or a rank is named twice; 1 and 14 are both aces, 2 and 15 twos")
    if jokers:
        values = _values(JOKER, 0, fields)
        faces.append(Card("Joker", "Joker", 0, 0, jokers, "", values, corner="★"))
    if not faces:
        raise ValueError("a deck needs at least one card")
    return Cards(
        tuple(faces), (PLAIN_BACK,), ("main",), tuple(FRENCH_SUITS[suit] for suit in suits)
    )


def _card(
    suit: str, rank: int, copies: int, fields: dict[str, Callable[[str, int], int | str]]
) -> Card:
    style, short = FRENCH_SUITS[suit], _SHORT[rank]
    return Card(
        name=short + style.key,
        title=f"{_TITLES[rank]} of {suit}",
        back=0,
        deck=0,
        copies=copies,
        text="",
        fields=_values(suit, rank, fields),
        colour=style.colour,
        label=short + style.glyph,
    )


def _values(
    suit: str, rank: int, fields: dict[str, Callable[[str, int], int | str]]
) -> dict[str, int | str]:
    return {"suit": suit, "rank": rank, **{name: of(suit, rank) for name, of in fields.items()}}
