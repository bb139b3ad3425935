"""Advice of bots, checked and as text."""

from collections.abc import Iterable
from typing import Any

import pytest
from tests.kit.scripted_bot import ScriptedAdviser, ScriptedBot

from cardhub import Goal
from cardhub.bots import Rated
from cardhub.bots.asking import advise
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.scoring import Scoring
from cardhub.play.advice import (
    RatedAction,
    advice_lines,
    equal_to_best,
    expectation,
    loss_scale,
    rated_actions,
    value_text,
)
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon
from cardhub_garner import Garner
from kuhn import Kuhn


@pytest.fixture
def seen() -> Observation[Any]:
    """Return the observation of seat 0 at the start of a game of Gargon."""
    players = [Player(name, "human") for name in ("Anna", "Bob", "Chris")]
    referee = set_up(Gargon(), players, {}, seed=1)
    referee.proceed()
    return referee.observe(0)


def test_the_actions_of_an_adviser_keep_their_order(seen: Observation[Any]) -> None:
    """The words of the seat, how far from losing to winning it leads, and how often it was tried.

    An action that was never tried has no numbers.
    """
    first, second, third = seen.legal()[:3]
    bot = ScriptedAdviser([Rated(second, 640, 0.16), Rated(first, 60, -2.0), Rated(third, 0, 0.0)])
    names = {action: name for name, action in seen.labels().notations(seen.legal()).items()}
    assert rated_actions(advise(bot, seen), seen) == [
        RatedAction(names[second], "58 %", "640 tries"),
        RatedAction(names[first], "0 %", "60 tries"),
        RatedAction(names[third], "", ""),
    ]


def test_the_advice_of_a_bot_without_ratings_is_its_choice(seen: Observation[Any]) -> None:
    action = seen.legal()[1]
    (row,) = rated_actions(advise(ScriptedBot(action), seen), seen)
    assert row.name.startswith("lay ")
    assert (row.value_text, row.tries) == ("", "")


@pytest.mark.parametrize(
    ("value", "scoring", "text"),
    [
        (0.14, Scoring((0, 1), Goal.WIN), "57 %"),
        (0.14, Scoring((0, 1)), "57 %"),
        (1.44, Scoring((0, 1), Goal.SCORE, unit="chips"), "+1.4 chips"),
        (-0.04, Scoring((0, 1), Goal.SCORE, unit="chips"), "+0.0 chips"),
        (-30.2, Scoring((0, 1), Goal.SCORE, lowest_wins=True), "30.2 points"),
        (12.3, Scoring((0, 0), Goal.COMMON, target=25), "12.3 of 25 points"),
        (12.3, Scoring((0, 0), Goal.COMMON), "12.3 points"),
    ],
)
def test_a_value_is_shown_in_the_unit_of_the_game(
    value: float, scoring: Scoring, text: str
) -> None:
    assert value_text(value, scoring) == text


def test_a_hint_in_poker_is_in_chips() -> None:
    referee = set_up(Kuhn(), [Player(name, "human") for name in ("Anna", "Bob")], {}, seed=1)
    referee.proceed()
    check, bet = referee.observe(0).legal()
    rated = [Rated(bet, 60, 1.26), Rated(check, 40, -0.5)]
    assert advice_lines("hard", rated_actions(rated, referee.observe(0)), 40) == [
        "Hint by hard:",
        "1. bet    +1.3 chips",
        "2. check  -0.5 chips",
    ]


def rated_names(names: Iterable[str]) -> list[RatedAction]:
    """Return ratings of actions with these names."""
    return [RatedAction(name, "50 %", "7 tries") for name in names]


def test_wide_lines_hold_an_action_each() -> None:
    assert advice_lines("hard", rated_names(["lay R14", "done"]), 40) == [
        "Hint by hard (0 % is lost, 100 % is won):",
        "1. lay R14  50 %",
        "2. done     50 %",
    ]


def test_narrow_lines_have_the_numbers_beneath() -> None:
    assert advice_lines("hard", rated_names(["lay R14"]), 20) == [
        "Hint by hard:",
        "1. lay R14",
        "   50 %",
        "0 % is lost, 100 % is won",
    ]


def test_at_most_three_actions_are_shown() -> None:
    lines = advice_lines("hard", rated_names("abcdefg"), 40)
    assert [line[:2] for line in lines[1:]] == ["1.", "2.", "3."]


def test_an_advice_without_numbers_needs_no_explanation() -> None:
    assert advice_lines("rule", [RatedAction("done", "", "")], 20) == ["Hint by rule:", "1. done"]


def test_losses_are_on_the_scale_of_the_ratings() -> None:
    """Percentage points where the result counts, else the unit of the game."""
    assert loss_scale(Scoring((0, 1), Goal.WIN)) == (50, "%")
    assert loss_scale(Scoring((0, 1), Goal.SCORE, unit="chips", unit_size=2)) == (0.5, "chips")


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
    """The person is "you", others have names; steps that are not actions are left out."""
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
    sentence = expectation(rated, seen, ["Anna", "Bob"])
    assert sentence == f"After that it expects: you {names[0]}, then Bob: {names[1]}."
    assert expectation([Rated(place, 10, 0.5)], seen, ["Anna", "Bob"]) == ""
    named = expectation(rated, seen, ["Anna", "Bob"], says_you=False)
    assert named == sentence.replace("you", "Anna:", 1)
