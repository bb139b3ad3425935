"""Saved games whose cards or rules have changed since: nothing goes on without a word."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import Result
from tests.cli.conftest import Run, Start
from tests.kit.paths import TESTS

from cardhub.play.records.edition import _rules_digest

BIRDS = TESTS / "cli" / "records" / "birds"
CHANGED = "Birds has changed since this game: Raven: value 2 → 0"
MODULE = "cardhub_plugins_dir_birds"


class Birds:
    """A plugins directory with the game, and a game of it that waits for a person."""

    def __init__(self, run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._run, self._monkeypatch = run, monkeypatch
        self.folder = folder
        shutil.copytree(BIRDS, folder)

    def run(self, *words: str | Path, typed: str = "") -> Result:
        """Run a command as a new process would, which imports the game again."""
        self._monkeypatch.delitem(sys.modules, MODULE, raising=False)
        return self._run("--plugins-dir", self.folder, *words, typed=typed)

    def play(self, typed: str) -> Result:
        """Begin a game of one person with the cards in order, and type some actions."""
        return self.run("play", "birds", "--plain", "--seed", "1", typed=typed)

    def edit(self, name: str, old: str, new: str) -> None:
        """Change a file of the game."""
        path = self.folder / name
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    def change_value(self) -> None:
        """Let the raven count nothing."""
        self.edit("birds.yaml", "title: Raven, value: 2", "title: Raven, value: 0")


@pytest.fixture
def birds(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Birds:
    return Birds(run, tmp_path / "plugins", monkeypatch)


@pytest.fixture
def saves(home: Path) -> Path:
    return home / "games"


def lines_of(folder: Path) -> list[dict[str, object]]:
    (path,) = folder.glob("*.jsonl")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_changed_value_is_named_before_a_saved_game_goes_on(birds: Birds, saves: Path) -> None:
    birds.play("take\n")
    before = lines_of(saves)
    birds.change_value()
    result = birds.run("resume", "--plain", typed="take\ntake\n")
    assert result.exit_code != 0
    assert CHANGED in result.stderr
    assert "--as-recorded" in result.stderr
    assert "--with-changes" in result.stderr
    assert lines_of(saves) == before


def test_a_game_goes_on_with_other_cards_knowingly_and_its_record_notes_it(
    birds: Birds, saves: Path
) -> None:
    birds.play("take\n")
    birds.change_value()
    result = birds.run("resume", "--plain", "--with-changes", typed="take\ntake\n")
    assert result.exit_code == 0, result.stderr
    assert CHANGED in result.stderr
    noted = [line for line in lines_of(saves) if "edition" in line][1]
    assert noted["changes"] == ["Raven: value 2 → 0"]
    assert lines_of(saves)[-1]["scores"] == [4]
    assert "continues with changed cards or rules: Raven" in birds.run("replay", "1").stdout
    # The record follows from the last edition, and is not counted as an ordinary game.
    assert "changed since" not in birds.run("replay", "1").stderr
    assert "Birds" not in birds.run("stats").stdout


def test_texts_and_looks_may_change_without_a_word(birds: Birds) -> None:
    birds.play("take\n")
    birds.edit("birds.yaml", "title: Raven, value: 2", "title: Crow, colour: red, value: 2")
    birds.edit("birds.py", "# The rules.", "# All of the rules.\n")
    result = birds.run("resume", "--plain", typed="take\ntake\n")
    assert result.exit_code == 0, result.stderr
    assert "changed" not in result.stderr


def test_other_rules_of_the_same_version_are_named(birds: Birds, start: Start) -> None:
    birds.play("take\n")
    birds.edit("birds.py", "sum(VALUES[", "2 * sum(VALUES[")
    # The code of a process is what it imported: another one has the other rules.
    with start("--plugins-dir", birds.folder, "resume", "--plain") as process:
        _, errors = process.communicate("take\n")
    assert process.returncode != 0
    assert "Birds has changed since this game: the code or the data of its rules differs" in errors


def test_data_that_the_rules_read_are_part_of_the_edition(birds: Birds) -> None:
    """Other files of the plugins directory are not, nor is the lesson."""
    birds.edit(
        "birds.py",
        "VALUES = CARDS.ints",
        'BONUS = Path(__file__).with_name("bonus.csv").read_text("utf-8")\nVALUES = CARDS.ints',
    )
    bonus = birds.folder / "bonus.csv"
    bonus.write_text("1,2\n", "utf-8")
    birds.play("take\n")
    (birds.folder / "other.csv").write_text("3\n", "utf-8")
    assert "changed" not in birds.run("resume", "--plain", typed="").stderr
    bonus.write_text("1,3\n", "utf-8")
    _rules_digest.cache_clear()  # a process reads the rules once
    errors = birds.run("resume", "--plain").stderr
    assert "Birds has changed since this game: the code or the data of its rules differs" in errors


def test_the_data_of_a_package_are_part_of_its_edition(tmp_path: Path) -> None:
    """Its cards, lesson, texts, pictures and the folder of its display are not."""
    (tmp_path / "look").mkdir()
    (tmp_path / "game.py").write_text("", "utf-8")

    def digest() -> str:
        _rules_digest.cache_clear()
        return _rules_digest(tmp_path, (tmp_path / "look",))

    before = digest()
    for name, text in (
        ("cards.yaml", "cards:\n  - {name: owl}\n"),
        ("lesson.yaml", "steps: []\n"),
        ("rules.md", "# Rules"),
        ("owl.svg", "<svg/>"),
        ("look/colours.json", "{}"),
    ):
        (tmp_path / name).write_text(text, "utf-8")
    assert digest() == before
    digests = {before}
    for name in ("bonus.csv", "words.txt", "levels.json", "tables.yaml"):
        (tmp_path / name).write_text("1", "utf-8")
        digests.add(digest())
    (tmp_path / "words.txt").write_text("2", "utf-8")
    assert len({*digests, digest()}) == 6


def test_a_replay_says_first_what_changed_and_then_why_it_fails(birds: Birds) -> None:
    birds.play("take\ntake\ntake\n")
    birds.change_value()
    result = birds.run("replay", "1")
    assert result.stderr.startswith("Warning: ")
    assert CHANGED in result.stderr.partition("scores are")[0].replace("\n", " ")
    assert "scores are [6], but this game ends with [4]" in result.stderr


def test_statistics_say_which_games_had_other_cards(birds: Birds) -> None:
    birds.play("take\ntake\ntake\n")
    birds.change_value()
    result = birds.run("stats")
    assert "1 game of Birds counted as played, before it changed: Raven: value 2 → 0" in (
        result.stderr
    )


def test_a_card_that_was_removed_added_or_copied_is_named(birds: Birds) -> None:
    birds.play("take\n")
    birds.edit(
        "birds.yaml", "- {name: owl, title: Owl, value: 1}", "- {name: jay, title: Jay, value: 1}"
    )
    birds.edit("birds.yaml", "value: 3}", "value: 3, copies: 2}")
    errors = birds.run("resume", "--plain").stderr
    for change in ("Owl: no longer in the game", "Jay: new", "Eagle: copies 1 → 2"):
        assert change in errors


def test_a_record_of_before_has_no_edition_and_goes_on(birds: Birds, saves: Path) -> None:
    birds.play("take\n")
    (path,) = saves.glob("*.jsonl")
    first, *rest = path.read_text("utf-8").splitlines(keepends=True)
    header = json.loads(first)
    del header["edition"]
    path.write_text(json.dumps(header) + "\n" + "".join(rest), "utf-8")
    birds.change_value()
    result = birds.run("resume", "--plain", typed="take\ntake\n")
    assert result.exit_code == 0, result.stderr
    refused = birds.run("replay", "1", "--as-recorded")
    assert "from before records named their cards and rules" in refused.stderr


def test_each_edition_is_kept_once(birds: Birds, home: Path) -> None:
    for _ in range(2):
        birds.play("take\n")
    assert len(list((home / "editions").iterdir())) == 1
    birds.change_value()
    birds.play("take\n")
    assert len(list((home / "editions").iterdir())) == 2


def test_a_game_goes_on_as_recorded_in_a_process_with_the_kept_game(
    birds: Birds, saves: Path, start: Start
) -> None:
    birds.play("take\n")
    birds.change_value()
    words = ["--plugins-dir", birds.folder, "resume", "--plain", "--as-recorded"]
    with start(*words) as process:
        output, errors = process.communicate("take\ntake\n")
    assert process.returncode == 0, errors
    assert "changed" not in output + errors
    assert lines_of(saves)[-1]["scores"] == [6]
    assert [line for line in lines_of(saves) if "changes" in line] == []


def test_an_installed_game_goes_on_as_recorded(
    birds: Birds, saves: Path, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kept package comes before the installed one, which has changed."""
    site = tmp_path / "site"
    info = site / "birds-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: birds\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[cardhub.games]\nbirds = birds_game:Birds\n")
    shutil.copytree(birds.folder, site / "birds_game")
    (site / "birds_game" / "birds.py").rename(site / "birds_game" / "__init__.py")
    monkeypatch.setenv("PYTHONPATH", str(site))
    with start("play", "birds", "--plain", "--seed", "1") as process:
        process.communicate("take\n")
    cards = site / "birds_game" / "birds.yaml"
    cards.write_text(cards.read_text("utf-8").replace("Raven, value: 2", "Raven, value: 0"))
    with start("resume", "--plain") as process:
        _, errors = process.communicate("take\ntake\n")
    assert CHANGED in errors
    with start("resume", "--plain", "--as-recorded") as process:
        output, errors = process.communicate("take\ntake\n")
    assert process.returncode == 0, errors
    assert "changed" not in output + errors
    assert lines_of(saves)[-1]["scores"] == [6]


def test_an_edition_that_was_not_kept_cannot_be_restored(birds: Birds, home: Path) -> None:
    birds.play("take\n")
    birds.change_value()
    shutil.rmtree(home / "editions")
    assert "its cards differ (their earlier values were not kept)" in birds.run("resume").stderr
    result = birds.run("resume", "--plain", "--as-recorded")
    assert "its cards and code cannot be restored" in result.stderr.replace("\n", " ")


def test_a_record_with_an_invalid_edition_is_refused(birds: Birds, saves: Path) -> None:
    birds.play("take\n")
    (path,) = saves.glob("*.jsonl")
    first, *rest = path.read_text("utf-8").splitlines(keepends=True)
    for wrong in ({"cards": "x"}, {"cards": "../x", "rules": ""}, "x"):
        header = json.dumps(json.loads(first) | {"edition": wrong})
        path.write_text(header + "\n" + "".join(rest), "utf-8")
        assert "'edition'" in birds.run("replay", path).stderr
