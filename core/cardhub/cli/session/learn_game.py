"""`cardhub learn`: a first hand of a game, with comments."""

from collections.abc import Callable
from contextlib import closing

import click
from typing_extensions import override

from cardhub.cli.console import echo
from cardhub.cli.exit_codes import INTERRUPTED
from cardhub.cli.params import GAME
from cardhub.cli.root import registry_of
from cardhub.cli.session.front_end import FrontEnd, front_end_options
from cardhub.cli.session.painter import Painter, check_glyphs, choose_glyphs
from cardhub.cli.session.text_table import PlainTextTable
from cardhub.play.host.lessons.kept_lessons import is_lesson_begun, open_kept_lesson
from cardhub.play.host.lessons.lesson_table import LessonHost
from cardhub.play.host.opening import PACE as SCREEN_PACE
from cardhub.play.host.opening import Opener
from cardhub.play.host.scheduler import BlockingScheduler, LoopScheduler
from cardhub.tui import run_table
from cardhub.view.text.glyphs import wrapped

# Comments stand out from the table by their indentation.
WIDTH, MARGIN = 76, "  | "
# Comes after the introduction of a lesson.
COMMANDS = (
    "Type the number of an action, or its words. `if` and an action says what it would do, "
    "`why` and a card says why it cannot be played, and `help` lists all commands."
)


@click.command()
@click.argument("game", type=GAME, help="The name of a game.")
@click.option("--restart", "restarts", is_flag=True, help="Start the lesson from its beginning.")
@front_end_options
@click.pass_context
def learn(ctx: click.Context, game: str, restarts: bool, front_end: FrontEnd) -> None:
    """Learn a game in a first hand with comments.

    Choose another action than the suggested one twice to play it. A lesson that you leave goes on
    there the next time.
    """
    registry = registry_of(ctx)
    if front_end.is_plain:
        scheduler = BlockingScheduler()
        opener = Opener(registry, scheduler, front_end.pace or 0, is_inline=True)
        host = _open(opener, game, restarts=restarts)
        table = CommentedTable(host, scheduler, Painter(choose_glyphs(front_end.glyphs)))
        code = _play(host, lambda: _in_text(table))
    else:
        pace = SCREEN_PACE if front_end.pace is None else front_end.pace
        opener = Opener(registry, LoopScheduler(), pace, is_inline=True)
        host = _open(opener, game, restarts=restarts)
        glyphs = check_glyphs(front_end.glyphs)
        code = _play(host, lambda: run_table(host, glyphs=glyphs, theme=front_end.theme))
    if code:
        ctx.exit(code)


def _open(opener: Opener, game: str, *, restarts: bool) -> LessonHost:
    host = open_kept_lesson(opener, game, restarts=restarts)
    assert isinstance(host, LessonHost)
    return host


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
        if host.activity.fault is not None:
            raise host.activity.fault
        if is_lesson_begun(host.game):
            echo(f"Continue the lesson with: cardhub learn {host.game}", err=True)
    return code


class CommentedTable(PlainTextTable):
    """A plain table that prints the comments of a lesson before each decision."""

    def __init__(self, host: LessonHost, scheduler: BlockingScheduler, painter: Painter) -> None:
        super().__init__(host, scheduler, painter)
        self._tutor = host.tutor
        self._is_first = True

    @override
    def _comment(self) -> None:
        paragraphs = list(self._tutor.comment().lines)
        if self._is_first:
            paragraphs.insert(1, COMMANDS)
            self._is_first = False
        for number, paragraph in enumerate(paragraphs):
            lines = wrapped(paragraph, WIDTH - len(MARGIN))
            self._painter.say(*[MARGIN.rstrip()] * (number > 0), *(MARGIN + part for part in lines))
