"""`cardhub bot`: the group of commands about bots."""

import click

from cardhub.cli.lazy import LazyCommand, LazyGroup

COMMANDS = {
    "list": LazyCommand(
        "cardhub.cli.bot.list_bots:list_bots", "List the bots, their options and the levels."
    ),
    "check": LazyCommand("cardhub.cli.bot.check_bot:check", "Check a bot for faults."),
    "exploit": LazyCommand(
        "cardhub.cli.bot.exploit_bot:exploit", "Measure how far from perfect a bot plays."
    ),
    "prompt": LazyCommand(
        "cardhub.cli.bot.print_prompt:prompt", "Print what a language model reads at a decision."
    ),
    "connect": LazyCommand(
        "cardhub.cli.bot.connect_bot:connect",
        "Play with a bot of this machine at a table of a server.",
    ),
    "repro": LazyCommand(
        "cardhub.cli.bot.repro_fault:repro",
        "Ask a bot again at the decision in which it was at fault.",
    ),
}


@click.group(cls=LazyGroup, lazy=COMMANDS)
def bot() -> None:
    """List bots, check or exploit one, show prompts, or connect one with a server."""
