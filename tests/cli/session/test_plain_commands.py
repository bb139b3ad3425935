"""The commands of plain text that explain, and the news and the result in reading order."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
ZOE = ("play", "gargon", "--players", "3", "--seat", "Zoe=human", "--seed", "1")
ANNA = ("play", "gamon", "--seed", "3")


def answers(shown: str, name: str) -> list[str]:
    """Return what was printed after each typed line."""
    parts = shown.split(f"{name}> ")[1:]
    return [part.partition("\n")[2].strip() for part in parts]


def test_why_tells_the_reason_of_the_game_or_that_it_is_possible(run: Run) -> None:
    typed = "why done\nwhy pass 1+0\nwhy 1\nwhy dance\nwhy\n"
    first, second, third, fourth, last, _ = answers(run(*ZOE, typed=typed).stdout, "Zoe")
    assert first == "'done' is not possible: lay at least one card first."
    assert second == "'pass left' is not possible: the starting player may not pass."
    assert re.fullmatch(r"You can do that: lay \w+\.", third)
    assert "'dance' is not one of the choices" in fourth
    assert last == "`why` is about an action: `why TEXT`"


def test_if_tells_what_a_possible_action_would_bring(run: Run) -> None:
    possible, impossible, _ = answers(run(*ZOE, typed="if 1\nif done\n").stdout, "Zoe")
    assert possible
    assert "> " not in possible
    assert impossible == "'done' is not possible: lay at least one card first."


def test_the_cards_not_seen_yet_are_listed(run: Run) -> None:
    """A line for each back, as key `s` of the table shows them."""
    listed = answers(run(*ZOE, typed="unseen\n").stdout, "Zoe")[0].splitlines()
    assert [line.partition(":")[0] for line in listed] == [
        f"{colour} card" for colour in ("White", "Blue", "Violet", "Red", "Yellow", "Green")
    ]
    assert all(re.search(r"\b[WBVRYG]\d", line) for line in listed)


@pytest.mark.parametrize(
    ("typed", "reply"),
    [
        ("pace 0.5", "Bots take at least 0.5 s for each action."),
        ("pace soon", "'soon' is not a pace: type a number of seconds, such as 0.5."),
    ],
)
def test_the_pace_can_be_set(run: Run, typed: str, reply: str) -> None:
    assert answers(run(*ZOE, typed=f"{typed}\n").stdout, "Zoe")[0] == reply


def test_a_number_never_differs_from_a_numeric_label(run: Run) -> None:
    """`4` means `call 4` at any place in the list."""
    shown = run(*ANNA, typed="1\n1\n4\n").stdout
    assert "4. call 4" in shown
    assert "Anna calls 4" in shown


def test_like_steps_of_one_player_are_told_in_one_sentence(run: Run, tmp_path: Path) -> None:
    """All that happened since the person's last turn, or since the start."""
    words = ("play", "gargon", "--seat", "Zoe=random", "--players", "3", "--seed", "1")
    shown = run(*words, "--record", tmp_path / "game.jsonl").stdout
    assert re.search(r"^Zoe lays a [a-z]+, a [a-z]+", shown, re.MULTILINE)


def test_the_result_has_points_by_cause_hands_and_turning_points(run: Run, tmp_path: Path) -> None:
    """The points of all causes add up to the score."""
    words = ("play", "gargon", "--seat", "Zoe=random", "--players", "3", "--seed", "1")
    shown = run(*words, "--record", tmp_path / "game.jsonl").stdout
    result = shown.partition("\nResult: ")[2]
    scores = dict(re.findall(r"^  \d\. (\w+) +(\d+) points$", result, re.MULTILINE))
    heading, *rows = result.partition("Points by cause\n")[2].partition("\n\n")[0].splitlines()
    table = [re.split(r" {2,}", row.strip()) for row in rows]
    for column, name in enumerate(heading.split(), 1):
        assert sum(int(row[column].split()[0]) for row in table) == int(scores[name])
    assert "Hands at the end:" in result
    assert "Turning points:\n  step " in result


def test_an_action_that_cannot_be_recorded_ends_the_game(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 1 with the system's reason; it can be resumed where the record ends."""
    path, written = tmp_path / "game.jsonl", list[object]()

    def fill_disk(file: object) -> None:
        written.append(file)
        if len(written) > 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("cardhub.play.records.recording.sync", fill_disk)
    result = run(*ZOE, "--record", path, typed="1\n2\n3\n")
    assert result.exit_code == 1
    assert f"{path} cannot be written: No space left on device" in result.stderr
    assert result.stdout.count("Zoe> ") == 2
    monkeypatch.undo()
    assert run("resume", path, typed="").exit_code == 0
