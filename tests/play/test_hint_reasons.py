"""Reasons of hints: equal ratings, and the expected steps as a sentence."""

import pytest

from cardhub import Goal
from cardhub.bots import Rated
from cardhub.model.hidden.observation import Step
from cardhub.play.advice import equal_to_best, expectation
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub_garner import Garner


@pytest.mark.parametrize(
    ("second", "goal", "is_equal"),
    [
        (Rated(1, 90, 0.10), Goal.WIN, True),  # two standard errors are about 0.28
        (Rated(1, 90, -0.25), Goal.WIN, False),
        (Rated(1, 40, 0.10), Goal.WIN, False),  # the search has turned away from it
        (Rated(1, 0, 0.0), Goal.WIN, False),
        (Rated(1, 60, 9.0), Goal.SCORE, True),
        (Rated(1, 40, 11.9), Goal.SCORE, False),
    ],
)
def test_ratings_are_equal_within_noise(second: Rated, goal: Goal, is_equal: bool) -> None:
    best = Rated(0, 100, 0.12 if goal is Goal.WIN else 12.0)
    assert equal_to_best([best, second], goal) == [False, is_equal]


def test_the_expected_steps_are_one_sentence() -> None:
    """The person is addressed, others are named; what is no action of the game is left out."""
    players = [Player(name, "human") for name in ("Anna", "Bob")]
    referee = set_up(Garner(), players, {}, seed=1)
    referee.proceed()
    seen = referee.observe(0)
    place, lift = (
        next(a for a in range(seen.game.actions.size) if seen.labels().label(a).startswith(verb))
        for verb in ("place", "lift")
    )
    names = [seen.labels().label(action) for action in (place, lift)]
    line = (Step(0, place), Step(1, lift), Step(7, lift), Step(1, 10**6))
    rated = [Rated(place, 10, 0.5, line)]
    told = expectation(rated, seen, ["Anna", "Bob"])
    assert told == f"After that it expects: you {names[0]}, then Bob: {names[1]}."
    assert expectation([Rated(place, 10, 0.5)], seen, ["Anna", "Bob"]) == ""
    named = expectation(rated, seen, ["Anna", "Bob"], says_you=False)
    assert named == told.replace("you", "Anna:", 1)
