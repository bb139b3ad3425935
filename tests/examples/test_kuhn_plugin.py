"""A plugin by a stranger: it is found, played and recorded like the games of the house."""

import ast
import io
import tokenize
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from cardhub.bots import RandomBot
from cardhub.cli.main import make_cli
from cardhub.play.seating import Player
from cardhub.play.table import let_bot_act, set_up
from cardhub.plugins.find import find_plugins
from cardhub.tui.app import TableApp

SOURCE = Path(__file__).parents[2] / "examples" / "kuhn" / "kuhn" / "game.py"
SILENT = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def code_lines(source: str) -> int:
    """Return the number of lines that hold code: no blanks, comments or docstrings."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    spans = [range(t.start[0], t.end[0] + 1) for t in tokens if t.type not in SILENT]
    docstrings = [
        range(node.lineno, (node.end_lineno or 0) + 1)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    return len({n for span in spans for n in span} - {n for span in docstrings for n in span})


def test_kuhn_poker_takes_fewer_than_sixty_lines_of_code() -> None:
    """The contract asks for nothing but the game itself."""
    assert 30 < code_lines(SOURCE.read_text("utf-8")) < 60


def test_an_installed_plugin_is_listed_and_loaded_by_its_entry_point() -> None:
    """Nothing in the house mentions the game; its own package declares it."""
    registry = find_plugins()
    assert "kuhn" in registry.game_names()
    assert registry.game("kuhn").title == "Kuhn poker"


def test_bots_play_a_plugin_from_the_deal_to_the_scores() -> None:
    """A game is playable on the day its rules work."""
    registry = find_plugins()
    players = [Player("Anna", "random"), Player("Bob", "random")]
    for seed in range(20):
        referee = set_up(registry.game("kuhn"), players, {}, seed)
        bots = [registry.make_bot("random", "kuhn", Random(seat)) for seat in range(2)]
        referee.proceed()
        while not referee.is_over:
            let_bot_act(referee, bots[referee.seat])
        assert sorted(map(abs, referee.scores())) in ([1, 1], [2, 2])
        assert sum(referee.scores()) == 0


def test_a_person_plays_a_plugin_in_plain_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first action of every list leads to the end, and the record replays."""
    monkeypatch.chdir(tmp_path)
    played = CliRunner().invoke(
        make_cli(),
        ["play", "kuhn", "--plain", "--seed", "4", "--record", "kuhn.jsonl"],
        input="1\n" * 3,
    )
    assert played.exit_code == 0
    assert "Your turn, Anna: check or bet" in played.output
    assert "Result:" in played.output
    replayed = CliRunner().invoke(make_cli(), ["replay", "kuhn.jsonl"])
    assert replayed.exit_code == 0
    assert "Anna: check" in replayed.output


async def test_a_person_plays_a_plugin_at_the_table() -> None:
    """The table on the screen needs nothing from a game but its scene."""
    players = [Player("Anna", "human"), Player("Bob", "random")]
    referee = set_up(find_plugins().game("kuhn"), players, {}, seed=4)
    referee.proceed()
    app = TableApp(referee, {1: RandomBot(Random(1))}, 0)
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(100):
            if referee.is_over:
                break
            await pilot.press("enter")
            await pilot.pause(0.02)
    assert referee.is_over
    assert sorted(map(abs, referee.scores())) in ([1, 1], [2, 2])
