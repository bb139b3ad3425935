"""Advice of bots, checked and as text."""

from collections.abc import Iterable
from typing import Any

import pytest
from tests.kit.holdem_hands import HOLDEM, hand, view_of
from tests.kit.scripted_bot import ScriptedAdviser, ScriptedBot

from cardhub import Goal
from cardhub.bots import Rated
from cardhub.bots.asking import advise
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.scoring import Scoring
from cardhub.play.advice import (
    HintedAction,
    RatedAction,
    advice_lines,
    alternatives,
    comparison_text,
    expectation,
    hinted_actions,
    loss_factor,
    loss_unit,
    number_lines,
    ranked,
    rated_actions,
    sure_loss,
    value_text,
)
from cardhub.play.host.turns.hint_requests import hint_of
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon
from cardhub_garner import Garner
from holdem.table import RAISE
from kuhn import Kuhn

PLAYERS = ("Anna", "Bob", "Chris")
DONE = HintedAction("done")


@pytest.fixture
def seen() -> Observation[Any]:
    """Return the observation of seat 0 at the start of a game of Gargon."""
    players = [Player(name, "human") for name in PLAYERS]
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
        (-0.04, Scoring((0, 1), Goal.SCORE, unit="chips"), "0.0 chips"),
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
    assert number_lines("hard", rated_actions(rated, referee.observe(0)), 40) == [
        "Ratings by the hard bot:",
        "1. bet    +1.3 chips",
        "2. check  −0.5 chips",
    ]


def rated_names(names: Iterable[str]) -> list[RatedAction]:
    """Return ratings of actions with these names."""
    return [RatedAction(name, "50 %", "7 tries") for name in names]


def test_wide_lines_hold_an_action_each() -> None:
    assert number_lines("hard", rated_names(["lay R14", "done"]), 52) == [
        "Ratings by the hard bot (0 % is lost, 100 % is won):",
        "1. lay R14  50 %",
        "2. done     50 %",
    ]


def test_narrow_lines_have_the_numbers_beneath() -> None:
    assert number_lines("hard", rated_names(["lay R14"]), 20) == [
        "Ratings by the hard bot:",
        "1. lay R14",
        "   50 %",
        "0 % is lost, 100 % is won",
    ]


def test_at_most_three_actions_are_shown() -> None:
    lines = number_lines("hard", rated_names("abcdefg"), 52)
    assert [line[:2] for line in lines[1:]] == ["1.", "2.", "3."]


def test_an_advice_without_numbers_needs_no_explanation() -> None:
    assert number_lines("rule", [RatedAction("done", "", "")], 20) == [
        "Ratings by the rule bot:",
        "1. done",
    ]


def test_losses_are_on_the_scale_of_the_ratings() -> None:
    """Percentage points where the result counts, else the unit of the game."""
    assert (loss_factor(WIN_OF_TWO), loss_unit(WIN_OF_TWO)) == (50, "%")
    assert (loss_factor(CHIPS), loss_unit(CHIPS)) == (0.5, "chips")


WIN_OF_TWO, WIN_OF_FOUR = Scoring((0, 1), Goal.WIN), Scoring((0, 1, 2, 3), Goal.WIN)
CHIPS = Scoring((0, 1), Goal.SCORE, unit="chips", unit_size=2)
PLACES = Scoring((0, 1, 2))


@pytest.mark.parametrize(
    ("first", "second", "scoring", "text"),
    [
        (
            Rated(0, 900, 0.12),
            Rated(1, 90, -0.13),
            WIN_OF_TWO,
            "About 1 more win in 8 games than with",
        ),
        (
            Rated(0, 900, 0.12),
            Rated(1, 90, -0.48),
            WIN_OF_TWO,
            "About 3 more wins in 10 games than with",
        ),
        (
            Rated(0, 900, 0.20),
            Rated(1, 90, 0.12),
            WIN_OF_FOUR,
            "About 1 more win in 15 games than with",
        ),
        (Rated(0, 900, 0.50), Rated(1, 90, 0.02), PLACES, "About ½ place higher than"),
        (Rated(0, 900, 0.50), Rated(1, 90, -0.5), PLACES, "About 1 place higher than"),
        (Rated(0, 900, 9.0), Rated(1, 90, 5.0), CHIPS, "About 2 chips better than"),
        (Rated(0, 900, 9.0), Rated(1, 90, 8.0), CHIPS, "About ½ chip better than"),
        (Rated(0, 900, -1.2), Rated(1, 800, -35.2), CHIPS, "About 17 chips better than"),
    ],
)
def test_a_better_action_is_better_by_an_amount_of_the_game(
    first: Rated, second: Rated, scoring: Scoring, text: str
) -> None:
    assert comparison_text(first, second, "done", scoring) == f"{text} “done”."


@pytest.mark.parametrize(
    ("second", "scoring"),
    [
        (Rated(1, 90, 0.10), WIN_OF_TWO),  # two standard errors are about 0.28
        (Rated(1, 40, 0.10), WIN_OF_TWO),  # less than one game in 50
        (Rated(1, 90, 0.30), WIN_OF_TWO),  # the search preferred an action of a lower value
        (Rated(1, 40, -0.2), CHIPS),
    ],
)
def test_actions_that_differ_by_noise_are_about_as_good(second: Rated, scoring: Scoring) -> None:
    text = comparison_text(Rated(0, 100, 0.12), second, "done", scoring)
    assert text == "About as good as “done”."


def test_an_action_that_was_not_tried_is_compared_with_nothing() -> None:
    assert comparison_text(Rated(0, 9, 0.5), Rated(1, 0, 0.0), "done", WIN_OF_TWO) == ""


@pytest.mark.parametrize(
    ("second", "scoring", "loss"),
    [
        (Rated(1, 400, -0.38), WIN_OF_TWO, 0.39),  # a standard error of 0.11
        (Rated(1, 4, -0.38), WIN_OF_TWO, 0.03),
        (Rated(1, 90, 0.10), WIN_OF_TWO, 0.0),
        (Rated(1, 0, -0.5), WIN_OF_TWO, 0.0),
        (Rated(1, 9, -5.88), CHIPS, 4.0),
        (Rated(1, 1, -192.0), CHIPS, 0.0),
    ],
)
def test_a_loss_counts_as_far_as_it_is_more_than_noise(
    second: Rated, scoring: Scoring, loss: float
) -> None:
    best = Rated(0, 100, 0.12)
    assert sure_loss(best, second, scoring.goal) == pytest.approx(loss, abs=0.01)


def test_a_hint_has_the_words_of_the_game_and_compares_with_the_next_action(
    seen: Observation[Any],
) -> None:
    first, second, third, fourth = seen.legal()[:4]
    rated = [Rated(first, 900, 0.5), Rated(second, 90, 0.0), Rated(third, 90, 0.0)]
    best, next_best, last = hinted_actions([*rated, Rated(fourth, 90, 0.0)], seen, PLAYERS)
    names = {action: name for name, action in seen.labels(PLAYERS).choices(seen.legal()).items()}
    assert [best.name, next_best.name, last.name] == [names[first], names[second], names[third]]
    assert best.reason == seen.game.display.hint(seen.state, first, seen.labels(PLAYERS))
    # A third of the tables of three is won by luck alone.
    assert best.comparison == f"About 3 more wins in 10 games than with “{names[second]}”."
    assert next_best.comparison == f"About as good as “{names[third]}”."
    assert last.comparison == ""


def test_a_hint_says_each_sentence_once(
    seen: Observation[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = seen.legal()[:2]
    texts = {
        first: "Trumps still out: 3. Only R15 beats it.",
        second: "Trumps still out: 3. Yes.",
    }
    monkeypatch.setattr(
        type(seen.game.display), "hint", lambda self, state, action, names: texts[action]
    )
    rated = [Rated(first, 900, 0.5), Rated(second, 90, 0.0)]
    best, other = hinted_actions(rated, seen, PLAYERS)
    assert (best.reason, other.reason) == (texts[first], "Yes.")


def test_a_hint_is_in_the_order_of_its_values(seen: Observation[Any]) -> None:
    first, second, third, fourth = seen.legal()[:4]
    rated = [
        Rated(first, 400, -0.1),
        Rated(second, 300, -0.6),
        Rated(third, 250, 0.2),
        Rated(fourth, 5, 0.9),
    ]
    assert [rating.action for rating in ranked(rated, seen.game)] == [third, first, second, fourth]
    hint = hint_of("hard", rated, seen, PLAYERS)
    names = {action: name for name, action in seen.labels(PLAYERS).choices(seen.legal()).items()}
    # An action that was hardly tried is no alternative.
    assert [action.name for action in hint.actions] == [names[a] for a in (third, first, second)]
    assert [rating.name for rating in hint.ratings] == [a.name for a in hint.actions]


def test_a_hint_names_one_amount_of_a_group() -> None:
    choices = view_of(hand(100, 100)).choices
    fold, call = (choice.action for choice in choices if choice.amounts is None)
    eight, nine = RAISE.action(8), RAISE.action(9)
    # The tries of a group of amounts count for its first amount.
    rated = [Rated(eight, 1822, 2.1), Rated(call, 81, -0.6), Rated(fold, 97, 0.5)]
    shown = alternatives([*rated, Rated(nine, 121, 2.4)], HOLDEM)
    assert [rating.action for rating in shown] == [eight, fold, call]


def test_an_action_that_was_hardly_tried_has_no_difference_in_numbers() -> None:
    text = comparison_text(Rated(0, 900, 1.0), Rated(1, 3, -191.0), "raise to 4", CHIPS)
    assert text == "The bot hardly tried “raise to 4”."


def test_a_hint_is_wrapped_below_its_number() -> None:
    actions = [HintedAction("lay R14", "It is the best.", "About as good as “done”."), DONE]
    assert advice_lines("hard", actions, 30) == [
        "Hint by the hard bot:",
        "1. Lay R14: It is the best.",
        "   About as good as “done”.",
        "2. Done",
    ]


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
    lifted, placed = (
        names[n].replace(verb, f"{verb}s", 1) for n, verb in ((1, "lift"), (0, "place"))
    )
    sentence = expectation(rated, seen, ["Anna", "Bob"])
    assert sentence == f"After that, the bot expects: you {names[0]}, then Bob {lifted}."
    assert expectation([Rated(place, 10, 0.5)], seen, ["Anna", "Bob"]) == ""
    named = expectation(rated, seen, ["Anna", "Bob"], says_you=False)
    assert named == sentence.replace(f"you {names[0]}", f"Anna {placed}", 1)


def test_an_expected_action_without_a_verb_is_named_after_a_colon() -> None:
    referee = set_up(Gargon(), [Player(name, "human") for name in PLAYERS], {}, seed=1)
    referee.proceed()
    seen = referee.observe(0)
    done = next(a for a in range(seen.game.actions.size) if seen.labels().label(a) == "done")
    sentence = expectation([Rated(done, 10, 0.5, (Step(0, done),))], seen, PLAYERS)
    assert sentence == "After that, the bot expects: you: done."
