"""The two examples in the rulebook."""

from cardhub_gargon.scoring import amulets, bonuses

from .positions import set_up


def test_example_of_a_round() -> None:
    """The rulebook's round: Anna, Bob, Chris and David, Anna starts, Bob passes."""
    hands = {0: "Y2 Y6 R9 W1", 1: "G1 G2", 2: "B8 B2 R8 W2", 3: "R14 R0 B12 W3"}
    at = set_up(hands, stacks=("Y9 Y10 Y11 W5 W4", "V5 V4"))
    at.act("lay Y2", "lay Y6", "lay R9")
    at.act("pass 2+1")
    assert at.cards(at.state.hand[1]) == "G1 G2 W4 W5 V4"
    at.act("lay B8", "lay B2", "lay R8")
    at.act("lay R14", "lay R0", "lay B12")
    assert at.state.seat == 0
    at.act("fight yellow")
    assert at.cards(at.state.won[0]) == "Y2 Y6", "case A: nobody else has yellow"
    at.act("fight red")
    assert at.cards(at.state.won[3]) == "R14"
    assert at.cards(at.state.discard) == "R9 R8"
    assert at.state.drawers == [0, 2], "Anna, then Chris, draw"
    at.act("take left", "take left")
    assert at.cards(at.state.won[3]) == "R14 R0", "case C: David's zero is alone"
    assert at.cards(at.state.hand[0]) == "W1 Y11"
    assert at.cards(at.state.hand[2]) == "W2 Y10"
    assert at.state.seat == 2, "Anna has no laid card left, so Chris picks"
    at.act("fight blue")
    assert at.state.seat == 2
    assert at.state.drawers == [2]
    at.act("take right")
    assert at.cards(at.state.won[3]) == "R14 R0 B12"
    assert at.cards(at.state.won[2]) == "B2"
    assert not any(at.state.laid)
    assert (at.state.leader, at.state.seat) == (1, 1), "Bob starts the next round"


def test_example_of_scoring() -> None:
    """The rulebook's scoring: 22 / 20 / 34 / 14 amulets (erratum), totals 47 / 35 / 59 / 14."""
    won = {
        0: "W1 W10 G13 G7 V13 V0 V5 Y2 Y6",
        1: "W5 W0 Y1 Y8 Y0",
        2: "B15 B3 B2 B0 W6 W11 R10 R8 R7 R2",
        3: "R6 R0 R0 Y13 Y15 B13 B12 B10",
    }
    at = set_up({}, won=won)
    assert amulets(at.state) == [22, 20, 34, 14]
    assert bonuses(at.state) == [25, 15, 25, 0]
    assert at.game.scores(at.state) == [47, 35, 59, 14]
