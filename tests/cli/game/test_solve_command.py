"""`cardhub solve`."""

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Run = Callable[..., Result]


def test_a_small_game_is_solved_and_its_policy_played(run: Run, tmp_path: Path) -> None:
    policy, tree = tmp_path / "kuhn.csv", tmp_path / "kuhn.efg"
    written = ("--policy", str(policy), "--efg", str(tree))
    result = run("solve", "kuhn", "--iterations", "300", *written)
    assert (result.exit_code, result.stderr) == (0, "")
    first, *values, gain, _, _ = result.stdout.splitlines()
    assert first == "Kuhn poker, 2 players: 58 nodes, 12 information sets"
    assert values == ["Seat 0 gets −0.0556 chips a game.", "Seat 1 gets 0.0556 chips a game."]
    assert gain.startswith("After 300 iterations a best response gains ")
    assert tree.read_text("utf-8").startswith('EFG 2 R "Kuhn poker" { "Seat 0" "Seat 1" }\n')
    facts = json.loads(run("bot", "exploit", f"policy:{policy}", "kuhn", "--json").stdout)
    solved = json.loads(run("solve", "kuhn", "--iterations", "300", "--json").stdout)
    assert abs(facts["value"] - solved["exploitability"]) < 1e-9


def test_a_file_is_not_overwritten_and_a_large_game_is_refused(run: Run, tmp_path: Path) -> None:
    taken = tmp_path / "taken.csv"
    taken.write_text("mine", "utf-8")
    result = run("solve", "kuhn", "--iterations", "1", "--policy", str(taken))
    assert (result.exit_code, taken.read_text("utf-8")) == (1, "mine")
    assert "files are not overwritten" in result.stderr
    assert "too large to be solved\nfix: " in run("solve", "gamon").stderr
