"""New games, settings and statistics on the screen."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardhub.bots.language.entry import USUAL
from cardhub.play.host.opening import NewGame
from cardhub.play.host.saved.preferences import load_preferences
from cardhub.play.seating import Player

Save = Callable[..., Path]
Visit = Callable[..., Any]


async def test_enter_starts_with_what_is_there(visit: Visit) -> None:
    async with visit() as visitor:
        await visitor.press("2")
        await visitor.until_shown("New game  Gamon")
        assert "command:  cardhub play gamon --seat Anna=human --seat Bob=medium" in visitor.text
        await visitor.press("enter")
        [new] = visitor.navigator.started
        assert isinstance(new, NewGame)
        assert (new.game, list(new.players)) == (
            "gamon",
            [Player("Anna", "human"), Player("Bob", "medium")],
        )


async def test_the_lesson_of_a_new_game_stands_above_its_players(visit: Visit) -> None:
    async with visit() as visitor:
        await visitor.type(":play gamon")
        await visitor.until_shown("Learn Gamon")
        assert "1  Anna" in visitor.here
        await visitor.press("up", "enter")
        assert visitor.navigator.lessons == ["gamon"]


async def test_levels_are_described_for_players_without_the_specs_of_bots(visit: Visit) -> None:
    async with visit() as visitor:
        await visitor.press("2")
        await visitor.until_shown("New game  Gamon")
        await visitor.press("down")
        # Gamon's own opponents, from the default one around to it.
        for level, text in (
            ("medium", "Quinn"),
            ("hard", "Captain Reed"),
            ("expert", "Admiral Grace"),
            ("", "person"),
            ("beginner", "Pip"),
            ("easy", "Molly"),
            ("medium", "Quinn"),
        ):
            assert text in visitor.here
            assert not level or f"bot: {level}" in visitor.here
            await visitor.press("right")


async def test_bots_that_are_no_levels_are_behind_advanced(visit: Visit) -> None:
    async with visit() as visitor:
        await visitor.press("2", "down", "down")
        assert "Advanced…" in visitor.here
        assert "off" in visitor.here
        await visitor.press("enter")
        assert " on " in visitor.here
        assert visitor.navigator.started == []
        await visitor.press("up")
        while "bot: rule" not in visitor.here:
            await visitor.press("left")
        await visitor.press("down", "right")  # a bot of the longer list stays at its seat
        assert "off" in visitor.here
        assert "bot: rule" in visitor.text


async def test_a_language_model_that_is_not_set_up_says_what_it_needs(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(USUAL, raising=False)
    async with visit() as visitor:
        await visitor.press("2")
        await visitor.until_shown("New game  Gamon")
        await visitor.press("down", "down", "enter", "up")
        while "bot: llm" not in visitor.here:
            await visitor.press("left")
        assert "No language model is set up." in visitor.here
        await visitor.press("enter")
        assert f"Set the environment variable {USUAL}" in " ".join(visitor.text.split())
        assert not visitor.navigator.started


async def test_players_are_changed_added_and_removed(visit: Visit) -> None:
    async with visit() as visitor:
        await visitor.press("1")
        await visitor.until_shown("New game  Gargon")
        await visitor.press("down", "right")
        assert "bot: medium" not in visitor.here
        assert "bot: " in visitor.here
        await visitor.press("a")
        assert "5  Eva" in visitor.text
        await visitor.press("a")
        assert "Gargon is for 3 to 5 players" in visitor.text
        await visitor.press("x", "x", "x")
        assert "Gargon is for 3 to 5 players" in visitor.text
        await visitor.press("e", *["backspace"] * 5, "Z", "o", "e", "enter")
        await visitor.press("home", "down", "e", *["backspace"] * 4)
        await visitor.type("Zoe")
        assert "called" in visitor.text


async def test_variant_deal_and_help_are_chosen(visit: Visit, home: Path) -> None:
    async with visit() as visitor:
        await visitor.press("1", "tab", "right")
        assert "[x]" in visitor.here
        await visitor.press("tab", "e")
        await visitor.type("42")
        await visitor.press("down", "right", "down", "plus")
        assert "--set open_winnings=true --seed 42 --no-hints" in visitor.text.replace("…", "") or (
            visitor.app.screen.draft.command().endswith(
                "--set open_winnings=true --seed 42 --no-hints"
            )
        )
        assert load_preferences(home / "settings.toml").pace == 0.8
        await visitor.press("enter")
        [new] = visitor.navigator.started
        assert (new.settings, new.seed) == ({"open_winnings": True}, 42)


async def test_options_are_described_by_players_names_and_not_by_numbers_of_seats(
    visit: Visit,
) -> None:
    async with visit() as visitor:
        await visitor.press("1", "tab")
        assert "otherwise only their owner sees them." in " ".join(visitor.text.split())
        assert "true or false" not in visitor.text
        await visitor.press("down", "down")
        assert "Who starts the first round." in visitor.here
        assert "0 is the first player" not in visitor.text


async def test_bots_alone_can_be_watched(visit: Visit) -> None:
    async with visit() as visitor:
        await visitor.press("w", "2", "enter")
        [new] = visitor.navigator.started
        assert not any(player.is_human for player in new.players)


async def test_settings_last(visit: Visit, home: Path) -> None:
    async with visit() as visitor:
        await visitor.press("t", "down", "right", "down", "down", "enter", *["backspace"] * 4)
        await visitor.type("Zoe")
        kept = load_preferences(home / "settings.toml")
        assert (kept.card_size, kept.name) == ("small", "Zoe")
        await visitor.press("enter", *["backspace"] * 3, "enter")
        assert "Use a name of at most" in " ".join(visitor.text.split())
        assert load_preferences(home / "settings.toml") == kept
        await visitor.press("home", "right")
        assert visitor.app.theme == load_preferences(home / "settings.toml").theme != "dark"


async def test_settings_that_cannot_be_saved_hold_for_now(visit: Visit, home: Path) -> None:
    (home / "settings.toml").mkdir()
    async with visit() as visitor:
        await visitor.press("t", "down", "right")
        assert "cannot be written: Is a directory" in " ".join(visitor.text.split())
        assert visitor.navigator.preferences.card_size == "small"
        await visitor.press("escape", "1", "end", "plus")
        assert "cannot be written: Is a directory" in " ".join(visitor.text.split())
        assert visitor.navigator.preferences.pace == 0.8


async def test_statistics_lead_to_replays_and_are_exported(
    visit: Visit, save: Save, home: Path
) -> None:
    path = save("over")
    async with visit() as visitor:
        await visitor.press("s")
        await visitor.until_shown("you against bots")
        assert "1 of 1" in visitor.here
        await visitor.press("enter")
        await visitor.until_shown("what decided your games of Gamon")
        await visitor.press("e")
        await visitor.until_shown("cardhub-results.csv")
        text = (home / "cardhub-results.csv").read_text("utf-8")
        [row] = csv.DictReader(text.splitlines())
        assert (row["game"], row["file"]) == ("gamon", str(path))
        await visitor.press("tab", "enter")
        assert visitor.app.replayed == [path]


async def test_finished_games_are_listed_for_replays(visit: Visit, save: Save) -> None:
    path = save("over")
    async with visit() as visitor:
        await visitor.press("r")
        await visitor.until_shown("Replay a game")
        await visitor.click("Gamon")
        assert visitor.app.replayed == [path]


async def test_a_game_is_set_up_by_mouse_alone(visit: Visit) -> None:
    async with visit() as visitor:
        await visitor.click("1  Gargon")  # points
        await visitor.click("1  Gargon")  # opens
        await visitor.until_shown("New game  Gargon")
        await visitor.click("add a player")
        await visitor.click("add a player")
        assert visitor.here.startswith("   ▸ 5  ")
        await visitor.click("3  Chris")
        before = visitor.here
        await visitor.click("3  Chris")
        assert visitor.here != before
        await visitor.click("←→ change")
        assert visitor.here == before
        await visitor.click("→ change")
        assert visitor.here != before
        assert visitor.navigator.started == []
        await visitor.click("enter start  ")
        await visitor.pilot.pause()
        [new] = visitor.navigator.started
        assert isinstance(new, NewGame)
        assert len(new.players) == 5
