"""The documentation is correct: its code runs, its commands answer, its links resolve."""

import importlib
import re
import shlex
import sys
from collections.abc import Iterator
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from tests.kit.paths import ROOT
from tests.kit.short_suites import shorten_suites

from cardhub.cli.main import cli

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
# Its commands belong between its files: tests/cli/game/new_package/test_tutorial.py runs it.
WALKED = ROOT / "docs" / "write-a-game.md"
# Needs the extra `learn`: tests/learning/learn/test_page.py runs it.
LEARNER = ROOT / "docs" / "train-a-learner.md"
# Needs the same extra: tests/learning/train/test_page.py runs it.
TRAINING = ROOT / "docs" / "training.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Parts that differ from run to run: times, versions, the folder of saved games, compiled games.
VARYING = (
    (r"\d{4}-\d\d-\d\dT\d\d-\d\d-\s*\d\d", "TIME"),
    (r"cardhub \d+\.\d+\.\d+", "cardhub VERSION"),
    (r"~/\.local/state/cardhub/", "home/"),
    (r"  compiled +games", "  interpreted  games"),
)
LINK = re.compile(r"\[[^]]*\]\((?!https?:)([^)#]+)[^)]*\)")


class Block(NamedTuple):
    """A block of code in a page; `line` is the number of its first line."""

    page: Path
    line: int
    code: str


class Command(NamedTuple):
    """A command of a console block, and the output shown after it."""

    line: int
    words: list[str]
    output: str


def blocks(page: Path, language: str) -> list[Block]:
    """Return a page's blocks in one language."""
    text = page.read_text("utf-8")
    matches = [match for match in BLOCK.finditer(text) if match[1] == language]
    return [Block(page, text.count("\n", 0, match.start(2)) + 1, match[2]) for match in matches]


def pages_with(language: str) -> list[Any]:
    """Return the pages that have blocks in a language, each as a parameter of a test."""
    pages = [
        page
        for page in PAGES
        if (page, language) != (WALKED, "console") and page not in (LEARNER, TRAINING)
    ]
    return [pytest.param(page, id=page.name) for page in pages if blocks(page, language)]


def commands(block: Block) -> Iterator[Command]:
    """Yield the commands of a console block that call cardhub, or look at a file it wrote."""
    for part in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.code, re.MULTILINE):
        line = block.line + block.code.count("\n", 0, part.start())
        words = shlex.split(part[1], comments=True)
        if words[0] in ("cardhub", "cat"):
            yield Command(line, words, part[2])


def output_of(command: Command) -> str:
    """Run a command in this process and return its output; it has to succeed."""
    program, *words = command.words
    if program == "cat":
        return Path(words[0]).read_text("utf-8")
    if words[0] == "match" and words[1].endswith(".yaml"):
        words += ["--pages", "none"]  # 40 take longer than most matches
    result = CliRunner().invoke(cli, words, prog_name=program)
    assert result.exit_code == 0, f"line {command.line}: {result.output}"
    return result.output


def check_output(page: Path, command: Command) -> None:
    """Run a command of a page, which has to succeed and to print what is shown."""
    shown = normalized(command.output.replace("...\n", "..."))
    printed = normalized(output_of(command))
    fits = OutputChecker().check_output(shown or "...", printed, ELLIPSIS | NORMALIZE_WHITESPACE)
    assert fits, f"{page.name}:{command.line} prints\n{printed}"


def normalized(output: str) -> str:
    """Return output without the parts that differ from run to run."""
    for pattern, same in VARYING:
        output = re.sub(pattern, same, output)
    return output


def write_files(page: Path, folder: Path) -> None:
    """Write the files that a page shows, each named by its first line."""
    for block in (*blocks(page, "yaml"), *blocks(page, "py")):
        name = block.code.partition("\n")[0].removeprefix("# ")
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(block.code, "utf-8")


@pytest.mark.parametrize("page", pages_with("python"))
def test_python_in_the_documentation_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The blocks of a page are one program, from its top to its end, next to its card file."""
    monkeypatch.chdir(tmp_path)
    write_files(page, tmp_path)
    program = ModuleType(page.stem.replace("-", "_"))
    program.__file__ = str(tmp_path / "game.py")
    monkeypatch.setitem(sys.modules, program.__name__, program)
    source = ""
    for block in blocks(
        page, "python"
    ):  # at its own line numbers; a class may go on in the next one
        source += "\n" * (block.line - 1 - source.count("\n")) + block.code
    before = set(vars(program))
    exec(compile(source, page, "exec"), vars(program))  # noqa: S102  # the pages are our own
    assert set(vars(program)) > before


@pytest.mark.parametrize("page", pages_with("console"))
def test_commands_in_the_documentation_succeed_as_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command exits with 0 and prints the output shown.

    Times, versions and the folder of saved games are made equal. Columns may be wider: more games
    are installed here than come with cardhub.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CARDHUB_HOME", "home")
    monkeypatch.setenv("COLUMNS", "80")
    shorten_suites(monkeypatch)
    write_files(page, tmp_path)
    for command in [c for block in blocks(page, "console") for c in commands(block)]:
        check_output(page, command)


def test_the_game_in_the_readme_is_the_example() -> None:
    example = (ROOT / "examples" / "kuhn" / "kuhn" / "game.py").read_text("utf-8").splitlines()
    (excerpt,) = blocks(ROOT / "README.md", "python")
    assert [line for line in excerpt.code.splitlines() if line not in example] == []


def test_the_documentation_has_code_and_commands() -> None:
    """The checks above would pass without a sample."""
    assert pages_with("python")
    assert any(list(commands(block)) for page in PAGES for block in blocks(page, "console"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_in_the_documentation_lead_somewhere(page: Path) -> None:
    """A link within the project names a file that is there."""
    links = LINK.findall(page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


# A module, or a name in one: `cardhub.play.seating`.
MODULE = re.compile(r"(?<![\w./`-])`?((?:cardhub|cardhub_\w+)(?:\.[A-Za-z_]\w*)+)`?")
# Groups of entry points, and a unit of systemd.
NO_MODULES = {"cardhub.games", "cardhub.plugins", "cardhub.service"}
PATH = re.compile(r"`((?:core|benchmarks|docs|tests/house)/[\w./-]+)`")


def thing_called(name: str) -> object:
    """Return the module, or the attribute of a module, that a dotted name stands for."""
    module, *attributes = name.split(".")
    thing: object = importlib.import_module(module)
    for attribute in attributes:
        module = f"{module}.{attribute}"
        if not hasattr(thing, attribute):
            importlib.import_module(module)
        thing = getattr(thing, attribute)
    return thing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_and_files_that_a_page_names_exist(page: Path) -> None:
    """Only CHANGELOG.md names former modules and files."""
    text = page.read_text("utf-8") if page.name != "CHANGELOG.md" else ""
    names = set(MODULE.findall(text)) - NO_MODULES
    missing = [name for name in PATH.findall(text) if not (ROOT / name).exists()]
    for name in sorted(names):
        try:
            thing_called(name)
        except (ImportError, AttributeError):
            missing.append(name)
    assert missing == []
