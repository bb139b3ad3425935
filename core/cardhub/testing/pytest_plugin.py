"""All checks of a game as pytest cases, in one line: `test_my_game = checks(MyGame())`.

The examples of its rules are further cases: `test_my_rules = examples(MyGame())`.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardhub.model.game.game import Game
from cardhub.testing.game_checks.contract import PROMISES
from cardhub.testing.game_checks.game_report import GameReport, inspect_game
from cardhub.testing.rule_examples.parsing import Example, ExampleError, parse_examples
from cardhub.testing.rule_examples.run_examples import run_example

if TYPE_CHECKING:
    import pytest

# Default folder of the records to replay, next to the test file.
RECORDS = "records"


def checks(
    game: Game[Any], *, games: int = 2, seed: int = 0, records: Path | None = None
) -> Callable[..., None]:
    """Return a pytest test with a case for each check; see inspect_game.

    The default of `records` is the folder `records` next to the test file.
    """
    import pytest  # cardhub depends on it for tests only

    # All cases share one inspection, which takes as long as all checks together.
    @cache
    def report(folder: Path) -> GameReport:
        return inspect_game(game, games=games, seed=seed, records=folder, is_measured=False)

    @pytest.mark.parametrize("check", PROMISES)
    def test(check: str, request: "pytest.FixtureRequest") -> None:
        result = report(records or request.path.parent / RECORDS)
        finding = result.finding(check)
        if finding:
            # A traceback would show only the checks: the finding has the location in the game.
            pytest.fail(str(finding), pytrace=False)
        if check in result.skipped:
            pytest.skip(result.skipped[check])

    test.__doc__ = f"{game.title} fulfils the contract of games."
    return test


def examples(game: Game[Any]) -> Callable[..., None]:
    """Return a pytest test with a case for each example of the page of rules."""
    import pytest  # cardhub depends on it for tests only

    cases = parse_examples(game.display.rules())
    names = [example.title or f"line {example.number}" for example in cases]

    @pytest.mark.parametrize("example", cases, ids=names)
    def test(example: Example) -> None:
        try:
            run_example(game, example)
        except ExampleError as error:
            pytest.fail(f"rules.md:{error.number}: {error}", pytrace=False)

    test.__doc__ = f"The rules of {game.title} come out as their page says."
    return test
