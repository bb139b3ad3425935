"""Settings that last are the defaults of new games; options win."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cardhub.play.host.saved.preferences import Preferences, save_preferences
from cardhub.play.records.reading import read_record

Run = Callable[..., Result]


def names(home: Path) -> list[str]:
    """Return the names of the players of the only saved game."""
    [path] = (home / "games").iterdir()
    return [player.name for player in read_record(path).header.players]


def test_names_come_from_the_settings(run: Run, home: Path) -> None:
    """A name of bots that looks like the person's is passed over; NAMES fill the rest."""
    save_preferences(Preferences(name="Zoë", bot_names=("zoë", "Max")), home / "settings.toml")
    assert run("play", "gargon", "--players", "4", typed="").exit_code == 0
    assert names(home) == ["Zoë", "Max", "Anna", "Bob"]


def test_seats_that_are_assigned_keep_their_names(run: Run, home: Path) -> None:
    save_preferences(Preferences(name="Zoë"), home / "settings.toml")
    run("play", "gamon", "--seat", "Eva=human", typed="")
    assert names(home)[0] == "Eva"


def test_ascii_can_be_set_for_all_games(run: Run, home: Path) -> None:
    """A setting has the effect of --ascii."""
    save_preferences(Preferences(ascii=True), home / "settings.toml")
    assert run("play", "garner", "--seed", "1", typed="").stdout.isascii()


@pytest.mark.parametrize("text", ["pace = -1\n", "unknown = 1\n"])
def test_a_mistake_in_the_settings_is_told_with_its_line(run: Run, home: Path, text: str) -> None:
    home.mkdir()
    (home / "settings.toml").write_text(text)
    result = run("play", "gamon", typed="")
    assert result.exit_code == 2
    assert f"{home / 'settings.toml'}:1: " in result.stderr
    assert "fix: " in result.stderr
    assert not (home / "games").exists()
