"""A match from one line: `cardhub match gamon,garner rule ismcts:100`, and the file it writes."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, get_args

import click

from cardhub.base.errors import MatchError, MatchFileError, OptionError, PluginError
from cardhub.base.files import replace_text
from cardhub.base.yamlfile import yaml_text
from cardhub.bots.spec import parse_spec
from cardhub.cli.params import FIX, shell_path
from cardhub.cli.root import registry_of
from cardhub.lab.match.log.log_reader import GAMES
from cardhub.lab.match.match_spec import Match, Mode, Order, folder_of, identity_digest
from cardhub.lab.match.matchfile.reader import TAKEN, ReadOptions, parse_match, read_match
from cardhub.lab.match.matchfile.short_forms import MAX_NAME, derived_ids, name_of_match
from cardhub.plugins.registry import PluginRegistry

MATCH_FILE = "match.yaml"
SUFFIXES = (".yaml", ".yml")
FEWEST_BOTS = 2
BLOCKS = Order().blocks
SCHEDULES: tuple[str, ...] = get_args(Mode)
SEED = 0
# The position of a problem, which nobody can look up before the file is written.
_POSITION = re.compile(r"^the match:\d+:\d+: ")


def is_match_file(word: str) -> bool:
    """Return whether a word of the command line is a match file, and not a list of games."""
    return word.endswith(SUFFIXES) or Path(word).is_file()


class LineOptions(NamedTuple):
    """The options of the command line that describe a match of games and bots."""

    blocks: int | None = None
    seed: int | None = None
    less_luck: bool = False
    schedule: str | None = None


@dataclass(frozen=True, slots=True)
class MatchLine:
    """The games, bots and numbers of a match that was typed as one line.

    `blocks`, `seed` and `schedule` are None if the line has none; `less_luck`: it has
    `--less-luck`.
    """

    games: tuple[str, ...]
    bots: tuple[str, ...]
    blocks: int | None = None
    seed: int | None = None
    less_luck: bool = False
    schedule: str | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the bots, derived from their texts."""
        return tuple(derived_ids(self.bots, TAKEN))

    @property
    def name(self) -> str:
        """The name of the match: its games and bots, and what is not the default."""
        end = f"-seed-{self.seed}" if self.seed else ""
        end += "-less-luck" if self.less_luck else ""
        end += f"-{self.schedule.replace('_', '-')}" if self.schedule else ""
        return name_of_match(self.games, self.ids)[: MAX_NAME - len(end)] + end

    @property
    def command(self) -> str:
        """The line, with its numbers."""
        words = ["cardhub", "match", ",".join(self.games), *self.bots]
        numbers = ["--blocks", str(self.blocks or BLOCKS), "--seed", str(self.seed or SEED)]
        less_luck = ["--less-luck"] if self.less_luck else []
        schedule = ["--schedule", self.schedule] if self.schedule else []
        return shlex.join([*words, *numbers, *less_luck, *schedule])

    def content(self) -> dict[str, Any]:
        """Return the keys of the match file, with all values that the line leaves out."""
        blocks: dict[str, Any] = {"blocks": self.blocks or BLOCKS}
        return {
            "cardhub_match": 1,
            "name": self.name,
            "seed": self.seed or SEED,
            "games": list(self.games),
            "bots": [
                {"id": name, "use": bot} for name, bot in zip(self.ids, self.bots, strict=True)
            ],
            **({} if self.schedule else blocks),
            **({"variance": "aivat"} if self.less_luck else {}),
            **({"schedule": {"mode": self.schedule} | blocks} if self.schedule else {}),
        }

    def file_text(self, folder: Path | None) -> str:
        """Return the text of the match file; `folder`: where the results go, or None."""
        out = {} if folder is None else {"out": str(folder)}
        return f"# {self.command}\n{yaml_text(self.content() | out)}"


def read_line(ctx: click.Context, words: Sequence[str], options: LineOptions) -> MatchLine:
    """Return the match of the words `GAME[,GAME]... BOT BOT...`; raises UsageError."""
    registry = registry_of(ctx)
    games = _read_games(ctx, words[0], registry)
    bots = tuple(word.strip() for word in words[1:])
    if len(bots) < FEWEST_BOTS:
        raise click.UsageError(_missing_bots(words[0], games[0], bots, registry), ctx)
    for bot in dict.fromkeys(bots):
        for game in games:
            try:
                registry.settings_of(bot, game)
            except (PluginError, OptionError) as error:
                raise click.UsageError(str(error), ctx) from error
    return MatchLine(games, bots, *options)


def _missing_bots(word: str, game: str, bots: Sequence[str], registry: PluginRegistry) -> str:
    parts = bots[0].split(",") if bots else []
    if len(parts) > 1 and all(registry.has_bot(parse_spec(part).name, game) for part in parts):
        line = shlex.join([word, *parts])
        return f"bots are separated by spaces, not by commas. {FIX}cardhub match {line}"
    line = shlex.join([word, *(bots or [registry.default_bot(game)]), "random"])
    return (
        f"a match needs two bots. {FIX}cardhub match {line}; `cardhub bot list {game}` lists the "
        "bots"
    )


def _read_games(ctx: click.Context, word: str, registry: PluginRegistry) -> tuple[str, ...]:
    # The name of a game of a collection may contain commas.
    names = [word] if registry.is_game(word) else [name.strip() for name in word.split(",")]
    for name in names:
        if not registry.is_game(name):
            message = registry.unknown_game(name)
            if Path(word).is_dir():
                file = shell_path(Path(word) / MATCH_FILE)
                message = f"{word!r} is a folder. {FIX}cardhub match {file}"
            raise click.UsageError(message, ctx)
    return tuple(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match with the paths of its file and folder; `text` is to be written to the file."""

    match: Match
    file: Path
    folder: Path
    text: str = ""

    def write_file(self) -> None:
        """Write the file of a match that was typed as a line; raises MatchError."""
        if not self.text:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            replace_text(self.file, self.text)
        except OSError as error:
            raise MatchError(f"{self.file} cannot be written: {error.strerror}") from error


def plan_words(
    ctx: click.Context, words: Sequence[str], given: LineOptions, options: ReadOptions
) -> PlannedMatch:
    """Return the match of a file, or of games and bots; raises UsageError or MatchFileError."""
    if not is_match_file(words[0]):
        return plan_line(ctx, read_line(ctx, words, given), options)
    keys = {
        "--blocks": (given.blocks, "blocks: N"),
        "--seed": (given.seed, "seed: N"),
        "--less-luck": (given.less_luck or None, "variance: aivat"),
        "--schedule": (given.schedule, f"schedule: {{mode: {given.schedule}}}"),
    }
    for option, (value, key) in keys.items():
        if value is not None:
            raise click.UsageError(
                f"{option} is for games and bots on the command line. "
                f"{FIX}write {key} into {words[0]}",
                ctx,
            )
    return plan_file(ctx, words, options)


def plan_file(ctx: click.Context, words: Sequence[str], options: ReadOptions) -> PlannedMatch:
    """Return the match of a file; raises UsageError or MatchFileError."""
    file = Path(words[0])
    if len(words) > 1:
        extra = shlex.join(words[1:])
        raise click.UsageError(f"{str(file)!r} is a match file, so {extra!r} is not expected", ctx)
    if not file.exists():
        raise click.UsageError(f"there is no file {str(file)!r}", ctx)
    match = read_match(file, registry_of(ctx), options)
    return PlannedMatch(match, file, options.folder or match.default_folder)


def plan_line(ctx: click.Context, line: MatchLine, options: ReadOptions) -> PlannedMatch:
    """Return the match of a line, begun or not; raises UsageError or MatchFileError."""
    registry = registry_of(ctx)
    folder = options.folder or folder_of(line.name, None)
    file, text = folder / MATCH_FILE, line.file_text(options.folder)
    try:
        match = parse_match(line.content(), registry, replace(options, folder=folder))
    except MatchFileError as error:
        problems = "\n".join(_POSITION.sub("", problem) for problem in error.problems)
        raise click.UsageError(problems, ctx) from error
    if not file.exists():
        if (folder / GAMES).exists():
            raise click.UsageError(f"{folder} has another match. {FIX}--out FOLDER", ctx)
        return PlannedMatch(replace(match, file=file), file, folder, text)
    begun = read_match(file, registry, replace(options, folder=folder))
    if identity_digest(begun) != identity_digest(match):
        raise click.UsageError(
            f"{file} is another match. {FIX}cardhub match {shell_path(file)} to continue it, or "
            "--out FOLDER to play this line in another folder",
            ctx,
        )
    blocks = begun.order.blocks
    if line.blocks in (None, blocks):
        return PlannedMatch(begun, file, folder)
    if file.read_text("utf-8") != replace(line, blocks=blocks).file_text(options.folder):
        raise click.UsageError(f"{file} was edited. {FIX}change its number of blocks there", ctx)
    return PlannedMatch(replace(match, file=file), file, folder, text)
