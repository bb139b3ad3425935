"""Processes that are stopped for a while, as by Ctrl-Z: the pause costs no bot its time."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

import pytest
from tests.kit.waiting import PATIENCE
from tests.lab.match.interrupting import playing, wait_for_games

from cardhub.lab.analysis import analyse
from cardhub.lab.match.log.log_reader import GAMES, RESULT
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.plugins.registry import PluginRegistry

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are stopped the POSIX way")
# Seconds for which a process is stopped: longer than any limit here.
STOPPED = 3.2
ANSWER = """
    import time
    from queue import SimpleQueue
    from threading import Thread
    from cardhub.bots.deadline import get_within
    from cardhub.bots.deadline import TIMER, deadlines, within

    def answer():
        print("begun", flush=True)
        for _ in range(10):
            time.sleep(0.05)
        heard.put(3)

    def in_thread():
        Thread(target=answer).start()
        return get_within(heard, 2.9)

    heard = SimpleQueue()
    with deadlines():
        print(within(2.9, {call}), TIMER.lost, flush=True)
"""
CUP = """
    cardhub_match: 1
    salt: none
    isolate: no
    name: cup
    seed: 12
    bots:
      - {id: a, use: slow}
      - {id: b, use: slow}
    games:
      - {game: kuhn}
    schedule: {blocks: 4}
    budget: {guard_seconds: 2.9, bank_seconds: 2.95}
    rating: {bootstrap: 100}
"""


@pytest.mark.parametrize("call", ["lambda: (answer(), heard.get())[1]", "in_thread"])
def test_a_call_has_all_its_time_though_its_process_is_stopped(call: str) -> None:
    """Broken off by the alarm, or waited for as programs are; the time that was lost is known."""
    code = dedent(ANSWER).format(call=call)
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        stop(process.pid, to_all=False)
        answer, lost = process.stdout.readline().split()
    assert answer == "3"
    assert STOPPED - 0.2 < float(lost) < STOPPED + 20


def test_a_match_that_is_stopped_for_a_while_comes_out_the_same(
    tmp_path: Path, registry: PluginRegistry
) -> None:
    """The pause does not count in a bot's time for an answer or for the game."""
    cup = tmp_path / "cup.yaml"
    cup.write_text(dedent(CUP), "utf-8")
    run(read_match(cup, registry), registry, tmp_path / "whole", RunOptions(analyse=analyse))
    with playing(cup, tmp_path / "stopped", 2) as process:
        for games in (1, 4):
            wait_for_games(process, tmp_path / "stopped", games)
            stop(process.pid, to_all=True)
        assert process.wait(PATIENCE) == 0
    for name in (GAMES, RESULT):
        assert (tmp_path / "stopped" / name).read_bytes() == (
            tmp_path / "whole" / name
        ).read_bytes()


def stop(process: int, *, to_all: bool) -> None:
    """Stop a process, or all of its group, for a while."""
    send = os.killpg if to_all else os.kill
    send(process, signal.SIGSTOP)
    time.sleep(STOPPED)
    send(process, signal.SIGCONT)
