"""A model's policy by the probabilities of the names of actions."""

import math
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from tests.bots.language.probable_matches import first_turn, likely, probable_match
from tests.kit.model_server import ModelServer, Page, answer, likelihoods

from cardhub.base.errors import BotProviderError
from cardhub.bots.bot import Bot, MixedBot
from cardhub.bots.language.endpoint import Endpoint
from cardhub.bots.language.provider import Provider
from cardhub.lab.match.run.runner import run
from cardhub.lab.match.verifier import verify
from cardhub.plugins.registry import find_plugins
from kuhn.game import BET, CHECK


def made(models: ModelServer) -> Bot:
    """Return a bot that asks for probabilities."""
    spec = f"llm:m,url={models.url},form=likelihood"
    return find_plugins().make_bot(spec, "kuhn", Random(1))


def test_probabilities_are_in_proportion_to_those_of_the_names(models: ModelServer) -> None:
    models.model = likelihoods(likely)
    bot = made(models)
    assert isinstance(bot, MixedBot)
    policy: Mapping[int, float] = bot.policy(first_turn())
    assert policy == pytest.approx({CHECK: 0.25, BET: 0.75})
    lines = [body["prompt"].splitlines()[-1] for body in models.requests]
    assert lines == ["Final answer: check", "Final answer: bet"]
    played = [bot.choose(first_turn()) for _ in range(60)]
    assert 30 < played.count(BET) < 58


def test_bots_that_answer_in_text_have_no_policy(models: ModelServer) -> None:
    bot = find_plugins().make_bot(f"llm:m,url={models.url}", "kuhn", Random(1))
    assert not isinstance(bot, MixedBot)


@pytest.mark.parametrize(
    "page",
    [
        answer("yes"),
        Page(body=b'{"choices": [{"logprobs": null}]}'),
        Page(body=b'{"choices": [{"logprobs": {"content": [{"token": "x", "logprob": -1}]}}]}'),
        Page(body=b'{"choices": [{"logprobs": {"text_offset": [0], "token_logprobs": [null]}}]}'),
    ],
)
def test_a_server_without_probabilities_is_named(models: ModelServer, page: Page) -> None:
    models.model = lambda _: page
    provider = Provider(Endpoint("m", models.url), 5.0, 0.0)
    with pytest.raises(BotProviderError, match="it gives no probabilities of a prompt's tokens"):
        provider.rate("Answer:", " yes\n")


def test_a_long_name_is_the_product_of_its_tokens(models: ModelServer) -> None:
    body = (
        b'{"choices": [{"logprobs": {"text_offset": [0, 2, 5, 7],'
        b' "token_logprobs": [null, -1.0, -2.0, -4.0]}}]}'
    )
    models.model = lambda _: Page(body=body)
    provider = Provider(Endpoint("m", models.url), 5.0, 0.0)
    # The second token begins in the prompt, and the last one was added.
    assert math.isclose(provider.rate("abc", "defg").log_probability, -3.0)


def test_a_match_of_probabilities_is_verified_without_a_server(
    models: ModelServer, tmp_path: Path
) -> None:
    match = probable_match(tmp_path, models)
    assert run(match, find_plugins(), tmp_path / "run").is_over
    models.requests.clear()
    outcome = verify(tmp_path / "run", find_plugins(), rerun=1.0)
    assert (outcome.problems, outcome.played_again, outcome.left_out) == ([], 6, 0)
    assert models.requests == []
