"""Listings: games, plugins and rules."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.cli.conftest import SAMPLES

Run = Callable[..., Result]


def test_games_are_listed_with_a_line_each(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Name, origin and summary; stderr is empty."""
    monkeypatch.setenv("COLUMNS", "300")  # the path of the samples may be long
    result = run("games", samples=True)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "A card each; the higher one wins." in result.stdout
    assert "\ngargon  " in result.stdout


def test_games_can_be_listed_for_programs(run: Run) -> None:
    """JSON has the same data as the text."""
    games = {game["name"]: game for game in json.loads(run("games", "--json").stdout)}
    assert games["gargon"].keys() == {"name", "summary", "from", "version"}
    assert games["gargon"]["from"] == "cardhub"


def test_a_name_of_cardhub_that_a_plugin_claims_is_a_warning_beside_the_list(
    run: Run, tmp_path: Path
) -> None:
    """The list itself stays clean for pipes."""
    (tmp_path / "gargon.py").write_text("")
    result = run("--plugins-dir", tmp_path, "games")
    assert result.exit_code == 0
    assert result.stderr.startswith(f"Warning: game 'gargon' of {tmp_path} is ignored: ")
    assert "Warning" not in result.stdout


def test_plugins_are_listed_with_what_is_wrong(run: Run, tmp_path: Path) -> None:
    """A broken one is one row and one warning, and the command succeeds."""
    (tmp_path / "odd.py").write_text("import nothing_of_that_name")
    result = run("--plugins-dir", tmp_path, "plugins")
    assert result.exit_code == 0
    assert [row.split()[-1] for row in result.stdout.splitlines() if row.startswith("odd ")] == [
        "BROKEN"
    ]
    assert "No module named 'nothing_of_that_name'" in result.stderr


def test_plugins_can_be_listed_for_programs(run: Run) -> None:
    plugins = {plugin["name"]: plugin for plugin in json.loads(run("plugins", "--json").stdout)}
    gargon = plugins["gargon"]
    assert (gargon["games"], gargon["bots"], gargon["error"]) == (["gargon"], ["rule"], None)
    assert gargon["hooks"] == ["register_bots"]
    assert plugins["formats"]["formats"] == ["text", "csv"]


def test_the_contents_of_a_plugin_are_listed_by_kind(run: Run) -> None:
    """Commands, themes and formats as well as games and bots."""
    listed = json.loads(run("plugins", "--json", samples=True).stdout)
    plugins = {plugin["name"]: plugin for plugin in listed}
    assert plugins["higher"]["games"] == ["higher"]
    assert plugins["extras"]["bots"] == ["shower", "picky", "cheat", "fool"]
    assert plugins["extras"]["commands"] == ["count", "play"]
    assert plugins["dusk"]["themes"] == ["dusk", "dawn"]
    assert plugins["tally"]["formats"] == ["tally"]
    listing = run("plugins", samples=True).stdout
    assert "themes dusk, dawn" in listing
    assert "formats tally" in listing


def test_names_claimed_by_two_plugins_are_warnings(run: Run, tmp_path: Path) -> None:
    """The list of plugins stays complete."""
    for sample in ("extras", "dusk", "tally"):
        source = (SAMPLES / f"{sample}.py").read_text("utf-8")
        for name in (sample, f"{sample}_again"):
            (tmp_path / f"{name}.py").write_text(source)
    result = run("--plugins-dir", tmp_path, "plugins")
    assert result.exit_code == 0
    for thing in ("bot 'shower'", "command 'count'", "theme 'dusk'", "format 'tally'"):
        assert f"Warning: {thing} is claimed twice: by plugin " in result.stderr
    assert "\nextras_again " in result.stdout


def test_a_plugin_whose_commands_fail_is_broken(run: Run, tmp_path: Path) -> None:
    """The error has cause and position; other plugins work."""
    source = "from cardhub import hookimpl\n@hookimpl\ndef register_commands(cli):\n    1 / 0\n"
    (tmp_path / "odd.py").write_text(source)
    result = run("--plugins-dir", tmp_path, "plugins", "--json")
    assert result.exit_code == 0
    (odd,) = (plugin for plugin in json.loads(result.stdout) if plugin["name"] == "odd")
    assert odd["error"].endswith(f"ZeroDivisionError: division by zero ({tmp_path / 'odd.py'}:4)")
    assert result.stderr.count("ZeroDivisionError") == 1


def test_rules_are_printed_with_the_options(run: Run) -> None:
    """One command prints rules, options and number of players."""
    result = run("rules", "gargon")
    assert result.stdout.startswith("# Gargon")
    assert "For 3 to 5 players." in result.stdout
    assert "open_winnings  false" in result.stdout


def test_cards_and_options_can_be_listed_alone(run: Run) -> None:
    cards = run("rules", "gargon", "--cards").stdout
    assert cards.splitlines()[0].split() == ["card", "back", "copies", "value", "amulets", "text"]
    assert "# Gargon" not in cards
    assert "# Gargon" not in run("rules", "gargon", "--options").stdout
    assert run("rules", "higher", "--options", samples=True).stdout == "Higher has no options.\n"


def test_rules_can_be_read_by_programs(run: Run) -> None:
    """Seats, options with their values, and every card with its fields."""
    facts = json.loads(run("rules", "gargon", "--json").stdout)
    assert facts["seats"] == {"low": 3, "high": 5, "default": 4}
    assert facts["options"][0]["name"] == "open_winnings"
    dragon = {"name": "W1", "back": "white", "copies": 1, "fields": {"value": 1, "amulets": 5}}
    card_facts = next(card for card in facts["cards"] if card["name"] == "W1")
    assert card_facts | dragon == card_facts
