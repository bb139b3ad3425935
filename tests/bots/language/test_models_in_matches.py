"""Language models in matches and at tables: a server's faults change no result."""

from pathlib import Path
from typing import Any

import pytest
from tests.kit.model_server import ModelServer, Page, answer, failure, first_action

from cardhub.base.errors import MatchError
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import run
from cardhub.plugins.registry import find_plugins

CUP = """
cardhub_match: 1
games: [kuhn]
bots: [{model}, random]
blocks: 2
"""


def read(folder: Path, models: ModelServer, **options: object) -> Path:
    """Write the file of a match between a model and `random`."""
    more = "".join(f",{name}={value}" for name, value in options.items())
    path = folder / "cup.yaml"
    path.write_text(CUP.format(model=f'"llm:m,url={models.url}{more}"'))
    return path


def faults(folder: Path) -> set[str]:
    """Return the kinds of faults in the games of a match."""
    return {fault.fault for _, game in read_games(folder) for fault in game.faults}


def test_a_match_with_a_model_is_played_to_its_end(tmp_path: Path, models: ModelServer) -> None:
    match = read_match(read(tmp_path, models), find_plugins())
    state = run(match, find_plugins(), tmp_path / "runs")
    assert state.is_over
    assert faults(tmp_path / "runs") == set()


def test_an_illegal_answer_loses_the_game(tmp_path: Path, models: ModelServer) -> None:
    models.model = lambda body: answer("Final answer: fold" if len(body["messages"]) > 1 else "yes")
    match = read_match(read(tmp_path, models), find_plugins())
    run(match, find_plugins(), tmp_path / "runs")
    assert faults(tmp_path / "runs") == {"illegal"}


def test_a_server_that_fails_stops_the_match_which_goes_on_later(
    tmp_path: Path, models: ModelServer
) -> None:
    match = read_match(read(tmp_path, models), find_plugins())
    asked = 0

    def fail_later(body: dict[str, Any]) -> Page:
        nonlocal asked
        asked += 1
        return failure(401) if asked > 4 else first_action(body)

    models.model = fail_later
    with pytest.raises(MatchError, match="the key is missing or wrong") as caught:
        run(match, find_plugins(), tmp_path / "runs")
    assert "This is no decision of" in str(caught.value)
    models.model = first_action
    state = run(match, find_plugins(), tmp_path / "runs")
    assert state.is_over
    assert faults(tmp_path / "runs") == set()
