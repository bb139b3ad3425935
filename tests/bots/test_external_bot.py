"""A program as a bot: its messages, its valid answers, and its lifetime."""

import json
import os
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from tests.kit.waiting import PATIENCE, wait_until

from cardhub.base.errors import BotError, BotFaultError, OptionError
from cardhub.bots.external import ProgramPool, start_program
from cardhub.bots.processes.pool import Pool
from cardhub.model.hidden.observation import Observation
from cardhub.play.referee import Referee
from cardhub.play.setup import close, let_bot_act
from cardhub.plugins.registry import PluginRegistry

from .conftest import Write

LISTENER = """
with open(sys.argv[1], "a") as heard:
    for line in sys.stdin:
        print(os.getpid(), line, end="", file=heard, flush=True)
        message = json.loads(line)
        if message["type"] == "hello":
            write(name="listener", protocol=1, games=["kuhn", "leduc"], mood="fine")
        elif message["type"] == "turn":
            write(action=message["legal"][-1]["notation"], type="answer")
"""


class Heard:
    """The messages that a recording program got, and its process."""

    def __init__(self, program: Write, path: Path) -> None:
        self.spec = f"cmd:{program(LISTENER)} '{path}'"
        self._path = path

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Return all messages that the program has received."""
        return [json.loads(line.partition(" ")[2]) for line in self._lines()]

    @property
    def types(self) -> list[str]:
        """The types of the messages."""
        return [message["type"] for message in self.messages]

    @property
    def processes(self) -> set[str]:
        """The processes that got messages."""
        return {line.partition(" ")[0] for line in self._lines()}

    def _lines(self) -> list[str]:
        return self._path.read_text("utf-8").splitlines()


@pytest.fixture
def heard(program: Write, tmp_path: Path) -> Heard:
    """Return a program that records its messages and takes the last legal action."""
    return Heard(program, tmp_path / "heard.txt")


def test_a_program_is_told_the_game_and_its_turns(
    heard: Heard, registry: PluginRegistry, table: Referee[Any]
) -> None:
    """The game once, then the observation of its seat at each of its turns."""
    bot = registry.make_bot(heard.spec, "kuhn", Random(1))
    let_bot_act(table, bot)
    hello, game, turn = heard.messages
    assert hello["protocol"] == 1
    assert (game["game"], game["seats"], game["seat"], game["options"]) == ("kuhn", 2, 0, {})
    assert [group["verb"] for group in game["actions"]] == ["check", "bet", "fold", "call"]
    assert [card["card"] for card in game["cards"]] == ["J", "Q", "K"]
    assert turn["table"]["zones"]["hand"][0][0]["card"] == "J"
    assert turn["table"]["zones"]["hand"][1][0]["card"] is None
    assert turn["table"]["values"] == {"stakes": [1, 1]}
    assert turn["legal"][1] == {"action": 1, "notation": "bet", "label": "bet"}
    assert turn["budget_ms"] == 10_000
    assert table.observe(0).history[0].action == 1


def test_a_program_hears_what_happened_since_its_last_turn(
    heard: Heard, registry: PluginRegistry, table: Referee[Any]
) -> None:
    """The news begin with its own action."""
    bot = registry.make_bot(heard.spec, "kuhn", Random(1))
    table.apply(0)
    table.apply(1)
    let_bot_act(table, bot)
    assert heard.messages[-1]["news"] == [
        {"seat": 0, "action": 0, "notation": "check"},
        {"seat": 1, "action": 1, "notation": "bet"},
    ]


def test_the_seed_of_a_program_comes_from_the_generator_of_the_bot(
    heard: Heard, registry: PluginRegistry, seen: Observation[Any]
) -> None:
    for number in (1, 1, 2):
        bot = registry.make_bot(heard.spec, "kuhn", Random(number))
        bot.choose(seen)
        close(bot)
    first, again, other = [m["seed"] for m in heard.messages if m["type"] == "game"]
    assert first == again != other
    assert 0 <= first < 2**32


def test_one_process_plays_one_game_after_another(
    heard: Heard, registry: PluginRegistry, seen: Observation[Any]
) -> None:
    """A bot that is closed leaves its program to the next one."""
    for _ in range(3):
        bot = registry.make_bot(heard.spec, "kuhn", Random(1))
        bot.choose(seen)
        close(bot)
        close(bot)
    registry.close()
    assert heard.types == ["hello", *["game", "turn", "over"] * 3]
    assert len(heard.processes) == 1


def test_two_games_at_the_same_time_have_two_processes(
    heard: Heard, registry: PluginRegistry, seen: Observation[Any]
) -> None:
    """A program plays one game at a time."""
    bots = [registry.make_bot(heard.spec, "kuhn", Random(1)) for _ in range(2)]
    assert [bot.choose(seen) for bot in bots] == [1, 1]
    assert len(heard.processes) == 2


def test_a_bot_that_is_asked_about_another_game_has_its_program_begin_anew(
    heard: Heard, registry: PluginRegistry, table: Referee[Any]
) -> None:
    """Messages of the previous game must not count for the new one."""
    bot = registry.make_bot(heard.spec, "kuhn", Random(1))
    let_bot_act(table, bot)
    bot.choose(Observation(table.game, table.observe(0).determinize(Random(1)), 1))
    assert heard.types == ["hello", "game", "turn", "game", "turn"]
    assert heard.messages[-2]["seat"] == 1


def test_a_program_for_other_games_is_refused_and_kept(
    heard: Heard, registry: PluginRegistry, seen: Observation[Any]
) -> None:
    with pytest.raises(BotError, match="listener plays kuhn, leduc, not gargon"):
        registry.make_bot(heard.spec, "gargon", Random(1))
    assert registry.make_bot(heard.spec, "kuhn", Random(1)).choose(seen) == 1
    assert len(heard.processes) == 1


def test_a_bot_can_be_closed_while_another_thread_asks_it(
    program: Write, registry: PluginRegistry, seen: Observation[Any]
) -> None:
    """Its program is killed, and the caller gets an error immediately."""
    bot = registry.make_bot(f"cmd:{program('hello(); turn(); time.sleep(60)')}", "kuhn", Random(1))
    raised: list[Exception] = []

    def ask() -> None:
        try:
            bot.choose(seen)
        except BotFaultError as fault:
            raised.append(fault)

    thread = Thread(target=ask)
    thread.start()
    wait_until(lambda: vars(bot)["_is_asked"])
    close(bot)
    thread.join(PATIENCE)
    assert len(raised) == 1
    with pytest.raises(BotError, match="its game is over"):
        bot.choose(seen)


def test_a_program_that_ended_between_two_games_is_started_again(
    program: Write, registry: PluginRegistry, seen: Observation[Any]
) -> None:
    source = "hello()\nwrite(action=turn()['legal'][0]['action'])\nread()\nsys.exit(0)"
    spec = f"cmd:{program(source)}"
    for _ in range(2):
        bot = registry.make_bot(spec, "kuhn", Random(1))
        assert bot.choose(seen) == seen.legal()[0]
        (running,) = vars(vars(registry)["_programs"])["_living"]
        close(bot)
        vars(running)["_process"].wait(PATIENCE)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("cmd", "option command cannot be '': it is a program and its arguments"),
        ("cmd:seconds=5", "option command cannot be ''"),
        ("cmd:node 'my bot.js", "option command cannot be"),
        (
            "cmd:seconds=0 python3 x.py",
            "seconds cannot be '0': it is a number of seconds",
        ),
        ("cmd:seconds=nan python3 x.py", "option seconds cannot be 'nan'"),
        ("cmd:seconds=5 seconds=6 python3 x.py", "option seconds is given twice"),
        ("cmd:second=5 python3 x.py", "unknown option 'second'. Did you mean 'seconds'?"),
        ("cmd:pyhton3 x.py", "there is no program 'pyhton3'. Did you mean 'python3"),
        ("cmd:./my_bto.py", "there is no file './my_bto.py'. Did you mean 'my_bot.py'?"),
        ("cmd:./", "'./' is a folder, not a program"),
        ("cmd:./my_bot.py", "'./my_bot.py' cannot be executed: put its interpreter first"),
        ("cmd:my_bot.py", "as in python my_bot.py, or make it executable and write ./my_bot.py"),
    ],
)
def test_a_command_that_cannot_be_is_refused_before_the_game(
    spec: str,
    message: str,
    registry: PluginRegistry,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_bot.py").touch(mode=0o600)
    with pytest.raises(OptionError) as error:
        registry.settings_of(spec, "kuhn")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("spec", "seconds", "command"),
    [
        ("cmd:python3 x.py", "10", "python3 x.py"),
        ("cmd: seconds=0.5  python3 x.py a=1,b=2", "0.5", "python3 x.py a=1,b=2"),
        ("cmd:python3 x.py seconds=3", "10", "python3 x.py seconds=3"),
    ],
)
def test_options_stand_in_front_of_the_command(
    spec: str, seconds: str, command: str, registry: PluginRegistry
) -> None:
    """Commas and = in a command are its own."""
    settings = registry.settings_of(spec, "kuhn")
    assert dict(settings) == {
        "seconds": seconds,
        "log": "",
        "env": "",
        "folder": "",
        "command": command,
    }


def test_a_log_gets_all_that_is_said(
    program: Write, registry: PluginRegistry, seen: Observation[Any], tmp_path: Path
) -> None:
    """Messages to the program, from it, and its stderr."""
    source = """
    hello()
    turn()
    print("hm", file=sys.stderr, flush=True)
    write(action=1)
    read()
    """
    log = tmp_path / "talk.txt"
    bot = registry.make_bot(f"cmd:log={log} {program(source)}", "kuhn", Random(1))
    bot.choose(seen)
    close(bot)
    registry.close()
    wait_until(lambda: "! hm" in log.read_text("utf-8").splitlines())
    lines = log.read_text("utf-8").splitlines()
    assert [line for line in lines if line[0] == "<"] == [
        '< {"name": "trial", "protocol": 1}',
        '< {"action": 1}',
    ]
    types = [json.loads(line[2:])["type"] for line in lines if line[0] == ">"]
    assert types == ["hello", "game", "turn", "over"]


def test_a_log_that_cannot_be_written_is_named(
    program: Write, registry: PluginRegistry, tmp_path: Path
) -> None:
    log = tmp_path / "nowhere" / "talk.txt"
    with pytest.raises(BotError, match=r"log .*talk\.txt cannot be written: No such file"):
        registry.make_bot(f"cmd:log={log} {program('hello()')}", "kuhn", Random(1))


def test_a_mistyped_script_is_found_beside_the_one_meant(
    registry: PluginRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_bot.py").touch()
    with pytest.raises(BotFaultError, match=r"there is no file 'my_bto.py'. Did you mean 'my_bot"):
        registry.make_bot("cmd:python3 my_bto.py", "kuhn", Random(1))


def test_a_missing_part_of_a_class_path_is_named_when_a_program_ends(
    program: Write, registry: PluginRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list of files is not the name of a file itself."""
    monkeypatch.chdir(tmp_path)
    for name in ("first.jar", "second.jar"):
        Path(name).touch()
    jars = os.pathsep.join(["first.jar", "second.jar", "*"])
    command = f"cmd:{program('sys.exit(1)')} -cp"
    with pytest.raises(BotFaultError) as crash:
        registry.make_bot(f"{command} {jars} Bot", "kuhn", Random(1))
    assert "there is no file" not in str(crash.value)
    with pytest.raises(BotFaultError, match=r"there is no file 'build'"):
        registry.make_bot(f"{command} {jars}{os.pathsep}build Bot", "kuhn", Random(1))


def test_idle_programs_are_ended_together(program: Write) -> None:
    """All inputs are closed first, and only programs that stay are killed."""
    programs = Pool(start_program)
    polite = ProgramPool(program("hello()\nread()"), "kuhn", programs)
    taken = [polite.borrow(PATIENCE) for _ in range(3)]
    programs.close()
    assert [vars(started)["_process"].wait() for started in taken] == [0, 0, 0]
