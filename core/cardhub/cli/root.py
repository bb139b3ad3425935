"""The command `cardhub` itself: what is common to all commands, and those of plugins."""

from collections.abc import Callable, Iterable
from errno import ENOSPC
from pathlib import Path
from typing import Any, cast

import click

from cardhub.cli.exits import INTERRUPTED, fail
from cardhub.errors import CardhubError, PluginError
from cardhub.play.reading import Record
from cardhub.plugins.loading import add_commands
from cardhub.plugins.registry import PluginRegistry

Find = Callable[[Iterable[Path]], PluginRegistry]
COMMANDS = "cardhub.cli.commands"
"""Where a context keeps the commands of plugins, once they are known."""


class Root(click.Group):
    """The group of all commands; turns errors into exit codes and knows the plugins' commands.

    Plugins are imported only when a command is asked for that cardhub itself does not have, or a
    list of all.
    """

    find: Find

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; the one place where an error becomes a message and an exit code."""
        try:
            return super().invoke(ctx)
        except CardhubError as error:
            raise fail(error) from error
        except OSError as error:
            if error.errno != ENOSPC:
                raise
            message = f"the output cannot be written: {error.strerror}"
            raise fail(CardhubError(message)) from error
        except KeyboardInterrupt:
            click.echo(err=True)  # the shell's prompt does not follow ^C on its line
            ctx.exit(INTERRUPTED)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, those of plugins last."""
        return [*self.commands, *sorted(_plugin_commands(ctx).keys() - self.commands.keys())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name; cardhub's own cannot be replaced."""
        return self.commands.get(cmd_name) or _plugin_commands(ctx).get(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command meant by the arguments; a mistyped one gets the nearest name."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            known = self.list_commands(ctx)
            raise click.exceptions.NoSuchCommand(
                error.command_name, possibilities=known, ctx=ctx
            ) from None


def registry_of(ctx: click.Context | None) -> PluginRegistry:
    """Return the registry of this run, made when it is first asked for.

    Shell completion parses a command line without running `cardhub`, so any of the commands may be
    the first to ask.
    """
    root = (ctx or click.get_current_context()).find_root()
    if root.obj is None:
        root.obj = cast("Root", root.command).find(_directories(root))
    return cast("PluginRegistry", root.obj)


def warn(*messages: str) -> None:
    """Print warnings on stderr, as narration beside a command's data."""
    for message in messages:
        click.echo(f"Warning: {message}", err=True)


def warn_damaged(record: Record) -> Record:
    """Return the record, with a warning on stderr if its last line was left out."""
    if record.torn:
        warn(record.damage)
    return record


def _directories(root: click.Context) -> tuple[Path, ...]:
    """Return the plugins directories, even while the options are being read, as for --help."""
    if "plugins_dir" not in root.params:
        option = next(p for p in root.command.params if p.name == "plugins_dir")
        value, _ = option.consume_value(root, {})
        root.params["plugins_dir"] = option.process_value(root, value)
    return tuple(root.params["plugins_dir"] or ())


def _plugin_commands(ctx: click.Context) -> dict[str, click.Command]:
    if COMMANDS not in ctx.meta:
        ctx.meta[COMMANDS] = _load_commands(ctx)
    return cast("dict[str, click.Command]", ctx.meta[COMMANDS])


def _load_commands(ctx: click.Context) -> dict[str, click.Command]:
    found: dict[str, click.Command] = {}
    own = cast("Root", ctx.find_root().command).commands
    for plugin in registry_of(ctx).common_plugins():
        group = click.Group()
        try:
            add_commands(plugin, group)
        except PluginError as error:
            warn(str(error))
            continue
        for name, command in group.commands.items():
            if name in own or name in found:
                warn(
                    f"{plugin.declared}: there is a command {name!r} already; this one is left out"
                )
            else:
                found[name] = command
    return found
