"""`cardhub bot`: what there is to know about bots."""

from importlib import import_module
from typing import cast

import click

PLACES = {
    "list": "cardhub.cli.bot_list:list_bots",
    "check": "cardhub.cli.bot_check:check",
    "repro": "cardhub.cli.bot_repro:repro",
}
"""Where each command is found."""


class LazyGroup(click.Group):
    """Imports a command when it is asked for: they load much that no game waits for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(PLACES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name."""
        if cmd_name not in PLACES:
            return None
        module, _, name = PLACES[cmd_name].partition(":")
        return cast(click.Command, getattr(import_module(module), name))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command meant by the arguments; a mistyped one gets the nearest name."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(
                error.command_name, possibilities=PLACES, ctx=ctx
            ) from None


@click.group(cls=LazyGroup)
def bot() -> None:
    """List the bots, or check one."""
