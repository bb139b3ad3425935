"""Matches on a cluster of Dask, here a scheduler in this process and two other ones as workers."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.kit.waiting import PATIENCE
from tests.lab.match.match_files import WITH_CHEAT
from typing_extensions import override

from cardhub.base.errors import MatchError
from cardhub.cli.main import cli
from cardhub.lab.match.blocks import Block, Games
from cardhub.lab.match.match_spec import Match, canonical
from cardhub.lab.match.provenance import versions_of
from cardhub.lab.match.run.cluster import make_cluster, play_there, threads_of, translate_error
from cardhub.lab.match.run.playing import play
from cardhub.lab.match.run.runner import RunOptions, Watcher, run
from cardhub.lab.match.task import GameResult, GameTask, Played, Timing
from cardhub.plugins.registry import PluginRegistry

PLAIN = """
    cardhub_match: 1
    salt: none
    isolate: no
    name: plain
    seed: 1
    bots: [{id: a, use: random}, {id: b, use: random}]
    games: [{game: leduc}]
"""
ReadMatch = Callable[[str], Match]
Digests = Callable[[Path], list[str]]
QUIET = {"DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error"}


@contextmanager
def started(*words: str) -> "Iterator[subprocess.Popen[bytes]]":
    """Yield a process of Dask's; it is killed in the end."""
    command = [sys.executable, "-m", "dask", *words]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | QUIET
    ) as process:
        try:
            yield process
        finally:
            process.kill()


class Cluster:
    """A scheduler, and two workers, each a process."""

    def __init__(self, stack: ExitStack) -> None:
        from distributed import LocalCluster  # late: it is slow to import

        # Not in a process of its own, which would import all of Dask once more. Dask is untyped.
        scheduler = LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=0,
            processes=False,
            protocol="tcp://",
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # any free port, because its usual one may be in use
            silence_logs=False,
        )
        stack.enter_context(scheduler)
        self.address: str = scheduler.scheduler_address
        words = ("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        self._workers = [stack.enter_context(started(*words)) for _ in range(2)]
        scheduler.wait_for_workers(2, PATIENCE)

    def kill_one(self) -> None:
        """Kill a worker."""
        self._workers.pop().send_signal(signal.SIGKILL)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Yield a cluster whose processes all end with the test."""
    with ExitStack() as stack:
        yield Cluster(stack)


class Killer(Watcher):
    """Has a worker killed after some games."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.games = 0

    @override
    def game(self, result: GameResult, timing: Timing | None) -> None:
        self.games += 1
        if self.games == 4:
            self._cluster.kill_one()


def test_a_match_is_the_same_on_a_cluster_that_loses_a_worker(
    match: ReadMatch, registry: PluginRegistry, tmp_path: Path, digests: Digests, cluster: Cluster
) -> None:
    """A worker killed half-way is not a fault of a bot."""
    small = match(WITH_CHEAT)
    run(small, registry, tmp_path / "here")
    make = make_cluster(cluster.address, small, versions_of(small, registry))
    run(small, registry, tmp_path / "there", RunOptions(make, 8, Killer(cluster)))
    assert digests(tmp_path / "there") == digests(tmp_path / "here")
    processes = {
        json.loads(line)["process"]
        for line in (tmp_path / "there" / "timing.jsonl").read_text("utf-8").splitlines()
    }
    assert os.getpid() not in processes


def test_workers_of_other_versions_are_refused(
    match: ReadMatch, registry: PluginRegistry, tmp_path: Path, cluster: Cluster
) -> None:
    small = match(WITH_CHEAT)
    versions = versions_of(small, registry) | {"python": "2.7"}
    with pytest.raises(MatchError, match="has other versions of cardhub, Python, numpy"):
        run(
            small, registry, tmp_path, RunOptions(make_cluster(cluster.address, small, versions), 8)
        )


def test_a_cluster_says_how_much_it_can_do(cluster: Cluster) -> None:
    """Its threads; the loss of a worker may not be known yet."""
    assert threads_of(cluster.address) in (1, 2)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x"])
def test_a_cluster_that_is_not_there_is_an_error_soon(
    match: ReadMatch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr("cardhub.lab.match.run.cluster.PATIENCE", 0.5)
    match(PLAIN)
    words = ["match", "cup.yaml", "--cluster", address, "--out", str(tmp_path / "out")]
    begun = time.monotonic()
    result = CliRunner().invoke(cli, words, prog_name="cardhub")
    assert result.exit_code == 4, result.output
    assert f"no cluster answers at '{address}'" in result.stderr
    assert time.monotonic() - begun < 60
    assert not (tmp_path / "out").exists()


def test_without_dask_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MatchError, match=r"pip install '\.\[cluster\]'"):
        threads_of("tcp://127.0.0.1:1")


def test_a_bot_that_was_too_late_gets_a_process_of_its_own(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    """Threads hear no alarm; from then on it can be killed."""
    slow = match(WITH_CHEAT.replace("use: random", 'use: "dozer:after=1"'))
    (task, *_) = Games(slow, registry.directories).of(Block("leduc", 0, ("a", "b")))
    task = replace(
        task, limits=replace(task.limits, budget=replace(task.limits.budget, guard_seconds=1))
    )
    versions = canonical(versions_of(slow, registry))
    seen: list[bool] = []

    def played(task: GameTask) -> tuple[Played, ...]:
        seen.append(task.in_processes)
        return (play(task),)

    for _ in range(2):
        (there,) = play_there(played, [task], slow, versions)
        assert [note.fault for note in there.result.faults] == ["timeout"]
    assert seen == [False, True]


def test_a_cluster_that_has_gone_is_a_broken_executor() -> None:
    assert isinstance(translate_error(OSError("gone")), BrokenExecutor)
    assert isinstance(translate_error(ValueError("odd")), MatchError)
