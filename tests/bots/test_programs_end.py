"""No program outlives the process for which it plays."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.kit.processes import is_running
from tests.kit.waiting import PATIENCE, wait_until

from cardhub.base.errors import BotTimeoutError
from cardhub.model.hidden.observation import Observation
from cardhub.plugins.registry import PluginRegistry

from .conftest import Write

pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere there are no signals")

# Ignores SIGTERM and the end of its input, and has a child.
STUBBORN = """
import subprocess
signal.signal(signal.SIGTERM, signal.SIG_IGN)
hello()
child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"])
with open(sys.argv[1], "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
os.rename(sys.argv[1], sys.argv[1] + ".whole")
while True:
    time.sleep(60)
"""

HOST = """
import sys
from random import Random
from cardhub.plugins.registry import find_plugins
bot = find_plugins().make_bot(sys.argv[1], "kuhn", Random(1))
{then}
"""


class Watched:
    """A stubborn program, and the numbers of its processes once it runs."""

    def __init__(self, program: Write, folder: Path) -> None:
        self._file = folder / "pids.whole"
        self.spec = f"cmd:seconds=0.3 {program(STUBBORN)} '{folder / 'pids'}'"

    @property
    def processes(self) -> list[int]:
        """The program's own and its child's."""
        wait_until(self._file.exists)
        return [int(pid) for pid in self._file.read_text().split()]

    def have_ended(self) -> bool:
        """Return whether none of them is left."""
        return not any(map(is_running, self.processes))


@pytest.fixture
def watched(program: Write, tmp_path: Path) -> Watched:
    """Return a stubborn program."""
    return Watched(program, tmp_path)


def host(spec: str, then: str) -> "subprocess.Popen[bytes]":
    """Start a process that makes a bot and then runs some code."""
    source = HOST.format(then=then)
    command, pipe = [sys.executable, "-c", source, spec], subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)


def test_a_program_ends_with_a_host_that_is_killed(watched: Watched) -> None:
    """SIGKILL leaves the host no time; after SIGTERM it has some."""
    with host(watched.spec, "import time; time.sleep(60)") as running:
        assert all(map(is_running, watched.processes))
        running.send_signal(signal.SIGKILL)
        running.wait()
    wait_until(watched.have_ended)


def test_a_program_ends_with_a_host_whose_children_hold_its_pipes(watched: Watched) -> None:
    """A forked process keeps the program's input open; the host is missed all the same."""
    # The fork ends with the standard input that it shares with its parent.
    fork = "import os, sys, time; os.fork() or (sys.stdin.read(), os._exit(0)); time.sleep(600)"
    with host(watched.spec, fork) as running:
        assert all(map(is_running, watched.processes))
        running.kill()
        running.wait()
        wait_until(watched.have_ended)


def test_a_program_ends_with_a_host_that_ends(watched: Watched) -> None:
    with host(watched.spec, "") as running:
        assert running.wait(PATIENCE) == 0
    wait_until(watched.have_ended)


def test_a_program_ends_with_its_registry(watched: Watched, registry: PluginRegistry) -> None:
    """First its input is closed, then it gets SIGTERM, then SIGKILL."""
    registry.make_bot(watched.spec, "kuhn", Random(1))
    assert all(map(is_running, watched.processes))
    registry.close()
    wait_until(watched.have_ended)


def test_a_program_at_fault_is_killed_at_once(
    watched: Watched, registry: PluginRegistry, seen: Observation[Any]
) -> None:
    bot = registry.make_bot(watched.spec, "kuhn", Random(1))
    assert all(map(is_running, watched.processes))
    with pytest.raises(BotTimeoutError):
        bot.choose(seen)
    wait_until(watched.have_ended)


def test_a_forked_process_leaves_the_programs_of_its_parent_alone(watched: Watched) -> None:
    then = (
        "import os, sys; pid = os.fork(); pid or sys.exit(); os.wait(); print('waited', flush=True)"
    )
    with host(watched.spec, f"{then}; sys.stdin.read(); sys.exit(7)") as running:
        pids = watched.processes
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stdout.read(6) == b"waited"
        assert all(map(is_running, pids))
        running.stdin.close()
        assert running.wait() == 7
    wait_until(watched.have_ended)


def test_a_program_does_not_hear_of_ctrl_c_at_the_terminal(
    program: Write, registry: PluginRegistry
) -> None:
    """It is in a separate process group; its host decides when it ends."""
    registry.make_bot(f"cmd:{program('hello()' + chr(10) + 'turn()')}", "kuhn", Random(1))
    (running,) = vars(vars(registry)["_programs"])["_living"]
    assert os.getpgid(vars(running)["_process"].pid) != os.getpgid(0)
