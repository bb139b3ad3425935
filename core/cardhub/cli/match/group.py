"""`cardhub match`: the group of its commands."""

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from cardhub.cli.match.games import games
from cardhub.cli.match.report import report
from cardhub.cli.match.run import run
from cardhub.cli.match.single_game import repro, show
from cardhub.cli.match.verify import verify
from cardhub.errors.suggestions import nearest

RUN = "run"


class FileOrCommand(click.Group):
    """Group in which `FILE` is short for `run FILE`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert `run` unless the first argument is a command or a misspelled one."""
        if args and not self._is_command(args[0]) and args[0] not in ctx.help_option_names:
            args = [RUN, *args]
        return super().parse_args(ctx, args)

    def _is_command(self, word: str) -> bool:
        is_meant = nearest(word, self.commands) is not None and not Path(word).exists()
        return word in self.commands or is_meant

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands; the shell completes files."""
        return [*super().shell_complete(ctx, incomplete), CompletionItem(incomplete, type="file")]


@click.group(
    cls=FileOrCommand,
    options_metavar="FILE [OPTIONS] |",
    subcommand_metavar="COMMAND [ARGS]...",
    epilog="cardhub match cup.yaml plays the match of that file.",
)
def match() -> None:
    """Play bots against bots, by the rules of a match file.

    A match goes on where it was left, and is played the same on one worker or many.
    """


for command in (run, report, games, show, repro, verify):
    match.add_command(command)
