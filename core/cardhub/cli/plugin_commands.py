"""Commands that plugins add to `cardhub`."""

from collections.abc import Collection
from dataclasses import dataclass

import click

from cardhub.base.errors import PluginError
from cardhub.cli.console import Context
from cardhub.plugins.catalogue import Catalogue
from cardhub.plugins.groups import COMMANDS_HOOK
from cardhub.plugins.loading import Plugin, add_commands
from cardhub.plugins.registrations import check_word
from cardhub.plugins.registry import PluginRegistry
from cardhub.plugins.third_party import guarded, safe_repr


@dataclass(frozen=True, slots=True)
class PluginCommand:
    """A command object of a plugin, with the name that the plugin gave it."""

    name: str
    command: click.Command
    plugin: Plugin


def commands_of(plugin: Plugin) -> list[PluginCommand]:
    """Return the commands of a plugin; raises PluginError if `register_commands` fails."""
    # A new group: a plugin cannot see or replace the commands of cardhub and other plugins.
    group = click.Group()
    add_commands(plugin, group)
    added: dict[str, object] = dict(group.commands)
    return [
        PluginCommand(name, _checked(plugin, name, command), plugin)
        for name, command in added.items()
    ]


def find_commands(
    registry: PluginRegistry, own: Collection[str]
) -> tuple[Catalogue[PluginCommand], list[str]]:
    """Return the command objects of all plugins, and error messages; `own` names are reserved."""
    claims, faults = [], []
    for plugin in registry.common_plugins(COMMANDS_HOOK):
        try:
            claims += [(command, plugin.declared) for command in commands_of(plugin)]
        except PluginError as error:
            faults.append(str(error))
    catalogue = Catalogue("command", claims, dict.fromkeys(own, "cardhub"))
    return catalogue, [*faults, *catalogue.clashes()]


def _checked(plugin: Plugin, name: str, command: object) -> click.Command:
    if not isinstance(command, click.Command):
        raise PluginError(
            f"{plugin.declared}: {COMMANDS_HOOK} added {safe_repr(command)} as {name!r}, "
            "which is no click command"
        )
    guarded(plugin.declared, f"failed in {COMMANDS_HOOK}", lambda: check_word("command", name))
    # Called here once, since `--help` shows it: an exception there would not name the plugin.
    guarded(plugin.declared, f"failed in {COMMANDS_HOOK}", command.get_short_help_str)
    _make_printable(command)
    return command


def _make_printable(command: click.Command) -> None:
    """Set the context class with escaped help, for a command and its subcommands."""
    # A subclass of the plugin's own is kept: it may do more than print help.
    if command.context_class is click.Context:
        command.context_class = Context
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        _make_printable(inner)
