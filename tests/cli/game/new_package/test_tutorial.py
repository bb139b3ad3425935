"""The tutorial works as written: its files and commands, in order."""

import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path
from typing import NamedTuple

from tests.cli.game.new_package.conftest import WARM, Run
from tests.kit.paths import ROOT

from cardhub.cli.game.new_package import write_package

PAGE = ROOT / "docs" / "write-a-game.md"
EXAMPLE = ROOT / "examples" / "kuhn"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
# The first words of the piece that is put above the game.
DISPLAY = "class KuhnDisplay("
# The file of a block by its language; the first line of a block may repeat the name.
FILES = {"yaml": "kuhn/cards.yaml", "markdown": "kuhn/rules.md", "py": "tests/test_kuhn.py"}


class Block(NamedTuple):
    """A block of the page."""

    language: str
    text: str


def blocks() -> list[Block]:
    """Return all blocks with a language."""
    return [Block(*groups) for groups in BLOCK.findall(PAGE.read_text("utf-8"))]


def content(block: Block) -> str:
    """Return the content of the file, without the line with its name."""
    first, _, rest = block.text.partition("\n")
    return rest if first.removeprefix("# ").endswith((".yaml", ".py")) else block.text


def extended(game: str, block: Block) -> str:
    """Return the module with a further piece, or with the lines that a diff adds.

    The display, which the game names, is put above the game; there are as many blank lines as is
    usual.
    """
    if block.language == "python" and block.text.startswith(DISPLAY):
        above, below = game.split("class Kuhn(", 1)
        return f"{above}{block.text}\n\nclass Kuhn({below}"
    if block.language == "python":
        is_part = block.text.startswith(" ")
        blank = 1 if is_part else 2 if block.text.startswith(("class", "def")) else 0
        return game + "\n" * blank * bool(game) + block.text
    if lines_of_diff(block, "+"):
        before, after = "".join(lines_of_diff(block, " -")), "".join(lines_of_diff(block, " +"))
        assert game.count(before) == 1
        return game.replace(before, after)
    return game


def lines_of_diff(block: Block, signs: str) -> list[str]:
    """Return the lines of a diff that begin with one of the signs; none of another block."""
    lines = block.text.splitlines(keepends=True) if block.language == "diff" else []
    return [line[1:] for line in lines if line[0] in signs]


def test_the_pieces_put_together_are_the_example() -> None:
    """The final files of the tutorial equal the files of the example."""
    game = ""
    for block in blocks():
        game = extended(game, block)
    assert game == (EXAMPLE / "kuhn" / "game.py").read_text("utf-8")
    (cards,) = (block for block in blocks() if block.language == "yaml")
    assert content(cards) == (EXAMPLE / "kuhn" / "cards.yaml").read_text("utf-8")
    (rules,) = (block for block in blocks() if block.language == "markdown")
    assert rules.text == (EXAMPLE / "kuhn" / "rules.md").read_text("utf-8")


class Reader:
    """A reader in an empty folder, without another installed Kuhn poker."""

    def __init__(self, folder: Path, run: Run) -> None:
        self.folder, self._run = folder, run
        self.package = folder / "kuhn"
        self.game = ""
        self.is_spoilt = False
        write_package("kuhn", folder)
        self.live = folder / "site" / "kuhn"
        """The package as installed: its files are kept as those of an editable install are."""
        shutil.copytree(self.package / "kuhn", self.live)
        self._declare()

    def _declare(self) -> None:
        """Write what `pip install`, which another test runs, writes about a package."""
        project = tomllib.loads((self.package / "pyproject.toml").read_text("utf-8"))["project"]
        (games,) = project["entry-points"].values()
        info = self.folder / "site" / "cardhub_kuhn.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        )
        (info / "entry_points.txt").write_text(
            "[cardhub.games]\n" + "".join(f"{name} = {of}\n" for name, of in games.items())
        )

    def read(self, block: Block) -> None:
        """Write a block's lines; lines that a diff only removes return after the next block."""
        game = self.game = extended(self.game, block)
        spoilt = [] if lines_of_diff(block, "+") else lines_of_diff(block, "-")
        for line in spoilt:
            assert game.count(line) == 1
            game = game.replace(line, "")
        if game and (block.language != "console" or not self.is_spoilt):
            (self.package / "kuhn" / "game.py").write_text(game, "utf-8")
        self.is_spoilt = bool(spoilt)
        if block.language in FILES:
            (self.package / FILES[block.language]).write_text(content(block), "utf-8")

    def run(self, command: str) -> str:
        """Return the output of a command."""
        for path in (self.package / "kuhn").iterdir():
            if path.is_file():
                (self.live / path.name).write_bytes(path.read_bytes())
        program, *words = shlex.split(command)
        if program in WARM:
            quiet = ("-p", "no:cacheprovider") if program == "pytest" else ()
            done = self._run(self.folder, program, *words, *quiet)
        else:
            done = subprocess.run(
                [program, *words], cwd=self.folder, capture_output=True, text=True, check=True
            )
        return done.stdout + done.stderr


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Yield the commands of a block with the expected output."""
    if block.language == "console":
        yield from COMMAND.findall(block.text)


def test_the_reader_sees_at_each_step_what_is_shown(tmp_path: Path, run_here: Run) -> None:
    """From `cardhub new` on: the files of the page, and between them its commands."""
    reader, seen = Reader(tmp_path, run_here), 0
    for block in blocks():
        reader.read(block)
        for command, shown in commands(block):
            printed = reader.run(command).replace(str(tmp_path), "")
            fits = OutputChecker().check_output(
                shown.replace("...\n", "..."), printed, ELLIPSIS | NORMALIZE_WHITESPACE
            )
            assert fits, f"$ {command} prints\n{printed}"
            seen += 1
    assert seen > 10
