"""Mutants are small changes of rules, the same ones in the same order for a seed."""

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType

from cardhub.plugins.registry import find_plugins
from cardhub.testing.game_checks.slips.sources import Source
from cardhub.testing.mutation.mutants import find_mutants, mutants_in, mutated_tree
from kuhn import Kuhn

RULES = """
from cardhub import Game

class Rules:
    def apply(self, state, action):
        "Apply an action."
        if state.count < 3 and action:
            state.total += action + 1
        state.seat = 1 if action == 2 else 0
        state.note(action)
        state.pause("Wait", (1, 2))
        local = 7
        assert state.count != 9
        state.log("{player} has {points}", points=state.count + 5)
        if WATCHED and state.count:
            show(state, 11)
        elif state.count > 12:
            state.count = 13
"""


def mutants_of(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, code before and code after of the mutants of a text."""
    source = Source("rules.py", ast.parse(text), ModuleType("rules"))
    for mutant in mutants_in(source, ()):
        yield mutant.line, mutant.before, mutant.after


def test_each_kind_of_change_is_made() -> None:
    mutants = set(mutants_of(RULES))
    condition, counting = "if state.count < 3 and action:", "state.total += action + 1"
    seat = "state.seat = 1 if action == 2 else 0"
    assert {
        (7, condition, "if state.count <= 3 and action:"),
        (7, condition, "if state.count < 3 or action:"),
        (7, condition, "if not (state.count < 3 and action):"),
        (7, condition, "if state.count < 4 and action:"),
        (7, condition, "if state.count < 2 and action:"),
        (8, counting, "(dropped)"),
        (8, counting, "state.total += action - 1"),
        (9, seat, "state.seat = 1 if action != 2 else 0"),
        (9, seat, "(dropped)"),
        (10, "state.note(action)", "(dropped)"),
    } <= mutants
    changed = "; ".join(before for _, before, _ in mutants)
    assert "Apply an action." not in changed, "texts are no rules"
    assert "pause" not in changed, "people see it, and the rules do not"
    assert (12, "local = 7", "(dropped)") not in mutants, "without it another line would only fail"
    assert "assert" not in changed, "what is asserted is no rule"
    assert "log" not in changed, "sentences are for people, too"
    assert "WATCHED" not in changed, "only people watch"
    assert "show" not in changed, "what is shown to people is no rule"
    assert (17, "if state.count > 12:", "if state.count >= 12:") in mutants
    assert (18, "state.count = 13", "state.count = 14") in mutants


def test_a_condition_is_negated_unless_its_comparison_is_flipped() -> None:
    text = "def f(x):\n    if x.is_done:\n        x.stop()\n    if x == 1:\n        x.stop()\n"
    afters = [after for _, _, after in mutants_of(text)]
    assert "if not x.is_done:" in afters
    assert "if not x == 1:" not in afters
    assert "if x != 1:" in afters


def test_functions_that_only_the_display_uses_are_not_changed() -> None:
    text = (
        "class Shown:\n    def scene(self):\n        return prompt() + total()\n"
        "class Rules:\n    def scores(self):\n        return total()\n"
        "def prompt():\n    return words(1)\n"
        "def words(n):\n    return n + 2\n"
        "def total():\n    return 3\n"
    )
    source = Source("rules.py", ast.parse(text), ModuleType("rules"))
    assert {mutant.before for mutant in mutants_in(source, {"Shown"})} == {"return 3"}


def test_every_mutant_differs_from_the_rules_in_its_place_only() -> None:
    for mutant in find_mutants(Kuhn(), Random(1))[::6]:
        text = Path(mutant.path).read_text("utf-8")
        before, after = ast.unparse(ast.parse(text)), ast.unparse(mutated_tree(mutant, text))
        assert before != after
        compile(after, mutant.path, "exec")


def test_the_display_and_the_heuristics_are_not_changed() -> None:
    mutants = find_mutants(find_plugins().game("gamon"), Random(1))
    files = {Path(mutant.path).name for mutant in mutants}
    assert {"turns.py", "rounds.py", "effects.py", "game.py"} <= files
    assert not any("display" in mutant.path or "strategy" in mutant.path for mutant in mutants)
    kuhn = Path(find_mutants(Kuhn(), Random(1))[0].path).read_text("utf-8").splitlines()
    lines = [kuhn[mutant.line - 1] for mutant in find_mutants(Kuhn(), Random(1))]
    assert not any("Area(" in line or "Counter(" in line for line in lines)


def test_the_same_seed_gives_the_same_order() -> None:
    first, second, other = (find_mutants(Kuhn(), Random(seed)) for seed in (1, 1, 2))
    assert first == second != other
    assert sorted(first) == sorted(other)
