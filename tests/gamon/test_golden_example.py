"""The examples in the rulebook and in the rules of the game."""

from .positions import set_up


def test_the_rulebooks_example() -> None:
    """Navy places All Hands on Deck and calls 4; Pirate calls Gamon: a lie, Pirate wins the turn.

    Erratum: the rulebook then pays the prize immediately; that was the deciding turn.
    """
    at = set_up("corsair all-hands-on-deck gunner", "cannoneer boatswain", prize=3, pile=20)
    at.turn("corsair 3", "cannoneer 4")
    at.turn("all-hands-on-deck 4", "boatswain 2", "gamon")
    assert (
        at.announced[1] == "Navy's All Hands on Deck: called 4, base 0: a lie; Pirate wins the turn"
    )
    assert at.state.purse == [0, 4], "three coins and Cannoneer's"
    assert (at.state.round, at.state.attacker) == (2, 1)


def test_the_example_of_the_rules() -> None:
    """A lie that is believed wins by its modifier; doubted, it loses; honest, it is worth less."""
    hands = "corsair gunner cadet", "deckhand cannoneer boatswain"
    at = set_up(*hands, prize=3, pile=20).turn("corsair 5", "deckhand 1")
    assert at.announced[0] == "Navy's Corsair 3 + 3 for the false call = 6"
    assert at.announced[1] == "Pirate's Deckhand 1 + 3 for three coins in the prize = 4"
    assert at.state.won == [1, 0]
    doubted = set_up(*hands, prize=3, pile=20).turn("corsair 5", "deckhand 1", "gamon")
    assert doubted.state.won == [0, 1]
    honest = set_up(*hands, prize=3, pile=20).turn("corsair 3", "deckhand 1")
    assert honest.state.won == [0, 1]
