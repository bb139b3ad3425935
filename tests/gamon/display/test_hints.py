"""Hints about Gamon's actions: the cards that the other side may have."""

from ..positions import Position, set_up

NAVY = "gunner corsair petty-officer naval-spy high-officer all-hands-on-deck"
PIRATES = "cannoneer boatswain deckhand mate-with-a-cutlass gambling-drunk polly-the-parrot"


def hint(at: Position, text: str) -> str:
    """Return the hint about a legal action for the seat to act."""
    observation = at.observe(at.state.seat)
    labels = observation.labels(["Anna", "Bob"])
    return at.game.display.hint(observation.state, labels.parse(text, observation.legal()), labels)


def test_a_card_to_place_is_compared_with_the_cards_of_the_other_side() -> None:
    """Of 29 Pirate cards, five have a base value above 4."""
    at = set_up(NAVY, PIRATES)
    assert hint(at, "place gunner") == (
        "Its base value is 4. Of the 29 cards that Bob may place against it, 5 have a higher base "
        "value."
    )


def test_one_card_and_no_card_have_sentences_of_their_own() -> None:
    at = set_up("corsair gunner", PIRATES, only_named=True)
    assert hint(at, "place corsair").endswith("against it, one has a higher base value.")
    assert hint(at, "place gunner").endswith("against it, none have a higher base value.")


def test_a_call_shows_how_likely_it_seems_to_the_other_side() -> None:
    """There are three Gunners among the 29 Navy cards, less those that cannot be placed."""
    at = set_up(NAVY, PIRATES).act("place corsair")
    assert hint(at, "call 4").endswith(
        "For Bob, the card may be any of 28, and the call is true for 3 of them."
    )


def test_believing_shows_how_many_cards_would_win() -> None:
    at = set_up(NAVY, PIRATES).act("place gunner", "call 4", "place boatswain", "call 2")
    at.act("believe")
    assert hint(at, "believe").endswith("win.")
