"""Faults of a server change no result of a match, however many there are."""

from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.bots.language.test_provider import PASSING
from tests.kit.model_server import Model, ModelServer, Page, answer, write_cup

from cardhub.bots.language import provider
from cardhub.lab.match.log.log_reader import GAMES
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import run
from cardhub.plugins.registry import find_plugins

# The share of requests that fail, before one is answered.
SHARE = 0.9


def fixed_model(body: dict[str, Any]) -> Page:
    """Name a legal action that depends on the prompt only."""
    text = body["messages"][min(1, len(body["messages"]) - 1)]["content"]
    names = text.partition("Your legal actions:\n")[2].splitlines() or ["- yes"]
    number = sha256(text.encode()).digest()[0] % len(names)
    return answer(f"Final answer: {names[number][2:]}")


def failing(pages: list[Page], rng: Random) -> Model:
    """Return the model behind a server that fails most of the time; `pages` gets its failures."""

    def respond(body: dict[str, Any]) -> Page:
        if rng.random() > SHARE:
            return fixed_model(body)
        pages.append(rng.choice([*PASSING.values()]))
        return pages[-1]

    return respond


@pytest.mark.parametrize(
    ("faults", "blocks"),
    [(30, 8), pytest.param(10_000, 500, marks=pytest.mark.soak(reason="ten thousand faults"))],
)
def test_faults_of_a_server_change_no_result(
    tmp_path: Path,
    models: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
    faults: int,
    blocks: int,
) -> None:
    monkeypatch.setattr(provider, "FIRST_WAIT", 1e-5)
    monkeypatch.setattr(provider, "LONGEST_WAIT", 1e-4)
    match = read_match(write_cup(tmp_path, models, blocks), find_plugins())
    games, pages = [], list[Page]()
    for name, model in (("calm", fixed_model), ("storm", failing(pages, Random(1)))):
        models.model = model
        run(match, find_plugins(), tmp_path / name)
        games.append((tmp_path / name / GAMES).read_bytes().splitlines()[1:])
    assert len(pages) >= faults
    assert games[0] == games[1]
