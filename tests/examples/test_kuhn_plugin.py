"""A plugin by a stranger: it is found, played and recorded like the games of the house."""

import ast
import io
import tokenize
from pathlib import Path
from random import Random

from cardhub.play.seating import Player
from cardhub.play.table import let_bot_act, set_up
from cardhub.plugins.find import find_plugins

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
