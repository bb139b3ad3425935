"""The parts of a bot: the bot of a spec, and the bots in its options."""

import pytest

from cardhub.base.errors import PluginError
from cardhub.plugins.registry import find_plugins


def names(spec: str, game: str = "gargon") -> list[str]:
    """Return the names of all parts of a bot."""
    return [part.entry.name for part in find_plugins().parts(spec, game)]


def test_a_bot_consists_of_itself_and_of_bots_in_its_options() -> None:
    """Bots in options may themselves have bots as options."""
    assert names("rule") == ["rule"]
    assert names("ismcts:rollout=rule") == ["ismcts", "rule"]
    assert names("pimc:rollout=ismcts") == ["pimc", "ismcts", "random"]


def test_a_level_has_the_parts_of_its_spec() -> None:
    """The spec of a level depends on the game."""
    registry = find_plugins()
    assert names("hard") == names(registry.levels("gargon")["hard"])


def test_every_part_knows_its_plugin_its_clock_and_its_command() -> None:
    """Built-in bots do not have a plugin; a program has a command."""
    search, rule = find_plugins().parts("ismcts:milliseconds=5,rollout=rule", "gargon")
    assert search.origin is None
    assert rule.origin is not None
    assert (rule.origin.name, rule.origin.distribution) == ("gargon", "cardhub")
    assert (search.looks_at_clock, rule.looks_at_clock) == (True, False)
    (program,) = find_plugins().parts("cmd:seconds=5 python3 bot.py", "gargon")
    assert (program.command, program.looks_at_clock) == ("python3 bot.py", True)


def test_an_unknown_bot_is_an_error() -> None:
    """The error is the registry's, with a suggestion."""
    with pytest.raises(PluginError, match="unknown bot 'rull'"):
        names("rull")
