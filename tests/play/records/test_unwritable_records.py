"""Records that can no longer be written: the disk is full, the file has gone or is locked."""

from pathlib import Path

import pytest

from cardhub.base.errors import RecordError
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.replaying import resume
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon

from ..conftest import PLAYERS


def block(path: Path) -> None:
    """Replace a file by a folder, so that it cannot be written to."""
    path.unlink(missing_ok=True)
    path.mkdir()


def test_an_action_that_cannot_be_recorded_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    """Bad input never costs data, and no fault of the system ends in a traceback."""
    path = tmp_path / "game.jsonl"
    referee = set_up(Gargon(), PLAYERS, {}, seed=1)
    record_to(referee, path)
    referee.proceed()
    block(path)
    with pytest.raises(RecordError, match=r"game\.jsonl cannot be written: "):
        referee.apply(referee.observe(0).legal()[0])


def test_a_record_that_cannot_be_written_on_is_not_resumed(recorded: Path) -> None:
    """The error is raised before the next action."""
    recorded.write_bytes(b"".join(recorded.read_bytes().splitlines(keepends=True)[:9]))
    record = read_record(recorded)
    block(recorded)
    with pytest.raises(RecordError, match=r"game\.jsonl cannot be written: "):
        resume(Gargon(), record)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to try it with")
def test_a_record_that_could_not_be_begun_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file without a whole header would only be in the way of `resume`."""
    path = tmp_path / "game.jsonl"
    opened = Path.open

    def run_full(self: Path, mode: str = "r", **kind: str) -> object:
        return opened(Path("/dev/full") if mode == "ab" else self, mode, **kind)  # type: ignore[call-overload]  # passed on as it came

    monkeypatch.setattr(Path, "open", run_full)
    with pytest.raises(RecordError, match=r"game\.jsonl cannot be written: No space left"):
        record_to(set_up(Gargon(), PLAYERS, {}, seed=1), path)
    assert not path.exists()
