"""Bots that load files or libraries: what to do before a process makes them."""

from pathlib import Path

from cardhub.bots import AnyBot, File
from cardhub.plugins.registry import PluginRegistry
from cardhub.table.settings import format_value


def warm_up(registry: PluginRegistry, spec: str, game: str) -> None:
    """Load what the bots of a spec need into this process; see `BotEntry.warm_up`.

    Raises PluginError, OptionError, or any exception of a bot's own code.
    """
    for part in registry.parts(spec, game):
        if part.entry.warm_up is not None:
            part.entry.warm_up(registry.game(game), part.settings)


def takes_long(registry: PluginRegistry, spec: str, game: str) -> bool:
    """Return whether a bot of a spec has a warm-up; raises PluginError or OptionError."""
    return any(part.entry.warm_up is not None for part in registry.parts(spec, game))


def files_of(registry: PluginRegistry, spec: str, game: str) -> tuple[Path, ...]:
    """Return the files that the bots of a spec read; raises PluginError or OptionError."""
    return tuple(path for part in registry.parts(spec, game) for path in part.files)


def anchored(registry: PluginRegistry, spec: str, game: str) -> str:
    """Return a spec that names the same files in any working folder.

    Raises PluginError or OptionError.
    """
    if not files_of(registry, spec, game):
        return spec
    part = next(registry.parts(spec, game))
    given = []
    for name, option in part.entry.options.items():
        value = format_value(part.settings[name])
        if isinstance(option, File):
            value = str(Path(value).absolute())
        elif isinstance(option, AnyBot):
            value = anchored(registry, value, game)
        given.append(f"{name}={value}")
    return f"{part.entry.name}:{','.join(given)}"
