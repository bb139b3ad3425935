"""The French deck: suits and ranks in the order of the call, jokers last, fields by functions."""

from collections.abc import Callable

import pytest

from cardhub import Cards, french_deck


def test_52_cards_have_names_titles_suits_and_four_colours() -> None:
    deck = french_deck()
    assert deck.count == len(deck.faces) == 52
    assert [card.name for card in deck.faces[:2]] == ["2C", "3C"]
    queen = deck.faces[deck.face("QS")]
    assert (queen.title, queen.label, queen.corner) == ("Queen of spades", "Q♠", "Q♠")
    assert queen.fields == {"suit": "spades", "rank": 12}
    assert [card.colour for card in deck.faces[::13]] == ["green", "blue", "white", "red"]


@pytest.mark.parametrize(
    ("ranks", "lowest", "highest"),
    [(range(1, 14), "AH", "KH"), (range(7, 15), "7H", "AH"), (range(3, 16), "3H", "2H")],
)
def test_an_ace_is_low_or_high_and_a_two_may_be_above_it(
    ranks: range, lowest: str, highest: str
) -> None:
    names = [card.name for card in french_deck(["hearts"], ranks).faces]
    assert (names[0], names[-1], len(names)) == (lowest, highest, len(ranks))


def test_jokers_are_copies_of_the_last_face() -> None:
    deck = french_deck(jokers=2, points=lambda suit, rank: 20 if suit == "joker" else rank)
    assert (deck.count, deck.faces[-1].name, deck.faces[-1].copies) == (54, "Joker", 2)
    assert deck.ints("points")[-2:] == [14, 20]


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (lambda: french_deck(["heart"]), "Did you mean 'hearts'"),
        (lambda: french_deck(ranks=range(17)), "unknown rank 0"),
        (lambda: french_deck(ranks=range(1, 15)), "1 and 14 are both aces"),
        (lambda: french_deck(jokers=-1), "-1 jokers"),
        (lambda: french_deck(()), "at least one card"),
    ],
)
def test_an_impossible_deck_is_refused(deck: Callable[[], Cards], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        deck()
