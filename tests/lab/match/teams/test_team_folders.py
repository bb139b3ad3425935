"""A folder of teams: builds, absent teams, and what each team and everybody else gets."""

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardhub.base.errors import BotError
from cardhub.bots.processes.sandbox import Sandbox
from cardhub.cli.exit_codes import ABSENT, FAULT, UNPLAYED
from cardhub.cli.main import cli
from cardhub.lab.match.match_spec import Team
from cardhub.lab.match.teams import team_files
from cardhub.lab.match.teams.team_build import Builder, TeamError
from cardhub.lab.match.teams.team_files import copy_files, files_digest, files_in

# A program that plays the first legal action, and writes to stderr.
PROGRAM = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "mine"}), flush=True)
    if message["type"] == "turn":
        print("I think of a bluff", file=sys.stderr, flush=True)
        print(json.dumps({"action": message["legal"][0]["action"]}), flush=True)
"""
CLASS = """
class Mine:
    def choose(self, observation):
        print("My seat is", observation.seat)
        return observation.legal()[-1]
"""
CONTEST = """
bots: {folder: teams}
games: [kuhn]
blocks: 1
rating: {bootstrap: 100}
"""
PYTHON = Path(sys.executable).name
Hand = Callable[..., Path]


@pytest.fixture
def hand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    """Return a function that writes the folder of a team; the commands find this Python."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    (tmp_path / "contest.yaml").write_text(CONTEST)

    def write(name: str, *, run: object = "", build: object = "", **files: str) -> Path:
        folder = tmp_path / "teams" / name
        folder.mkdir(parents=True)
        if run:
            (folder / "commands.json").write_text(json.dumps({"run": run, "build": build}))
        for stem, text in files.items():
            (folder / f"{stem}.py").write_text(text)
        return folder

    return write


def call(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def _remarks(team: str) -> list[str]:
    """Return what a team's bot has written, a text for each game."""
    return sorted(path.read_text() for path in Path(f"out/teams/{team}/stderr").iterdir())


def test_a_contest_from_its_folder_to_its_public_results(hand_in: Hand, tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text(PROGRAM)
    build = [PYTHON, "-c", f"import shutil; shutil.copy({str(source)!r}, 'made.py')"]
    hand_in("ann", run=f"{PYTHON} made.py", build=build)
    hand_in("bob", bot=CLASS)
    hand_in("cy", run="./no_program")
    hand_in("dee", run=f"{PYTHON} bot.py", build=[PYTHON, "-c", "raise SystemExit('SECRET')"])
    hand_in("eve", run=[PYTHON, "-c", "print('SECRET')"])
    hand_in("fay", one=CLASS, other=CLASS)

    played = call("match", "contest.yaml", "--workers", "1", "--out", "out")
    assert played.exit_code == ABSENT, played.output
    absent = json.loads(Path("out/result.json").read_text())["spec"]["absent"]
    assert absent == {
        "cy": "there is no program './no_program' in its folder",
        "dee": "its build failed with exit code 1",
        "eve": "its program does not start as it should (garbage)",
        "fay": "it has 2 Python files, and none of them is bot.py",
    }
    # The author of a team gets what its build and its program wrote.
    assert "SECRET" in Path("out/teams/dee/absent.txt").read_text()
    assert "SECRET" in Path("out/teams/eve/absent.txt").read_text()
    assert len(_remarks("ann")) == 2
    assert "I think of a bluff\n" in _remarks("ann")[0]
    assert _remarks("bob") == ["My seat is 0\n", "My seat is 1\n"]
    assert len(list(Path("out/teams/bob/games").iterdir())) == 2
    # Everybody gets the names of teams, and nothing else of them.
    public = [path.read_text() for path in Path("out/public").rglob("*") if path.is_file()]
    assert not [
        text for text in public if "SECRET" in text or "made.py" in text or "My seat" in text
    ]
    assert not [text for text in public if str(tmp_path) in text]
    assert "ann" in Path("out/public/report.md").read_text()
    # The public folder is enough, without teams and contest.
    shutil.move("out/public", "elsewhere")
    for path in ("out", "teams", "home"):
        shutil.rmtree(path)
    verified = call("match", "verify", "elsewhere")
    assert verified.exit_code == 0, verified.output


def test_a_match_of_teams_is_continued_with_the_same_files_only(hand_in: Hand) -> None:
    hand_in("ann", bot=CLASS)
    bob = hand_in("bob", bot=CLASS)
    words = ("match", "contest.yaml", "--workers", "1", "--out", "out", "--pages", "none")
    assert call(*words).exit_code == 0
    assert call(*words).exit_code == 0
    (bob / "bot.py").write_text(f"{CLASS}\n# better\n")
    changed = call(*words)
    assert changed.exit_code == UNPLAYED
    assert "bob" in changed.output


def test_a_fault_is_written_for_its_team(hand_in: Hand) -> None:
    hand_in("ann", bot=CLASS)
    # Before the first game a bot is asked at the first seat only.
    hand_in("bob", bot=CLASS.replace("observation.legal()[-1]", "99 * observation.seat"))
    assert call("match", "contest.yaml", "--workers", "1", "--out", "out").exit_code == 0
    faults = [json.loads(path.read_text()) for path in Path("out/teams/bob/faults").iterdir()]
    assert {fault["bot"] for fault in faults} == {"team:bob"}
    assert not list(Path("out/teams/ann/faults").iterdir())


@pytest.mark.parametrize(
    ("bots", "problem"),
    [
        ("{folder: nowhere}", "there is no folder"),
        ("{folder: empty}", "it has no team"),
        ("[rule, {use: 'team:ann'}]", "teams come from a folder"),
        ("[{team: nowhere}, random]", "there is no folder"),
        ("[{team: teams/ann}]", "at least two bots"),
    ],
)
def test_a_wrong_folder_of_teams_is_a_mistake_in_the_file(
    hand_in: Hand, bots: str, problem: str
) -> None:
    hand_in("ann", bot=CLASS)
    Path("empty").mkdir()
    Path("contest.yaml").write_text(f"bots: {bots}\ngames: [kuhn]\n")
    refused = call("match", "contest.yaml")
    assert refused.exit_code == UNPLAYED
    assert problem in refused.output


def test_teams_and_other_bots_have_different_names(hand_in: Hand) -> None:
    hand_in("random", bot=CLASS)
    hand_in("a team", bot=CLASS)
    Path("contest.yaml").write_text(CONTEST.replace("{folder: teams}", "[random, {folder: teams}]"))
    assert call("match", "contest.yaml", "--workers", "1", "--out", "out").exit_code == 0
    spec = json.loads(Path("out/result.json").read_text())["spec"]
    uses = {bot["id"]: bot["use"] for bot in spec["bots"]}
    assert uses == {"random": "random", "a-team": "team:a-team", "random-2": "team:random-2"}


def test_a_build_runs_once_for_the_same_files(hand_in: Hand, tmp_path: Path) -> None:
    log = tmp_path / "log"
    build = [PYTHON, "-c", f"open({str(log)!r}, 'a').write('built\\n')"]
    folder = hand_in("ann", run=[PYTHON, "bot.py"], build=build, bot=PROGRAM)
    builder, team = Builder(None, 5.0), Team(folder, 60.0)
    first = builder.built(team)
    assert builder.built(team) == first
    assert log.read_text() == "built\n"
    (folder / "bot.py").write_text(PROGRAM + "\n")
    assert builder.built(team).sha256 != first.sha256
    assert log.read_text() == "built\nbuilt\n"


def test_a_build_that_never_ends_is_given_up(hand_in: Hand) -> None:
    folder = hand_in("ann", run="./bot", build=[PYTHON, "-c", "while True: print('still here')"])
    with pytest.raises(TeamError, match=r"its build took longer than 0\.5 seconds"):
        Builder(None, 5.0).built(Team(folder, 0.5))
    builder = Builder(None, 5.0)
    builder.stop.set()
    with pytest.raises(TeamError, match="its build took longer"):
        builder.built(Team(folder, 3600.0))


@pytest.mark.parametrize(
    ("commands", "problem"),
    [
        ("[]", "cannot be read"),
        ('{"run": 3}', "cannot be read"),
        ('{"run": "a \'b"}', "a command cannot be read"),
        ('{"run": ""}', "it has no command `run`"),
        ('{"run": "no-such-program-at-all"}', "in this machine"),
        ('{"run": "./bot", "build": "./no_compiler"}', "its build failed with exit code"),
    ],
)
def test_wrong_commands_have_a_reason(hand_in: Hand, commands: str, problem: str) -> None:
    folder = hand_in("ann")
    (folder / "commands.json").write_text(commands)
    with pytest.raises(TeamError, match=problem):
        Builder(None, 5.0).built(Team(folder, 60.0))


def test_only_plain_files_and_links_belong_to_a_team(
    hand_in: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = hand_in("ann", bot=CLASS)
    (folder / "part").mkdir()
    (folder / "link").symlink_to("/etc/passwd")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("")
    files = files_in(folder)
    assert sorted(files) == ["bot.py", "link"]
    copy_files(files, tmp_path / "copy")
    assert (tmp_path / "copy" / "link").is_symlink()
    before = files_digest(files)
    (folder / "bot.py").chmod(0o755)
    assert files_digest(files) != before
    monkeypatch.setattr(team_files, "MOST_FILES", 1)
    with pytest.raises(BotError, match="more than 1 files"):
        files_in(folder)
    monkeypatch.undo()
    os.mkfifo(folder / "pipe")
    with pytest.raises(BotError, match="pipe is no plain file"):
        files_in(folder)


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bwrap")
def test_in_the_sandbox_a_build_sees_its_own_folder_only(hand_in: Hand, tmp_path: Path) -> None:
    other = hand_in("bob", bot=CLASS)
    look = (
        "import pathlib, sys; pathlib.Path('seen').write_text(str([pathlib.Path(p).exists() "
        f"for p in ({str(other)!r}, {str(tmp_path / 'contest.yaml')!r}, 'bot.py')]))"
    )
    folder = hand_in(
        "ann", run=[PYTHON, "bot.py", str(other / "bot.py")], build=[PYTHON, "-c", look], bot=CLASS
    )
    team = Builder(Sandbox((tmp_path / "contest.yaml",)), 5.0).built(Team(folder, 60.0))
    place = team.program.partition("folder=")[2].partition(" ")[0]
    assert Path(place, "seen").read_text() == "[False, False, True]"


def test_a_team_checks_itself_as_in_the_contest(hand_in: Hand) -> None:
    hand_in("ann", run=[PYTHON, "bot.py"], bot=PROGRAM)
    hand_in("bob", bot="import no_such_library\n" + CLASS)
    hand_in("cy", run="./bot", build=[PYTHON, "-c", "raise SystemExit('mistake')"])
    check = ("bot", "check", "--match", "contest.yaml", "--positions", "3", "--json")
    good = call(*check, "teams/ann")
    assert good.exit_code == 0, good.output
    assert json.loads(good.output)["games"][0]["game"] == "kuhn"
    # The folder of teams need not be there.
    Path("contest.yaml").write_text(CONTEST.replace("teams", "nowhere"))
    bad = call(*check, "teams/bob")
    assert bad.exit_code == FAULT
    assert "no_such_library" in json.loads(bad.output)["games"][0]["problems"][0]
    absent = json.loads(call(*check, "teams/cy").output)
    assert absent["absent"] == "its build failed with exit code 1"
    assert "mistake" in absent["details"]
    in_words = call("bot", "check", "--match", "contest.yaml", "teams/cy")
    assert in_words.exit_code == FAULT
    assert "It would be absent: its build failed with exit code 1." in in_words.output
