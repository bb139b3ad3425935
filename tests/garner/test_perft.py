"""The numbers of action sequences from fixed positions.

Each file in `perft/` holds a position and the number of sequences of one action, of two, and so on.
The counts were made with `plain_rules.py`, which shares no code with the game; the last test here
makes the lesser ones again, and `PlainTextTable.count` makes any.
"""

from pathlib import Path
from typing import Any

import pytest
import yaml

from cardhub import Game
from cardhub_garner.table import Table

from .plain_rules import PlainTextTable
from .positions import Position, set_up, spelled_out

FILES = sorted((Path(__file__).parent / "perft").glob("*.yaml"))
SAMPLES: dict[str, dict[str, Any]] = {
    path.stem: yaml.safe_load(path.read_text("utf-8")) for path in FILES
}
# The number of sequences that are recounted the slow way.
FEW = 700


def count(game: Game[Table], state: Table, depth: int) -> int:
    """Return the number of action sequences of this length."""
    legal = game.legal(state) if state.seat >= 0 else []
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        after = state.clone()
        game.apply(after, action)
        total += count(game, after, depth - 1)
    return total


def position(sample: dict[str, Any]) -> Position:
    """Return the position of a file."""
    return set_up(sample["rows"], sample.get("won"), **sample["options"])


def plain_table(sample: dict[str, Any]) -> PlainTextTable:
    """Return the position of a file for the plain rules."""
    cells = [row.split() for row in sample["rows"].strip().splitlines()]
    stacks = {
        (row, column): [] if cell == "." else cell.split("/")
        for row, names in enumerate(cells)
        for column, cell in enumerate(names)
    }
    won = [list(spelled_out(sample.get("won", {}).get(seat, ""))) for seat in range(2)]
    return PlainTextTable(stacks, sample["options"], won)


def test_every_layout_and_every_variation_is_counted() -> None:
    """Action sequences are counted over all layouts, variations and readings."""
    options = [sample["options"] for sample in SAMPLES.values()]
    assert {o["layout"] for o in options} == {"base", "a", "b", "c", "d", "e"}
    assert {o.get("new_position") for o in options} == {None, "any", "all"}
    assert any(o.get("straight_line") for o in options)
    assert any(o.get("top_layer") == "level" for o in options)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_number_of_action_sequences_is_the_one_on_file(name: str) -> None:
    """Every rule that adds or takes away an action changes a count."""
    sample = SAMPLES[name]
    at = position(sample)
    depths = range(1, len(sample["counts"]) + 1)
    assert [count(at.game, at.state, depth) for depth in depths] == sample["counts"]


@pytest.mark.parametrize("name", SAMPLES)
def test_the_plain_rules_count_the_same(name: str) -> None:
    """The numbers on file are not the game's own."""
    table, counts = plain_table(SAMPLES[name]), SAMPLES[name]["counts"]
    few = [number for number in counts if number <= FEW]
    assert [table.count(depth) for depth in range(1, len(few) + 1)] == few
    assert few


@pytest.mark.parametrize("name", SAMPLES)
def test_the_plain_rules_offer_the_same_actions_along_a_game(name: str) -> None:
    at, table = position(SAMPLES[name]), plain_table(SAMPLES[name])
    for number in range(60):
        if at.state.seat < 0 or not any(table.stacks.values()):
            break
        actions = sorted(table.actions())
        assert sorted(at.legal()) == actions
        action = actions[number * 7 % len(actions)]
        at.act(action)
        table = table.after(action)
    assert number > 20
