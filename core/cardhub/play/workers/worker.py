"""The main loops of processes in which bots run: for one table, or for all tables of a server.

A process of one table gets for each game a Lineup, questions and an End. On Linux every game is
played in a new fork: no memory of a bot outlives its game, and plugins are imported only once.
Processes write one answer to each question that is not superseded by a later one, and exit at the
end of their input.
"""

import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import NoReturn

from cardhub.bots.processes.python_process import Channel
from cardhub.play.workers.bot_messages import ORDER_DECODER, Ready
from cardhub.play.workers.lineup import Lineup
from cardhub.play.workers.lineup_bots import TableBots
from cardhub.play.workers.question_loop import QuestionLoop
from cardhub.plugins.bot_files import warm_up
from cardhub.plugins.registry import PluginRegistry, find_plugins

# Increment of the nice value of a process for many tables: people's actions come first.
NICENESS = 10


def serve_games(
    directories: Sequence[str],
    workers: int,
    owns_folder: bool,
    third_party: Sequence[str] | None,
    has_forks: bool,
) -> NoReturn:
    """Answer questions from standard input until its end; bots have no access to the terminal.

    A level's search has up to `workers` processes. `owns_folder`: whether the working folder is
    emptied after each game. `third_party`: see `find_plugins`. `has_forks`: whether every game is
    played in a fork.
    """
    channel = Channel(ORDER_DECODER)
    registry = find_plugins(map(Path, directories), third_party=third_party)
    while isinstance(lineup := channel.receive(), Lineup):
        _import_plugins(lineup, registry)
        loop = partial(QuestionLoop, registry, channel, TableBots(registry, workers), lineup)
        if has_forks:
            # The fork receives the messages of its game; this process does not read while it runs.
            _in_fork(loop)
        else:
            loop().run()
        if owns_folder:
            _empty(Path.cwd())
    os._exit(0)


def serve_tables(directories: Sequence[str]) -> NoReturn:
    """Answer questions of many tables, one at a time.

    Each question has its table and the lineup there, so the bots of a table that was forgotten, or
    never known, are created.
    """
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    channel = Channel(ORDER_DECODER)
    registry = find_plugins(map(Path, directories))
    channel.send(Ready(0))  # starting is not part of the time for a question
    QuestionLoop(registry, channel, TableBots(registry)).run()
    os._exit(0)


def _import_plugins(lineup: Lineup, registry: PluginRegistry) -> None:
    # Before the fork, to do it only once; errors are reported with the first question.
    for spec in dict.fromkeys(lineup.specs.values()):
        with suppress(Exception):
            warm_up(registry, spec, lineup.game, lineup.seats, lineup.options)
    gc.freeze()  # else collections in every fork would copy the pages of all that is shared


def _in_fork(loop: Callable[..., QuestionLoop]) -> None:
    """Play a game in a fork; if the fork ends before the game, exit with its code."""
    if sys.platform == "win32":
        raise NotImplementedError  # see FORKS
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            loop(on_end=partial(os.write, writer, b".")).run()
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


def _empty(folder: Path) -> None:
    # A file that is left could carry knowledge of one game into the next.
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()
