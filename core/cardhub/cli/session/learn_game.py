"""`cardhub learn`: a first hand of a game, with comments."""

from collections.abc import Callable
from contextlib import closing
from textwrap import wrap

import click
from typing_extensions import override

from cardhub.cli.console import echo
from cardhub.cli.exit_codes import INTERRUPTED
from cardhub.cli.params import GAME
from cardhub.cli.root import registry_of
from cardhub.cli.session.front_end import FrontEnd, front_end_options
from cardhub.cli.session.painter import Painter, choose_glyphs
from cardhub.cli.session.plain_table import PlainTable
from cardhub.host.lessons.lesson_table import LessonHost, open_lesson
from cardhub.host.opening import PACE as SCREEN_PACE
from cardhub.host.scheduler import BlockingScheduler, LoopScheduler
from cardhub.tui import run_table

# Comments stand out from the table by their indentation.
WIDTH, MARGIN = 76, "  | "


@click.command()
@click.argument("game", type=GAME, help="The name of a game.")
@front_end_options
@click.pass_context
def learn(ctx: click.Context, game: str, front_end: FrontEnd) -> None:
    """Learn a game in a first hand with comments.

    Choose another action than the suggested one twice to play it. The game is not saved.
    """
    registry = registry_of(ctx)
    glyphs = choose_glyphs(front_end.ascii_only)
    if front_end.is_plain:
        scheduler = BlockingScheduler()
        host = open_lesson(registry, game, scheduler, front_end.pace or 0)
        table = CommentedTable(host, scheduler, Painter([], glyphs))
        code = _play(host, lambda: _in_text(table))
    else:
        pace = SCREEN_PACE if front_end.pace is None else front_end.pace
        host = open_lesson(registry, game, LoopScheduler(), pace)
        code = _play(
            host, lambda: run_table(host, ascii_only=glyphs.is_ascii, theme=front_end.theme)
        )
    if code:
        ctx.exit(code)


def _in_text(table: "CommentedTable") -> int:
    table.play()
    return 0


def _play(host: LessonHost, play: Callable[[], int]) -> int:
    """Play a lesson to its end or until it is left; return the exit code."""
    with closing(host):
        try:
            code = play()
        except KeyboardInterrupt:
            echo(err=True)  # otherwise the prompt of the shell follows ^C on its line
            code = INTERRUPTED
        if host.fault is not None:
            raise host.fault
    return code


class CommentedTable(PlainTable):
    """A plain table that prints the comments of a lesson before each decision."""

    def __init__(self, host: LessonHost, scheduler: BlockingScheduler, painter: Painter) -> None:
        super().__init__(host, scheduler, painter)
        self._tutor = host.tutor

    @override
    def _comment(self) -> None:
        for line in self._tutor.comment().lines:
            lines = wrap(line, WIDTH - len(MARGIN))
            self._painter.say(*(MARGIN + part for part in lines))
