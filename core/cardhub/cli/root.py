"""The command `cardhub` itself: what is common to all commands, and those of plugins."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from errno import ENOSPC
from os import strerror
from pathlib import Path
from typing import Any, cast

import click

from cardhub.cli.console import Context, PrintableError, discard_unwritable, echo
from cardhub.cli.exits import INTERRUPTED, PIPE, Failure, fail
from cardhub.cli.plugin_commands import PluginCommand, plugin_commands
from cardhub.errors import CardhubError
from cardhub.play.records.reading import Record
from cardhub.plugins.catalogue import Catalogue
from cardhub.plugins.failures import plugin_error
from cardhub.plugins.registry import PluginRegistry

Find = Callable[[Iterable[Path]], PluginRegistry]
COMMANDS = "cardhub.cli.commands"
"""Where a context keeps the commands of plugins, once they are known."""


class Root(click.Group):
    """The group of all commands; turns errors into exit codes and knows the plugins' commands.

    Plugins are imported only when a command is asked for that cardhub itself does not have, or a
    list of all; and of these only such as could have commands.
    """

    context_class = Context
    find: Find

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Parse the command line up to the command."""
        with _leaving():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; the one place where an error becomes a message and an exit code."""
        with _leaving():
            return self._invoke(ctx)

    def _invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CardhubError as error:
            raise fail(error) from error
        except KeyboardInterrupt:
            echo(err=True)  # the shell's prompt does not follow ^C on its line
            ctx.exit(INTERRUPTED)
        except (click.ClickException, click.Abort, click.exceptions.Exit, SystemExit):
            raise
        except BaseException as error:  # a plugin's command may raise anything
            told = _told(ctx, error)
            if told is None:
                raise
            raise fail(told) from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, those of plugins last."""
        return [*self.commands, *(each.name for each, _ in _plugin_commands(ctx))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name; PluginError if two plugins claim it."""
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        found = _plugin_commands(ctx)
        return found.get(cmd_name)[0].command if cmd_name in found else None

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
        echo(f"Warning: {message}", err=True)


def warn_damaged(record: Record) -> Record:
    """Return the record, with a warning on stderr if its last line was left out."""
    if record.torn:
        warn(record.damage)
    return record


@contextmanager
def _leaving() -> Iterator[None]:
    """Have errors leave with messages that are printable, and a closed pipe without any."""
    try:
        yield
    except BrokenPipeError as error:
        discard_unwritable()
        raise click.exceptions.Exit(PIPE) from error
    except Failure:
        raise
    except CardhubError as error:
        raise fail(error) from error
    except click.ClickException as error:
        raise PrintableError(error) from error


def _directories(root: click.Context) -> tuple[Path, ...]:
    """Return the plugins directories, even while the options are being read, as for --help."""
    if "plugins_dir" not in root.params:
        option = next(p for p in root.command.params if p.name == "plugins_dir")
        value, _ = option.consume_value(root, {})
        root.params["plugins_dir"] = option.process_value(root, value)
    return tuple(root.params["plugins_dir"] or ())


def _plugin_commands(ctx: click.Context) -> Catalogue[PluginCommand]:
    """Return the commands of plugins; the first time, with warnings of what is wrong with them."""
    if COMMANDS not in ctx.meta:
        own = cast("Root", ctx.find_root().command).commands
        found, faults = plugin_commands(registry_of(ctx), own)
        ctx.meta[COMMANDS] = found
        if not ctx.resilient_parsing:  # a shell that completes a line has no place for warnings
            warn(*faults)
    return cast("Catalogue[PluginCommand]", ctx.meta[COMMANDS])


def _told(ctx: click.Context, error: BaseException) -> CardhubError | None:
    """Return what people are told of an exception; None if it is a fault of cardhub itself."""
    number = error.errno if isinstance(error, OSError) else None
    if number == ENOSPC:
        return CardhubError(f"the output cannot be written: {strerror(ENOSPC)}")
    name = ctx.invoked_subcommand or ""
    if isinstance(error, BrokenPipeError):
        return None
    if name in cast("Root", ctx.command).commands:
        culprit = registry_of(ctx).culprit(error)
        failure = f"failed in `{ctx.command_path} {name}`"
        return plugin_error(culprit, failure, error) if culprit else None
    plugin = _plugin_commands(ctx).get(name)[0].plugin
    return plugin_error(plugin.declared, f"failed in its command {name!r}", error)
