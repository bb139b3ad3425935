"""The main loop of the process in which bots run.

`process` starts it and sends a Setup, then for each game a Begin, questions and an End. It writes
one answer to each question that is not superseded by a later one, and exits at the end of its
input.

On Linux every game is played in a new fork: no memory of a bot outlives its game, and plugins are
imported only once.
"""

import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import NoReturn

from typing_extensions import override

from cardhub.play.workers.bot_child import build_lineup
from cardhub.play.workers.bot_messages import Begin, Prepare, Question, Setup
from cardhub.play.workers.lineup import Lineup, LineupBots
from cardhub.play.workers.question_loop import Channel, QuestionLoop
from cardhub.plugins.bot_files import warm_up
from cardhub.plugins.registry import PluginRegistry, find_plugins

# Whether every game gets a fork: on other systems some libraries do not support forks.
FORKS = sys.platform == "linux"


def serve() -> NoReturn:
    """Answer questions from standard input until its end; bots have no access to the terminal."""
    channel = Channel()
    setup = channel.receive()
    if not isinstance(setup, Setup):
        os._exit(0)
    directories = tuple(map(Path, setup.directories))
    registry = find_plugins(directories)
    while isinstance(begin := channel.receive(), Begin):
        lineup = build_lineup(begin, directories)
        _import_plugins(lineup, registry)
        play = partial(_play, lineup, registry, channel, begin.workers)
        if FORKS:
            # The fork receives the messages of its game; this process does not read while it runs.
            _in_fork(play)
        else:
            play(lambda: None)
        if setup.owns_folder:
            _empty(Path.cwd())
    os._exit(0)


class GameLoop(QuestionLoop):
    """Asks the bots of one lineup until its game ends; `done` is called then.

    A level's search has up to `workers` processes.
    """

    def __init__(
        self,
        lineup: Lineup,
        registry: PluginRegistry,
        channel: Channel,
        workers: int,
        done: Callable[[], object],
    ) -> None:
        super().__init__(registry, channel)
        self._lineup = lineup
        self._workers = workers
        self._report_end = done
        self._bots: LineupBots | None = None

    @override
    def bots_of(self, order: Prepare | Question) -> LineupBots:
        self._bots = self._bots or LineupBots(self._lineup, self._registry, self._workers)
        return self._bots

    @override
    def reseat(self, begin: Begin) -> None:
        self._lineup = replace(self._lineup, specs=begin.specs, seeds=begin.seeds)
        if self._bots is not None:
            with suppress(Exception):  # a bot that cannot be closed is gone all the same
                self._bots.reseat(self._lineup)

    @override
    def close_bots(self) -> None:
        if self._bots is not None:
            self._bots.close()

    @override
    def end(self) -> None:
        self._report_end()


def _import_plugins(lineup: Lineup, registry: PluginRegistry) -> None:
    # Before the fork, to do it only once; errors are reported with the first question.
    for spec in dict.fromkeys(lineup.specs.values()):
        with suppress(Exception):
            warm_up(registry, spec, lineup.game, lineup.seats, lineup.options)
    gc.freeze()  # else collections in every fork would copy the pages of all that is shared


def _in_fork(play: Callable[[Callable[[], object]], None]) -> None:
    """Play a game in a fork; if the fork ends before the game, exit with its code."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            play(partial(os.write, writer, b"."))
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    os.close(writer)
    os.set_blocking(reader, False)  # child processes of a bot may hold the other end
    is_over = False
    with suppress(BlockingIOError):
        is_over = bool(os.read(reader, 1))
    os.close(reader)
    if not is_over:
        code = os.waitstatus_to_exitcode(status)
        os._exit(code if code >= 0 else 128 - code)


def _play(
    lineup: Lineup,
    registry: PluginRegistry,
    channel: Channel,
    workers: int,
    done: Callable[[], object],
) -> None:
    GameLoop(lineup, registry, channel, workers, done).run()


def _empty(folder: Path) -> None:
    # A file that is left could carry knowledge of one game into the next.
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()
