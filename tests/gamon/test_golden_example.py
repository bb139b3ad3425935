"""The example in the rulebook."""

from .conftest import SetUp


def test_the_rulebooks_example(set_up: SetUp) -> None:
    """Navy places All Hands on Deck and calls 4; Pirate calls Gamon: a lie, Pirate wins the turn.

    Erratum: the rulebook then pays the prize at once; that was the deciding turn.
    """
    at = set_up("corsair all-hands-on-deck gunner", "cannoneer boatswain", prize=3, pile=20)
    at.turn("corsair 3", "cannoneer 4")
    at.turn("all-hands-on-deck 4", "boatswain 2", "gamon")
    assert at.told[1] == "Navy's All Hands on Deck: called 4, base 0: a lie; Pirate wins the turn"
    assert at.state.purse == [0, 4], "three coins and Cannoneer's"
    assert (at.state.round, at.state.attacker) == (2, 1)
