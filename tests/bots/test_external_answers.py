"""Answers of programs at a turn: an action, or probabilities from which cardhub draws one."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from cardhub.base.errors import BotGarbageError, BotIllegalError
from cardhub.bots.external.answers import BILLION, read_answer
from cardhub.model.hidden.observation import Observation
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins

BET, CHECK = 1, 0


@pytest.fixture(scope="module")
def turn() -> Observation[Any]:
    """Return the first observation of a game of Kuhn poker."""
    players = [Player(name, "random") for name in NAMES[:2]]
    referee = set_up(find_plugins().game("kuhn"), players, {}, 1)
    referee.proceed()
    return referee.observe(referee.seat)


def test_an_action_is_taken_as_it_is(turn: Observation[Any]) -> None:
    """By its number or its notation; nothing is drawn."""
    for choice in ("bet", BET):
        assert read_answer({"action": choice}, turn, Random(1)) == (BET, {})


def test_an_action_is_drawn_from_the_probabilities(turn: Observation[Any]) -> None:
    """As often as they say; equal generators draw equal actions."""
    rngs = Random(1), Random(1)
    drawn = [
        [read_answer({"policy": {"bet": 0.25, "check": 0.75}}, turn, rng) for _ in range(400)]
        for rng in rngs
    ]
    assert drawn[0] == drawn[1]
    assert drawn[0][0].weights == {BET: BILLION // 4, CHECK: BILLION // 4 * 3}
    assert 70 < Counter(decision.action for decision in drawn[0])[BET] < 130


def test_probabilities_may_be_rounded(turn: Observation[Any]) -> None:
    """Four digits are enough."""
    _, weights = read_answer({"policy": {"bet": 0.3333, "check": 0.6666}}, turn, Random(1))
    assert weights == {BET: 333_300_000, CHECK: 666_600_000}


@pytest.mark.parametrize("policy", [{"bet": 1}, {"bet": 1.0, "check": 0}])
def test_an_action_without_a_probability_is_never_drawn(
    turn: Observation[Any], policy: dict[str, float]
) -> None:
    """It may be left out."""
    assert read_answer({"policy": policy}, turn, Random(1)) == (BET, {BET: BILLION})


@pytest.mark.parametrize("policy", [{"bet": 0.6}, {}, {"bet": 1.0, "check": 0.5}])
def test_probabilities_that_do_not_sum_to_1_are_a_fault(
    turn: Observation[Any], policy: dict[str, float]
) -> None:
    """Nothing is guessed."""
    with pytest.raises(BotIllegalError, match="its policy is wrong: the probabilities sum to"):
        read_answer({"policy": policy}, turn, Random(1))


def test_an_action_that_is_not_legal_is_a_fault(turn: Observation[Any]) -> None:
    """Even with the probability 0, because it is a mistake."""
    with pytest.raises(BotIllegalError, match=r"'bett' is not legal\. Did you mean 'bet'"):
        read_answer({"policy": {"bett": 0, "bet": 1}}, turn, Random(1))


@pytest.mark.parametrize(
    "policy",
    [
        [0.5, 0.5],
        "bet",
        None,
        {"bet": "1"},
        {"bet": True},
        {"bet": float("nan")},
        {"bet": -0.5, "check": 1.5},
        {"bet": 10**400},
        {"bet": [1]},
    ],
)
def test_anything_else_is_garbage(turn: Observation[Any], policy: object) -> None:
    """Also numbers beyond 0 to 1."""
    with pytest.raises(BotGarbageError, match="its policy is not an object of actions"):
        read_answer({"policy": policy}, turn, Random(1))


def test_an_action_beside_probabilities_is_refused(turn: Observation[Any]) -> None:
    """A program that chose for itself could state any probabilities."""
    with pytest.raises(BotGarbageError, match="an action and a policy"):
        read_answer({"policy": {"bet": 1}, "action": "bet"}, turn, Random(1))
