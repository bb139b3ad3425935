"""`cardhub verify`: the deal that was committed to."""

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Run = Callable[..., Result]


def test_a_game_with_a_drawn_seed_is_checked_by_anybody(run: Run, tmp_path: Path) -> None:
    """Exit code 0 and one line; exit code 1 and a line for each problem."""
    path = tmp_path / "game.jsonl"
    run("play", "gargon", "--seat", "Zoe=random", "--record", path)
    result = run("verify", path)
    assert result.exit_code == 0
    assert result.stdout == "The deal matches the commitment from before the first card was seen.\n"
    text = path.read_text("utf-8")
    seed = json.loads(text.splitlines()[0])["seed"]
    path.write_text(text.replace(seed, "5eed" * 8), "utf-8")
    result = run("verify", path)
    assert result.exit_code == 1
    assert "the revealed seed is not the one committed to in line 1\n" in result.stdout


def test_a_game_with_a_chosen_seed_cannot_be_checked(run: Run, record: Path) -> None:
    """The message says that the seed was chosen."""
    result = run("verify", record)
    assert result.exit_code == 1
    assert "whole.jsonl:1: no commitment: whoever chose the seed knew the deal" in result.stdout
