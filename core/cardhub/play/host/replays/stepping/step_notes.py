"""Notes of people on the steps of a recorded game, in a file beside the record."""

import json
from collections.abc import Mapping
from pathlib import Path

from cardhub.base.errors import RecordError
from cardhub.base.errors.printable import in_json
from cardhub.base.files import LimitError, read_within, record_access, replace_text

# The version of the file's format, and the greatest length of a note in characters.
NOTES_FORMAT, LONGEST_NOTE = 1, 500
MOST_BYTES = 1_000_000
# The greatest number of digits of a step.
MOST_DIGITS = 9


def notes_path(record: Path) -> Path:
    """Return the path of the notes on a record: `NAME.notes.json`."""
    return record.with_name(f"{record.stem}.notes.json")


class StepNotes:
    """The notes on one record, by step; the file is replaced as a whole with each change.

    Without a path they last as long as the object.
    """

    def __init__(self, record: Path | None) -> None:
        self._path = None if record is None else notes_path(record)
        self._notes = dict(_read(self._path)) if self._path and self._path.exists() else {}

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps with a note, in order."""
        return tuple(sorted(self._notes))

    def at(self, step: int) -> str:
        """Return the note on a step, empty if there is none."""
        return self._notes.get(step, "")

    def write(self, step: int, text: str) -> None:
        """Set the note on a step, or remove it with an empty text; raises RecordError."""
        line = " ".join(text.split())
        if len(line) > LONGEST_NOTE:
            raise RecordError(
                f"the note has {len(line)} characters. fix: at most {LONGEST_NOTE}, on one line"
            )
        notes = {**self._notes, step: line}
        kept = {number: note for number, note in sorted(notes.items()) if note}
        if self._path is not None:
            with record_access(self._path, "written"):
                replace_text(self._path, _encoded(kept))
        self._notes = kept


def _read(path: Path) -> Mapping[int, str]:
    try:
        with record_access(path, "read"):
            data = json.loads(read_within(path, MOST_BYTES))
    except LimitError as error:
        raise RecordError(f"{path}: {error}") from error
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}: not JSON: {error}") from error
    if not isinstance(data, dict) or data.get("cardhub_notes") != NOTES_FORMAT:
        raise RecordError(f"{path}: not notes in format {NOTES_FORMAT}")
    notes = data.get("notes")
    if not isinstance(notes, dict) or not all(map(_is_note, notes, notes.values())):
        raise RecordError(f"{path}: 'notes' has texts by the numbers of steps")
    return {int(step): text for step, text in notes.items()}


def _is_note(step: str, text: object) -> bool:
    is_step = step.isascii() and step.isdigit() and len(step) <= MOST_DIGITS
    return is_step and isinstance(text, str) and text.isprintable()


def _encoded(notes: Mapping[int, str]) -> str:
    data = {
        "cardhub_notes": NOTES_FORMAT,
        "notes": {str(step): text for step, text in notes.items()},
    }
    return in_json(json.dumps(data, ensure_ascii=False, indent=1)) + "\n"
