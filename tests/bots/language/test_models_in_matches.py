"""Language models in matches and at tables: a server's faults change no result."""

import stat
from pathlib import Path
from typing import Any

import pytest
from tests.kit.model_server import Model, ModelServer, Page, answer, failure, first_action

from cardhub.base.errors import BotProviderError, MatchError
from cardhub.bots.language.entry import PROBE
from cardhub.bots.language.exchanges import Answers, Exchanges, parse_exchanges
from cardhub.bots.language.provider import Reply
from cardhub.bots.language.spending import SpendingMeter
from cardhub.lab.match.log.log_reader import ANSWERS, GAMES, read_games
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.matchfile.short_forms import derived_ids
from cardhub.lab.match.run.runner import run
from cardhub.lab.match.verifier import verify
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


def requests(models: ModelServer) -> list[str]:
    """Return the requests of games, without the probes before them."""
    return [str(body) for body in models.requests if PROBE not in str(body)]


def stop_after(number: int) -> Model:
    """Return a model whose server refuses all requests after a number of them."""
    asked = 0

    def respond(body: dict[str, Any]) -> Page:
        nonlocal asked
        asked += PROBE not in str(body)
        return failure(401) if asked > number else first_action(body)

    return respond


def test_no_answer_is_paid_twice(tmp_path: Path, models: ModelServer) -> None:
    """A match that stops after each answer asks no more than one that is not stopped."""
    match = read_match(read(tmp_path, models), find_plugins())
    run(match, find_plugins(), tmp_path / "whole")
    whole = requests(models)
    models.requests.clear()
    stops = 0
    while True:
        models.model = stop_after(1)
        try:
            run(match, find_plugins(), tmp_path / "stopped")
            break
        except MatchError:
            stops += 1
    assert stops > 2
    # Each stop is a request that got no answer.
    assert len(requests(models)) == len(whole) + stops
    games = [(tmp_path / folder / GAMES).read_bytes() for folder in ("whole", "stopped")]
    assert games[0].splitlines()[1:] == games[1].splitlines()[1:]


def test_a_match_is_verified_from_its_answers(tmp_path: Path, models: ModelServer) -> None:
    """No model is asked, and an answer that is missing or wrong is a problem of its game."""
    match = read_match(read(tmp_path, models), find_plugins())
    folder = tmp_path / "runs"
    run(match, find_plugins(), folder)
    models.requests.clear()
    outcome = verify(folder, find_plugins(), rerun=1.0)
    assert outcome.is_fine
    assert (outcome.played_again, outcome.left_out) == (4, 0)
    path = min((folder / ANSWERS).rglob("*.jsonl"))
    path.write_text(path.read_text().replace("Final answer: ", "Final answer: raise to "))
    assert not verify(folder, find_plugins(), rerun=1.0).is_fine
    path.unlink()
    (problem,) = verify(folder, find_plugins(), rerun=1.0).problems
    assert "has no answer to a request of this game" in problem
    assert models.requests == []


def test_answers_are_private_and_counted(tmp_path: Path, models: ModelServer) -> None:
    """A line that a killed process left unfinished costs only its own answer."""
    match = read_match(read(tmp_path, models), find_plugins())
    run(match, find_plugins(), tmp_path)
    folder = tmp_path / ANSWERS
    asked = len(requests(models))
    (usage,) = SpendingMeter(Answers(folder)).usage().values()
    assert usage[:4] == (asked, 100 * asked, 80 * asked, 7 * asked)
    files = [*folder.rglob("*.jsonl")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert str(models.keys[0]) not in "".join(path.read_text() for path in files)
    path = min(files)
    path.write_bytes(path.read_bytes()[:-5])
    kept = Exchanges(path)
    assert kept.answer("new", lambda: Reply("yes")).text == "yes"
    assert [*parse_exchanges(path.read_bytes())][-1].reply.text == "yes"


def test_an_answer_that_cannot_be_stored_is_no_decision(tmp_path: Path) -> None:
    """Neither is one in a file whose place is taken."""
    match, taken = tmp_path / "match", tmp_path / "match" / ANSWERS / "m"
    taken.parent.mkdir(parents=True)
    taken.write_text("")
    with pytest.raises(BotProviderError, match="cannot be stored"):
        Answers(match / ANSWERS).of_game("m", "1.0").answer("new", lambda: Reply("yes"))


def test_the_id_of_a_model_does_not_name_its_server() -> None:
    uses = ["llm:gemma3,url=http://localhost:11434/v1", "llm:gemma3,url=https://b.org/v1,tries=3"]
    assert [*derived_ids(uses, ())] == ["llm-gemma3", "llm-gemma3-tries-3"]
