"""Settings that last, in a file that people may edit."""

from pathlib import Path

import pytest

from cardhub.base.errors import OptionError
from cardhub.play.host.saved.preferences import (
    PREFERENCES,
    Preferences,
    changed,
    load_preferences,
    preferences_path,
    save_preferences,
)


def test_without_a_file_there_are_defaults(tmp_path: Path) -> None:
    assert load_preferences(tmp_path / "settings.toml") == Preferences()


def test_all_settings_survive_being_written_and_read(tmp_path: Path) -> None:
    """Names in any script included; each line has a comment."""
    path = tmp_path / "new" / "settings.toml"
    kept = Preferences(
        "nord", "large", 1.5, "Zoë", ("Žofie", "Bob"), False, True, "never", "narrow"
    )
    save_preferences(kept, path)
    assert load_preferences(path) == kept
    text = path.read_text("utf-8")
    assert all(setting.help in text for setting in PREFERENCES.values())
    assert [file.name for file in path.parent.iterdir()] == ["settings.toml"]


@pytest.mark.parametrize(
    ("text", "where", "fix"),
    [
        ('theme = "nord"\npaace = 1\n', r":2: unknown setting 'paace'\. .*'pace'", "rename"),
        ('# all\n\ncard_size = "huge"', ':3: invalid card_size "huge"', "auto, small, large"),
        ("pace = nan", ":1: invalid pace", "0 to 3600"),
        ("pace = true", ":1: invalid pace true", "0 to 3600"),
        ('helps = "no"', ':1: invalid helps "no"', "true or false"),
        ('name = " x"', ":1: invalid name .*spaces", "20 characters"),
        ('bot_names = ["Bob", "bob"]', ":1: invalid bot_names", "list of names"),
        ("theme = \n", "line 1", "default settings"),
        (f"pace = {'9' * 5000}", "not TOML: Exceeds the limit", "default settings"),
        ("[table]\npace = 1\n", ":1: unknown setting 'table'", "remove"),
    ],
)
def test_errors_name_file_line_and_remedy(tmp_path: Path, text: str, where: str, fix: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(OptionError, match=where) as error:
        load_preferences(path)
    message = str(error.value)
    assert message.startswith(str(path))
    assert "fix: " in message
    assert fix in message.partition("fix: ")[2]


@pytest.mark.parametrize(
    ("text", "glyphs"),
    [
        ("ascii = true", "ascii"),
        ("ascii = false", "auto"),
        ('ascii = true\nglyphs = "narrow"', "narrow"),
    ],
)
def test_a_file_with_the_earlier_name_of_a_setting_still_works(
    tmp_path: Path, text: str, glyphs: str
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text, "utf-8")
    assert load_preferences(path) == Preferences(glyphs=glyphs)  # type: ignore[arg-type]  # parametrized
    save_preferences(load_preferences(path), path)
    assert "ascii =" not in path.read_text("utf-8")


def test_a_changed_value_is_validated() -> None:
    assert changed(Preferences(), "pace", 2).pace == 2
    with pytest.raises(OptionError, match=r"invalid pace -1"):
        changed(Preferences(), "pace", -1)


def test_the_file_lies_in_the_folder_that_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path))
    assert preferences_path() == tmp_path / "settings.toml"


def test_a_file_that_cannot_be_written_keeps_the_old_one(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(OptionError, match=r"settings\.toml cannot be written"):
        save_preferences(Preferences(), blocked / "settings.toml")
