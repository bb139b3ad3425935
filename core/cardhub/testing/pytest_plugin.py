"""All checks of a game as tests of pytest, in one line: `test_my_game = checks(MyGame())`."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardhub.game.game import Game
from cardhub.testing.game_checks.contract import PROMISES
from cardhub.testing.game_checks.game_report import GameReport, inspect_game

if TYPE_CHECKING:
    import pytest
RECORDS = "records"
"""The folder beside the tests whose records are replayed."""


def checks(
    game: Game[Any], *, games: int = 2, seed: int = 0, records: Path | None = None
) -> Callable[..., None]:
    """Return a test of pytest with a case for each check; see inspect_game.

    The records are those in the folder `records` beside the file with the tests, unless another
    one is given.
    """
    import pytest  # only tests need it

    @cache
    def report(folder: Path) -> GameReport:
        return inspect_game(game, games=games, seed=seed, records=folder)

    @pytest.mark.parametrize("check", PROMISES)
    def test(check: str, request: "pytest.FixtureRequest") -> None:
        found = report(records or request.path.parent / RECORDS)
        finding = found.finding(check)
        if finding:
            pytest.fail(str(finding), pytrace=False)
        if check in found.skipped:
            pytest.skip(found.skipped[check])

    test.__doc__ = f"{game.title} keeps what every game promises."
    return test
