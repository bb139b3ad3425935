"""Third-party bots play in separate processes, which know the game only."""

import json
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cardhub.base.errors import MatchError, SandboxError
from cardhub.bots.processes.sandbox import Sandbox, check_sandbox
from cardhub.lab.match.blocks import Block, Games
from cardhub.lab.match.match_spec import Match, identity_digest
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.match_bots import end_bot_processes
from cardhub.lab.match.run.playing import play
from cardhub.lab.match.run.preflight import find_isolation, with_stated_freshness
from cardhub.lab.match.run.runner import run
from cardhub.lab.match.task import GameTask, Played
from cardhub.plugins.registry import PluginRegistry, find_plugins

STRANGERS = Path(__file__).parents[1] / "strangers"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc, and forks")
CUP = """
cardhub_match: 1
salt: none
name: secret-cup
seed: 7
bots:
  - {id: a, use: ONE}
  - {id: b, use: random}
games:
  - {game: kuhn}
schedule: {blocks: 2}
budget: {guard_seconds: 20}
"""


def _sandbox_is_missing() -> str:
    try:
        check_sandbox()
    except SandboxError as error:
        return str(error)
    return ""


NO_SANDBOX = _sandbox_is_missing()
SANDBOXED = pytest.mark.skipif(bool(NO_SANDBOX), reason=NO_SANDBOX)

MakeMatch = Callable[..., Match]


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> PluginRegistry:
    """Return the installed plugins, and the bots of the folder `strangers`."""
    folder = tmp_path_factory.mktemp("strangers") / "plugins"
    shutil.copytree(STRANGERS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return find_plugins([folder])


@pytest.fixture
def match(tmp_path: Path, registry: PluginRegistry) -> MakeMatch:
    """Return a function that reads a match of one of these bots against `random`."""
    folder = tmp_path / "secret-folder"
    folder.mkdir()

    def read(use: str = "my-first", more: str = "") -> Match:
        path = folder / "cup.yaml"
        path.write_text(CUP.replace("ONE", json.dumps(use)) + more, "utf-8")
        return read_match(path, registry)

    return read


@pytest.fixture
def new_processes() -> Iterator[None]:
    """Have bots of a test play in new processes, and no later ones: others keep theirs."""
    end_bot_processes()
    yield
    end_bot_processes()


def tasks(match: Match, registry: PluginRegistry) -> list[GameTask]:
    """Return the games of a match."""
    assert match.file is not None
    folder = match.file.parent
    match = with_stated_freshness(match, registry, folder)
    games = Games(match, registry.directories, find_isolation(match, registry, folder))
    blocks = [Block("kuhn", deal, ("a", "b")) for deal in range(match.order.blocks)]
    return [task for block in blocks for task in games.of(block)]


def said(played: Played) -> Any:
    """Return the data that a bot reported before it failed."""
    (kept,) = played.reproductions
    message = str(kept["message"])
    return json.loads(message.removeprefix("ValueError: "))


@pytest.mark.parametrize(
    ("use", "isolate", "apart"),
    [
        ("my-first", "auto", {"my-first"}),
        ("my-first", "yes", {"my-first", "random"}),
        ("my-first", "no", set()),
        ("ismcts:iterations=5", "auto", set()),
        ("ismcts:iterations=5,rollout=my-first", "auto", {"ismcts:iterations=5,rollout=my-first"}),
        ("cmd:python3 bot.py", "yes", {"random"}),
    ],
)
def test_who_gets_a_process(
    match: MakeMatch, registry: PluginRegistry, use: str, isolate: str, apart: set[str]
) -> None:
    """With `auto` who does not come with cardhub, or has such a bot within; programs have one."""
    cup = match(use, f"isolate: {isolate}")
    isolation = find_isolation(cup, registry, Path("runs"))
    assert set(isolation.bots) == {("kuhn", spec) for spec in apart}


@pytest.mark.parametrize(
    ("more", "line"),
    [("isolate: maybe", "isolate"), ("sandbox: 1", "sandbox")],
)
def test_other_values_are_refused(match: MakeMatch, more: str, line: str) -> None:
    with pytest.raises(MatchError, match=line):
        match(more=more)


def test_a_sandbox_without_processes_is_refused(match: MakeMatch, registry: PluginRegistry) -> None:
    with pytest.raises(MatchError, match="mutually exclusive"):
        find_isolation(match(more="isolate: no\nsandbox: yes"), registry, Path("runs"))


def test_a_missing_sandbox_is_an_error(
    match: MakeMatch, registry: PluginRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No bot runs outside of it instead; the message contains the fix."""
    monkeypatch.setattr("cardhub.bots.processes.sandbox.which", lambda name: None)
    with pytest.raises(
        SandboxError, match=r"the program 'bwrap' is not installed\nfix: install bubblewrap"
    ):
        find_isolation(match(more="sandbox: yes"), registry, Path("runs"))


def test_games_are_the_same_wherever_bots_run(
    match: MakeMatch, registry: PluginRegistry, tmp_path: Path
) -> None:
    ways = ["isolate: yes", "isolate: no"]
    ways += [] if NO_SANDBOX else ["sandbox: yes"]
    ways = [f"{way}\nfresh: no" for way in ways]
    logs, identities = set(), set()
    for number, way in enumerate(ways):
        cup, folder = match(more=way), tmp_path / f"log{number}"
        run(cup, registry, folder)
        logs.add((folder / "games.jsonl").read_bytes() + (folder / "result.json").read_bytes())
        identities.add(identity_digest(cup))
    assert len(logs) == len(identities) == 1


@LINUX
@pytest.mark.usefixtures("new_processes")
def test_a_process_knows_the_game_alone(
    match: MakeMatch,
    registry: PluginRegistry,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cup = match("my-spy")
    assert cup.file is not None
    monkeypatch.chdir(cup.file.parent)
    monkeypatch.setenv("CUP", "secret-cup")
    monkeypatch.syspath_prepend(str(cup.file.parent))
    surroundings = said(play(tasks(cup, registry)[0]))
    assert "secret" not in json.dumps(surroundings)
    assert surroundings["folder"][1] == []
    assert surroundings["environment"]["HOME"] == surroundings["folder"][0]
    assert set(surroundings["descriptors"]) <= {"/dev/null", "pipe"}
    assert surroundings["modules"] == surroundings["referees"] == []


@LINUX
def test_nothing_is_left_from_one_game_to_the_next(
    match: MakeMatch, registry: PluginRegistry
) -> None:
    games = tasks(match("my-keeper"), registry)
    assert [play(task).result.faults for task in games] == [()] * 4


@pytest.mark.parametrize(
    ("use", "system"),
    [
        ("my-keeper", "without forks"),
        pytest.param("my-sharer", "in a sandbox", marks=SANDBOXED),
    ],
)
@pytest.mark.usefixtures("new_processes")
def test_nothing_is_left_where_every_game_has_a_new_process(
    match: MakeMatch,
    registry: PluginRegistry,
    monkeypatch: pytest.MonkeyPatch,
    use: str,
    system: str,
) -> None:
    """Not even memory that forks share, and files outside of the bot's folder."""
    monkeypatch.setattr("cardhub.lab.match.run.match_bots.FORKS", system == "in a sandbox")
    games = tasks(match(use, "sandbox: yes" if system == "in a sandbox" else ""), registry)
    assert [play(task).result.faults for task in games[:2]] == [()] * 2


@pytest.mark.usefixtures("new_processes")
def test_bots_live_on_in_a_match_that_trusts_them(
    match: MakeMatch, registry: PluginRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On systems without forks, where one process plays all games."""
    monkeypatch.setattr("cardhub.lab.match.run.match_bots.FORKS", False)
    games = tasks(match("my-keeper", "fresh: no"), registry)
    assert [len(play(task).result.faults) for task in games[:2]] == [0, 1]


@LINUX
def test_games_are_forks_of_one_process(match: MakeMatch, registry: PluginRegistry) -> None:
    """Python starts and plugins are imported once."""
    games = tasks(match("my-parent"), registry)
    assert len({said(play(task)) for task in games}) == 1


def test_a_bot_that_writes_garbage_loses_its_game_alone(
    match: MakeMatch, registry: PluginRegistry
) -> None:
    """The next game is played by a new process."""
    games = tasks(match("my-forger"), registry)
    for task in games[:2]:
        assert [note.fault for note in play(task).result.faults] in (["garbage"], ["crash"])
    cup = match("my-first")
    assert all(play(task).result.end == "over" for task in tasks(cup, registry))


@pytest.fixture
def port() -> Iterator[int]:
    """Return a port of this machine that can be connected to."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@LINUX
@pytest.mark.parametrize("way", ["isolate: auto", pytest.param("sandbox: yes", marks=SANDBOXED)])
def test_a_sandbox_takes_files_and_network_away(
    match: MakeMatch, registry: PluginRegistry, port: int, way: str
) -> None:
    cup = match("my-digger", way)
    assert cup.file is not None
    places: dict[str, Any] = {"folder": str(cup.file.parent), "file": str(cup.file), "port": port}
    places["home"] = str(Path.home())
    (registry.directories[0] / "places.json").write_text(json.dumps(places))
    reached = said(play(tasks(cup, registry)[0]))
    if "sandbox" in way:
        assert reached == []
    else:
        assert {"match folder", "match file", "processes", "network", "writing"} <= set(reached)


@SANDBOXED
def test_a_sandbox_hides_other_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "bot.py").touch()
    (tmp_path / "cup.yaml").touch()
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "engine").touch()
    whole = Sandbox()
    parts = Sandbox((tmp_path / "cup.yaml",))
    assert whole.visible([tmp_path]) == [tmp_path]
    assert parts.visible([tmp_path]) == [tmp_path / "bot.py", tmp_path / "package"]
    assert parts.visible([tmp_path / "bot.py"]) == [tmp_path / "bot.py"]
    assert parts.visible([tmp_path / "bin" / "engine"]) == [tmp_path / "bin" / "engine"]
    assert whole.visible([tmp_path / "bin" / "engine"]) == [tmp_path]
    assert whole.visible([Path.home() / "x", Path("/usr/bin/env")]) == []


@SANDBOXED
def test_a_program_plays_in_a_sandbox(
    match: MakeMatch, registry: PluginRegistry, tmp_path: Path, port: int
) -> None:
    source = f"""
import json, os, socket, sys
found = [path for path in {[str(tmp_path / "secret-folder"), "/mnt", "/var"]!r}
         if os.path.isdir(path) and os.listdir(path)]
try:
    socket.create_connection(("127.0.0.1", {port}), 1)
    found.append("network")
except OSError:
    pass
open("note", "w").close()
import beside
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{"name": "x", "protocol": 1}}), flush=True)
    elif message["type"] == "turn":
        answer = {{"error": str(found)}} if found else {{"action": beside.pick(message)}}
        print(json.dumps(answer), flush=True)
"""
    ends: list[Any] = []
    folder = tmp_path / "my bot"
    folder.mkdir()
    (folder / "bot.py").write_text(source)
    (folder / "beside.py").write_text("def pick(turn): return turn['legal'][0]['action']\n")
    use = f"cmd:'{sys.executable}' -S '{folder / 'bot.py'}'"
    for cup in (match("my-first"), match(use, "sandbox: yes")):
        results = [play(task).result for task in tasks(cup, registry)]
        ends.append([(result.end, result.moves) for result in results])
    assert ends[0] == ends[1]
