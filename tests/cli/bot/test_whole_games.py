"""A real model in whole games, and how far it is from perfect: `make test-llm`.

Without the server of a real model, a server of this process stands in for it.
"""

import os
import sys
from collections.abc import Iterator

import pytest
from tests.cli.conftest import Run
from tests.kit.model_server import likelihoods, running_server

# The options of the real model, as in CARDHUB_LLM: "gemma3,url=http://localhost:8080/v1".
OPTIONS = os.environ.get("CARDHUB_TEST_LLM", "")
SEEDS = {"gargon": 1, "gamon": 2, "garner": 3}
needs_model = pytest.mark.skipif(not OPTIONS, reason="CARDHUB_TEST_LLM names no model")


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """Return the spec of a model that gives probabilities."""
    with running_server(likelihoods(lambda line: 0.5 / len(line))) as server:
        yield f"llm:{OPTIONS or f'm,url={server.url}'},form=likelihood"


@pytest.mark.parametrize("game", ["kuhn", pytest.param("leduc", marks=needs_model)])
def test_its_distance_from_perfect_play_is_exact(run: Run, model: str, game: str) -> None:
    """Leduc poker has 936 states to ask for, Kuhn poker has 12."""
    result = run("bot", "exploit", model, game)
    assert result.exit_code == 0, result.stderr
    sys.stdout.write(result.stdout)  # the figure, with `pytest -s`
    assert "nodes, exact" in result.stdout
    assert "A best response gains" in result.stdout


@needs_model
@pytest.mark.parametrize("game", SEEDS)
def test_it_plays_a_whole_game(run: Run, model: str, game: str) -> None:
    seats = ["--seat", f"Anna={model}", "--seat", "Bob=rule"]
    result = run("play", game, "--plain", "--seed", str(SEEDS[game]), *seats)
    assert result.exit_code == 0, result.stderr
    assert "The game is over" in result.stdout
