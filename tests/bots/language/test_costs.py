"""What a match of language models costs: the estimate before its first game, and its limits."""

from pathlib import Path
from random import Random

import pytest
from tests.kit.model_server import ModelServer, random_model, write_cup

from cardhub.bots.language.exchanges import Answers
from cardhub.bots.language.spending import Price, PricesError, SpendingMeter, Usage, read_prices
from cardhub.lab.match.log.log_reader import ANSWERS
from cardhub.lab.match.matchfile.reader import parse_match, read_match
from cardhub.lab.match.run.cost_estimate import PURPOSE, estimate_cost
from cardhub.lab.match.run.runner import run as run_match
from cardhub.plugins.registry import find_plugins


def test_the_estimate_is_within_a_tenth_of_what_is_spent(
    tmp_path: Path, models: ModelServer
) -> None:
    models.model = random_model(Random(1))
    match, registry = read_match(write_cup(tmp_path, models, 25), find_plugins()), find_plugins()
    folder = tmp_path / "runs"
    estimate = estimate_cost(match, registry, folder)
    assert estimate is not None
    assert estimate.games == 50
    run_match(match, registry, folder)
    (spent,) = SpendingMeter(Answers(folder / ANSWERS)).usage().values()
    (expected,) = estimate.by_bot.values()
    price = Price(0.25, 2.0, 0.05)
    assert price.cost(expected) == pytest.approx(price.cost(spent), rel=0.1)
    assert expected.tokens_in == pytest.approx(spent.tokens_in, rel=0.1)
    assert expected.tokens_cached == pytest.approx(spent.tokens_cached, rel=0.1)


def test_an_estimate_asks_each_model_once(tmp_path: Path, models: ModelServer) -> None:
    """The answer is stored: later estimates, and one after the match, do not ask again."""
    match, registry = read_match(write_cup(tmp_path, models), find_plugins()), find_plugins()
    folder = tmp_path / "runs"
    first = estimate_cost(match, registry, folder)
    assert len(models.requests) == 1
    assert [path.stem for path in (folder / ANSWERS).rglob("*.jsonl")] == [f"{PURPOSE}-0"]
    assert estimate_cost(match, registry, folder) == first
    assert len(models.requests) == 1
    run_match(match, registry, folder)
    after = estimate_cost(match, registry, folder)
    assert after is not None
    assert after.games == 0


def test_a_match_without_models_has_no_estimate(tmp_path: Path) -> None:
    match = parse_match({"games": ["kuhn"], "bots": ["cfr", "random"]}, find_plugins())
    assert estimate_cost(match, find_plugins(), tmp_path) is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("m: {read: 1}", "missing key 'written'"),
        ("m: 3", "expected a mapping such as"),
        ("m: {read: -1, written: 2}", "must be a number from 0"),
        ("[m]", "expected a mapping"),
    ],
)
def test_faults_of_a_file_of_prices_are_named(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(text)
    with pytest.raises(PricesError, match=r"prices\.yaml:1:") as caught:
        read_prices(path)
    assert problem in str(caught.value)


def test_a_cached_token_costs_its_own_price() -> None:
    usage = Usage(answers=1, tokens_in=1_000_000, tokens_cached=500_000, tokens_out=100_000)
    assert Price(2.0, 10.0).cost(usage) == pytest.approx(3.0)
    assert Price(2.0, 10.0, 0.2).cost(usage) == pytest.approx(2.1)
