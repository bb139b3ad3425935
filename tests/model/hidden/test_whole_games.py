"""Determinizations of games with secrets are as likely as all games that fit what was seen."""

from collections import Counter
from functools import cache
from random import Random

import pytest
from tests.games.moles import Moles, ShuffledMoles, Table
from tests.kit.soaking import count_examples
from tests.model.hidden.chisquare import p_value
from tests.model.hidden.worlds_judge import World, worlds

from cardhub import Observation
from cardhub.base.errors import DeterminizationError
from cardhub.model.hidden import whole_games as sampling
from cardhub.testing import ByHand
from cardhub.testing.random_play import Position, default_trial, play

DRAWS = count_examples(60)
MOLES = Moles()
# Of random games: the seed, the number of actions, and the viewer, the last one a spectator.
CASES = [(0, 3, 0), (1, 7, 1), (2, 11, 2), (3, 4, 3), (4, 11, 0), (5, 5, 1)]


@cache
def played(seed: int, game: Moles = MOLES) -> list[Position[Table]]:
    """Return the positions of a random game."""
    return [*play(game, default_trial(game, 3, seed))]


def p_of_draws(seed: int, number: int, viewer: int, game: Moles = MOLES) -> float:
    """Return the p-value of the games drawn for a viewer after `number` actions of a game."""
    past, rng = played(seed, game)[: number + 1], Random(seed)
    seen = Observation(game, past[-1].state, viewer, past[-1].history)
    drawn = Counter[World]()
    for _ in range(DRAWS):
        state, history = seen.determinize_game(rng)
        drawn[tuple(state.face), tuple(step.action for step in history)] += 1
    return p_value(drawn, worlds(game, past, viewer))


@pytest.mark.parametrize(("seed", "number", "viewer"), CASES)
def test_games_are_listed_as_often_as_they_fit(
    seed: int, number: int, viewer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "BEFORE_LISTING", 0)
    assert p_of_draws(seed, number, viewer) > 0.001


@pytest.mark.parametrize(("seed", "number", "viewer"), CASES[:3])
def test_games_are_drawn_one_by_one_as_often_as_they_fit(
    seed: int, number: int, viewer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "MOST_DEALS", 0)
    assert p_of_draws(seed, number, viewer) > 0.001


@pytest.mark.parametrize(("seed", "viewer"), [(2, 0), (3, 1), (4, 2)])
def test_secrets_before_a_shuffle_are_drawn_with_it(seed: int, viewer: int) -> None:
    assert p_of_draws(seed, 5, viewer, ShuffledMoles()) > 0.001


def test_a_determinization_looks_the_same_to_its_viewer() -> None:
    position = played(2)[9]
    for viewer in range(4):
        seen = Observation(MOLES, position.state, viewer, position.history)
        state, history = seen.determinize_game(Random(1))
        again = Observation(MOLES, state, viewer, history)
        assert (again.state, again.history) == (seen.state, seen.history)
        assert again.information_state() == seen.information_state()


def test_a_position_without_a_past_has_no_determinizations() -> None:
    at = ByHand(MOLES, seats=3)
    at.state.put_all(at.left, at.state.aside)
    at.state.turn = 2
    with pytest.raises(DeterminizationError, match="too few games agree"):
        at.observe(0).determinize(Random(0))


def test_games_that_hardly_ever_fit_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    position = played(2)[11]
    seen = Observation(MOLES, position.state, 3, position.history)
    monkeypatch.setattr(sampling, "TRIES", 1)
    with pytest.raises(DeterminizationError, match="too few games agree"):
        seen.determinize(Random(0))
