"""The kits of `cardhub new --bot`: a program that plays legal actions, its build and its check."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

from cardhub.base.errors import AuthoringError
from cardhub.cli.console import echo
from cardhub.cli.new_folder import filled_template, write_folder
from cardhub.cli.params import shell_path


class Kit(NamedTuple):
    """The starter kit of a language."""

    title: str
    sources: tuple[str, ...]
    """The files of the program; the author's idea goes into the first."""
    build: str
    """The command that builds the program, or checks its syntax; run in the folder of the kit."""
    run: str
    json: str
    """A sentence on how the program reads JSON."""
    ignored: str
    """What the build or a package manager writes, as a pattern of git."""


KITS = {
    "python": Kit(
        title="Python",
        sources=("bot.py",),
        build="python3 -m py_compile bot.py",
        run="python3 bot.py",
        json="It reads JSON with Python's module `json`.",
        ignored="__pycache__/",
    ),
    "node": Kit(
        title="JavaScript, for Node",
        sources=("bot.js",),
        build="node --check bot.js",
        run="node bot.js",
        json="It reads JSON with `JSON.parse`, which rounds numbers above 2^53.",
        ignored="node_modules/",
    ),
    "java": Kit(
        title="Java (17 or newer)",
        sources=("Bot.java", "Json.java"),
        build="javac -d build Bot.java Json.java",
        run="java -cp build Bot",
        json="It reads JSON with the small reader in `Json.java`, because Java has none.",
        ignored="/build/",
    ),
    "cpp": Kit(
        title="C++ (17 or newer)",
        sources=("bot.cpp", "json.hpp"),
        build="g++ -std=c++17 -O2 -Wall -o bot bot.cpp",
        run="./bot",
        json="It reads JSON with the small reader in `json.hpp`, because C++ has none.",
        ignored="/bot",
    ),
    "rust": Kit(
        title="Rust",
        sources=("src/main.rs", "src/json.rs", "Cargo.toml"),
        build="cargo build --release",
        run="target/release/bot",
        json="It reads JSON with the small reader in `src/json.rs`; the build downloads no crates.",
        ignored="/target/",
    ),
    "go": Kit(
        title="Go",
        sources=("bot.go", "go.mod"),
        build="go build -o bot",
        run="./bot",
        json="It reads JSON with `encoding/json`, field by field of the type `Message`.",
        ignored="/bot",
    ),
}
# Files of every kit, with their templates.
SHARED = {
    "README.md": "readme.md.tmpl",
    "commands.json": "commands.json.tmpl",
    ".gitignore": "gitignore.tmpl",
    ".github/workflows/check.yml": "workflow.yml.tmpl",
}

# The name stands in strings of six languages, and names a folder.
_VALID_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,49}")


def check_bot_name(name: str) -> None:
    """Raise AuthoringError if a bot cannot have this name."""
    if not _VALID_NAME.fullmatch(name):
        raise AuthoringError(
            f"invalid bot name {name!r}: use letters, digits, _ and -, begin with a letter, "
            "at most 50 characters."
        )


def write_kit(name: str, parent: Path, language: str) -> Path:
    """Write the kit of a bot in a language into a new folder, and return the folder.

    Raises AuthoringError; existing files are never overwritten.
    """
    kit, folder = KITS[language], parent / name
    words = {**kit._asdict(), "name": name, "source": kit.sources[0]}
    templates = {source: f"{language}/{source}.tmpl" for source in kit.sources} | SHARED
    texts = {
        path: filled_template("cardhub.cli.bot", template, words)
        for path, template in templates.items()
    }
    write_folder(folder, texts)
    return folder


def print_commands(folder: Path, language: str) -> None:
    """Print the place for the author's idea, and the commands that build, check and play a bot."""
    kit = KITS[language]
    bot = shlex.quote(f"cmd:{kit.run}")
    echo(f"Your idea goes into {folder / kit.sources[0]}.")
    steps = (f"cd {shell_path(folder)}", kit.build, f"cardhub bot check {bot}")
    echo("\n  ".join(["\nNext:", *steps]))
