"""Small games solved: the tree as arrays, CFR+, best responses, and what is too large."""

from functools import lru_cache
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import TabularPolicy
from tests.games.throws import PAPER, ROCK, Throws

from cardhub.base.errors import SolvingError
from cardhub.bots.solving.game_tree import Tree, node_after
from cardhub.bots.solving.sequence_form import (
    SequenceForm,
    Solution,
    best_responses,
    exploit,
    seat_losses,
    sequence_form,
    solve,
)
from cardhub.model.game.initial_state import initial_state, resolve_options
from cardhub.model.hidden.observation import Step
from cardhub.plugins.registry import find_plugins
from cardhub_openspiel import load, tabular
from kuhn.game import CALL, FOLD

REGISTRY = find_plugins()


@lru_cache
def form(name: str) -> SequenceForm:
    """Return the sequence form of an installed game with its defaults."""
    game = REGISTRY.game(name)
    seats = game.seats.default
    return sequence_form(game, seats, resolve_options(game, {}, seats))


def test_the_sequence_form_of_leduc_poker_has_its_tree() -> None:
    """936 information sets, as in the literature; the chances of all ways through sum to 1."""
    leduc = form("leduc")
    assert leduc.nodes == 9457
    assert sum(len(plex.actions) for plex in leduc.treeplexes) == 936
    uniform = [plex.uniform() for plex in leduc.treeplexes]
    weight = leduc.chance.copy()
    for end, plex, strategy in zip(leduc.ends, leduc.treeplexes, uniform, strict=True):
        weight *= plex.realization(strategy)[end]
    assert weight.sum() == pytest.approx(1)


def test_cfr_finds_the_values_of_kuhn_and_leduc_poker() -> None:
    """The first seat loses an eighteenth of a chip in one, 0.0856 in the other."""
    for name, iterations, value in [("kuhn", 300, -1 / 18), ("leduc", 300, -0.0856)]:
        result = exploit(form(name), solve(form(name), iterations).strategies)
        assert result.exploitability < 0.005
        assert result.values[0] == pytest.approx(value, abs=0.003)


def test_games_of_openspiel_are_solved_too() -> None:
    kuhn = form("openspiel:kuhn_poker(players=3)")
    assert exploit(kuhn, solve(kuhn, 100).strategies).exploitability < 0.002


@pytest.mark.parametrize(("name", "iterations"), [("kuhn", 0), ("kuhn", 3), ("leduc", 2)])
def test_exploitability_agrees_with_openspiels_on_the_same_policy(
    name: str, iterations: int
) -> None:
    """OpenSpiel computes it in C++ on the tree that `tabular` writes."""
    ours = solve(form(name), iterations)
    table = tabular(load(name))
    theirs = pyspiel.exploitability(table, in_openspiel(ours, table))
    assert exploit(form(name), ours.strategies).exploitability == pytest.approx(theirs, abs=1e-9)


def in_openspiel(solution: Solution, table: Any) -> Any:
    """Return a solution as a policy for a game of `tabular`, whose names have numbers in front."""
    policy = {}
    for name, uniform in pyspiel.UniformRandomPolicy(table).policy_table().items():
        text = name.split("-", 3)[3]
        seat = int(text[0])
        plex = solution.form.treeplexes[seat]
        begin = plex.first[plex.number[text]]
        chances = solution.strategies[seat][begin : begin + len(uniform)]
        policy[name] = [(a, p) for (a, _), p in zip(uniform, chances.tolist(), strict=True)]
    return pyspiel.TabularPolicy(policy)


def test_no_response_gains_more_than_the_best_one() -> None:
    """Any other one gains as much at most, and its gain is computed in the same way."""
    kuhn = form("kuhn")
    strategies = [plex.uniform() for plex in kuhn.treeplexes]
    best = exploit(kuhn, strategies)
    assert best == exploit(kuhn, strategies, best_responses(kuhn, strategies))
    rng = np.random.default_rng(1)
    for _ in range(20):
        responses = [plex.normalized(rng.random(plex.sequences)) for plex in kuhn.treeplexes]
        assert exploit(kuhn, strategies, responses).exploitability <= best.exploitability


@pytest.mark.parametrize("name", ["gargon", "pig"])
def test_a_game_that_is_too_large_is_refused_at_once(name: str) -> None:
    with pytest.raises(SolvingError, match=f"{name}: the tree .* more than 200,000 nodes"):
        form(name)


def test_the_limit_of_nodes_is_exact_for_trees_near_it() -> None:
    """The estimate refuses only those that are far beyond."""
    game = REGISTRY.game("kuhn")
    settings = resolve_options(game, {}, 2)
    assert sequence_form(game, 2, settings, most_nodes=58).nodes == 58
    with pytest.raises(SolvingError):
        sequence_form(game, 2, settings, most_nodes=57)


def test_a_tree_that_is_too_large_is_not_written_out_for_openspiel() -> None:
    """`tabular` would fill the memory."""
    with pytest.raises(SolvingError, match="too large"):
        tabular(load("gamon"))
    with pytest.raises(SolvingError, match="more than 57 nodes"):
        tabular(load("kuhn"), most_nodes=57)


def test_a_round_of_choices_is_at_one_node_whatever_their_order() -> None:
    game, settings = Throws(), resolve_options(Throws(), {}, 2)
    tree, state = Tree(game, 2, settings), initial_state(game, settings, 2, game.pack(settings, 2))
    nodes = [
        node_after(tree, state, steps)
        for steps in ([Step(0, ROCK), Step(1, PAPER)], [Step(1, PAPER), Step(0, ROCK)])
    ]
    assert nodes[0] is nodes[1]
    assert nodes[0].scores == [-1, 1]


def test_bids_at_the_same_time_are_as_exploitable_as_in_openspiels_goofspiel() -> None:
    goofspiel = REGISTRY.game("goofspiel")
    settings = resolve_options(goofspiel, {"cards": 2, "order": "descending"}, 2)
    ours = sequence_form(goofspiel, 2, settings)
    theirs = pyspiel.load_game("goofspiel(num_cards=2,points_order=descending)")
    policy = TabularPolicy(pyspiel.convert_to_turn_based(theirs))
    uniform = [plex.uniform() for plex in ours.treeplexes]
    expected = exploitability.exploitability(policy.game, policy)
    assert exploit(ours, uniform).exploitability == pytest.approx(expected)
    assert exploit(ours, solve(ours, 100).strategies).exploitability < 1e-3


@pytest.mark.parametrize(("name", "iterations"), [("kuhn", 0), ("kuhn", 3), ("leduc", 2)])
def test_what_is_lost_in_all_information_sets_is_what_a_best_response_gains(
    name: str, iterations: int
) -> None:
    tree = form(name)
    strategies = solve(tree, iterations).strategies
    gain = exploit(tree, strategies)
    for seat, (lost, _) in enumerate(seat_losses(tree, strategies)):
        assert (lost > -1e-12).all()
        assert lost.sum() == pytest.approx(gain.responses[seat] - gain.values[seat], abs=1e-12)


def test_a_fold_that_costs_its_stake_is_found_in_its_information_set() -> None:
    """In Kuhn poker the second player folds the King to a bet: 3 chips each time."""
    kuhn = form("kuhn")
    strategies = [plex.uniform() for plex in kuhn.treeplexes]
    plex = kuhn.treeplexes[1]
    number = plex.number["1 | ? K ? | 0 bet"]
    fold, call = plex.first[number] + np.array(
        [plex.actions[number].index(a) for a in (FOLD, CALL)]
    )
    strategies[1][[fold, call]] = 1, 0
    lost, best = seat_losses(kuhn, strategies)[1]
    # The King is dealt in a third of the games, and the other player bets in half of them.
    assert lost[number] == pytest.approx(3 / 6)
    assert best[number] == call
