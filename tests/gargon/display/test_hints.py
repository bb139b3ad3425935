"""Hints about Gargon's actions: the cards that could beat a card."""

from tests.gargon.positions import Position, set_up

NAMES = ["Anna", "Bob", "Chris"]


def hint(at: Position, text: str) -> str:
    """Return the hint about a legal action for the seat to act."""
    observation = at.observe(at.state.seat)
    labels = observation.labels(NAMES)
    return at.game.display.hint(observation.state, labels.parse(text, observation.legal()), labels)


def test_a_hint_names_the_few_cards_that_beat_a_card_and_who_has_the_colour() -> None:
    """Anna has seen two of the 17 red cards."""
    at = set_up({0: "R12 R14 G1", 1: "R13 R2 W1", 2: "B1"}, seats=3)
    assert hint(at, "lay R12") == (
        "Only R13 and R15 beat it, and Bob has 2 of the 15 red cards that you have not seen."
    )


def test_a_hint_counts_many_cards_that_beat_a_card() -> None:
    at = set_up({0: "R9 G1", 1: "R13 W1", 2: "R2 R3"}, seats=3)
    assert hint(at, "lay R9") == (
        "6 of the 16 red cards that you have not seen beat it; Bob and Chris have 3."
    )


def test_a_card_that_no_unseen_card_beats_wins_its_amulets() -> None:
    at = set_up({0: "R10 G1", 1: "R2 W1"}, won={0: "R11 R12 R13 R14 R15"}, seats=3)
    assert hint(at, "lay R10") == (
        "No red card that you have not seen beats it, so you win it and its 1 amulet."
    )


def test_a_colour_that_no_other_player_can_lay_is_won() -> None:
    at = set_up({0: "R3 G1", 1: "W1", 2: "B1"}, seats=3)
    assert hint(at, "lay R3") == (
        "No other player can lay a red card, so you win it and its 5 amulets."
    )


def test_seats_that_have_acted_count_by_the_cards_that_they_have_laid() -> None:
    """Anna still holds R5, but she has finished her turn."""
    at = set_up({0: "R3 R5 G1", 1: "R4 W1", 2: "B1"}, seats=3).act("lay R3", "done")
    assert hint(at, "lay R4").endswith("; Anna has 1.")


def test_a_zero_needs_a_colour_without_rivals() -> None:
    at = set_up({0: "R0 G1", 1: "R2 W1", 2: "B1"}, seats=3)
    assert hint(at, "lay R0") == (
        "A zero is won only if no other player is left in its colour, and Bob has 1 of the 16 red "
        "cards that you have not seen."
    )


def test_other_actions_have_their_consequence() -> None:
    at = set_up({0: "R3 G1", 1: "W1", 2: "B1"}, seats=3).act("lay R3")
    assert hint(at, "done") == "The mix is 1 card: the others must match it or pass."
