"""Playing cards of OpenSpiel's games: suits as symbols, in colours."""

import pytest
from tests.openspiel.hands import hand_games

from cardhub_openspiel.imported.named_games import game_named
from cardhub_openspiel.imported.openspiel_game import OpenSpielGame
from cardhub_openspiel.imported.playing_cards import PlayingCards

RANKS, SUITS = "23456789TJQKA", "CDHS"


@pytest.mark.parametrize(
    ("names", "named"),
    [
        ([rank + suit for suit in SUITS for rank in RANKS], "9D"),
        ([suit + rank for suit in SUITS for rank in RANKS], "D9"),
        ([rank + suit for suit in "cdhs" for rank in RANKS], "9d"),
        ([suit + rank for suit in "♣♦♥♠" for rank in RANKS], "♦9"),
    ],
)
def test_the_suit_of_a_card_is_a_symbol_in_a_colour(names: list[str], named: str) -> None:
    cards = PlayingCards(names)
    assert cards.text(named) == "9♦"
    assert cards.colour(named) == "blue"
    assert cards.text(f"Play {named}, not {named}s") == f"Play 9♦, not {named}s"


def test_words_of_several_cards_have_symbols() -> None:
    """A word with other characters is not a card."""
    cards = PlayingCards([rank + suit for suit in "cdhs" for rank in RANKS])
    assert cards.text("Choose 9d Kc") == "Choose 9♦ K♣"
    assert cards.text("|5h6h7h|") == "|5♥6♥7♥|"
    assert cards.text("P5h Ash") == "P5h Ash"


def test_cards_that_are_one_character_can_be_read() -> None:
    """Skat's text has them, and they are too small in most fonts."""
    cards = PlayingCards([suit + rank for suit in SUITS for rank in "789TJQKA"])
    assert cards.text("Hand:\U0001f0c1 \U0001f0dd") == "Hand:A♦ Q♣"


@pytest.mark.parametrize("names", [["0", "1", "2"], ["2C", "3C"], ["2C", "3D", "Joker"], []])
def test_other_cards_keep_their_names(names: list[str]) -> None:
    cards = PlayingCards(names)
    assert [cards.text(name) for name in names] == names
    assert cards.text("2C \U0001f0c1") == "2C \U0001f0c1"
    assert cards.colour("2C") == ""


def named(text: str) -> OpenSpielGame:
    """Return a game of OpenSpiel."""
    return game_named(f"openspiel:{text}", text)


def test_faces_and_actions_of_a_game_have_symbols() -> None:
    assert {face.colour for face in named("leduc_poker").cards.faces} == {""}
    spades = hand_games.named("spades")
    face = spades.cards.faces[spades.cards.face("DJ")]
    assert (face.label, face.title, face.colour) == ("J♦", "J♦", "blue")
    (words, *_) = spades.actions.groups
    texts = [words.text(index, str) for index in range(words.size)]
    assert words.label(texts.index("DJ"), str) == "J♦"


def test_the_pieces_of_a_side_have_one_colour() -> None:
    """Letters that differ only in case are sides, as in chess; other pieces have own colours."""
    faces = named("chess").cards.faces
    sides = {face.label.isupper(): face.colour for face in faces if face.label.isalpha()}
    assert all(sides[f.label.isupper()] == f.colour for f in faces if f.label.isalpha())
    assert sides[True] != sides[False]
    marks = named("tic_tac_toe").cards.faces
    assert len({face.colour for face in marks}) == len(marks)
