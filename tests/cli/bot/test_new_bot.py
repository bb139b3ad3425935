"""`cardhub new --bot`: kits in six languages, which are built, checked and play whole games."""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from click.testing import Result
from tests.kit.programs import find_node, play_equal_bots

from cardhub.base.errors import AuthoringError
from cardhub.cli.bot.new_bot import KITS, SHARED, write_kit
from cardhub.plugins.registry import PluginRegistry, find_plugins
from cardhub.testing import check_spec

Run = Callable[..., Result]
GAMES = ("kuhn", "gamon", "hearts")
# JSON as cardhub never writes it, but may: escapes, white space, numbers that no double holds.
LINES = r"""
{ "type" : "\u0068ello", "protocol": 1, "cardhub": "\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00" }
{"type":"game","game":"any","seat":0,"seed":4294967295,"options":{},"more":[[],{},null,true,false]}
{"\u0074ype":"turn","news":[],"table":{"values":{"bits":-123456789012345678901234567890}},"legal":[
"""
LEGAL = [{"action": number, "notation": f"lay {number}"} for number in (17, 18, 19, 20)]
TURNS = 20


@pytest.fixture(scope="module", autouse=True)
def node_on_the_path() -> Iterator[None]:
    """Let the command `node` start Node.js, also where only the package for tests has it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", os.pathsep.join([os.environ["PATH"], str(Path(find_node()).parent)]))
        yield


@pytest.fixture(scope="module")
def registry() -> Iterator[PluginRegistry]:
    registry = find_plugins()
    yield registry
    registry.close()


@pytest.fixture(scope="module", params=KITS)
def language(request: pytest.FixtureRequest) -> str:
    """Return a language whose compiler exists."""
    language: str = request.param
    compiler = shlex.split(KITS[language].build)[0]
    if shutil.which(compiler) is None:
        pytest.skip(f"{KITS[language].title} needs {compiler}")
    return language


@pytest.fixture(scope="module")
def built(language: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a kit, built by its command."""
    folder = write_kit("my-bot", tmp_path_factory.mktemp(language), language)
    command = shlex.split(KITS[language].build)
    build = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert build.returncode == 0, build.stderr
    assert "warning" not in build.stderr
    return folder


@pytest.fixture
def spec(language: str, built: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the spec of a built bot, as its page has it for its folder."""
    monkeypatch.chdir(built)
    return f"cmd:{KITS[language].run}"


@pytest.mark.parametrize("game", GAMES)
def test_a_kit_plays_a_whole_game(game: str, spec: str, registry: PluginRegistry) -> None:
    referee = play_equal_bots(registry, game, spec, seed=4)
    assert min(referee.places()) == 1


def test_nothing_is_wrong_with_a_kit(spec: str, registry: PluginRegistry) -> None:
    report = check_spec(registry, spec, "kuhn", positions=20, seed=2)
    assert report.findings == ()
    assert report.positions == 20


def test_a_kit_reads_any_json_and_repeats_its_choices_with_the_same_seed(
    language: str, built: Path
) -> None:
    hello, game, turn = LINES.strip().splitlines()
    turn += ", ".join(map(json.dumps, LEGAL)) + " ]}"
    program = shlex.split(KITS[language].run)
    program[0] = shutil.which(program[0]) or str(built / program[0])
    lines = [hello, *2 * [game, *TURNS * [turn], '{"type": "over"}']]
    text = "\n".join([*lines, ""])
    output = subprocess.run(
        program, input=text, cwd=built, capture_output=True, text=True, check=True
    ).stdout
    greeting, *answers = map(json.loads, output.splitlines())
    assert greeting == {"name": "my-bot", "protocol": 1}
    assert answers[:TURNS] == answers[TURNS:]
    assert {answer["action"] for answer in answers} == {17, 18, 19, 20}


@pytest.mark.parametrize("language", KITS)
def test_a_kit_has_a_page_and_a_workflow_with_its_commands(language: str, tmp_path: Path) -> None:
    kit, folder = KITS[language], write_kit("my_bot", tmp_path, language)
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert names == {*kit.sources, *SHARED}
    texts = {name: (folder / name).read_text("utf-8") for name in names}
    assert "YOUR IDEA GOES HERE" in texts[kit.sources[0]]
    assert f"cardhub bot check 'cmd:{kit.run}'" in texts["README.md"]
    steps = yaml.safe_load(texts[".github/workflows/check.yml"])["jobs"]["check"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    assert commands == [
        'pip install "$CARDHUB"',
        kit.build,
        f"cardhub bot check 'cmd:{kit.run}'",
    ]
    unfilled = re.compile(r"\$(?!CARDHUB)|\.tmpl|TODO")
    assert [name for name, text in texts.items() if unfilled.search(text)] == []


def test_every_template_is_used() -> None:
    folder = Path(str(files("cardhub.cli.bot"))) / "templates"
    templates = {path.relative_to(folder).as_posix() for path in folder.rglob("*.tmpl")}
    sources = {f"{name}/{source}.tmpl" for name, kit in KITS.items() for source in kit.sources}
    assert templates == sources | {*SHARED.values()}


def test_the_command_prints_what_to_do_next(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("new", "--bot", "java", "kuhn")  # a bot may have the name of a game
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines() == [
        f"Your idea goes into {Path('kuhn', 'Bot.java')}.",
        "",
        "Next:",
        "  cd ./kuhn",
        "  javac -d build Bot.java Json.java",
        "  cardhub bot check 'cmd:java -cp build Bot'",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--bot", "go", "my bot"), "invalid bot name 'my bot': use letters, digits, _ and -"),
        (("--bot", "go", "there"), "there exists already, and files are not overwritten"),
        (("--bot", "cobol", "mine"), "'cobol' is not one of 'python', 'node', 'java', 'cpp'"),
        (("--bot", "go", "--from", "kuhn", "mine"), "--from is for games: leave it out, or --bot."),
    ],
)
def test_invalid_names_and_options_are_refused_and_no_file_is_written(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    message: str,
) -> None:
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path)
    done = run("new", *words)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())
    assert [path.name for path in tmp_path.rglob("*")] == ["there"]


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AuthoringError, match="cannot be written: No such file or directory"):
        write_kit("my_bot", tmp_path / "nowhere", "python")
