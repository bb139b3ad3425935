"""Rounds, the end of the game, and the two examples in the rulebook."""

import pytest

from cardhub import OVER
from cardhub.base.errors import OptionError
from cardhub.model.game.initial_state import initial_state, resolve_options
from cardhub_gargon import Gargon
from cardhub_gargon.scoring import amulets, bonuses

from .positions import set_up


@pytest.mark.parametrize(("seats", "stack"), [(3, 36), (4, 31), (5, 26)])
def test_ten_cards_each_and_two_equal_stacks(seats: int, stack: int) -> None:
    """Ten cards each; the rest splits into two equal stacks (36+36, 31+31 or 26+26)."""
    game = Gargon()
    settings = resolve_options(game, {}, seats)
    state = initial_state(game, settings, seats, game.pack(settings, seats))
    assert [len(hand) for hand in state.hand] == [10] * seats
    assert [len(pile) for pile in state.stacks] == [stack, stack]


def test_seat_0_starts_unless_start_says_otherwise() -> None:
    """Gargon R1: seat 0 starts the first round unless `start` says otherwise."""
    game = Gargon()
    for given, first in (({}, 0), ({"start": 2}, 2)):
        settings = resolve_options(game, given, 4)
        assert initial_state(game, settings, 4, game.pack(settings, 4)).seat == first


def test_start_must_be_a_seat_at_the_table() -> None:
    """The error of an invalid option lists the valid values."""
    with pytest.raises(OptionError, match="it is a seat from 0 to 2"):
        resolve_options(Gargon(), {"start": 3}, 3)


def test_the_left_neighbour_of_the_actual_starter_starts_next() -> None:
    """Gargon R1: the left neighbour of the actual starting seat starts the next round."""
    at = set_up({0: "W1", 1: "G5", 2: "B1 G1", 3: "V1 G2"}, leader=2)
    at.act("lay B1", "done", "pass 1+0", "pass 1+0", "pass 1+0", "fight blue")
    assert at.state.leader == 3


def test_a_starter_without_hand_cards_is_skipped() -> None:
    """Gargon R1: a starter without hand cards is skipped."""
    at = set_up({0: "W1", 1: "B1 B2", 2: "V1"}, seats=3)
    at.act("lay W1", "lay B1", "pass 1+0", "fight white", "fight blue")
    assert at.state.leader == 1
    at = set_up({0: "W1 W2", 1: "B1", 2: "V1"}, seats=3)
    at.act("lay W1", "done", "lay B1", "pass 1+0", "fight white", "fight blue")
    assert at.state.hand[1] == []
    assert at.state.leader == 2


def test_the_game_ends_without_cards_in_any_hand() -> None:
    """Gargon R1: if no player has a card, the game ends and is scored."""
    at = set_up({0: "W1", 1: "B1", 2: "W2"}, seats=3)
    at.act("lay W1", "lay B1", "lay W2", "fight white", "take left")
    assert at.state.seat != OVER
    at = set_up({0: "W1", 1: "B1", 2: ""}, seats=3)
    at.act("lay W1", "lay B1", "pass 1+0", "fight white", "fight blue")
    assert at.state.leader == 2


def test_the_round_in_which_a_stack_runs_out_is_played_to_its_end() -> None:
    """Gargon R7: after the last card of either stack is drawn, the round is played to its end."""
    at = set_up({0: "W1 G1", 1: "G2", 2: "B1 G3"}, ("V1", "Y1 Y2"), seats=3, only_named=True)
    at.act("lay W1", "done", "pass 1+0")
    assert at.state.seat == 2
    at.act("pass 0+1")
    assert at.state.seat == 0
    at.act("fight white")
    assert at.state.seat == OVER
    assert at.state.stacks[1], "one stack is enough to end the game"


def test_equal_totals_share_the_win() -> None:
    """Gargon R9: equal totals share the win."""
    from cardhub.model.table.scoring import places, returns

    at = set_up({}, won={0: "W1", 1: "B1", 2: ""}, seats=3)
    scores = at.game.scores(at.state)
    assert scores == [15, 15, 0]
    assert places(scores) == [1, 1, 3]
    assert returns(scores, goal=at.game.goal) == [0.25, 0.25, -0.5]


def test_several_seats_that_tie_for_most_get_five_each() -> None:
    """Gargon R9: bonuses are not limited by the 18 cards in the box."""
    won = {seat: f"W{seat + 13}" for seat in range(3)}
    at = set_up({}, won=won, seats=3)
    assert at.game.scores(at.state) == [5, 5, 5]
    at = set_up({}, seats=3)
    assert at.game.scores(at.state) == [0, 0, 0], "nobody won a card of it: no bonus"


def test_both_zeros_of_a_colour_quadruple_its_amulets() -> None:
    """Amulets won times 2 for each zero won in that colour (both zeros: times 4)."""
    at = set_up({}, won={0: "W1 W4 W0 W0"}, seats=3)
    assert at.game.scores(at.state)[0] == (5 + 3) * 4 + 10


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
