"""Lessons of a terminal: one record for each game, by which a lesson goes on where it was left."""

from pathlib import Path

from cardhub.base.errors import RecordError
from cardhub.base.files import is_reserved, record_access
from cardhub.play.host.opening import Opener
from cardhub.play.host.saved.saved_list import read_saved
from cardhub.play.host.saved.saves import home
from cardhub.play.host.table_host import Host


def lesson_path(game: str) -> Path:
    """Return the path of the record of a game's lesson."""
    return home() / "lessons" / f"{game}.jsonl"


def is_lesson_begun(game: str) -> bool:
    """Return whether a person has left the lesson of a game before its end."""
    path = lesson_path(game)
    if not path.exists():
        return False
    try:
        saved = read_saved(path)
    except RecordError:
        return False
    return bool(saved.actions) and not saved.is_finished


def open_kept_lesson(opener: Opener, game: str, *, restarts: bool = False) -> Host:
    """Continue the lesson of a game where the person left it, else start it.

    With `restarts` it starts in any case; so it does if the rules have changed. Raises as
    `Opener.start_lesson`, and RecordError while another program has the lesson open.
    """
    path = lesson_path(game)
    if path.exists() and is_reserved(path):
        return opener.resume_lesson(path)  # raises an error that says so
    if not restarts and is_lesson_begun(game):
        try:
            return opener.resume_lesson(path)
        except RecordError:
            pass  # the rules or the cards have changed
    with record_access(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
    return opener.start_lesson(game, path)
