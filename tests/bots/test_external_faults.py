"""Programs at fault: each fault has a name, and none harms the game."""

import re
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest
from tests.kit.waiting import PATIENCE

from cardhub.base.errors import (
    BotCrashError,
    BotFaultError,
    BotGarbageError,
    BotHelloError,
    BotIllegalError,
    BotPipeError,
    BotRefusalError,
    BotTimeoutError,
)
from cardhub.bots.external import ProgramPool, start_program
from cardhub.bots.external.program import Program
from cardhub.bots.processes.pool import Pool
from cardhub.model.hidden.observation import Observation
from cardhub.plugins.registry import PluginRegistry

from .conftest import Write

AT_TURN = {
    "ends at once": ("sys.exit(3)", BotCrashError, "it ended with exit code 3 and wrote nothing"),
    "is killed": ("os.kill(os.getpid(), 9)", BotCrashError, r"exit code 137 \(SIGKILL\)"),
    "raises": ("1 / 0", BotCrashError, "exit code 1; last on stderr:\n(.|\n)*ZeroDivisionError"),
    "closes its output": (
        "os.close(1); time.sleep(60)",
        BotPipeError,
        "it closed its output, but is still running",
    ),
    "says nothing": ("time.sleep(60)", BotTimeoutError, "no answer within 0.5 seconds. Does it fl"),
    "says half a line": (
        "print('{', end='', flush=True); time.sleep(60)",
        BotTimeoutError,
        "no answer",
    ),
    "writes what is no JSON": ("print('bet', flush=True)", BotGarbageError, "'bet', which is not"),
    "writes an empty line": ("print('', flush=True)", BotGarbageError, "'', which is not JSON"),
    "writes a list": ("print('[1]', flush=True)", BotGarbageError, "a message is a JSON object"),
    "nests without end": (
        "print('[' * 100_000, flush=True)",
        BotGarbageError,
        "which is not JSON",
    ),
    "writes no Unicode": (
        r"os.write(1, b'\xff\xfe{}\n')",
        BotGarbageError,
        r"xff\\\\xfe\{\}', which is not JSON",
    ),
    "writes a line without end": (
        "[sys.stdout.write('x' * 2**20) for _ in range(100)]",
        BotGarbageError,
        "a line of more than 1048576 bytes, which begins with 'xxx",
    ),
    "answers without action": ("write(move=1)", BotGarbageError, "holds move, but neither action"),
    "chooses too high": ("write(action=99)", BotIllegalError, r"action 99 is not legal. Legal: 0 "),
    "chooses in words": ("write(action='bett')", BotIllegalError, "'bett'.*Did you mean 'bet'"),
    "chooses a fraction": ("write(action=1.0)", BotIllegalError, r"action 1\.0 is not legal"),
    "chooses true": ("write(action=True)", BotIllegalError, "action True is not legal"),
    "chooses nothing": ("write(action=None)", BotIllegalError, "action None is not legal"),
    "gives up": ("write(error='I am lost')", BotRefusalError, "it says: I am lost"),
    "rewrites the terminal": (r"write(error='\x1b[2J')", BotRefusalError, r"it says: \\x1b\[2J"),
}


@pytest.mark.parametrize("name", AT_TURN)
def test_a_program_at_fault_in_its_turn_is_told_so(
    name: str, program: Write, registry: PluginRegistry, seen: Observation[Any]
) -> None:
    source, kind, message = AT_TURN[name]
    command = program(f"hello()\nturn()\n{source}")
    seconds = 0.5 if kind is BotTimeoutError else PATIENCE
    bot = registry.make_bot(f"cmd:seconds={seconds} {command}", "kuhn", Random(1))
    with pytest.raises(kind, match=message) as caught:
        bot.choose(seen)
    assert type(caught.value) is kind


AT_HELLO = {
    "ends at once": ("sys.exit(3)", BotCrashError, "it ended with exit code 3"),
    "is no JSON": ("print('hello', flush=True)", BotGarbageError, "'hello', which is not JSON"),
    "has no name": ("hello(name=None)", BotHelloError, "it lacks a name"),
    "has an empty name": ("hello(name=' ')", BotHelloError, "it lacks a name"),
    "lacks the protocol": ("hello(protocol=None)", BotHelloError, "it speaks protocol None, not 1"),
    "is of another version": ("hello(protocol=2)", BotHelloError, "it speaks protocol 2, not 1"),
    "is of a text": ("hello(protocol='1')", BotHelloError, "it speaks protocol '1', not 1"),
    "names no list": ("hello(games='kuhn')", BotHelloError, "'games' must be a list of names"),
    "gives up": ("hello(error='not today')", BotRefusalError, "it says: not today"),
}


@pytest.mark.parametrize("name", AT_HELLO)
def test_a_program_that_introduces_itself_badly_makes_no_bot(
    name: str, program: Write, registry: PluginRegistry
) -> None:
    """The error names the command, and shows an answer that would have been right."""
    source, kind, message = AT_HELLO[name]
    with pytest.raises(kind, match=message) as caught:
        registry.make_bot(f"cmd:{program(source)}", "kuhn", Random(1))
    assert re.match("bot .cmd:.* cannot be made: ", str(caught.value))


def test_a_program_that_floods_its_output_is_at_fault(
    program: Write, registry: PluginRegistry, seen: Observation[Any]
) -> None:
    flood = "hello()\nwrite(action=turn()['legal'][0]['action'])\nwhile True: print('{}')"
    bot = registry.make_bot(f"cmd:{program(flood)}", "kuhn", Random(1))
    assert bot.choose(seen) in seen.legal()
    with pytest.raises(BotGarbageError, match=r"without being asked|holds nothing"):
        bot.choose(seen)


def test_a_line_that_is_no_message_is_the_same_fault_before_the_question() -> None:
    """Whether the program or the question is first depends on the machine."""
    program = Program(("sh", "-c", "echo hello; read question"))
    while program.is_usable:
        sleep(0.001)
    with pytest.raises(BotGarbageError, match=r"it wrote 'hello', which is not JSON"):
        program.ask({"type": "hello"}, PATIENCE)
    program.close()


def test_a_program_that_floods_stderr_plays_on(
    program: Write, registry: PluginRegistry, seen: Observation[Any]
) -> None:
    """All lines are read, and only the last ones are kept."""
    source = """
    hello()
    for number in range(3):
        message = turn()
        sys.stderr.write("o" * 3_000_000)
        write(action=message["legal"][0]["action"])
    turn()
    sys.exit("last words")
    """
    bot = registry.make_bot(f"cmd:{program(source)}", "kuhn", Random(1))
    for _ in range(3):
        bot.choose(seen)
    with pytest.raises(BotCrashError, match="last words") as caught:
        bot.choose(seen)
    assert len(caught.value.details) < 5000


def test_a_program_that_never_reads_is_not_waited_for(program: Write) -> None:
    programs = Pool(start_program)
    deaf = ProgramPool(program("hello()\ntime.sleep(60)"), "kuhn", programs).borrow(PATIENCE)
    began = monotonic()
    with pytest.raises(BotTimeoutError):
        deaf.ask({"type": "turn", "padding": "x" * 1_000_000}, 0.2)
    programs.discard(deaf)
    assert monotonic() - began < 30


def test_a_program_that_leaves_children_behind_has_ended(
    program: Write, registry: PluginRegistry, seen: Observation[Any]
) -> None:
    """A child that holds the output open does not delay the fault."""
    source = """
    hello()
    turn()
    import subprocess
    subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    sys.exit(5)
    """
    bot = registry.make_bot(f"cmd:seconds={PATIENCE} {program(source)}", "kuhn", Random(1))
    with pytest.raises(BotCrashError, match="exit code 5"):
        bot.choose(seen)


def test_a_program_at_fault_is_never_asked_again(
    program: Write, registry: PluginRegistry, seen: Observation[Any]
) -> None:
    """The next question goes to a new process, which gets the complete game."""
    source = """
    hello()
    if read()["type"] == "game" and os.path.exists(sys.argv[1]):
        go_on()
    open(sys.argv[1], "x")
    write(action="nonsense")
    """
    command = program(source)
    bot = registry.make_bot(f"cmd:{command} {command.split()[-1][:-1]}.ran'", "kuhn", Random(1))
    with pytest.raises(BotIllegalError):
        bot.choose(seen)
    assert [bot.choose(seen), bot.choose(seen)] == seen.legal()[:1] * 2


def test_every_fault_has_a_word_of_its_own() -> None:
    """Reports and tables count by these words."""
    kinds = BotFaultError.__subclasses__()
    assert len({kind.fault for kind in kinds}) == len(kinds)
    assert all(kind.fault.isalpha() for kind in kinds)
