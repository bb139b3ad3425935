"""Models that are asked for their policies in all states, which leaves no luck in the scores."""

import shutil
from dataclasses import replace
from math import fsum
from pathlib import Path
from typing import Any

import pytest
from tests.bots.language.probable_matches import probable_match
from tests.kit.model_server import Model, ModelServer, Page, failure

from cardhub.base.errors import MatchError
from cardhub.bots.language.entry import PROBE
from cardhub.bots.language.exchanges import STATES
from cardhub.bots.language.spending import Usage
from cardhub.lab.match.log.log_reader import ANSWERS, read_games
from cardhub.lab.match.match_spec import VarianceRules
from cardhub.lab.match.run import asked_states
from cardhub.lab.match.run.cost_estimate import estimate_cost
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.match.variance import corrections
from cardhub.lab.match.variance.corrections import UNIT
from cardhub.lab.match.verifier import verify
from cardhub.plugins.registry import find_plugins

# Kuhn poker has 12 states with two actions each.
REQUESTS = 24


def asked(models: ModelServer) -> list[str]:
    """Return the prompts since the last call, without those that try the server."""
    prompts = [body["prompt"] for body in models.requests if PROBE not in body["prompt"]]
    models.requests.clear()
    return prompts


def failing_after(models: ModelServer, model: Model, answers: int) -> Model:
    """Return a model that gives some answers, and then has a fault that does not pass."""

    def respond(body: dict[str, Any]) -> Page:
        return model(body) if len(models.requests) <= answers else failure(403)

    return respond


def test_a_small_game_asks_for_each_state_once_and_leaves_no_luck(
    models: ModelServer, tmp_path: Path
) -> None:
    """Each game gives the value of the two policies, so one block is as good as all."""
    match = probable_match(tmp_path, models, "aivat")
    run(match, find_plugins(), tmp_path / "run")
    prompts = asked(models)
    assert len(prompts) == len({*prompts}) == REQUESTS
    assert [path.stem for path in (tmp_path / "run" / ANSWERS).rglob("*.jsonl")] == [STATES]
    values: dict[tuple[str, ...], set[int]] = {}
    for _, game in read_games(tmp_path / "run"):
        terms = game.corrections
        assert terms is not None
        assert terms.is_exact
        luck = sum(by_seat[0] for by_seat in (terms.chance, terms.policies) if by_seat)
        values.setdefault(game.seats, set()).add(round((UNIT * game.scores[0] + luck) / 10))
    assert [len(scores) for scores in values.values()] == [1, 1]
    outcome = verify(tmp_path / "run", find_plugins(), rerun=1.0)
    assert (outcome.problems, outcome.played_again) == ([], 6)
    assert asked(models) == []


def test_an_interrupted_match_asks_only_for_the_other_states(
    models: ModelServer, tmp_path: Path
) -> None:
    match = probable_match(tmp_path, models, "aivat")
    model, prompts = models.model, list[str]()
    for answers in (6, 14):
        models.model = failing_after(models, model, answers)
        with pytest.raises(MatchError, match="may not use this model"):
            run(match, find_plugins(), tmp_path / "run")
        prompts += asked(models)[:-1]
    models.model = model
    assert run(match, find_plugins(), tmp_path / "run").is_over
    prompts += asked(models)
    assert len(prompts) == len({*prompts}) == REQUESTS


def test_a_limit_ends_the_questions(
    models: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a higher limit the same command goes on."""
    monkeypatch.setattr(asked_states, "CHECKED", 5)
    match = probable_match(tmp_path, models, "aivat")
    with pytest.raises(MatchError, match="in 5 of its states"):
        run(match, find_plugins(), tmp_path / "run", RunOptions(is_enough=lambda _: True))
    assert len(asked(models)) == 10
    assert run(match, find_plugins(), tmp_path / "run").is_over
    assert len(asked(models)) == REQUESTS - 10


def test_terms_of_chance_alone_need_no_policy(models: ModelServer, tmp_path: Path) -> None:
    match = replace(
        probable_match(tmp_path, models, "aivat"), variance=VarianceRules("aivat", "none")
    )
    run(match, find_plugins(), tmp_path / "run")
    folder = tmp_path / "run" / ANSWERS
    assert not [*folder.rglob(f"{STATES}.jsonl")]
    assert verify(tmp_path / "run", find_plugins()).problems == []


def test_in_a_large_game_the_policies_are_those_of_the_answers(
    models: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No state that the game did not reach is asked for, and no answer is paid twice."""
    for module in (corrections, asked_states):
        monkeypatch.setattr(module, "small_tree", lambda *_: None)
    prompts = []
    for variance in ("none", "aivat"):
        match = probable_match(tmp_path, models, variance)
        run(match, find_plugins(), tmp_path / variance)
        prompts.append(asked(models))
    assert prompts[0] == prompts[1]
    games = [game for _, game in read_games(tmp_path / "aivat")]
    assert all(game.corrections and game.corrections.policies for game in games)
    outcome = verify(tmp_path / "aivat", find_plugins(), rerun=1.0)
    assert (outcome.problems, outcome.played_again) == ([], 6)
    shutil.rmtree(tmp_path / "aivat" / ANSWERS)
    outcome = verify(tmp_path / "aivat", find_plugins())
    assert outcome.problems == []
    assert "terms against luck" in "".join(outcome.notes)
    assert asked(models) == []


def test_the_estimate_counts_each_state_once(models: ModelServer, tmp_path: Path) -> None:
    """After the match no answers are left to count."""
    match, folder = probable_match(tmp_path, models, "aivat"), tmp_path / "run"
    before = estimate_cost(match, find_plugins(), folder)
    models.requests.clear()
    run(match, find_plugins(), folder)
    read = fsum(len(prompt.split()) for prompt in asked(models))
    assert before is not None
    (expected,) = before.by_bot.values()
    assert expected.answers == REQUESTS
    assert [(contest.id, bot) for contest, bot in before.asked] == [("kuhn", *before.by_bot)]
    assert expected.tokens_in == pytest.approx(read, rel=0.05)
    after = estimate_cost(match, find_plugins(), folder)
    assert after is not None
    assert after.by_bot == {bot: Usage() for bot in before.by_bot}
