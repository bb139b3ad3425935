"""Lesson files: what is valid, and where the errors point."""

from pathlib import Path

import pytest

from cardhub.play.host.lessons.lesson_file import LessonFileError, read_lesson

VALID = """\
players: [Anna, Bob]
seed: 3
bot: rule
intro: Hello.
steps:
  - do: [lay A, lay B]
    say: Lay two.
    why: They are good.
    see: hand
  - by: Bob
    do: pass
phases:
  laying: Lay.
ending: Bye.
"""


def read(tmp_path: Path, text: str) -> list[str]:
    """Return the problems of a lesson file, without its path."""
    path = tmp_path / "lesson.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(LessonFileError) as caught:
        read_lesson(path, ("laying", "fighting"))
    return [problem.removeprefix(f"{path}:") for problem in caught.value.problems]


def test_a_lesson_has_steps_of_several_actions_and_players(tmp_path: Path) -> None:
    """A single action, or a single part to look at, needs no list; the learner needs no name."""
    path = tmp_path / "lesson.yaml"
    path.write_text(VALID, "utf-8")
    lesson = read_lesson(path, ("laying",))
    first, second = lesson.steps
    assert (first.seat, first.actions, first.see) == (0, ("lay A", "lay B"), ("hand",))
    assert (second.seat, second.actions, second.line) == (1, ("pass",), 10)
    assert (lesson.players, lesson.seed, lesson.phases) == (("Anna", "Bob"), 3, {"laying": "Lay."})


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "by: Bob",
            "by: Bop",
            "10:9: by must be one of 'Anna', 'Bob', not 'Bop'. Did you mean 'Bob'?",
        ),
        ("  laying:", "  layin:", "13:3: unknown key 'layin'. Did you mean 'laying'?"),
        ("    why:", "    wy:", "8:5: unknown key 'wy'. Did you mean 'why'?"),
        ("seed: 3", "seed: -3", "2:7: seed must be an integer from 0 to 2147483647, not '-3'"),
        ("    do: pass\n", "    say: x\n", "10:5: missing key 'do' (actions as text, one or"),
        ("ending: Bye.\n", "", "1:1: missing key 'ending'"),
        ("intro: Hello.", f"intro: {'x' * 401}", "4:8: intro must be text of at most 400"),
    ],
)
def test_problems_are_told_with_their_position(
    old: str, new: str, problem: str, tmp_path: Path
) -> None:
    """Line and column, and the nearest valid word."""
    assert old in VALID
    assert any(line.startswith(problem) for line in read(tmp_path, VALID.replace(old, new, 1)))


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    assert len(read(tmp_path, VALID.replace("seed: 3", "seed: x").replace("by: Bob", "by: X"))) == 2
