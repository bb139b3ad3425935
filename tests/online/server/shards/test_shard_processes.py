"""The processes of shards: restarts, the end by a signal, and no orphans."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.kit.waiting import PATIENCE

from cardhub.online.server.shards import ShardProcess

# A shard that ends when its standard input does, and says so.
ORDERLY = [
    sys.executable,
    "-c",
    "import os, sys; sys.stdin.buffer.read(); os.write(1, b'ended\\n')",
]
# A shard that says that it is to end, and goes on.
STUBBORN = [
    sys.executable,
    "-c",
    "import os, sys, time; sys.stdin.buffer.read(); os.write(1, b'asked\\n'); time.sleep(600)",
]
PARENT = """
import sys
from cardhub.online.server import shards
from cardhub.online.server.shards import run_shards
shards.END_WITHIN = {within}
run_shards([{command}] * 2, lambda: print("started", flush=True))
print("parent ended", flush=True)
"""


@contextmanager
def parent(command: list[str], within: float = PATIENCE) -> Iterator["subprocess.Popen[str]"]:
    """Run two shards that have so many seconds to end, and wait until they have been started."""
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT.format(command=command, within=within)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "started\n"
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_all_shards_in_order(number: int) -> None:
    with parent(ORDERLY) as process:
        process.send_signal(number)
        output, _ = process.communicate(timeout=PATIENCE)
    assert output == "ended\nended\nparent ended\n"
    assert process.returncode == 0


def test_no_shard_outlives_a_parent_that_is_killed() -> None:
    """The next start needs their ports and folders; the output ends with the last of them."""
    with parent(ORDERLY) as process:
        process.kill()
        output, _ = process.communicate(timeout=PATIENCE)
    assert output == "ended\nended\n"


def test_a_second_signal_kills_shards_that_go_on() -> None:
    """They are not waited for until their time is over."""
    with parent(STUBBORN, within=10 * PATIENCE) as process:
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["asked\n"] * 2
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=PATIENCE)
    assert output == "parent ended\n"


def test_a_shard_that_ended_is_started_again_but_not_at_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One that fails at its start would take the whole processor."""
    monkeypatch.setattr("cardhub.online.server.shards.PAUSE", 1e9)
    shard = ShardProcess("a", ORDERLY)
    first = shard.number
    shard.keep()
    shard.kill()
    shard.keep()
    assert shard.number == first
    monkeypatch.setattr("cardhub.online.server.shards.PAUSE", 0)
    shard.keep()
    assert shard.number != first
    assert "shard a ended" in caplog.text
    shard.end()
    shard.kill()
