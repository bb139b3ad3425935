"""Evaluation of Gargon."""

from random import Random

import pytest

from cardhub.model.game.initial_state import resolve_options
from cardhub.model.table.state import OVER
from cardhub.testing.random_play import Trial, deal
from cardhub_gargon import Gargon
from cardhub_gargon.strategy.evaluation import evaluate

from ..positions import set_up

STACKS = ("W4 W5 W6 W7 W8 W9", "B4 B5 B6 B7 B8 B9")


def test_at_the_end_it_is_the_score() -> None:
    """Cards in hand do not count any more."""
    game = Gargon()
    state, rng = deal(game, Trial(4, resolve_options(game, {}, 4), 1)), Random(1)
    while state.seat != OVER:
        game.apply(state, game.playout_action(state, rng))
    assert evaluate(state) == game.scores(state)


def test_the_leader_in_a_colour_may_expect_its_bonus() -> None:
    """A longer lead makes the bonus more certain."""
    ahead, level, behind, far_behind = evaluate(
        set_up({}, STACKS, won={0: "R13 R14 R15", 1: "R12 Y13", 2: "G13"}).state
    )
    assert ahead > level > behind > far_behind
    assert ahead + level + behind + far_behind == pytest.approx(6 * 12 + 1)


def test_low_cards_in_hand_count_as_amulets() -> None:
    """A zero won doubles their value, in its colour."""
    low, high, doubled, none = evaluate(
        set_up({0: "R1", 1: "R15", 2: "V1"}, STACKS, won={2: "V0"}).state
    )
    assert low > high == none
    assert doubled - low > 4


def test_a_zero_in_hand_counts_as_doubling_amulets_won() -> None:
    """It counts only if the seat has won amulets of its colour."""
    at = set_up({0: "R0", 1: "Y0"}, STACKS, won={0: "R1 R2", 1: "G1 G2"})
    same, other, *_ = evaluate(at.state)
    assert same - other == pytest.approx(0.65 * 10)


def test_cards_in_hand_count_less_towards_the_end() -> None:
    """There is not enough time to lay them all; laid cards already count in full."""
    early = evaluate(set_up({0: "R1 R2 R3"}, STACKS, only_named=True).state)
    late = evaluate(set_up({0: "R1 R2 R3"}, ("W4", "B4"), only_named=True).state)
    assert late[0] < early[0]
