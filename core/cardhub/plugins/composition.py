"""What a bot as text consists of: itself, and the bots that its options name."""

from collections.abc import Iterator
from typing import NamedTuple

from cardhub.bots import AnyBot, BotEntry, Command, parse_spec
from cardhub.plugins.declared import Declared
from cardhub.plugins.registry import PluginRegistry
from cardhub.table.settings import Settings

OWN = "cardhub"
"""The distribution whose bots come with cardhub."""


class Part(NamedTuple):
    """A bot with the values of its options, and the plugin it comes from: None is cardhub."""

    entry: BotEntry
    settings: Settings
    origin: Declared | None

    @property
    def looks_at_clock(self) -> bool:
        """Whether, so set, it may answer otherwise if asked again."""
        return self.entry.uses_clock(self.settings)

    @property
    def is_shipped(self) -> bool:
        """Whether it comes with cardhub, and is no program."""
        if self.origin is not None:
            return self.origin.distribution == OWN
        return not self.command

    @property
    def command(self) -> str:
        """The command of a program, or nothing."""
        options = self.entry.options.items()
        names = [name for name, option in options if isinstance(option, Command)]
        return self.settings.word(names[0]) if names else ""


def parts_of(registry: PluginRegistry, spec: str, game: str) -> Iterator[Part]:
    """Yield the bot that a spec or a level stands for, then those within it.

    Raises PluginError or OptionError if there is no such bot.
    """
    meant = registry.levels(game).get(spec, spec)
    name = parse_spec(meant).name
    entry, settings = registry.bot(name, game), registry.settings_of(meant, game)
    yield Part(entry, settings, registry.origin(name, game))
    for option_name, option in entry.options.items():
        if isinstance(option, AnyBot):
            yield from parts_of(registry, settings.word(option_name), game)
