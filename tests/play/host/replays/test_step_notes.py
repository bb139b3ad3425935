"""Notes on steps, in a file next to the record."""

import json
from pathlib import Path

import pytest

from cardhub.base.errors import RecordError
from cardhub.play.host.replays.stepping import replay_session as step_notes
from cardhub.play.host.replays.stepping.replay_session import StepNotes, notes_path


def test_notes_are_kept_beside_the_record(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    notes = StepNotes(record)
    notes.write(78, " here Anna\nloses ")
    notes.write(12, "good")
    notes.write(13, "to be removed")
    notes.write(13, "")
    again = StepNotes(record)
    assert again.steps == (12, 78)
    assert (again.at(78), again.at(13)) == ("here Anna loses", "")
    assert [path.name for path in tmp_path.iterdir()] == ["game.notes.json"]


def test_a_note_is_written_completely_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = StepNotes(tmp_path / "game.jsonl")
    notes.write(1, "first")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cardhub.base.files.sync", fail)
    with pytest.raises(RecordError, match="cannot be written: No space left"):
        notes.write(2, "second")
    assert notes.steps == StepNotes(tmp_path / "game.jsonl").steps == (1,)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"cardhub_notes": 2, "notes": {}}',
        '{"cardhub_notes": 1, "notes": {"x": "y"}}',
        '{"cardhub_notes": 1, "notes": {"1": "\\u001b[2J"}}',
        "[" * 100_000,
        f'{{"cardhub_notes": 1, "notes": {{"{"1" * 5000}": "text"}}}}',
    ],
)
def test_a_damaged_file_is_refused_with_its_name(tmp_path: Path, text: str) -> None:
    """No note is taken from it, and none overwrites it."""
    record = tmp_path / "game.jsonl"
    notes_path(record).write_text(text, "utf-8")
    with pytest.raises(RecordError, match=r"game\.notes\.json"):
        StepNotes(record)


def test_a_long_note_is_refused(tmp_path: Path) -> None:
    """The message has the limit; without a record notes are kept for a while."""
    notes = StepNotes(None)
    with pytest.raises(RecordError, match="at most 500"):
        notes.write(1, "x" * (step_notes.LONGEST_NOTE + 1))
    notes.write(1, "short")
    assert notes.at(1) == "short"
    assert json.loads("[]") == list(tmp_path.iterdir())
