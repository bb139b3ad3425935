"""`cardhub bot`: what those who write bots need."""

import click

from cardhub.cli.bot_check import check
from cardhub.cli.bot_list import list_bots
from cardhub.cli.bot_repro import repro

COMMANDS: tuple[click.Command, ...] = (list_bots, check, repro)


@click.group()
def bot() -> None:
    """Try out a bot, and find its faults."""


for command in COMMANDS:
    bot.add_command(command)
