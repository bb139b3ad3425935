"""Limits of memory, processors and processes: real control groups where they can be made."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.kit.waiting import wait_until

from cardhub.base.errors import (
    BotCrashError,
    BotMemoryError,
    BotProcessesError,
    BotTimeoutError,
    LimitsError,
)
from cardhub.bots.external.program import Program
from cardhub.bots.processes import control_groups
from cardhub.bots.processes.control_groups import (
    NO_USAGE,
    ResourceLimits,
    SecondGroup,
    Usage,
    check_limits,
    new_group,
)
from cardhub.bots.processes.launch import Confinement

MEMORY = 64 << 20
# Far above what an answer takes, because the machine may be busy.
PATIENCE = 60.0


def needs_groups() -> None:
    """Skip a test where no control group can be made, with the reason."""
    try:
        check_limits(ResourceLimits(memory=MEMORY, processors=1.0, processes=64))
    except LimitsError as error:
        pytest.skip(str(error).splitlines()[0])


def program(code: str, limits: ResourceLimits) -> Program:
    """Return a program that runs some code for each line of its input."""
    loop = f"import os, sys\nfor line in sys.stdin:\n    {code}\n    print('{{}}', flush=True)"
    return Program([sys.executable, "-c", loop], "", Confinement(limits=limits))


@pytest.fixture
def programs() -> Iterator[list[Program]]:
    """Return a list of programs, which are ended after the test."""
    started: list[Program] = []
    yield started
    for one in started:
        one.kill()


def own_groups() -> set[Path]:
    return {
        path
        for parent in control_groups._parents().values()
        for path in parent.glob(f"cardhub-{os.getpid()}-*")
    }


def test_a_program_above_its_limit_of_memory_is_killed(programs: list[Program]) -> None:
    needs_groups()
    before = own_groups()
    greedy = program("x = bytearray(10**9)", ResourceLimits(memory=MEMORY))
    programs.append(greedy)
    with pytest.raises(BotMemoryError, match="killed at the limit of memory, 64 MiB"):
        greedy.ask({}, PATIENCE)
    greedy.kill()
    used = greedy.take_usage()
    assert used.killed >= 1
    assert 0 < used.memory <= MEMORY
    assert own_groups() == before


def test_a_killed_child_is_a_fault_of_memory_even_if_the_answer_is_late(
    programs: list[Program],
) -> None:
    needs_groups()
    code = "import subprocess; subprocess.run([sys.executable, '-c', 'bytearray(10**9)']); input()"
    late = program(code, ResourceLimits(memory=MEMORY))
    programs.append(late)
    late.tell({})
    wait_until(lambda: late._process.usage().killed > 0)
    with pytest.raises(BotMemoryError):
        raise late._late_fault(0.1, NO_USAGE)


def test_a_program_cannot_start_more_processes_than_it_may(programs: list[Program]) -> None:
    needs_groups()
    code = "[os.fork() or __import__('time').sleep(600) for _ in range(99)]"
    bomb = program(code, ResourceLimits(processes=8))
    programs.append(bomb)
    with pytest.raises(BotProcessesError, match="its limit of 8 processes and threads"):
        bomb.ask({}, PATIENCE)
    calm = program("pass", ResourceLimits(processes=8))
    programs.append(calm)
    assert calm.ask({}, PATIENCE) == {}


def test_a_program_that_is_not_asked_does_not_compute(programs: list[Program]) -> None:
    needs_groups()
    # A thread burns, also while no question waits.
    code = "__import__('threading').Thread(target=lambda: [0 for _ in iter(int, 1)]).start()"
    limits = ResourceLimits(memory=MEMORY * 4)
    frozen = program(code, limits)
    programs.append(frozen)
    frozen.ask({}, PATIENCE)
    at_rest = frozen._process.usage().processor
    restless = program(code, ResourceLimits(memory=MEMORY * 4, ponder=True))
    programs.append(restless)
    restless.ask({}, PATIENCE)
    before = restless._process.usage().processor
    wait_until(lambda: restless._process.usage().processor > before + 0.3)
    assert frozen._process.usage().processor < at_rest + 0.1
    assert frozen.ask({}, PATIENCE) == {}  # it goes on where it stood


def test_without_a_group_a_program_is_stopped_by_a_signal(programs: list[Program]) -> None:
    stopped = program("pass", ResourceLimits())
    programs.append(stopped)
    assert stopped.ask({}, PATIENCE) == {}
    (child,) = _children(stopped._process.pid)
    wait_until(lambda: _state(child) == "T")
    assert stopped.ask({}, PATIENCE) == {}
    stopped.close()
    assert not Path(f"/proc/{child}").exists()


def test_what_a_program_used_since_it_was_asked_is_known_after_it_was_killed(
    programs: list[Program],
) -> None:
    needs_groups()
    idle = program("__import__('time').sleep(600)", ResourceLimits(memory=MEMORY))
    programs.append(idle)
    with pytest.raises(BotTimeoutError, match="no answer within"):
        idle.ask({}, 0.2)
    idle.kill()
    assert idle.used_since_asked.memory > 0
    assert idle.used_since_asked.processor < 0.2


def test_a_group_is_removed_if_cardhub_is_killed() -> None:
    needs_groups()
    code = (
        "import os, sys, time\n"
        "from cardhub.bots.external.program import Program\n"
        "from cardhub.bots.processes.control_groups import ResourceLimits, _parents\n"
        "from cardhub.bots.processes.launch import Confinement\n"
        "limits = ResourceLimits(memory=1 << 28)\n"
        "Program([sys.executable, '-c', 'input()'], '', Confinement(limits=limits))\n"
        "print(os.getpid(), flush=True)\n"
        "time.sleep(600)\n"
    )
    read, write = os.pipe()
    pid = os.posix_spawn(
        sys.executable,
        [sys.executable, "-c", code],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, write, 1)],
    )
    os.close(write)
    with os.fdopen(read) as output:
        assert int(output.readline()) == pid
    parents = control_groups._parents().values()
    folders = [path for parent in parents for path in parent.glob(f"cardhub-{pid}-*")]
    assert folders
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    wait_until(lambda: not any(folder.exists() for folder in folders))


def test_an_abandoned_group_is_removed_before_the_next_match() -> None:
    needs_groups()
    (parent, *_) = control_groups._parents().values()
    ended = os.posix_spawn(sys.executable, [sys.executable, "-S", "-c", ""], os.environ)
    os.waitpid(ended, 0)
    abandoned, living = parent / f"cardhub-{ended}-0", parent / f"cardhub-{os.getpid()}-x"
    for folder in (abandoned, living):
        folder.mkdir()
    check_limits(ResourceLimits(processes=8))
    try:
        assert not abandoned.exists()
        assert living.exists()
    finally:
        living.rmdir()


def test_limits_that_cannot_be_set_are_refused_with_a_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_limits(ResourceLimits(ponder=True))  # needs no group
    monkeypatch.setattr(control_groups, "_parents", lambda: {"": tmp_path / "gone"})
    with pytest.raises(LimitsError, match=r"no limits: .*\nfix: start cardhub in a group"):
        new_group(ResourceLimits(memory=MEMORY))


def test_a_group_of_version_2_has_its_limits_and_counts_in_its_own_files(tmp_path: Path) -> None:
    """Version 2 is tested by its files, because few machines delegate it to tests."""
    folder = tmp_path / "group"
    group = SecondGroup({"": folder})
    group.make(ResourceLimits(memory=MEMORY, processors=1.5, processes=8))
    written = {path.name: path.read_text() for path in folder.iterdir()}
    assert written == {
        "memory.max": str(MEMORY),
        "memory.swap.max": "0",
        "cpu.max": "150000 100000",
        "pids.max": "8",
    }
    (folder / "cpu.stat").write_text("usage_usec 2500000\nthrottled_usec 500000\n")
    (folder / "memory.peak").write_text("1000\n")
    (folder / "memory.events").write_text("oom 2\noom_kill 1\n")
    (folder / "pids.events").write_text("max 3\n")
    assert group.usage() == Usage(2.5, 0.5, 1000, 1, 3)
    (folder / "cgroup.freeze").write_text("0")
    group.freeze()
    assert (folder / "cgroup.freeze").read_text() == "1"
    group.thaw()
    assert (folder / "cgroup.freeze").read_text() == "0"


def test_use_is_counted_from_one_question_to_the_next() -> None:
    first, second = Usage(1.0, 0.5, 100, 0, 1), Usage(3.0, 0.25, 200, 1, 1)
    assert second.since(first) == Usage(2.0, 0.0, 200, 1, 0)
    assert first.joined(second) == Usage(4.0, 0.75, 200, 1, 2)


def test_a_crash_without_a_limit_stays_a_crash(programs: list[Program]) -> None:
    needs_groups()
    broken = program("os._exit(3)", ResourceLimits(memory=MEMORY, processes=8))
    programs.append(broken)
    with pytest.raises(BotCrashError, match="it ended with exit code 3"):
        broken.ask({}, PATIENCE)


def _children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in path.read_text().split()]


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
