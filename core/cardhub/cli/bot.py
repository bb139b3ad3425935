"""`cardhub bot`: what those who write bots need."""

import click

COMMANDS: tuple[click.Command, ...] = ()


@click.group()
def bot() -> None:
    """Try out a bot, and find its faults."""


for command in COMMANDS:
    bot.add_command(command)
