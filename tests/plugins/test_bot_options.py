"""Bot specs: a name and the values of its options, and the bots that are parts of a bot."""

from pathlib import Path
from random import Random

import pytest

from cardhub.base.errors import OptionError, PluginError
from cardhub.plugins.registry import PluginRegistry, find_plugins

PATIENT = """
from cardhub import AnyBot, BotEntry, Number, hookimpl


class Patient:
    def __init__(self, rng, turns, then):
        self.turns, self.then = turns, then(rng)

    def choose(self, observation):
        self.turns -= 1
        return observation.legal()[0] if self.turns > 0 else self.then.choose(observation)


@hookimpl
def register_bots():
    options = {"turns": Number(3, "How long.", 1, 9), "then": AnyBot("random", "Who goes on.")}
    return [BotEntry("patient", "waits", Patient, options=options)]
"""


@pytest.fixture
def registry(tmp_path: Path) -> PluginRegistry:
    """Return a registry with a bot whose options are a number and another bot."""
    (tmp_path / "waiting.py").write_text(PATIENT)
    return find_plugins([tmp_path])


@pytest.mark.parametrize(
    ("spec", "turns", "then"),
    [
        ("patient", 3, "RandomBot"),
        ("patient:5", 5, "RandomBot"),
        ("patient: turns=7 , then=rule", 7, "RuleOfThumb"),
        ("patient:2,then=patient", 2, "Patient"),
    ],
)
def test_a_bot_is_made_as_its_spec_says(
    registry: PluginRegistry, spec: str, turns: int, then: str
) -> None:
    """The first option needs no name; a bot for an option is made for the same game."""
    bot = registry.make_bot(spec, "gargon", Random(1))
    assert vars(bot)["turns"] == turns
    assert type(vars(bot)["then"]).__name__ == then


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("patient:turns=0", "bot 'patient': option turns cannot be '0': it is a number from 1 to"),
        ("patient:0", "option turns cannot be '0'"),
        (
            "patient:trns=4",
            "unknown option 'trns'. Did you mean 'turns'? Options of patient: turns",
        ),
        ("patient:2,3", "'3' is not KEY=VALUE"),
        ("patient:then", "'then' is not KEY=VALUE"),
        ("patient:2,turns=3", "option turns is given twice"),
        ("random:5", "bot 'random': it has no options, so '5' is not allowed"),
    ],
)
def test_the_error_for_a_wrong_value_names_valid_ones(
    registry: PluginRegistry, spec: str, message: str
) -> None:
    """The check runs before a bot is made."""
    with pytest.raises(OptionError) as error:
        registry.settings_of(spec, "gargon")
    assert message in str(error.value)


def test_an_unknown_bot_within_a_spec_is_named(registry: PluginRegistry) -> None:
    """The error lists the bots of the game."""
    with pytest.raises(PluginError, match=r"unknown bot 'ruel'\. Did you mean 'rule'"):
        registry.settings_of("patient:then=ruel", "gargon")


def names(spec: str, game: str = "gargon") -> list[str]:
    """Return the names of all parts of a bot."""
    return [part.entry.name for part in find_plugins().parts(spec, game)]


def test_a_bot_consists_of_itself_and_of_bots_in_its_options() -> None:
    """A bot in an option may itself have a bot as an option."""
    assert names("rule") == ["rule"]
    assert names("ismcts:rollout=rule") == ["ismcts", "rule", "random"]
    assert names("pimc:rollout=ismcts") == ["pimc", "ismcts", "random", "random"]


def test_a_level_has_the_parts_of_its_spec() -> None:
    """The spec of a level depends on the game."""
    registry = find_plugins()
    assert names("hard") == names(registry.levels("gargon")["hard"])


def test_every_part_knows_its_plugin_its_clock_and_its_command() -> None:
    """Built-in bots come from no plugin; programs have a command."""
    search, rule, _ = find_plugins().parts("ismcts:milliseconds=5,rollout=rule", "gargon")
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
