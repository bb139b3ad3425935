"""A program's view of its machine: its own files, and no data of the match."""

import json
import os
import shlex
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardhub.base.errors import BotCrashError, BotRefusalError
from cardhub.bots.external import ExternalBot, ProgramPool, start_program
from cardhub.bots.external.program import Program
from cardhub.bots.processes.launch import (
    Confinement,
    environment_in,
    files_of_command,
    with_absolute_paths,
)
from cardhub.bots.processes.pool import Pool
from cardhub.bots.processes.sandbox import Sandbox
from cardhub.model.hidden.observation import Observation
from cardhub.plugins.registry import PluginRegistry

from .conftest import Write

PYTHON = f"'{sys.executable}' -I -S"
SPY = """
hello()
turn()
parent = f"/proc/{os.getppid()}/cmdline"
open("note", "w").close()
write(error=json.dumps({
    "folder": os.getcwd(),
    "files": os.listdir(),
    "words": sys.argv[1:],
    "environment": dict(os.environ),
    "descriptors": [n for n in range(3, 100) if os.path.exists(f"/proc/self/fd/{n}")],
    "guard": open(parent).read().split(chr(0)) if os.path.exists(parent) else [],
}))
turn()
"""


def report_of(registry: PluginRegistry, spec: str, seen: Observation[Any]) -> dict[str, Any]:
    """Return the report of a program on its environment."""
    bot = registry.make_bot(spec, "kuhn", Random(1))
    with pytest.raises(BotRefusalError) as refusal:
        bot.choose(seen)
    answer: dict[str, Any] = json.loads(refusal.value.answer["error"])  # type: ignore[index]  # a message is a mapping
    return answer


def test_a_program_runs_in_a_folder_of_its_own(
    program: Write, registry: PluginRegistry, seen: Observation[Any]
) -> None:
    """It is empty at first, and gone with the program."""
    reports = [report_of(registry, f"cmd:{program(SPY)}", seen) for _ in range(2)]
    for report in reports:
        assert report["files"] == ["note"]
        assert Path(report["environment"]["HOME"]) == Path(report["folder"])
        assert Path(report["environment"]["TMPDIR"]) == Path(report["folder"])
        assert not Path(report["folder"]).exists()
    assert reports[0]["folder"] != reports[1]["folder"]


@pytest.mark.parametrize("fresh", [False, True])
def test_a_fresh_pool_plays_each_game_with_a_new_program_in_an_empty_folder(
    program: Write, seen: Observation[Any], tmp_path: Path, fresh: bool
) -> None:
    notes = tmp_path / "notes"
    source = """
    hello()
    with open(sys.argv[1], "a") as file:
        print(os.getcwd(), len(os.listdir()), file=file)
    open("memory", "w").close()
    go_on()
    """
    pool = Pool(start_program, fresh=fresh)
    lender = ProgramPool(f"{program(source)} {notes}", "kuhn", pool)
    for _ in range(3):
        bot = ExternalBot(Random(1), lender, "5")
        assert bot.choose(seen) in seen.legal()
        bot.close()
    pool.close()
    folders = [line.split() for line in notes.read_text().splitlines()]
    assert {files for _, files in folders} == {"0"}
    games = 3 if fresh else 1
    assert games <= len({folder for folder, _ in folders}) <= games + fresh


def test_the_folder_is_removed_however_a_program_ends(
    program: Write, registry: PluginRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = tmp_path / "folders"
    folders.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folders))
    registry.make_bot(f"cmd:{program('hello()' + chr(10) + 'turn()')}", "kuhn", Random(1))
    assert len(list(folders.iterdir())) == 1
    for command in (program("sys.exit(3)"), "./not-there"):
        with pytest.raises(BotCrashError):
            ExternalBot(Random(1), ProgramPool(command, "kuhn", Pool(start_program)), "5")
    registry.close()
    assert not list(folders.iterdir())


def test_a_program_gets_no_variable_that_is_not_on_the_list(
    program: Write,
    registry: PluginRegistry,
    seen: Observation[Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Further variables are named in its spec."""
    monkeypatch.setenv("MATCH_FILE", "/home/anna/cup.yaml")
    monkeypatch.setenv("TOKEN", "abc")
    monkeypatch.setenv("LC_TIME", "C")
    usual = report_of(registry, f"cmd:{program(SPY)}", seen)["environment"]
    assert {"MATCH_FILE", "TOKEN", "PWD", "PYTEST_CURRENT_TEST"}.isdisjoint(usual)
    assert (usual["PATH"], usual["LC_TIME"]) == (os.environ["PATH"], "C")
    more = report_of(registry, f"cmd:env=TOKEN,NONE {program(SPY)}", seen)["environment"]
    assert more["TOKEN"] == "abc"
    assert "MATCH_FILE" not in more


def test_a_program_cannot_tell_in_which_folder_cardhub_runs(
    program: Write,
    registry: PluginRegistry,
    seen: Observation[Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "secret_match").mkdir()
    monkeypatch.chdir(tmp_path / "secret_match")
    with Path("games.jsonl").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        report = report_of(registry, f"cmd:{program(SPY)} --fast kuhn", seen)
    assert report["words"] == ["--fast", "kuhn"]
    assert report["descriptors"] == []
    assert "secret_match" not in json.dumps(report)


def test_files_in_a_command_are_relative_to_where_cardhub_runs(
    program: Write,
    registry: PluginRegistry,
    seen: Observation[Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The program, its arguments, and values after = in options; the log as well."""
    words = shlex.split(program(SPY))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "net.bin").touch()
    monkeypatch.chdir(tmp_path)
    script = Path(words[-1]).name
    spec = (
        f"cmd:log=talk.txt {PYTHON} {script} data/net.bin --net=data/net.bin data ./data nothing.x"
    )
    report = report_of(registry, spec, seen)
    net = str(tmp_path / "data" / "net.bin")
    assert report["words"] == [net, f"--net={net}", "data", str(tmp_path / "data"), "nothing.x"]
    assert (tmp_path / "talk.txt").read_text().startswith('> {"type":"hello"')


def test_files_are_readable_in_the_sandbox_however_a_word_names_them(tmp_path: Path) -> None:
    """Also in a folder with an equals sign, and as the value of a variable or an option."""
    (tmp_path / "seed=1").mkdir()
    file = tmp_path / "seed=1" / "bot.py"
    file.touch()
    for word in (f"{file}", f"MODEL={tmp_path}", f"--model={tmp_path}"):
        path = file if word == str(file) else tmp_path
        assert files_of_command(["python-that-is-not-there", word]) == [path]


@pytest.mark.parametrize("option", ["-cp", "-classpath", "--class-path"])
def test_every_folder_of_a_class_path_is_valid_in_another_folder(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Java's list of folders and files; a main class or a game may be called like a folder."""
    for name in ("build", "lib", "Bot"):
        (tmp_path / name).mkdir()
    (tmp_path / "json.jar").touch()
    monkeypatch.chdir(tmp_path)
    relative = os.pathsep.join(["build", "json.jar", str(Path("lib", "*")), "none"])
    files = [tmp_path / "build", tmp_path / "json.jar", tmp_path / "lib"]
    absolute = os.pathsep.join([*map(str, files[:2]), str(tmp_path / "lib" / "*"), "none"])
    command = with_absolute_paths(["java", option, relative, "Bot"])
    assert command[1:] == [option, absolute, "Bot"]
    assert files_of_command(command)[-3:] == files
    (joined,) = with_absolute_paths(["java", f"--class-path={relative}"])[1:]
    assert joined == f"--class-path={absolute}"
    assert files_of_command(["java", joined])[-3:] == files


def test_a_program_in_a_relative_path_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links are left as they are: a virtual environment is known by the link to its Python."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    monkeypatch.chdir(tmp_path)
    assert with_absolute_paths(["bin/python", "-c", "pass"])[0] == str(tmp_path / "bin" / "python")
    monkeypatch.setenv("PATH", "bin")
    assert with_absolute_paths(["python"])[0] == str(tmp_path / "bin" / "python")
    assert with_absolute_paths(["node-that-is-not-there"]) == ["node-that-is-not-there"]


def test_windows_keeps_what_it_cannot_do_without() -> None:
    given = {"SystemRoot": "C:\\Windows", "Path": "C:\\bin", "USERPROFILE": "C:\\Users\\anna"}
    kept = environment_in(Path("X"), given)
    assert (kept["SystemRoot"], kept["Path"]) == ("C:\\Windows", "C:\\bin")
    assert kept["USERPROFILE"] == "X"


@pytest.mark.skipif(os.name != "posix", reason="shims are scripts")
def test_a_shim_is_refused_in_a_sandbox_with_the_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shim = tmp_path / "shims" / "some-python"
    shim.parent.mkdir()
    shim.write_text("#!/bin/sh\nexec pyenv exec some-python\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(shim.parent), prepend=os.pathsep)
    with pytest.raises(BotCrashError, match=r"fix: put the folder .*`pyenv which some-python`"):
        Program(["some-python", "bot.py"], confinement=Confinement(sandbox=Sandbox()))
