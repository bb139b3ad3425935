"""`cardhub learn`: a first hand of a game, with comments."""

from contextlib import closing
from textwrap import wrap

import click
from typing_extensions import override

from cardhub.cli.exit_codes import INTERRUPTED
from cardhub.cli.params import GAME
from cardhub.cli.root import registry_of
from cardhub.cli.session.front_end import FrontEnd, front_end_options
from cardhub.cli.session.painter import Painter, choose_glyphs
from cardhub.cli.session.plain_table import PlainTable
from cardhub.host.lessons.lesson_table import LessonHost, open_lesson
from cardhub.host.scheduler import BlockingScheduler

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
    scheduler = BlockingScheduler()
    host = open_lesson(registry_of(ctx), game, scheduler, front_end.pace or 0)
    with closing(host):
        painter = Painter([], choose_glyphs(front_end.ascii_only))
        try:
            CommentedTable(host, scheduler, painter).play()
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        if host.fault is not None:
            raise host.fault


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
