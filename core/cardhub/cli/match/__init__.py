"""`cardhub match`: its commands, the live display and the summary."""

from pathlib import Path

import click
from click.shell_completion import CompletionItem
from typing_extensions import override

from cardhub.base.errors.quoting import nearest
from cardhub.cli.exit_codes import no_verdict
from cardhub.cli.lazy import LazyCommand, LazyGroup
from cardhub.cli.root import registry_of

RUN = "run"
COMMANDS = {
    RUN: LazyCommand(
        "cardhub.cli.match.run_match:run",
        "Play the match of FILE or of games and bots, or continue it.",
    ),
    "plan": LazyCommand(
        "cardhub.cli.match.plan_match:plan",
        "Show how many games a match needs to find out which bot is better.",
    ),
    "deals": LazyCommand(
        "cardhub.cli.match.make_deals:deals",
        "Make positions for the key `deals` of a match file from records.",
    ),
    "report": LazyCommand(
        "cardhub.cli.match.run_match:report", "Write the reports of a match, finished or not."
    ),
    "games": LazyCommand("cardhub.cli.match.match_games:games", "List games of a match."),
    "show": LazyCommand(
        "cardhub.cli.match.match_games:show",
        "Show a game of a match, or write its record or a page that replays it.",
    ),
    "repro": LazyCommand(
        "cardhub.cli.match.match_games:repro",
        "Ask a bot again at the decision in which it was at fault.",
    ),
    "review": LazyCommand(
        "cardhub.cli.match.review_match:review",
        "List the decisions in which bots lost most, as rated by a stronger search.",
    ),
    "verify": LazyCommand(
        "cardhub.cli.match.verify_match:verify", "Check the log, result and reports of a match."
    ),
    "bundle": LazyCommand(
        "cardhub.cli.match.bundle_match:bundle",
        "Write one file with which others verify, cite and repeat a match.",
    ),
}


class FileOrCommand(LazyGroup):
    """Group in which `FILE` is short for `run FILE`, as are games and bots."""

    @override
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and not self._is_command(ctx, args[0]) and args[0] not in ctx.help_option_names:
            args = [RUN, *args]
        with no_verdict():
            return super().parse_args(ctx, args)

    @override
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        with no_verdict():
            return super().resolve_command(ctx, args)

    def _is_command(self, ctx: click.Context, word: str) -> bool:
        if word in self.lazy:
            return True
        # A misspelt command must not be reported as a missing match file or an unknown game.
        first = word.partition(",")[0]
        names = [*self.lazy, *registry_of(ctx).game_names()]
        return nearest(first, names) in self.lazy and not Path(word).exists()

    @override
    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        return [*super().shell_complete(ctx, incomplete), CompletionItem(incomplete, type="file")]


@click.group(
    cls=FileOrCommand,
    lazy=COMMANDS,
    options_metavar="GAMES BOT BOT... [OPTIONS] | FILE [OPTIONS] |",
    subcommand_metavar="COMMAND [ARGS]...",
    epilog="cardhub match run --help lists the options of GAMES BOT BOT... and FILE.",
)
def match() -> None:
    """Play matches between bots, as described by a line or a match file.

    To let two bots play two games: cardhub match gamon,garner rule ismcts:100 --blocks 50

    The line writes a match file into the folder of the match. To play the match of a file:
    cardhub match cup.yaml

    A match continues where it was interrupted. The number of workers does not change its results.
    """
