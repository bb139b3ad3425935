"""Playouts and search by rules in C draw and value as playouts in Python do."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.compiling.rules.conftest import OPTIONS, Built, load_module
from tests.compiling.rules.planted import Draws, Ranges, Shares
from tests.compiling.rules.test_same_games import first_state

from cardhub.bots.search import struct_playouts, struct_tree
from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.bots.search.simulation import Playout
from cardhub.compiling.rules.rules_build import compile_rules, rules_file, write_rules
from cardhub.model.hidden.chance import pass_chance
from cardhub.model.hidden.observation import Observation
from cardhub.plugins.registry import find_plugins
from kuhn.game import Kuhn

UNCACHED = struct_playouts.rules_in_c.__wrapped__
GAMES = (
    "kuhn",
    "leduc",
    "goofspiel",
    "hearts",
    "nosegay",
    "orchards",
    "gamon",
    "gargon",
    "garner",
    "spades",
    "four_piles",
    "gin_rummy",
    "pig",
    "big_two",
    "holdem",
    "roses",
)


class OtherWords:
    """A module whose words of a generator lie elsewhere than this Python's."""

    playout_methods = ()
    class_name = "Kuhn"

    def words(self, _rng: Random) -> tuple[int, ...]:
        """Return other words."""
        return (0,) * 625


def use(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let playouts use a module with rules in C, or with None only Python."""
    monkeypatch.setattr(struct_playouts, "load_rules", lambda *_: module)
    # The tree has its own name for the function, whose cache other tests may have filled.
    for asking in (struct_playouts, struct_tree):
        monkeypatch.setattr(asking, "rules_in_c", UNCACHED)


@pytest.mark.parametrize("name", [*GAMES, "draws"])
def test_playouts_in_c_draw_and_value_like_those_in_python(
    name: str, built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Draws() if name == "draws" else find_plugins([]).game(name)
    state = first_state(game, Random(5))
    pass_chance(game, state, Random(6))
    results = []
    for module in (built(game), None):
        use(module, monkeypatch)
        rng = Random(7)
        playout = Playout(game, rng)
        are_in_c = [playout.outcome(state) is not None for _ in range(9)]
        assert are_in_c == [module is not None] * 9
        rng.seed(8)
        values = [playout.mean_values(state, count) for count in (5, *(1,) * 5)]
        results.append((values, rng.getstate()))
    assert results[0] == results[1]


@pytest.mark.parametrize("name", ["leduc", "hearts", "gamon", "gargon", "garner"])
def test_search_chooses_and_draws_the_same(
    name: str, built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_plugins([]).game(name)
    state = first_state(game, Random(2))
    pass_chance(game, state, Random(3))
    results = []
    for module in (built(game), None):
        use(module, monkeypatch)
        rng = Random(4)
        bot = SearchBot(rng, budget=SearchBudget(30))
        observation = Observation(game, state.clone(), state.seat)
        results.append((bot.choose(observation), rng.getstate()))
    assert results[0] == results[1]


def test_an_evaluation_that_python_refuses_is_given_back(built: Built) -> None:
    game, rng = Shares(), Random(1)
    state = first_state(game, Random(1))
    evaluations = []
    for _ in range(30):
        before = rng.getstate()
        outcome = built(game).playouts(state, rng, 1, 1, False)
        if outcome is None:
            assert rng.getstate() == before
            rng.random()
        evaluations.append(outcome and outcome[1])
    # The first seat bets, or it checks and stakes nothing more.
    assert [0.5, 0.25] in evaluations
    assert None in evaluations


@pytest.mark.usefixtures("built")
def test_playouts_whose_heuristics_are_refused_stay_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Ranges()
    source, refusals = write_rules(game, tmp_path)
    assert source is not None
    [refusal] = refusals
    assert refusal.endswith("rng.gauss() is not understood; rng.random() is")
    file = rules_file(game.name, tmp_path)
    assert compile_rules(source, file, OPTIONS) == ""
    use(load_module(game.name, file), monkeypatch)
    assert struct_playouts.playouts_in_c(game) is None


class OtherKuhn(Kuhn):
    """A game of another class with the same name."""


def test_another_class_of_the_same_name_plays_in_python(
    built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(built(Kuhn()), monkeypatch)
    assert struct_playouts.playouts_in_c(Kuhn()) is not None
    assert struct_playouts.playouts_in_c(OtherKuhn()) is None


def test_a_python_with_other_generators_plays_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    use(OtherWords(), monkeypatch)
    assert struct_playouts.playouts_in_c(find_plugins([]).game("kuhn")) is None
