"""Processes that import the game of a workbench: each lasts until a file of the game changes."""

import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, NoReturn

from msgspec import msgpack

from cardhub.bots.processes.child_process import ChildProcess, FrameError
from cardhub.bots.processes.python_process import Channel, frame_codec, start_python
from cardhub.model.game.game import Game
from cardhub.plugins.registry import find_plugins
from cardhub.testing.game_checks.game_report import inspect_game
from cardhub.testing.workbench.bench_game import answer_question, fault_of
from cardhub.testing.workbench.bench_messages import (
    BenchAnswer,
    BenchFault,
    BenchQuestion,
    Checked,
    CheckFinding,
    Unusable,
)

# Seconds after which rules that do not return are given up.
ANSWER_SECONDS = 20.0
# The least number of seconds between two messages on the progress of checks.
PROGRESS_SECONDS = 0.5
# The most characters of what the game prints in one command that are kept.
MOST_PRINTED = 20_000

ANSWER_CODEC = frame_codec(msgpack.Decoder(BenchAnswer))
CHECKED_CODEC = frame_codec(msgpack.Decoder(Checked))


def serve_game(directories: Sequence[str], name: str) -> NoReturn:
    """Import the game at the first question, and answer questions until the end of the input."""
    channel = Channel(msgpack.Decoder(BenchQuestion))
    game: Game[Any] | Unusable | None = None
    while (question := channel.receive()) is not None:
        printed = io.StringIO()
        with redirect_stdout(printed), redirect_stderr(printed):
            if game is None:
                game = _import_game(directories, name)
            reply = game if isinstance(game, Unusable) else answer_question(game, question)
        channel.send(BenchAnswer(reply, printed.getvalue()[:MOST_PRINTED]))
    os._exit(0)


def serve_checks(directories: Sequence[str], name: str, seconds: float) -> NoReturn:
    """Check the game for about `seconds`, and send the progress and the findings."""
    channel = Channel(msgpack.Decoder(BenchQuestion))
    if sys.platform != "win32":
        os.nice(10)  # the page does not wait for checks
    game = _import_game(directories, name)
    if isinstance(game, Unusable):
        channel.send(Checked("stopped", 0, faults=game.faults))
        os._exit(0)
    sent = monotonic()

    def watch(games: int) -> None:
        nonlocal sent
        if monotonic() - sent > PROGRESS_SECONDS:
            sent = monotonic()
            channel.send(Checked("running", games))

    try:
        report = inspect_game(game, seconds=seconds, is_measured=False, watch=watch)
    except Exception as error:  # noqa: BLE001  # rules under development may raise anything
        channel.send(Checked("stopped", 0, faults=(fault_of(error),)))
    else:
        findings = tuple(
            CheckFinding(
                finding.check, finding.promise.sentence, finding.fault, "".join(finding.record)
            )
            for finding in report.findings
        )
        channel.send(Checked("passed" if report.passed else "failed", report.games, findings))
    os._exit(0)


def _import_game(directories: Sequence[str], name: str) -> Game[Any] | Unusable:
    try:
        return find_plugins(map(Path, directories)).game(name)
    except BaseException as error:  # noqa: BLE001  # a plugin may raise anything
        return Unusable((fault_of(error),))


class GameProcess:
    """A process that imports the game when it gets its first question."""

    def __init__(self, directories: Iterable[Path], name: str) -> None:
        self._answers: SimpleQueue[BenchAnswer | str] = SimpleQueue()
        self._child: ChildProcess[BenchQuestion, BenchAnswer] = start_python(
            f"{__name__}:{serve_game.__name__}",
            [[os.fspath(path) for path in directories], name],
            ANSWER_CODEC,
            lambda _, answer: self._answers.put(answer),
            self._on_exit,
        )
        self.is_usable = True

    def ask(self, question: BenchQuestion) -> BenchAnswer:
        """Return the answer; a process that does not answer in time is ended."""
        self._child.send(question)
        try:
            answer = self._answers.get(timeout=ANSWER_SECONDS)
        except Empty:
            answer = f"The rules have not returned within {ANSWER_SECONDS:g} seconds."
        if isinstance(answer, BenchAnswer):
            return answer
        self.end()
        return BenchAnswer(Unusable((BenchFault(answer),)))

    def end(self) -> None:
        """Kill the process: the rules may be in an endless loop."""
        self.is_usable = False
        self._child.kill()
        self._child.reap()

    def _on_exit(self, _child: object, code: int, error: FrameError | None) -> None:
        self._answers.put(f"The process of the game has ended: {error or f'exit code {code}'}.")


class CheckProcess:
    """A process that checks the game; `on_checked` gets the progress and, last, the result."""

    def __init__(
        self,
        directories: Iterable[Path],
        name: str,
        seconds: float,
        on_checked: Callable[[Checked], object],
    ) -> None:
        self._child: ChildProcess[BenchQuestion, Checked] = start_python(
            f"{__name__}:{serve_checks.__name__}",
            [[os.fspath(path) for path in directories], name, seconds],
            CHECKED_CODEC,
            lambda _, checked: on_checked(checked),
            lambda *_: None,
        )

    def end(self) -> None:
        """Kill the process, which may be in the middle of a game."""
        self._child.kill()
        self._child.reap()
