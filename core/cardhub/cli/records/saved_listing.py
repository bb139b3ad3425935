"""Lists of saved games, and the numbers by which commands take them."""

from collections.abc import Iterable
from pathlib import Path
from shutil import get_terminal_size
from time import time
from typing import Any

import click

from cardhub.base.errors import RecordError
from cardhub.base.errors.quoting import printable
from cardhub.cli.console import echo
from cardhub.cli.output import print_json
from cardhub.cli.params import ParsedType, parse_file
from cardhub.cli.root import registry_of, warn
from cardhub.play.host.saved.saved_list import (
    SavedGame,
    SavedLine,
    describe_saved,
    list_saved,
    numbered,
)
from cardhub.play.host.saved.saves import home, saved_games
from cardhub.play.seeds import is_drawn
from cardhub.view.text.glyphs import cells, clip, pad

# Games in a list that are replayed for their chapter and turn; a replay takes milliseconds.
MOST_REPLAYED = 30
# Cells that the title of a game keeps in a narrow list.
NARROWEST_TITLE = 16
NARROWEST_STATE = 20


def _by_number(text: str, *, finished: bool | None, listing: str) -> Path:
    # A number is taken as one of the list even if a file has that name; `./2` is the file.
    if not (text.isascii() and text.isdecimal()):
        return parse_file(text)
    if saved := numbered(list_saved(finished=finished), int(text)):
        return saved.path
    raise ValueError(f"there is no saved game number {text}; `{listing}` lists them")


def print_saved(entries: Iterable[SavedGame | RecordError], *, as_json: bool, none: str) -> None:
    """Print saved games, one per line, or as JSON; warn of unreadable records.

    `none` is printed on stderr if the list is empty.
    """
    listed = list(entries)
    games = [entry for entry in listed if isinstance(entry, SavedGame)]
    registry, now = registry_of(click.get_current_context()), time()
    lines = [
        describe_saved(registry, saved, now, replays=number < MOST_REPLAYED)
        for number, saved in enumerate(games)
    ]
    if as_json:
        # A list without games is JSON too: scripts read `[]`.
        print_json([_facts(saved, line) for saved, line in zip(games, lines, strict=True)])
    elif games:
        _print_lines(games, lines)
        echo(f"Saved in {home() / 'games'}", err=True)
    else:
        echo(none, err=True)
    warn(*(str(entry) for entry in listed if isinstance(entry, RecordError)))
    warn(*(line.error for line in lines if line.error))


def _print_lines(games: list[SavedGame], lines: list[SavedLine]) -> None:
    rows = [
        [
            str(saved.number),
            line.title,
            " · ".join(filter(None, (line.state, line.players))),
            line.age,
        ]
        for saved, line in zip(games, lines, strict=True)
    ]
    # Escaped before the widths are measured: `\x1b` takes four cells.
    table = [[printable(cell) for cell in row] for row in rows]
    widths = [max(cells(row[column]) for row in table) for column in range(len(table[0]))]
    columns = get_terminal_size().columns
    # The title is cut first: a chapter can be long, and the next columns distinguish the games.
    for column, least in ((1, NARROWEST_TITLE), (2, NARROWEST_STATE)):
        spare = columns - sum(widths) - 2 * (len(widths) - 1)
        widths[column] = min(max(widths[column] + min(spare, 0), least), widths[column])
    for number, *texts in table:
        pairs = zip(texts, widths[1:], strict=True)
        texts = [pad(clip(text, width, "…"), width) for text, width in pairs]
        row = "  ".join([number.rjust(widths[0]), *texts]).rstrip()
        echo(clip(row, columns, "…"))


def _facts(saved: SavedGame, line: SavedLine) -> dict[str, Any]:
    seed = saved.seed
    return {
        "number": saved.number,
        "game": saved.game,
        "players": [player.name for player in saved.players],
        "seed": None if seed is None or is_drawn(seed) else seed,  # a drawn seed reveals the deal
        "chapter": line.chapter,
        "turn": "" if saved.is_finished else line.state,
        "actions": saved.actions,
        "hints": saved.hints,
        "undos": saved.undos,
        "scores": list(saved.scores),
        "places": list(saved.places),
        "changed": saved.time,
        "file": str(saved.path),
    }


def _numbers(_ctx: click.Context, _incomplete: str) -> list[str]:
    return list(map(str, saved_games()))


# A saved game: its number in a list, or the path of any record; shells complete saved games.
UNFINISHED = ParsedType(
    "file",
    lambda text: _by_number(text, finished=False, listing="cardhub resume --list"),
    _numbers,
    has_files=True,
)
SAVED = ParsedType(
    "file",
    lambda text: _by_number(text, finished=None, listing="cardhub replay"),
    _numbers,
    has_files=True,
)
