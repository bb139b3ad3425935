"""The check of lessons finds faulty ones."""

from pathlib import Path

import pytest

from cardhub.play.host.lessons.lesson_check import lesson_faults
from cardhub_gargon import Gargon
from cardhub_gargon.display.display import GargonDisplay


class TaughtDisplay(GargonDisplay):
    """Gargon with a lesson from elsewhere."""

    path: Path

    def lesson(self) -> Path:
        """Return the path of the faulty lesson."""
        return self.path


def shown_by(display: type[GargonDisplay]) -> Gargon:
    """Return the game with another display."""
    game: Gargon = type("Shown", (Gargon,), {"display_type": display})()
    return game


def faults(tmp_path: Path, old: str, new: str) -> list[str]:
    """Return the faults of the lesson of Gargon after a change."""
    original = Gargon().display.lesson()
    assert original is not None
    text = original.read_text("utf-8")
    assert old in text
    game = shown_by(TaughtDisplay)
    display = game.display
    assert isinstance(display, TaughtDisplay)
    display.path = tmp_path / "lesson.yaml"
    display.path.write_text(text.replace(old, new, 1), "utf-8")
    return [fault.removeprefix(f"{display.path}:") for fault in lesson_faults(game)]


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
    class UntaughtDisplay(GargonDisplay):
        def lesson(self) -> None:
            return None

    assert lesson_faults(shown_by(UntaughtDisplay)) == []
