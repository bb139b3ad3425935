"""The report of tables whose regions move, as `cardhub check` prints it."""

import pytest
from tests.examples.test_examples import GAMES
from typing_extensions import override

from cardhub import Area, Scene
from cardhub.cli.game.plan_report import plan_lines
from cardhub.plugins.registry import find_plugins
from hearts import Hearts
from hearts.table import Table


class Shifting(Hearts):
    """Leaves areas out while they are empty."""

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        scene = super().scene(state, viewer)
        areas = [area for area in scene.areas if not isinstance(area, Area) or area.tokens]
        return Scene(scene.prompt, areas, status=scene.status, seats=scene.seats)


@pytest.mark.parametrize("name", GAMES)
def test_the_tables_of_the_examples_keep_their_plan(name: str) -> None:
    """In two random games, on terminals of five sizes."""
    assert plan_lines(find_plugins().game(name), seed=1) == []


def test_a_table_that_moves_is_reported_with_the_remedy() -> None:
    """The sizes of terminals, and the regions that move there."""
    *moved, remedy = plan_lines(Shifting(), seed=1)
    assert any(line.startswith("at 80x24 the table moves: ") for line in moved)
    assert remedy == "fix: declare the room of areas, and keep those that are empty for now"
