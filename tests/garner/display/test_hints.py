"""Hints about Garner's actions: the standing of the suit."""

from ..positions import Position, set_up


def hint(at: Position, text: str) -> str:
    """Return the hint about a legal action for the seat to act."""
    observation = at.observe(at.state.seat)
    labels = observation.labels(["Ada", "Bo"])
    return at.game.display.hint(observation.state, labels.parse(text, observation.legal()), labels)


def test_a_placement_shows_the_standing_of_its_suit() -> None:
    at = set_up("C9/A1 B1 C2 \n A4 C5 C4 \n A2 B4 .", {1: "A5-6"}, layout="a").act("lift A1")
    assert hint(at, "place r2c0").endswith(
        "Then place 1 more. You hold 0 of suit A; 5 win it. Bo holds 2."
    )


def test_a_collection_shows_what_the_other_player_holds() -> None:
    at = set_up("A1 A2 . \n . C5 . \n . . B4", {1: "A5-6"}, layout="a")
    at.act("lift B4", "place r2c2")
    assert hint(at, "collect A1").endswith("That makes 2 of suit A; 5 win it. Bo holds 2.")
