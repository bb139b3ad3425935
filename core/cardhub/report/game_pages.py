"""Pages of single games beside a report: `games/ID.html`, and the list of those it wrote."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from cardhub.browser.replay_data import ReplayMark
from cardhub.errors import CardhubError, MatchError
from cardhub.match.log.game_page import PAGES, game_page, page_path
from cardhub.match.log.log_reader import explained
from cardhub.match.log.log_writer import replace_file
from cardhub.match.match_spec import Match
from cardhub.match.task import GameResult
from cardhub.plugins.registry import PluginRegistry

# The list of pages in the folder of the pages.
LIST = "pages.json"
REPORT = "../report.html"
# Ids of a log that was edited by hand could name files in other folders.
SAFE_ID = re.compile(r"[\w-]+")

Marks = Mapping[str, Sequence[ReplayMark]]


class PageList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pages that a report wrote, by game id, and the maximum that was asked for."""

    most: int = 0
    games: tuple[str, ...] = ()


def page_list(folder: Path) -> PageList:
    """Return the list of pages in the folder of a match; an empty one if there is no valid list."""
    try:
        return msgspec.json.decode(list_path(folder).read_bytes(), type=PageList)
    except (OSError, msgspec.MsgspecError):
        return PageList()


def list_path(folder: Path) -> Path:
    """Return the path of the list of pages, given the folder of a match."""
    return folder / PAGES / LIST


def list_text(pages: PageList) -> str:
    """Encode a list of pages."""
    return msgspec.json.encode(pages).decode() + "\n"


def page_texts(
    match: Match, games: Iterable[GameResult], marks: Marks, registry: PluginRegistry
) -> Iterator[tuple[str, str]]:
    """Yield the ids of games with their pages; a game that cannot be replayed has none."""
    for result in games:
        if not SAFE_ID.fullmatch(result.id):
            continue
        rules = registry.game(match.contest(result.contest).game)
        with suppress(CardhubError):
            found = marks.get(result.id, ())
            yield result.id, game_page(match, result, rules, marks=found, back=REPORT)


def write_pages(folder: Path, texts: Mapping[str, str], most: int) -> None:
    """Write pages by game id; those that are the same already are left as they are.

    Raises MatchError.
    """
    before = page_list(folder)
    if not texts and not before.games:
        return
    with explained(list_path(folder)):
        list_path(folder).parent.mkdir(exist_ok=True)
    # Listed before they are written: after a crash the next report finds them, and may remove them.
    listed = dict.fromkeys((*before.games, *texts))
    replace_file(list_path(folder), list_text(PageList(most, tuple(listed))))
    for game, text in texts.items():
        path = page_path(folder, game)
        if not is_same(path, text):
            replace_file(path, text)


def remove_stale_pages(folder: Path, texts: Mapping[str, str], most: int) -> None:
    """Remove the pages that only former reports wrote; raises MatchError."""
    before = page_list(folder)
    with explained(list_path(folder)):
        for game in before.games:
            if game not in texts and SAFE_ID.fullmatch(game):
                page_path(folder, game).unlink(missing_ok=True)
        if texts:
            replace_file(list_path(folder), list_text(PageList(most, tuple(texts))))
        elif before.games:
            list_path(folder).unlink()
            with suppress(OSError):  # other pages, made by hand, are in it
                list_path(folder).parent.rmdir()


def is_same(path: Path, text: str) -> bool:
    """Return whether a file has exactly this text."""
    # Bytes, not text: universal newlines would hide a changed line end.
    try:
        return path.read_bytes() == text.encode()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise MatchError(f"{path}: {error.strerror}") from error
