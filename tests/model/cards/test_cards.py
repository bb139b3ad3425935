"""The cards of a game, as columns indexed by face."""

import pickle

import pytest

from cardhub.model.cards import Back, Card, Cards

BACK = Back("card", "#", "a card", "?", "grey")
CARDS = Cards(
    (
        Card("A1", "A1", 0, 1, 2, "", {"value": 1, "kind": "storm"}),
        Card("B2", "B2", 0, 0, 1, "", {"value": 2, "kind": "siren"}),
        Card("C3", "C3", 0, 1, 1, "", {"value": 3, "kind": "siren"}),
    ),
    (BACK,),
    ("navy", "pirate"),
)


def test_columns_follow_the_faces() -> None:
    """Rules read tables by face, not objects."""
    assert CARDS.ints("value") == [1, 2, 3]
    assert CARDS.texts("kind") == ["storm", "siren", "siren"]
    assert (CARDS.back_of, CARDS.deck_of) == ((0, 0, 0), (1, 0, 1))


def test_all_copies_go_deck_by_deck() -> None:
    """Within a deck the cards keep the order of the file."""
    assert CARDS.all_copies() == [1, 0, 0, 2]
    assert CARDS.count == 4


def test_a_name_finds_its_face() -> None:
    """A wrong name is None, or an error with a suggestion."""
    assert (CARDS.find("B2"), CARDS.face("B2"), CARDS.find("b9")) == (1, 1, None)
    with pytest.raises(LookupError, match=r"unknown card 'b2'\. Did you mean 'B2'\?"):
        CARDS.face("b2")


def test_a_mistyped_column_is_an_error_with_a_suggestion() -> None:
    """The error is raised when a game loads its columns, before any play."""
    with pytest.raises(ValueError, match=r"has no field 'valeu'\. Did you mean 'value'"):
        CARDS.ints("valeu")
    with pytest.raises(TypeError, match="'kind' holds text"):
        CARDS.ints("kind")
    with pytest.raises(TypeError, match="'value' holds integers"):
        CARDS.texts("value")


def test_cards_survive_pickling() -> None:
    copy = pickle.loads(pickle.dumps(CARDS))
    assert copy == CARDS
    assert copy.find("C3") == 2


def test_a_card_can_be_a_key() -> None:
    """Its `fields`, a dictionary, are not part of the hash."""
    assert {CARDS.faces[0]: 1}[CARDS.faces[0]] == 1
