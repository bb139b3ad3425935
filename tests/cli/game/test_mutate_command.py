"""`cardhub mutate`: what no check and no test notices."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from cardhub import Game
from cardhub.cli.game import mutate_game as command
from cardhub.testing.mutation.mutants import Mutant
from cardhub.testing.mutation.mutation_run import MutationReport

Run = Callable[..., Result]
SURVIVOR = Mutant("kuhn.game", "/games/kuhn/game.py", 79, "return [0, 0]", "return [1, 0]", 5, 0)
NOTICED = Mutant("kuhn.game", "/games/kuhn/game.py", 70, "a < b", "a <= b", 3, 0)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the arguments with which mutants were tried; trying them takes no time."""
    arguments: dict[str, Any] = {}

    def mutate(game: Game[Any], **given: Any) -> MutationReport:
        arguments.update(given, game=game.name)
        verdicts = ((NOTICED, "the check cards"), (SURVIVOR, ""))
        return MutationReport(game.name, 1, 67, verdicts[: given["most"]])

    monkeypatch.setattr(command, "mutate_game", mutate)
    return arguments


def test_what_nobody_notices_is_listed_with_file_line_and_change(
    run: Run, asked: dict[str, Any]
) -> None:
    done = run("mutate", "kuhn", "--seed", "1")
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        "kuhn: 2 of 67 mutants tried, 1 unnoticed",
        "  /games/kuhn/game.py:79: return [0, 0]  →  return [1, 0]",
    ]
    assert (asked["seconds"], asked["most"], asked["seed"]) == (120, None, 1)
    assert asked["tests"].parts[-2:] == ("kuhn", "tests")
    assert asked["records"].parts[-2:] == ("tests", "records")


def test_the_exit_code_is_0_if_all_is_noticed(run: Run, asked: dict[str, Any]) -> None:
    done = run("mutate", "kuhn", "--mutants", "1", "--workers", "3")
    assert done.exit_code == 0
    assert done.stdout.endswith("\nEvery change that was tried was noticed.\n")
    assert (asked["seconds"], asked["most"], asked["workers"]) == (float("inf"), 1, 3)


def test_there_are_as_many_processes_as_processors_for_this_program(
    run: Run, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {5}, raising=False)
    run("mutate", "kuhn")
    assert asked["workers"] == 1


def test_a_time_that_is_too_short_is_named(
    run: Run, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        command, "mutate_game", lambda game, **given: MutationReport(game.name, 0, 67, ())
    )
    done = run("mutate", "kuhn", "--seconds", "1")
    assert done.stdout.splitlines()[1].startswith("The time was over before the first mutant")


def test_verdicts_for_programs(run: Run, asked: dict[str, Any], tmp_path: Path) -> None:
    done = run("mutate", "kuhn", "--tests", tmp_path, "--json")
    verdicts = json.loads(done.stdout)["verdicts"]
    assert [verdict["noticed_by"] for verdict in verdicts] == ["the check cards", None]
    assert (verdicts[1]["line"], verdicts[1]["after"]) == (79, "return [1, 0]")
    assert asked["tests"] == tmp_path


def test_a_time_and_a_number_exclude_each_other(run: Run) -> None:
    done = run("mutate", "kuhn", "--mutants", "1", "--seconds", "1")
    assert done.exit_code == 2
    assert "--seconds and --mutants are mutually exclusive" in done.stderr
