"""`cardhub bot`: what there is to know about bots."""

import click

from cardhub.cli.bot_check import check
from cardhub.cli.bot_list import list_bots
from cardhub.cli.bot_repro import repro

COMMANDS: tuple[click.Command, ...] = (list_bots, check, repro)


@click.group()
def bot() -> None:
    """List the bots, and find out what is wrong with one."""


for command in COMMANDS:
    bot.add_command(command)
