"""The tutorial works as written: its files and commands, in order."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path
from typing import NamedTuple

from tests.cli.game.new_package.conftest import install, run_in
from tests.kit.paths import ROOT

from cardhub.cli.game.new_package import write_package

PAGE = ROOT / "docs" / "write-a-game.md"
EXAMPLE = ROOT / "examples" / "kuhn"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
MODULES = ("cardhub", "pytest")
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


def joined(pieces: list[str]) -> str:
    """Return the pieces of a module put together, with as many blank lines as is usual."""
    text = ""
    for piece in pieces:
        blank = 1 if piece.startswith(" ") else 2 if piece.startswith(("class", "def")) else 0
        text += "\n" * blank * bool(text) + piece
    return text


def test_the_pieces_put_together_are_the_example() -> None:
    """The final files of the tutorial equal the files of the example."""
    pieces = [block.text for block in blocks() if block.language == "python"]
    assert joined(pieces) == (EXAMPLE / "kuhn" / "game.py").read_text("utf-8")
    (cards,) = (block for block in blocks() if block.language == "yaml")
    assert content(cards) == (EXAMPLE / "kuhn" / "cards.yaml").read_text("utf-8")
    (rules,) = (block for block in blocks() if block.language == "markdown")
    assert rules.text == (EXAMPLE / "kuhn" / "rules.md").read_text("utf-8")


class Reader:
    """A reader in an empty folder, without another installed Kuhn poker."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "kuhn"
        self.pieces: list[str] = []
        self.is_spoilt = False
        write_package("kuhn", folder)
        install(folder, "kuhn")
        self.live = folder / "site" / "kuhn"
        """The package as installed: its files are kept as those of an editable install are."""

    def read(self, block: Block) -> None:
        """Write a block's lines to its file; lines that a diff removes return after the next."""
        if block.language == "python":
            self.pieces.append(block.text)
        game = joined(self.pieces)
        for line in block.text.splitlines() if block.language == "diff" else ():
            assert game.count(f"{line[1:]}\n") == 1
            game = game.replace(f"{line[1:]}\n", "")
        if game and (block.language != "console" or not self.is_spoilt):
            (self.package / "kuhn" / "game.py").write_text(game, "utf-8")
        self.is_spoilt = block.language == "diff"
        if block.language in FILES:
            (self.package / FILES[block.language]).write_text(content(block), "utf-8")

    def run(self, command: str) -> str:
        """Return the output of a command."""
        for path in (self.package / "kuhn").iterdir():
            if path.is_file():
                (self.live / path.name).write_bytes(path.read_bytes())
        program, *words = shlex.split(command)
        if program in MODULES:
            quiet = ("-p", "no:cacheprovider") if program == "pytest" else ()
            done = run_in(self.folder, program, *words, *quiet)
        else:
            done = subprocess.run(
                [program, *words], cwd=self.folder, capture_output=True, text=True, check=True
            )
        return done.stdout + done.stderr


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Yield the commands of a block with the expected output."""
    if block.language == "console":
        yield from COMMAND.findall(block.text)


def test_the_reader_sees_at_each_step_what_is_shown(tmp_path: Path) -> None:
    """From `cardhub new` on: the files of the page, and between them its commands."""
    reader, seen = Reader(tmp_path), 0
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
