"""Searches with a guide: where its policy sends them, and what it may see."""

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.bots.test_search import REGISTRY, advice, kuhn_after_bet, referee_of

from cardhub.base.errors import BotError, OptionError
from cardhub.bots import Evaluator
from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.model.hidden.observation import EVERYTHING, Observation

Shares = Callable[[list[int]], dict[int, float]]


def even(legal: list[int]) -> dict[int, float]:
    """Return equal probabilities."""
    return dict.fromkeys(legal, 1 / len(legal))


class Guide(Evaluator):
    """A guide that expects no utilities, and notes what it has seen."""

    def __init__(self, shares: Shares = even) -> None:
        self._shares = shares
        self.asked: list[Observation[Any]] = []
        self.estimated: list[Observation[Any]] = []

    def policy(self, observation: Observation[Any], /) -> Mapping[int, float]:
        self.asked.append(observation)
        return self._shares(observation.legal())

    def utilities(self, observation: Observation[Any], /) -> list[float]:
        self.estimated.append(observation)
        return [0.0] * observation.state.seats


def guided(guide: Guide, iterations: int = 60) -> SearchBot:
    """Return a search with a guide."""
    return SearchBot(Random(1), budget=SearchBudget(iterations), guide=guide)


@pytest.mark.parametrize(("card", "best"), [("K", "call"), ("J", "fold")])
def test_results_at_the_end_of_the_game_count(card: str, best: str) -> None:
    observation = kuhn_after_bet(card)
    rated = guided(Guide()).advise(observation)
    assert observation.labels().label(rated[0].action) == best
    assert sum(rating.visits for rating in rated) == 60


def test_a_prior_says_where_to_look_in_place_of_the_policy() -> None:
    observation = referee_of("gamon", 2).observe(0)
    first, *_, favourite = observation.legal()

    class Sharp(Guide):
        """A guide that plays one action and lets a search look at another one."""

        def prior(self, observation: Observation[Any], /) -> Mapping[int, float]:
            legal = observation.legal()
            return {favourite: 1.0} if favourite in legal else even(legal)

    guide = Sharp(lambda legal: {first: 1.0} if first in legal else even(legal))
    rated = guided(guide).advise(observation)
    assert rated[0].action == favourite
    assert not guide.asked


def test_the_policy_says_where_to_look() -> None:
    observation = referee_of("gamon", 2).observe(0)
    favourite = observation.legal()[-1]
    guide = Guide(lambda legal: {favourite: 1.0} if favourite in legal else even(legal))
    rated = guided(guide).advise(observation)
    assert rated[0].action == favourite
    assert rated[0].visits > 45


def test_a_guide_sees_what_the_seat_to_act_sees_and_determinizations() -> None:
    referee = referee_of("leduc", 4)
    root = referee.observe(referee.seat)
    guide = Guide()
    guided(guide).advise(root)
    for observation in guide.asked:
        assert observation.is_to_act
        rival = observation.state.hand[1 - observation.seat][0]
        assert not observation.state.seen[rival] >> observation.seat & 1
    assert all(observation.seat == EVERYTHING for observation in guide.estimated)
    histories = [observation.history for observation in [*guide.asked, *guide.estimated]]
    assert all(history[: len(root.history)] == root.history for history in histories)
    assert len({*histories}) > 10


def test_a_policy_is_asked_once_for_each_information_set() -> None:
    guide = Guide()
    guided(guide, 300).advise(kuhn_after_bet("Q"))
    assert len(guide.asked) == 1


def test_actions_are_compared_with_equal_effort() -> None:
    observation = kuhn_after_bet("K")
    first, second = guided(Guide()).compare(observation, observation.legal())
    assert first.visits == second.visits == 60
    assert second.value > first.value  # call, and fold


def test_choices_at_the_same_time_are_searched() -> None:
    observation = referee_of("goofspiel", 1).observe(0)
    guide = Guide()
    rated = guided(guide).advise(observation)
    assert len(guide.estimated) == 60
    assert sum(rating.visits for rating in rated) == 60


def test_without_a_guide_the_search_plays_to_the_end() -> None:
    referee = referee_of("kuhn", 1)
    assert advice("ismcts:40,net=random", referee) == advice("ismcts:40", referee)


def test_a_bot_without_estimates_is_refused() -> None:
    with pytest.raises(BotError, match=r"RuleOfThumb cannot guide a search.* fix: net=FILE"):
        REGISTRY.make_bot("ismcts:net=rule", "gamon", Random(1))


@pytest.mark.parametrize("net", ["a.net", "net:a.net", "./a.net", "net:file=a.net"])
def test_a_file_is_short_for_its_network(
    net: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OptionError, match=r"bot 'net': the file '(\./)?a\.net' does not exist"):
        REGISTRY.settings_of(f"ismcts:100,net={net}", "kuhn")
