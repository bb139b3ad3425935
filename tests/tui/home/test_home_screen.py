"""The home screen: its rows, and its use by keyboard and mouse."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from re import findall
from typing import Any

import pytest
from click.testing import CliRunner
from tests.kit.waiting import until_holds

from cardhub.cli.main import cli
from cardhub.tui.home.home_screen import HomeScreen
from cardhub.view.text.glyphs import ASCII, NARROW, is_ambiguous

MATCH = """cardhub_match: 1
name: small
seed: 1
bots: [{id: one, use: random}, {id: two, use: random}]
games: [{game: kuhn}]
schedule: {blocks: 1}
"""
MATCH_COMMAND = "match m.yaml --workers 1 --quiet"
Save = Callable[..., Path]
Visit = Callable[..., Any]


async def test_games_are_listed_with_players_length_and_a_few_words(visit: Visit) -> None:
    async with visit(games=("gamon", "gargon", "garner", "kuhn")) as visitor:
        await visitor.until_shown("16 bots")
        assert visitor.lines[6].startswith("     1  Gargon")
        assert visitor.lines[6].endswith("3–5 players · 25 min · battles of colours")
        assert [line[5:6] for line in visitor.lines[6:10]] == ["1", "2", "3", "4"]
        assert "2 players · 15 min · call, bluff, Gamon!" in visitor.lines[7]
        assert visitor.lines[9].endswith("2 players · three cards, one bet")
        # Twelve are for any game, three are rule-based bots, and one plays the networks of games.
        assert visitor.lines[0].endswith("4 games · 16 bots")


async def test_the_first_entry_teaches_a_game_until_one_was_played(visit: Visit) -> None:
    """The row starts the lesson, and says how to start it from a shell."""
    async with visit(games=("gamon", "gargon", "garner")) as visitor:
        assert visitor.lines[2].startswith(" ── learn ─")
        assert visitor.here.startswith("   ▸    Learn Gargon")
        assert visitor.here.endswith("your first hand, with comments: cardhub learn gargon")
        await visitor.press("enter")
        assert visitor.navigator.lessons == ["gargon"]


async def test_a_person_who_has_played_is_not_sent_to_a_lesson(visit: Visit, save: Save) -> None:
    save("left", actions=30)
    async with visit() as visitor:
        await visitor.until_shown("your turn")
        assert "Learn Gargon" not in visitor.text


async def test_the_game_under_the_cursor_is_shown_next_to_the_list(visit: Visit) -> None:
    games = ("gamon", "gargon", "garner")
    async with visit(120, 40, games=games) as visitor:
        await visitor.press("down")
        await visitor.until_shown("╭─ Gargon ─")
        assert "3 to 5 magicians fight for amulets" in visitor.text
        assert len(findall(r"│[WBVRYG]\d+ ", visitor.text)) >= 2  # cards
        await visitor.press("down", "down")
        await visitor.until_shown("╭─ Garner ─")
        assert "3 to 5 magicians fight for amulets" not in visitor.text
    async with visit(80, 24, games=games) as visitor:
        await visitor.until_shown("battles of colours")
        await visitor.press("down")
        assert "╭─ Gargon ─" not in visitor.text


async def test_a_game_that_was_never_played_offers_its_lesson(visit: Visit, save: Save) -> None:
    async with visit(120, 40, games=("gamon", "gargon")) as visitor:
        await visitor.press("down")
        await visitor.until_shown("New to you? :learn gargon")
        await visitor.type(":learn gargon")
        assert visitor.navigator.lessons == ["gargon"]
    save("played")
    async with visit(120, 40, games=("gamon", "gargon")) as visitor:
        await visitor.press("down")
        await visitor.until_shown("╭─ Gamon ─")
        assert "New to you?" not in visitor.text


async def test_without_a_game_of_cardhub_no_lesson_comes_first(visit: Visit) -> None:
    async with visit(games=("kuhn",)) as visitor:
        await visitor.until_shown("Kuhn")
        assert "── learn ──" not in visitor.text
        assert visitor.here.startswith("   ▸ 1  Kuhn")


async def test_the_game_left_last_goes_on_with_one_key(visit: Visit, save: Save) -> None:
    path = save("left", actions=30)
    async with visit() as visitor:
        await visitor.until_shown("your turn")
        assert "Gamon, round" in visitor.here
        assert "against rule · just now" in visitor.here
        await visitor.press("c")
        assert visitor.navigator.started == [path]


async def test_further_unfinished_games_are_behind_one_row(visit: Visit, save: Save) -> None:
    paths = [save(f"left{n}", actions=n) for n in range(4)]
    async with visit() as visitor:
        await visitor.click("2 more …")
        await visitor.click("2 more …")
        await visitor.until_shown("4 games")
        await visitor.press("end", "enter")
        assert visitor.navigator.started[0] in paths


async def test_a_table_is_previewed_where_there_is_room(visit: Visit, save: Save) -> None:
    save("left", actions=30)
    async with visit(120, 44) as visitor:
        await visitor.until_shown("where you left off")
        assert "Anna (you)" in visitor.text
        await visitor.press("tab")
        assert "where you left off" not in visitor.text
    async with visit(80, 24) as visitor:
        await visitor.until_shown("your turn")
        assert "where you left off" not in visitor.text


async def test_previews_have_the_preferred_size_of_cards(visit: Visit, save: Save) -> None:
    save("left", actions=30)
    async with visit(120, 44) as visitor:
        await visitor.until_shown("where you left off")
        large = visitor.text.partition("where you left off")[2]
        liked = replace(visitor.navigator.preferences, card_size="small")
        visitor.navigator.save(liked)
        visitor.app.screen.rebuild()
        await visitor.press("down", "up")
        assert visitor.text.partition("where you left off")[2] != large


async def test_a_damaged_save_is_told_and_ends_nothing(visit: Visit, home: Path) -> None:
    (home / "games" / "bad.jsonl").write_text("rubbish\n")
    async with visit() as visitor:
        await visitor.until_shown("1 saved game cannot be read")
        await visitor.click("1 saved game cannot be read")
        assert "not JSON" in " ".join(visitor.text.split())


async def test_a_broken_game_is_listed_with_its_error(visit: Visit, tmp_path: Path) -> None:
    folder = tmp_path / "plugins"
    folder.mkdir()
    (folder / "faulty.py").write_text(
        '"""A broken game."""\nfrom cardhub import Game\n\n\nclass Faulty(Game):\n'
        '    name = "faulty"\n    raise ValueError("not today")\n'
    )
    async with visit(folder=folder) as visitor:
        await visitor.until_shown("cannot be loaded: ")
        await visitor.press("3")
        assert "not today" in visitor.text
        await visitor.press("1")
        await visitor.until_shown("New game  Gargon")


COMMANDS = {
    "play gargon": "New game  Gargon",
    "gamon": "New game  Gamon",
    "stats": "Statistics",
    "settings": "Settings",
    "resume": "Continue a game",
    "watch": "Watch bots play",
    "learn": "Learn a game",
    "resume 7": "There is no game number '7' to resume.",
    "stast": "Unknown command 'stast'. Did you mean 'stats'?",
    "play nothing": "Unknown game 'nothing'",
}


async def test_commands_can_be_typed(visit: Visit) -> None:
    async with visit() as visitor:
        for typed, shown in COMMANDS.items():
            await visitor.press("colon")
            await visitor.type(typed)
            await visitor.until_shown(shown)
            while not isinstance(visitor.app.screen, HomeScreen):
                await visitor.press("escape")


async def test_a_search_narrows_the_rows_until_escape(visit: Visit) -> None:
    async with visit() as visitor:
        await visitor.press("slash")
        await visitor.type("replay")
        assert "Gargon" not in visitor.text
        assert "Replay a game" in visitor.here
        await visitor.press("escape")
        assert "Gargon" in visitor.text


async def test_a_search_narrows_the_rows_while_it_is_typed(visit: Visit) -> None:
    async with visit() as visitor:
        await visitor.press("slash", *"rep")
        assert "Gargon" not in visitor.text
        assert "Replay a game" in visitor.here
        assert visitor.lines[-1].startswith(" /rep")
        await visitor.press("escape")
        assert "Gargon" in visitor.text


async def test_escape_at_home_does_not_quit(visit: Visit) -> None:
    async with visit() as visitor:
        await visitor.press("escape")
        assert "Press q to quit cardhub." in visitor.text
        assert not visitor.app._exit


async def test_q_leaves(visit: Visit) -> None:
    async with visit() as visitor:
        await visitor.click("q quit")
        await until_holds(lambda: visitor.app._exit)


async def test_everything_can_be_read_in_ascii(visit: Visit, save: Save) -> None:
    save("left", actions=30)
    async with visit(120, 44, glyphs=ASCII) as visitor:
        await visitor.until_shown("where you left off")
        assert visitor.text.isascii()


async def test_narrow_menus_have_no_character_of_two_cells(visit: Visit, save: Save) -> None:
    save("left", actions=30)
    async with visit(120, 44, glyphs=NARROW) as visitor:
        await visitor.until_shown("where you left off")
        assert not [line for line in visitor.lines if any(map(is_ambiguous, line))]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 50)])
async def test_a_new_size_keeps_the_cursor(visit: Visit, size: tuple[int, int]) -> None:
    async with visit() as visitor:
        await visitor.press("down", "down")
        before = visitor.here.split()[:3]
        await visitor.pilot.resize_terminal(*size)
        await visitor.pilot.pause()
        assert visitor.here.split()[:3] == before
        assert len(visitor.lines) == size[1]


async def test_help_has_the_keys_of_the_screen_and_words(visit: Visit) -> None:
    async with visit() as visitor:
        await visitor.press("question_mark")
        await visitor.until_shown("a second click opens it")
        await visitor.press("right")
        await visitor.until_shown("[ Words ]")
        await visitor.press("escape")
        await visitor.until_shown("Watch bots play")


async def test_learning_a_game_without_a_lesson_shows_its_rules(visit: Visit) -> None:
    async with visit(games=("gamon", "kuhn")) as visitor:
        await visitor.until_shown("Kuhn poker")
        await visitor.press("l")
        await visitor.until_shown("a first hand with comments")
        await visitor.press("2")
        await visitor.until_shown("[ Rules ]")
        await visitor.press("right")
        await visitor.until_shown("[ Cards ]")


async def test_matches_are_listed_with_their_reports(visit: Visit, home: Path) -> None:
    (home / "m.yaml").write_text(MATCH)
    async with visit(games=("kuhn",)) as visitor:
        await visitor.until_shown("many games between bots: cardhub match FILE")
    assert CliRunner().invoke(cli, MATCH_COMMAND.split()).exit_code == 0
    async with visit(games=("kuhn",)) as visitor:
        await visitor.until_shown("1 match; the last is small, finished")
        await visitor.press("m")
        assert "small  finished · 2 games · just now" in visitor.here
        await visitor.press("enter")
        await visitor.until_shown("2 games in 1 block")
        await visitor.press("escape")
        (home / "runs" / "small" / "result.json").unlink()
        await visitor.press("q", "m")
        assert "small  stopped · 2 of 2 games" in visitor.here
        assert "To continue it: cardhub match " in visitor.text
