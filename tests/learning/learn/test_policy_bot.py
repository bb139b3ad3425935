"""Policies in tables: written by a solution, read by the bot `policy`, refused if damaged."""

from pathlib import Path
from random import Random

import pytest

from cardhub.base.errors import BotError, OptionError
from cardhub.bots.solving.policy_table import policy_text
from cardhub.bots.solving.sequence_form import exploit, sequence_form, solve
from cardhub.lab.analysis.exploit.exploit_run import ExploitPlan, ExploitTable, find_exploit
from cardhub.model.game.initial_state import resolve_options
from cardhub.plugins.bot_files import warm_up
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()


def table_of(name: str, iterations: int) -> tuple[str, float]:
    """Return a solution of a game as a table, and its exploitability."""
    game = REGISTRY.game(name)
    form = sequence_form(game, 2, resolve_options(game, {}, 2))
    strategies = solve(form, iterations).strategies
    return policy_text(game, form, strategies), exploit(form, strategies).exploitability


@pytest.fixture(scope="module")
def kuhn_table() -> str:
    """Return a policy of Kuhn poker as a table."""
    return table_of("kuhn", 5)[0]


def write(folder: Path, text: str) -> str:
    """Write a table; return the spec of its bot."""
    path = folder / "table.csv"
    path.write_text(text, "utf-8")
    return f"policy:{path}"


@pytest.mark.parametrize(("name", "iterations"), [("kuhn", 5), ("leduc", 2)])
def test_a_policy_is_as_exploitable_from_a_table_as_before(
    name: str, iterations: int, tmp_path: Path
) -> None:
    """Every probability is written in full."""
    text, expected = table_of(name, iterations)
    result = find_exploit(
        ExploitTable.of(REGISTRY, write(tmp_path, text), name), ExploitPlan(has_sets=True)
    )
    assert result.method == "exact"
    assert result.value == pytest.approx(expected, abs=1e-12)
    assert sum(lossy.loss for lossy in result.sets) == pytest.approx(result.value, abs=1e-6)


def test_a_table_of_a_spreadsheet_is_read(kuhn_table: str, tmp_path: Path) -> None:
    """It may begin with a mark of UTF-8, have other line ends, empty lines and other spaces."""
    changed = "\ufeff" + kuhn_table.replace("\n", "\r\n\r\n").replace(",check,", ", check ,")
    bot = REGISTRY.make_bot(write(tmp_path, changed), "kuhn", Random(1))
    assert bot is not None


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("seat,information", "seats,information", ":1: the first line has to be seat,"),
        (",bet,", ",bet,0.5,", "a row has 4 cells, this one has 5"),
        ("0,0 | K", "1,0 | K", "'0 | K ? ? |' is not an information state of seat '1'"),
        (",bet,", ",check,", "the action 'check' is listed twice in '0 | K ? ? |'"),
        (",check,0.", ",check,half 0.", "is not a probability"),
        (",check,0.", ",check,5.", "the probabilities sum to"),
        (",check,0.", ",check,-0.", "is not a probability"),
        (",check,0.", ",check,nan#", "is not a probability"),
    ],
)
def test_a_damaged_table_is_refused_with_its_line(
    before: str, after: str, problem: str, kuhn_table: str, tmp_path: Path
) -> None:
    """The spec itself is refused, so no command plays or measures such a file."""
    assert before in kuhn_table
    spec = write(tmp_path, kuhn_table.replace(before, after, 1))
    with pytest.raises(OptionError) as refused:
        REGISTRY.settings_of(spec, "kuhn")
    assert problem in str(refused.value)
    assert "fix: `cardhub solve GAME --policy FILE`" in str(refused.value)


def test_a_table_of_another_game_or_with_an_unknown_action_does_not_fit(
    kuhn_table: str, tmp_path: Path
) -> None:
    spec = write(tmp_path, kuhn_table)
    warm_up(REGISTRY, spec, "kuhn")
    with pytest.raises(BotError, match="is not a policy for this table of leduc"):
        warm_up(REGISTRY, spec, "leduc")
    raised = write(tmp_path, kuhn_table.replace(",bet,", ",raise,", 1))
    with pytest.raises(BotError, match="action raise is not legal there"):
        warm_up(REGISTRY, raised, "kuhn")
