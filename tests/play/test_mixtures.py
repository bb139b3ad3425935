"""Hints and reviews where all choose at the same time: a search mixes several actions."""

from typing import Any

import pytest
from tests.games.throws import PAPER, ROCK, SCISSORS, Throws
from tests.kit.scripted_bot import ScriptedAdviser

from cardhub.bots import Rated
from cardhub.model.hidden.observation import Observation
from cardhub.play.announcing.announcer import past_events
from cardhub.play.host.turns.hint_requests import hint_of
from cardhub.play.mixtures import MIX_BLUFFS, MIX_THEM, mixture_of
from cardhub.play.referee import Referee
from cardhub.play.review import Reviewer
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins

NAMES = ("Anna", "Bob")
MIXED = [Rated(PAPER, 500, 0.1), Rated(ROCK, 400, 0.3), Rated(SCISSORS, 40, -0.9)]


@pytest.fixture
def table() -> Referee[Any]:
    """Return a new game of Anna and Bob."""
    referee = set_up(Throws(), [Player(name, "human") for name in NAMES], {}, 1)
    referee.proceed()
    return referee


@pytest.fixture
def seen(table: Referee[Any]) -> Observation[Any]:
    return table.observe(0)


def test_a_hint_says_how_often_to_choose_each_action_of_a_mixture(
    seen: Observation[Any],
) -> None:
    hint = hint_of("hard", MIXED, seen, NAMES)
    assert [action.text for action in hint.actions] == [
        "Paper: Choose it about 6 times in 10.",
        "Rock: Choose it about 4 times in 10.",
    ]
    assert hint.why == MIX_THEM


def test_an_action_that_a_search_only_explored_is_not_mixed(seen: Observation[Any]) -> None:
    sure = [Rated(PAPER, 900, 0.1), Rated(ROCK, 40, 0.0), Rated(SCISSORS, 40, -0.9)]
    assert not mixture_of(seen, sure).shares
    assert hint_of("hard", sure, seen, NAMES).why != MIX_THEM


@pytest.mark.parametrize(("taken", "is_agreed"), [(PAPER, True), (ROCK, True), (SCISSORS, False)])
def test_a_review_agrees_with_every_action_of_a_mixture(
    table: Referee[Any], taken: int, is_agreed: bool
) -> None:
    reviewer = Reviewer([0], {0: ScriptedAdviser(MIXED)}, NAMES)
    reviewer.look(table)
    table.apply(taken)
    (event,) = past_events(table, 0)
    assert event.action is None  # Bob has yet to choose
    review = reviewer.judge(event)
    assert review is not None
    assert review.decision.agrees is is_agreed
    assert (review.decision.cost == 0) is is_agreed
    move = review.decision.move
    assert move.best == (move.taken if is_agreed else "paper or rock")


@pytest.fixture
def bluffing() -> Referee[Any]:
    """Return a new game of poker, in which the kinds of bets are declared as bluffs."""
    players = [Player(name, "human") for name in NAMES]
    referee = set_up(find_plugins().game("holdem"), players, {}, 1)
    referee.proceed()
    return referee


def test_a_hint_does_not_forbid_a_bluff_that_the_search_would_make(
    bluffing: Referee[Any],
) -> None:
    """Actions with about as many visits are mixed, whichever has the higher value."""
    seen = bluffing.observe(bluffing.seat)
    fold, call, *bets = seen.legal()
    rated = [Rated(fold, 500, 0.1), Rated(bets[0], 300, -0.2), Rated(call, 30, -0.9)]
    hint = hint_of("hard", rated, seen, NAMES)
    assert [action.comparison for action in hint.actions] == [
        "Choose it about 6 times in 10.",
        "Choose it about 4 times in 10.",
    ]
    assert hint.why == MIX_BLUFFS
    assert mixture_of(seen, rated).actions == {fold, bets[0]}


def test_a_clear_decision_is_not_mixed_for_the_sake_of_bluffs(bluffing: Referee[Any]) -> None:
    seen = bluffing.observe(bluffing.seat)
    fold, call, *bets = seen.legal()
    rated = [Rated(fold, 500, 0.1), Rated(bets[0], 200, -0.2), Rated(call, 30, -0.9)]
    assert not mixture_of(seen, rated).shares
    assert hint_of("hard", rated, seen, NAMES).why != MIX_BLUFFS


@pytest.mark.parametrize(("is_bluff", "is_agreed"), [(True, True), (False, False)])
def test_a_review_accuses_nobody_of_a_bluff_that_the_search_would_make(
    bluffing: Referee[Any], is_bluff: bool, is_agreed: bool
) -> None:
    seat = bluffing.seat
    fold, call, *bets = bluffing.observe(seat).legal()
    rated = [Rated(fold, 500, 0.1), Rated(bets[0], 300, -0.2), Rated(call, 30, -0.9)]
    reviewer = Reviewer([seat], {seat: ScriptedAdviser(rated)}, NAMES)
    reviewer.look(bluffing)
    bluffing.apply(bets[0] if is_bluff else call)
    review = reviewer.judge(past_events(bluffing, seat)[-1])
    assert review is not None
    assert review.decision.agrees is is_agreed
    assert (review.decision.cost == 0) is is_agreed
