"""OpenSpiel's algorithms play and solve cardhub games."""

import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, ismcts, mcts
from tests.kit.paths import ROOT

from cardhub.model.table.settings import Value
from cardhub_openspiel import CardhubState, load, tabular


def after_deal(name: str, seed: int, actions: int, **parameters: Value) -> CardhubState:
    """Return a state after random actions, where a player has a choice."""
    state, rng = load(name, **parameters).new_initial_state(), Random(seed)
    while actions or state.is_chance_node() or len(state.legal_actions()) < 2:
        steps, weights = zip(*state.node.odds, strict=True)
        actions -= not state.is_chance_node() and actions > 0
        state.apply_step(rng.choices(steps, weights)[0])
    return state


def evaluator() -> mcts.RandomRolloutEvaluator:
    """Return how OpenSpiel judges a position: by a random game."""
    return mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))


def test_tree_search_plays_garner() -> None:
    state = after_deal("garner", 1, 10, returns="places")
    bot = mcts.MCTSBot(state.get_game(), 2.0, 8, evaluator(), random_state=np.random.RandomState(1))
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", ["gargon", "gamon", "hearts"])
def test_information_set_search_plays_games_with_hidden_cards(name: str) -> None:
    """It draws its worlds by our determinizations."""
    state = after_deal(name, 2, 20, returns="places")
    bot = ismcts.ISMCTSBot(
        state.get_game(), evaluator(), 2.0, 8, random_state=np.random.RandomState(1)
    )
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", ["gargon", "gamon", "hearts", "goofspiel", "leduc"])
def test_a_resampled_state_looks_the_same_to_its_player_and_differs_elsewhere(name: str) -> None:
    """The information state is equal, and hidden cards are sampled again."""
    worlds = set()
    parameters = {"turn_based": True} if name == "goofspiel" else {}
    state = after_deal(name, 3, 3 if name == "leduc" else 15, **parameters)
    seat = state.current_player()
    for seed in range(3):
        again = state.resample_from_infostate(seat, Random(seed).random)
        assert again.information_state_string(seat) == state.information_state_string(seat)
        assert again.observation_string(seat) == state.observation_string(seat)
        assert again.legal_actions() == state.legal_actions()
        assert again.current_player() == seat
        worlds.add(str(again))
    assert len(worlds) > 1


def test_counterfactual_regret_finds_the_value_of_kuhn_poker() -> None:
    """The first player loses an eighteenth of a chip."""
    game = load("kuhn")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert value == pytest.approx([-1 / 18, 1 / 18], abs=2e-3)
    assert exploitability.exploitability(game, policy) < 0.02


def test_counterfactual_regret_solves_leduc_poker() -> None:
    game = tabular(load("leduc"))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(90):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.exploitability(game, policy) < 0.02
    values = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert values == pytest.approx([-0.0856, 0.0856], abs=5e-3)  # as in the literature


def test_a_tree_written_out_calls_information_sets_as_the_game_does() -> None:
    game = load("kuhn")
    for ours, theirs in zip(states(game), states(tabular(game)), strict=True):
        assert ours.returns() == theirs.returns()
        assert ours.current_player() == theirs.current_player()
        if ours.current_player() >= 0:
            name = theirs.information_state_string()
            assert name.endswith(ours.information_state_string())


def states(game: Any) -> list[Any]:
    """Return all states of a game, each followed by those after it."""
    nodes, left = [], [game.new_initial_state()]
    while left:
        state = left.pop()
        nodes.append(state)
        left += [state.child(action) for action in state.legal_actions()]
    return nodes


# What the C++ search bots of OpenSpiel do with a game written in Python; each ends the process.
CPP_SEARCH = {
    "MCTSBot": ("garner", "pyspiel.MCTSBot(game, rollout, 2.0, 10, 1000, True, 1, False)"),
    "ISMCTSBot": (
        "kuhn",
        "pyspiel.ISMCTSBot(1, rollout, 2.0, 10, -1, "
        "pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT, False, False)",
    ),
}
# Takes a step of each bot in a copy of the process, and prints how the copy ended.
SEARCHES = """
import os, sys
import pyspiel
from cardhub_openspiel import load

def search(name, bot):
    game = load(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    rollout = pyspiel.RandomRolloutEvaluator(1, 1)
    eval(bot).step(state)

for name, bot in zip(sys.argv[1::2], sys.argv[2::2]):
    copy = os.fork()
    if not copy:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        search(name, bot)
        os._exit(0)
    print(os.waitpid(copy, 0)[1])
load("kuhn")
"""


def test_search_bots_of_openspiel_in_cpp_are_not_for_games_in_python() -> None:
    """They crash the process, as the page says; a new OpenSpiel may change this.

    The program itself ends well: OpenSpiel releases registered games after the interpreter.
    """
    words = [word for search in CPP_SEARCH.values() for word in search]
    done = subprocess.run(
        [sys.executable, "-c", SEARCHES, *words], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    statuses = [int(line) for line in done.stdout.split()]
    assert len(statuses) == len(CPP_SEARCH)
    assert 0 not in statuses
    page = (ROOT / "docs" / "learning.md").read_text("utf-8")
    assert all(f"`pyspiel.{name}`" in page for name in CPP_SEARCH)
