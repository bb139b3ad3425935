"""Policies of OpenSpiel as bots."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from open_spiel.python.algorithms import cfr, exploitability
from open_spiel.python.policy import python_policy_to_pyspiel_policy

from cardhub.base.errors import BotRefusalError, OptionError
from cardhub.lab.analysis.exploit.exploit_run import ExploitPlan, ExploitTable, find_exploit
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from cardhub_openspiel import OpenSpielBot, load

REGISTRY = find_plugins()


@pytest.fixture(scope="module")
def solver() -> Any:
    """Return a solver of Kuhn poker after some iterations."""
    solver = cfr.CFRPlusSolver(load("kuhn"))
    for _ in range(4):
        solver.evaluate_and_update_policy()
    return solver


@pytest.fixture(scope="module")
def file(solver: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of its policy."""
    path = tmp_path_factory.mktemp("policies") / "kuhn.txt"
    path.write_text(python_policy_to_pyspiel_policy(solver.average_policy()).serialize(), "utf-8")
    return path


def test_a_tabular_policy_is_a_bot_as_exploitable_as_openspiel_says(
    solver: Any, file: Path
) -> None:
    """Information states and actions mean the same in both."""
    expected = exploitability.exploitability(load("kuhn"), solver.average_policy())
    table = ExploitTable.of(REGISTRY, f"policy:{file}", "kuhn")
    result = find_exploit(table, ExploitPlan())
    assert result.method == "exact"
    assert result.value == pytest.approx(expected, abs=1e-6)


def test_any_policy_is_a_bot_of_a_program(solver: Any, file: Path) -> None:
    """It is asked about OpenSpiel's state, and says the same as its table."""
    bot = OpenSpielBot(Random(1), load("kuhn"), solver.average_policy())
    tabular = REGISTRY.make_bot(f"policy:{file}", "kuhn", Random(1))
    players = [Player("Anna", "random"), Player("Bob", "random")]
    for seed in range(3):
        referee = set_up(REGISTRY.game("kuhn"), players, {}, seed)
        while not referee.is_over:
            seen = referee.observe(referee.seat)
            assert bot.policy(seen) == pytest.approx(tabular.policy(seen))  # type: ignore[attr-defined]  # a MixedBot
            referee.apply(bot.choose(seen))


def test_a_file_that_is_no_policy_or_of_another_game_is_refused(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("nothing", "utf-8")
    with pytest.raises(OptionError, match="was not written by"):
        REGISTRY.make_bot(f"policy:{other}", "kuhn", Random(1))
    bot = REGISTRY.make_bot(f"policy:{file}", "leduc", Random(1))
    players = [Player("Anna", "random"), Player("Bob", "random")]
    with pytest.raises(BotRefusalError, match="has no information state"):
        bot.choose(set_up(REGISTRY.game("leduc"), players, {}, 1).observe(0))
