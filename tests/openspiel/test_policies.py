"""Policies of OpenSpiel as bots."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from open_spiel.python.algorithms import cfr, exploitability
from open_spiel.python.policy import python_policy_to_pyspiel_policy

from cardhub.base.errors import BotError, BotRefusalError, OptionError
from cardhub.lab.analysis.exploit.exploit_run import ExploitPlan, ExploitTable, find_exploit
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.bot_files import warm_up
from cardhub.plugins.registry import find_plugins
from cardhub.testing import check_spec
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
    with pytest.raises(OptionError, match="is not a table of a policy"):
        REGISTRY.make_bot(f"policy:{other}", "kuhn", Random(1))
    bot = REGISTRY.make_bot(f"policy:{file}", "leduc", Random(1))
    players = [Player("Anna", "random"), Player("Bob", "random")]
    with pytest.raises(BotRefusalError, match="has no information state"):
        bot.choose(set_up(REGISTRY.game("leduc"), players, {}, 1).observe(0))


def test_decimal_probabilities_are_read_as_openspiel_reads_them(
    solver: Any, file: Path, tmp_path: Path
) -> None:
    policy = python_policy_to_pyspiel_policy(solver.average_policy())
    decimal = tmp_path / "decimal.txt"
    decimal.write_text(policy.serialize(6, "<~>"), "utf-8")
    assert "0x" not in decimal.read_text("utf-8")
    exact, rounded = (
        find_exploit(ExploitTable.of(REGISTRY, f"policy:{path}", "kuhn"), ExploitPlan())
        for path in (file, decimal)
    )
    assert rounded.value == pytest.approx(exact.value, abs=1e-5)


QUEEN = "0 | Q ? ? | <~>"
HALVES = "0=0x1p-1,1=0x1p-1"


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        (HALVES, "0=6.0,1=0.34", "the probabilities sum to 6.34, not to 1"),
        (HALVES, "0=0x1.8p0,1=-0x1p-1", "-0.5 is not a probability"),
        (HALVES, "0=nan,1=0x1p-1", "nan is not a probability"),
        (HALVES, "0=0x1p99999,1=0", "'0x1p99999' is not a probability"),
        (HALVES, "0=0x1p-1,0=0x1p-1", "action 0 is listed twice"),
        (HALVES, "0=0x1p-1,1", "'1' is not ACTION=PROBABILITY"),
        ("0 | K ? ? | <~>", QUEEN, "'0 | Q ? ? | ': the information state is listed twice"),
    ],
)
def test_what_is_not_a_probability_is_refused_with_its_information_state(
    before: str, after: str, problem: str, file: Path, tmp_path: Path
) -> None:
    """The spec itself is refused, so no command plays or measures such a file."""
    other = tmp_path / "other.txt"
    other.write_text(file.read_text("utf-8").replace(before, after), "utf-8")
    with pytest.raises(OptionError) as refused:
        REGISTRY.settings_of(f"policy:{other}", "kuhn")
    assert problem in str(refused.value)


def test_a_policy_that_does_not_fit_the_table_is_refused_with_every_information_state(
    file: Path, tmp_path: Path
) -> None:
    text = file.read_text("utf-8")
    other = tmp_path / "other.txt"
    other.write_text(text.replace(QUEEN, "0 | Z ? ? | <~>").replace("<~>2=", "<~>9=", 1), "utf-8")
    spec = f"policy:{other}"
    with pytest.raises(BotError) as unfit:
        find_exploit(ExploitTable.of(REGISTRY, spec, "kuhn"), ExploitPlan())
    head, *lines, fix = str(unfit.value).splitlines()
    assert head == f"{other} is not a policy for this table of kuhn:"
    assert lines[:2] == [
        "'0 | Z ? ? |': this table has no such state",
        "'0 | Q ? ? | ': it is missing",
    ]
    assert [line.rpartition(": ")[2] for line in lines[2:]] == ["action 9 is not legal there"]
    assert fix == "fix: solve the game with the same players and options"
    report = check_spec(REGISTRY, spec, "kuhn", positions=4)
    assert [finding.check for finding in report.findings] == ["handshake"]


def test_a_policy_of_one_seat_fits_and_one_of_another_game_does_not(
    file: Path, tmp_path: Path
) -> None:
    head, sep = "TabularPolicy:", "<~>"
    parts = file.read_text("utf-8").removeprefix(head).split(sep)
    rows = [
        f"{name}{sep}{chances}"
        for name, chances in zip(parts[::2], parts[1::2], strict=True)
        if name.startswith("1 |")
    ]
    assert len(rows) == 6
    second = tmp_path / "second.txt"
    second.write_text(head + sep.join(rows), "utf-8")
    warm_up(REGISTRY, f"policy:{second}", "kuhn")
    with pytest.raises(BotError, match="and 1 more"):
        warm_up(REGISTRY, f"policy:{second}", "leduc")
    warm_up(REGISTRY, f"policy:{second}", "gamon")  # its tree is too large to be compared


def test_a_policy_object_without_probabilities_is_refused() -> None:
    class Doubled:
        def action_probabilities(self, state: Any) -> dict[int, float]:
            return dict.fromkeys(state.legal_actions(), 1.0)

    bot = OpenSpielBot(Random(1), load("kuhn"), Doubled())
    players = [Player("Anna", "random"), Player("Bob", "random")]
    with pytest.raises(BotError, match="the probabilities sum to 2, not to 1"):
        bot.choose(set_up(REGISTRY.game("kuhn"), players, {}, 1).observe(0))
