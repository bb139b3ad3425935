"""The check of lessons finds faulty ones."""

from pathlib import Path

import pytest

from cardhub.play.host.lessons.lesson_check import lesson_faults
from cardhub_gargon import Gargon


class Taught(Gargon):
    """Gargon with a lesson from elsewhere."""

    path: Path

    def lesson(self) -> Path:
        """Return the path of the faulty lesson."""
        return self.path


def faults(tmp_path: Path, old: str, new: str) -> list[str]:
    """Return the faults of the lesson of Gargon after a change."""
    original = Gargon().lesson()
    assert original is not None
    text = original.read_text("utf-8")
    assert old in text
    game = Taught()
    game.path = tmp_path / "lesson.yaml"
    game.path.write_text(text.replace(old, new, 1), "utf-8")
    return [fault.removeprefix(f"{game.path}:") for fault in lesson_faults(game)]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("do: fight blue", "do: fight red", "28: fight red is not legal. Legal: fight blue, fight"),
        ("do: take left", "do: fight red", "39: fight red is not legal. Legal: take left, take"),
        ("see: [laid]", "see: [laiid]", "28: the learner does not see 'laiid'. fix: one of "),
        (
            "by: Chris\n    do: take left",
            "by: Bob\n    do: take left",
            "39: Chris is to act, not Bob",
        ),
    ],
)
def test_a_script_that_cannot_be_played_is_found(
    old: str, new: str, fault: str, tmp_path: Path
) -> None:
    [error] = faults(tmp_path, old, new)
    assert error.split(":", 1)[1].strip().startswith(fault.split(":", 1)[1].strip())


def test_a_game_without_a_lesson_has_no_faults() -> None:
    class Untaught(Gargon):
        def lesson(self) -> None:
            return None

    assert lesson_faults(Untaught()) == []
