"""Levels that think for long get several processes, other bots never."""

import pytest

from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()


def test_the_level_hard_thinks_in_as_many_processes_as_there_are() -> None:
    """It has the same time as with one process."""
    assert REGISTRY.spread("hard", "gamon", 2) == "ismcts:milliseconds=2000,workers=2"
    assert REGISTRY.spread("hard", "gamon", 1) == "ismcts:milliseconds=2000"


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_levels_that_count_iterations_are_the_same_everywhere(level: str) -> None:
    assert REGISTRY.spread(level, "gamon", 2) == REGISTRY.levels("gamon")[level]


def test_a_bot_that_is_not_a_level_has_the_processes_of_its_spec() -> None:
    """The author of a spec decides how it is computed."""
    assert REGISTRY.spread("ismcts:milliseconds=2000", "gamon", 2) == "ismcts:milliseconds=2000"
