"""The parts of a bot: the bot of a spec, and the bots that its options name."""

from collections.abc import Iterator
from typing import NamedTuple

from cardhub.bots import AnyBot, BotEntry, Command, parse_spec
from cardhub.plugins.declaration import Declaration
from cardhub.plugins.registry import PluginRegistry
from cardhub.table.settings import Settings

OWN = "cardhub"
"""The distribution that contains cardhub's own bots."""


class BotPart(NamedTuple):
    """A bot with the values of its options; `origin` is its plugin, None for cardhub itself."""

    entry: BotEntry
    settings: Settings
    origin: Declaration | None

    @property
    def looks_at_clock(self) -> bool:
        """Whether, with these settings, its choices depend on the clock."""
        return self.entry.uses_clock(self.settings)

    @property
    def is_shipped(self) -> bool:
        """Whether it is one of cardhub's own bots, and not an external program."""
        if self.origin is not None:
            return self.origin.distribution == OWN
        return not self.command

    @property
    def command(self) -> str:
        """The command line of an external program, else an empty string."""
        options = self.entry.options.items()
        names = [name for name, option in options if isinstance(option, Command)]
        return self.settings.word(names[0]) if names else ""


def parts_of(registry: PluginRegistry, spec: str, game: str) -> Iterator[BotPart]:
    """Yield the bot of a spec or level, then recursively the bots in its options.

    Raises PluginError or OptionError if a bot or option is invalid.
    """
    resolved = registry.levels(game).get(spec, spec)
    name = parse_spec(resolved).name
    entry, settings = registry.bot(name, game), registry.settings_of(resolved, game)
    yield BotPart(entry, settings, registry.origin(name, game))
    for option_name, option in entry.options.items():
        if isinstance(option, AnyBot):
            yield from parts_of(registry, settings.word(option_name), game)
