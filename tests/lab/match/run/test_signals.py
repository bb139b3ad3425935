"""Signals to a match: they end it, and are never a bot's fault."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest
from tests.lab.match.interrupting import interrupt_matches
from typing_extensions import override

from cardhub.bots.deadline import SIGNALS, Interrupted
from cardhub.bots.processes.launch import Confinement
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.deferred_signals import DeferredSignals, interruptible
from cardhub.lab.match.run.executors import InProcess, MakeExecutor
from cardhub.lab.match.run.match_bots import end_bot_processes
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.plugins.registry import PluginRegistry

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent the POSIX way")
SEED = int(os.environ.get("CARDHUB_SEED", "1"))
CUP = """
    cardhub_match: 1
    salt: none
    isolate: no
    name: small
    seed: 7
    bots:
      - {id: a, use: caller}
      - {id: b, use: "cheat:after=1"}
    games:
      - {game: leduc}
    schedule: {blocks: 3}
    faults: {two_player: substitute, substitute: caller, max: 100, share: 1}
"""
ReadMatch = Callable[[str], Match]
Digests = Callable[[Path], list[str]]


class Isolating(InProcess):
    """An Executor whose games have every bot in a separate process."""

    @override
    def submit(self, fn: Callable[..., Any], /, *tasks: Any, **more: Any) -> "Future[Any]":
        return super().submit(fn, *(task.isolated() for task in tasks), **more)


@pytest.fixture
def terminable() -> Iterator[None]:
    """Make SIGTERM and SIGHUP raise SystemExit, like the command line."""

    def leave(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    before = {n: signal.signal(n, leave) for n in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize(
    ("when", "number", "make"),
    [
        ("made", signal.SIGTERM, InProcess),
        ("asked", signal.SIGINT, InProcess),
        ("asked", signal.SIGTERM, InProcess),
        ("asked", signal.SIGHUP, InProcess),
        ("closed", signal.SIGTERM, InProcess),
        ("asked", signal.SIGTERM, Isolating),
    ],
)
@pytest.mark.usefixtures("terminable")
def test_a_signal_while_a_bot_is_at_work_is_not_its_fault(
    match: ReadMatch,
    registry: PluginRegistry,
    digests: Digests,
    play_once: Callable[[str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    when: str,
    number: signal.Signals,
    make: MakeExecutor,
) -> None:
    cup = match(CUP)
    order = tmp_path / "order"
    monkeypatch.setenv("TROUPE_ORDER", str(order))
    # Processes of bots get the variables they are allowed, and those only.
    allowed = partial(Confinement, variables=("TROUPE_ORDER",))
    monkeypatch.setattr("cardhub.lab.match.run.match_bots.Confinement", allowed)
    end_bot_processes()
    for _ in range(2):
        order.write_text(f"{when} {os.getpid()} {int(number)}")
        with pytest.raises(BaseException) as left:  # noqa: PT011  # its type is what is looked at
            run(cup, registry, Path("out"), RunOptions(make))
        assert isinstance(left.value, KeyboardInterrupt | SystemExit)
        assert getattr(left.value, "code", 130) == 128 + number
        assert not order.exists()
    run(cup, registry, Path("out"))
    assert digests(Path("out")) == digests(play_once(CUP))


def test_exceptions_of_bots_without_a_signal_are_their_fault(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    bots = CUP.replace("use: caller", "use: quitter").replace("cheat:after=1", "selfish")
    run(match(bots.replace("substitute: caller", "substitute: random")), registry, Path("out"))
    faults = {note.bot: note.fault for _, game in read_games(Path("out")) for note in game.faults}
    assert faults == {"a": "exception", "b": "exception"}


def test_code_that_swallows_an_interruption_is_left_all_the_same() -> None:
    """The caller checks afterwards, and the previous handler is called."""

    def disturbed() -> None:
        before = SIGNALS.is_interruptible
        try:
            SIGNALS.enter()
            with suppress(BaseException):  # as some bots do
                signal.raise_signal(signal.SIGINT)
        finally:
            SIGNALS.leave(before)

    def held() -> None:
        with DeferredSignals():
            with pytest.raises(Interrupted):
                disturbed()
            raise Interrupted

    with pytest.raises(KeyboardInterrupt):
        held()


def test_signals_are_held_where_data_could_be_lost() -> None:
    """They are delivered at the end of the block, or by `deliver`."""
    done: list[str] = []

    def write() -> None:
        with DeferredSignals() as signals:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            done.append("written")
            signals.deliver()
            done.append("not reached")

    def analyse() -> None:
        with DeferredSignals(), interruptible():
            signal.raise_signal(signal.SIGINT)
            done.append("not reached")

    for call in (write, analyse):
        with pytest.raises(KeyboardInterrupt):
            call()
    assert done == ["written"]


@pytest.mark.soak("the signals to bots, and those to whole matches, are tested one by one")
def test_a_match_interrupted_at_random_moments_comes_out_the_same(tmp_path: Path) -> None:
    """Bots swallow it, raise other exceptions, or fail. In `make attack` they are isolated."""
    soak = interrupt_matches(tmp_path, Random(SEED), 1, isolate='"no"')
    assert (soak.interruptions, soak.wrong) == (1, ())


def test_workers_lost_to_a_signal_to_the_whole_group_are_no_error_of_the_match() -> None:
    """The signal has priority over the loss; without a signal the loss is an ordinary error."""
    heard: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    try:
        with suppress(EOFError), DeferredSignals():
            os.kill(os.getpid(), signal.SIGTERM)
            raise EOFError
        assert heard == [signal.SIGTERM]
        with pytest.raises(EOFError), DeferredSignals():
            raise EOFError
        assert heard == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, before)
