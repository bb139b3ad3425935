"""Trees in Gambit's format: fractions, names, and the values of the game."""

import json
import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pyspiel
import pytest
from click.testing import CliRunner
from tests.games.throws import Throws

from cardhub.bots.solving.gambit_file import gambit_lines
from cardhub.bots.solving.game_tree import Tree
from cardhub.bots.solving.policy_table import read_policy_table
from cardhub.cli.main import cli
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import game_scoring, resolve_options
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


def tree_text(game: Game[Any]) -> str:
    """Return the file of a game with two seats and its defaults."""
    options = resolve_options(game, {}, 2)
    returns = game_scoring(game, options, 2).returns
    return "\n".join(gambit_lines(Tree(game, 2, options), returns))


@cache
def installed_tree(name: str) -> str:
    """Return the file of an installed game."""
    return tree_text(REGISTRY.game(name))


def test_a_tree_has_the_information_sets_of_the_literature() -> None:
    """Kuhn poker has 6 of each seat, Leduc poker 468."""
    for name, sets in (("kuhn", 6), ("leduc", 468)):
        decisions = re.findall(r'^p "" (\d) (\d+) ', installed_tree(name), re.MULTILINE)
        assert [len({n for player, n in decisions if player == p}) for p in "12"] == [sets, sets]


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_chances_are_fractions_that_sum_to_one(name: str) -> None:
    """Gambit refuses a node whose rounded decimals sum to something else."""
    nodes = [line for line in installed_tree(name).splitlines() if line.startswith("c")]
    for line in nodes:
        inside = line[line.index("{") + 1 : line.rindex("}")]
        assert sum(map(Fraction, QUOTED.sub("", inside).split())) == 1
    assert any("1/5" in line for line in nodes) == (name == "leduc")


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_labels_are_printable_without_spaces_at_their_ends(name: str) -> None:
    """Gambit wants them so, and different actions in each information set."""
    for line in installed_tree(name).splitlines():
        labels = QUOTED.findall(line)
        assert all(label == label.strip() and label.isprintable() for label in labels)
        if line[0] in "cp":
            actions = QUOTED.findall(line[line.index("{") :])
            assert len(set(actions)) == len(actions) > 0


def test_openspiel_reads_the_tree_and_finds_the_value_of_the_game() -> None:
    game = pyspiel.load_efg_game(installed_tree("kuhn"))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    values = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert values[0] == pytest.approx(-1 / 18, abs=0.002)


def test_simultaneous_choices_are_made_one_after_the_other_without_knowing() -> None:
    """The second seat of Throws has one information set, whatever the first has thrown."""
    decisions = re.findall(r'^p "" (\d) (\d+) ', tree_text(Throws()), re.MULTILINE)
    assert len(decisions) == 4
    assert len(set(decisions)) == 2


def test_gambit_finds_the_value_of_kuhn_poker(tmp_path: Path) -> None:
    """An exact equilibrium by the linear complementarity program: minus an eighteenth."""
    gambit = pytest.importorskip("pygambit", reason="pygambit is not installed: make gambit-test")
    path = tmp_path / "kuhn.efg"
    path.write_text(installed_tree("kuhn"), "utf-8")
    kuhn = gambit.read_efg(path)
    assert kuhn.is_const_sum
    equilibrium = gambit.nash.lcp_solve(kuhn, rational=True).equilibria[0]
    assert Fraction(str(equilibrium.payoff("Seat 0"))) == Fraction(-1, 18)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_gambit_and_the_solver_give_a_policy_the_same_value(name: str, tmp_path: Path) -> None:
    gambit = pytest.importorskip("pygambit", reason="pygambit is not installed: make gambit-test")
    tree, table = tmp_path / "game.efg", tmp_path / "policy.csv"
    words = ["solve", name, "--efg", str(tree), "--policy", str(table), "--json"]
    solved = CliRunner().invoke(cli, [*words, "--iterations", "100"])
    policy = read_policy_table(table)
    game = gambit.read_efg(tree)
    profile = game.mixed_behavior_profile()
    for player in game.players:
        for infoset in player.infosets:
            for action in infoset.actions:
                profile[action] = policy[infoset.label][action.label]
    value = json.loads(solved.stdout)["values"][0]
    assert profile.payoff("Seat 0") == pytest.approx(value, abs=1e-9)


def test_gambit_reads_leduc_poker(tmp_path: Path) -> None:
    gambit = pytest.importorskip("pygambit", reason="pygambit is not installed: make gambit-test")
    path = tmp_path / "leduc.efg"
    path.write_text(installed_tree("leduc"), "utf-8")
    leduc = gambit.read_efg(path)
    assert leduc.is_const_sum
    assert [len(player.infosets) for player in leduc.players] == [468, 468]
