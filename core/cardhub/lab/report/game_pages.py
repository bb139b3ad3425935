"""Pages of single games in a report: `games/ID.html`, and the list of written pages."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from cardhub.base.errors import CardhubError, MatchError
from cardhub.base.files import LimitError, read_within
from cardhub.lab.match.log.game_page import PAGES, game_page, page_path
from cardhub.lab.match.log.log_reader import explained
from cardhub.lab.match.log.log_writer import replace_file
from cardhub.lab.match.log.transcript import record_text
from cardhub.lab.match.match_spec import Match, digest
from cardhub.lab.match.provenance import game_versions
from cardhub.lab.match.task import GameResult
from cardhub.play.pages.building_data import ReplayMark
from cardhub.play.pages.replay_page import page_version
from cardhub.plugins.registry import PluginRegistry

# The list of pages in the folder of the pages.
LIST = "pages.json"
REPORT = "../report.html"
# In a log that was edited by hand, an id could be the path of a file in another folder.
SAFE_ID = re.compile(r"[\w-]+")
# Maximum size of a list in bytes, and of a page.
MOST_LIST, MOST_BYTES = 10_000_000, 100_000_000

Marks = Mapping[str, Sequence[ReplayMark]]
# Called with the number of a page that is rendered next, from 1, and the number of all pages.
OnPage = Callable[[int, int], object]


class PageEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page in the list: the game's id, and SHA-256 digests of its inputs and its bytes.

    Both digests are empty while the page is being written.
    """

    game: str
    inputs: str = ""
    page: str = ""


class PageList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pages that a report wrote, and the requested maximum number of pages."""

    most: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0
    pages: tuple[PageEntry, ...] = ()

    @property
    def games(self) -> tuple[str, ...]:
        """The ids of the games."""
        return tuple(entry.game for entry in self.pages)


class PageRequest(NamedTuple):
    """The games of a match that get pages, with the marks on the pages."""

    match: Match
    registry: PluginRegistry
    games: Sequence[GameResult]
    marks: Marks


def page_list(folder: Path) -> PageList:
    """Return the list of pages in the folder of a match; an empty list if the file is not valid."""
    try:
        return msgspec.json.decode(read_within(list_path(folder), MOST_LIST), type=PageList)
    except (OSError, LimitError, msgspec.MsgspecError):
        return PageList()


def list_path(folder: Path) -> Path:
    """Return the path of the list of pages, given the folder of a match."""
    return folder / PAGES / LIST


def find_pages(
    request: PageRequest | None, listed: Mapping[str, PageEntry], on_page: OnPage | None = None
) -> Iterator[tuple[PageEntry, str | None]]:
    """Yield the entries of pages in the list, each with its page, or None if the file is kept.

    A page with the inputs of a known page is not rendered again.

    A game that cannot be replayed has no page. Without a request there are no pages.
    """
    if request is None:
        return
    # The versions of cardhub and of the game are digests of all sources.
    versions_of = cache(
        lambda contest: game_versions([request.match.contest(contest)], request.registry)
    )
    for number, result in enumerate(request.games, 1):
        if not SAFE_ID.fullmatch(result.id):
            continue
        with suppress(CardhubError):
            entry = PageEntry(result.id, _inputs(request, result, versions_of(result.contest)))
            before = listed.get(result.id)
            if before and before.inputs == entry.inputs:
                yield before, None
                continue
            if on_page:
                on_page(number, len(request.games))
            rules = request.registry.game(request.match.contest(result.contest).game)
            marks = request.marks.get(result.id, ())
            text = game_page(request.match, result, rules, marks=marks, back=REPORT)
            yield msgspec.structs.replace(entry, page=_digest(text.encode())), text


def write_pages(
    folder: Path, request: PageRequest | None, most: int, on_page: OnPage | None = None
) -> tuple[PageEntry, ...]:
    """Write the pages of games and return their entries; raises MatchError.

    A page whose inputs and bytes are as listed is not written again.
    """
    before = page_list(folder)
    games = request.games if request else ()
    if not games and not before.games:
        return ()
    with explained(list_path(folder)):
        list_path(folder).parent.mkdir(exist_ok=True)
    # Pages are listed before they are written, so after a crash the next report can remove them.
    listed = {entry.game: entry for entry in before.pages}
    ids = (game.id for game in games if SAFE_ID.fullmatch(game.id))
    planned = {game: PageEntry(game) for game in ids} | listed
    _write_list(folder, PageList(most, tuple(planned.values())))
    entries = []
    for entry, text in find_pages(request, _kept(folder, before), on_page):
        path = page_path(folder, entry.game)
        if text is not None and _file_digest(path) != entry.page:
            replace_file(path, text)
        entries.append(entry)
    return tuple(entries)


def remove_stale_pages(folder: Path, entries: Sequence[PageEntry], most: int) -> None:
    """Remove the pages of former reports that are not in `entries`; raises MatchError."""
    before, kept = page_list(folder), {entry.game for entry in entries}
    with explained(list_path(folder)):
        for game in before.games:
            if game not in kept and SAFE_ID.fullmatch(game):
                page_path(folder, game).unlink(missing_ok=True)
        if entries:
            _write_list(folder, PageList(most, tuple(entries)))
        elif before.games:
            list_path(folder).unlink()
            with suppress(OSError):  # the folder may contain other files
                list_path(folder).parent.rmdir()


def changed_pages(
    folder: Path, request: PageRequest | None, *, is_rendered: bool = False
) -> tuple[tuple[PageEntry, ...], list[Path]]:
    """Return the entries of a report's pages, and the files that differ; raises MatchError.

    A page whose inputs are as listed is compared with the digest in the list. If `is_rendered`, it
    is compared with a page that is rendered again.
    """
    listed = page_list(folder)
    known = {} if is_rendered else {entry.game: entry for entry in listed.pages}
    entries = tuple(entry for entry, _ in find_pages(request, known))
    paths = {page_path(folder, entry.game): entry.page for entry in entries}
    changed = [path for path, page in paths.items() if _file_digest(path) != page]
    # Versions of the code with different inputs may render the same page.
    pages = [(entry.game, entry.page) for entry in listed.pages]
    is_same_list = pages == [(entry.game, entry.page) for entry in entries]
    # No report writes a list without pages, so such a list is damaged.
    if list_path(folder).exists() and not (entries and is_same_list):
        changed.append(list_path(folder))
    return entries, changed


def _file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, empty without a file; raises MatchError."""
    try:
        return _digest(read_within(path, MOST_BYTES))
    except FileNotFoundError:
        return ""
    except LimitError:
        return "too long"
    except OSError as error:
        raise MatchError(f"{path}: {error.strerror}") from error


def _kept(folder: Path, listed: PageList) -> dict[str, PageEntry]:
    """Return the listed pages whose files are unchanged."""
    safe = (entry for entry in listed.pages if SAFE_ID.fullmatch(entry.game) and entry.page)
    unchanged = (
        entry for entry in safe if _file_digest(page_path(folder, entry.game)) == entry.page
    )
    return {entry.game: entry for entry in unchanged}


def _write_list(folder: Path, pages: PageList) -> None:
    replace_file(list_path(folder), msgspec.json.encode(pages).decode() + "\n")


def _inputs(request: PageRequest, result: GameResult, versions: dict[str, Any]) -> str:
    """Return the SHA-256 of all inputs of a page; raises CardhubError."""
    match, registry = request.match, request.registry
    record = record_text(match, result, registry.game(match.contest(result.contest).game))
    marks = request.marks.get(result.id, ())
    parts = (page_version(), match.name, record, result, marks, REPORT)
    return digest([versions, *map(msgspec.to_builtins, parts)])


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()
