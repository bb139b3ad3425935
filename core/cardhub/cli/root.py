"""The group of all commands: plugin registry, commands of plugins, exit codes of exceptions."""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from errno import ENOSPC
from functools import partial
from os import strerror
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
from click.core import ParameterSource
from typing_extensions import override

from cardhub.base.errors import CardhubError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.cli.console import Context, PrintableError, discard_unwritable, echo
from cardhub.cli.exit_codes import INTERRUPTED, PIPE, Failure, fail
from cardhub.cli.lazy import LazyGroup
from cardhub.plugins.catalogue import Catalogue
from cardhub.plugins.discovery import NO_PLUGIN, declare_all, declare_plugins
from cardhub.plugins.groups import COMMANDS_HOOK, PLUGINS

if TYPE_CHECKING:  # they load games and bots, which `cardhub --help` does not need
    from cardhub.cli.plugin_commands import PluginCommand
    from cardhub.plugins.registry import PluginRegistry

# Key of the commands of plugins in `Context.meta`.
COMMANDS_KEY = "cardhub.cli.commands"
# Length to which the summaries of plugins' commands are clipped in the help.
SUMMARY_WIDTH = 65


class Root(LazyGroup):
    """The group of all commands; maps errors to exit codes and finds the commands of plugins.

    Plugins are imported only for a command that cardhub does not have, or for a list of all
    commands, and then only those that may define commands.
    """

    context_class = Context

    @override
    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _printable_errors():
            return super().make_context(*args, **extra)

    @override
    def invoke(self, ctx: click.Context) -> Any:
        with _printable_errors():
            return self._invoke(ctx)

    def _invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        # These have exit codes already; _printable_errors maps the first two.
        except (CardhubError, KeyboardInterrupt, SystemExit):
            raise
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except BaseException as error:  # a plugin's command may raise anything
            explained = self._explain(ctx, error)
            if explained is None:
                raise
            raise fail(explained) from error

    def _explain(self, ctx: click.Context, error: BaseException) -> CardhubError | None:
        """Return the error to show for an exception; None if it is a fault of cardhub itself."""
        if isinstance(error, OSError) and error.errno == ENOSPC:
            # A full disk is not a fault of the plugin whose command was writing.
            return CardhubError(f"the output cannot be written: {strerror(ENOSPC)}")
        if isinstance(error, BrokenPipeError):
            return None  # _printable_errors maps it to the exit code PIPE
        from cardhub.plugins.third_party import plugin_error  # loads bots: only after a failure

        # An exception belongs to a plugin if its code is in the traceback, under any command.
        name = ctx.invoked_subcommand or ""
        if not name or name in self.lazy:
            culprit = registry_of(ctx).culprit(error)
            command = f"{ctx.command_path} {name}".rstrip()
            failure = f"failed in `{command}`"
            return plugin_error(culprit, failure, error) if culprit else None
        plugin = _plugin_commands(ctx).get(name)[0].plugin
        return plugin_error(plugin.declared, f"failed in its command {name!r}", error)

    @override
    def summaries(self, ctx: click.Context) -> dict[str, str]:
        commands = (command for command, _ in _plugin_commands(ctx))
        return super().summaries(ctx) | {
            command.name: command.command.get_short_help_str(SUMMARY_WIDTH) for command in commands
        }

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.lazy:
            return super().get_command(ctx, cmd_name)
        commands = _plugin_commands(ctx)
        return commands.get(cmd_name)[0].command if cmd_name in commands else None


def registry_of(ctx: click.Context | None) -> "PluginRegistry":
    """Return the plugin registry of this process."""
    # Made on first use: shell completion parses arguments without invoking `cli`, so the callback
    # of any parameter may be the first caller.
    root = (ctx or click.get_current_context()).find_root()
    # `obj` is documented for plugins: their commands receive the registry as `ctx.obj`.
    if root.obj is None:
        from cardhub.plugins.registry import find_plugins  # loads bots: rarely needed

        root.obj = find_plugins(_directories(root), notify=partial(echo, err=True))
    return cast("PluginRegistry", root.obj)


def exclude_plugins(
    ctx: click.Context, _: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    """Leave out plugins in this process and its children; called with the option's values."""
    if names:
        before = os.environ.get(NO_PLUGIN)
        os.environ[NO_PLUGIN] = " ".join(names)
        ctx.call_on_close(partial(_restore_excluded, before))
    return names


def _restore_excluded(before: str | None) -> None:
    if before is None:
        os.environ.pop(NO_PLUGIN, None)
    else:
        os.environ[NO_PLUGIN] = before


def check_excluded(ctx: click.Context, names: Collection[str]) -> None:
    """Raise BadParameter for a name of no plugin and no package of plugins."""
    if not names or ctx.get_parameter_source("no_plugin") is not ParameterSource.COMMANDLINE:
        return  # a variable may be set for several installations
    declared = [*declare_all(_directories(ctx))]
    known = sorted({name for entry in declared for name in entry.names})
    for name in names:
        if name not in known:
            plugins = ", ".join(sorted({entry.name for entry in declared}))
            reason = f"there is no plugin {name!r}.{did_you_mean(name, known)} Plugins: {plugins}"
            raise click.BadParameter(reason, ctx, param_hint="--no-plugin")


def own_commands(ctx: click.Context) -> Collection[str]:
    """Return the names of cardhub's own commands."""
    return cast("Root", ctx.find_root().command).lazy


def warn(*messages: str) -> None:
    """Print warnings on stderr."""
    for message in messages:
        echo(f"Warning: {message}", err=True)


@contextmanager
def _printable_errors() -> Iterator[None]:
    """Map exceptions to click exceptions with printable messages; a closed pipe has none."""
    try:
        yield
    except BrokenPipeError as error:
        discard_unwritable()
        raise click.exceptions.Exit(PIPE) from error
    except KeyboardInterrupt as error:
        echo(err=True)  # otherwise the shell's prompt follows ^C on its line
        raise click.exceptions.Exit(INTERRUPTED) from error
    except Failure:
        raise  # its method `show` escapes the message
    except CardhubError as error:
        raise fail(error) from error
    except click.ClickException as error:
        raise PrintableError(error) from error


def _directories(root: click.Context) -> tuple[Path, ...]:
    # `--help` is handled, and lists the commands of plugins, before click sets this parameter.
    if "plugins_dir" not in root.params:
        option = next(p for p in root.command.params if p.name == "plugins_dir")
        value, _ = option.consume_value(root, {})
        root.params["plugins_dir"] = option.process_value(root, value)
    return tuple(root.params["plugins_dir"] or ())


def _plugin_commands(ctx: click.Context) -> "Catalogue[PluginCommand]":
    if COMMANDS_KEY not in ctx.meta:
        ctx.meta[COMMANDS_KEY] = _load_plugin_commands(ctx)
    return cast("Catalogue[PluginCommand]", ctx.meta[COMMANDS_KEY])


def _load_plugin_commands(ctx: click.Context) -> "Catalogue[PluginCommand]":
    """Import the plugins that may define commands; print warnings about the broken ones."""
    root = ctx.find_root()
    # Declarations are read from metadata and source files, without imports.
    declared = declare_plugins(_directories(root))
    if not any(entry.group == PLUGINS and entry.may_have(COMMANDS_HOOK) for entry in declared):
        return Catalogue("command", ())
    from cardhub.cli.plugin_commands import find_commands  # loads games and bots: rarely needed

    catalogue, faults = find_commands(registry_of(ctx), own_commands(ctx))
    if not ctx.resilient_parsing:  # shell completion does not show warnings
        warn(*faults)
    return catalogue
