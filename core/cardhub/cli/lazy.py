"""Command groups that import a command only when it is used."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple, cast

import click
from click.shell_completion import CompletionItem
from typing_extensions import override


class LazyCommand(NamedTuple):
    """A command that is not imported yet.

    `target` is `module:attribute`; `summary` is the first sentence of the command's help.
    """

    target: str
    summary: str


class LazyGroup(click.Group):
    """Group that lists its commands from the dict `lazy`, without importing them."""

    def __init__(self, *args: Any, lazy: Mapping[str, LazyCommand], **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.lazy = lazy

    def summaries(self, ctx: click.Context) -> dict[str, str]:
        """Return a dict from the names of commands to the first sentences of their help."""
        return {name: command.summary for name, command in self.lazy.items()}

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.summaries(ctx))

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy:
            return None
        module, _, attribute = self.lazy[cmd_name].target.partition(":")
        return cast("click.Command", getattr(import_module(module), attribute))

    @override
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # Click's own method gets each command for its summary, and would import them all.
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries(ctx).items()))

    @override
    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        commands = [
            CompletionItem(name, help=summary)
            for name, summary in self.summaries(ctx).items()
            if name.startswith(incomplete)
        ]
        # Command, not Group: click's groups would import every command for its summary.
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    @override
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            # Click suggests names from `commands` only, which is empty here.
            raise click.exceptions.NoSuchCommand(
                error.command_name, possibilities=self.list_commands(ctx), ctx=ctx
            ) from None
