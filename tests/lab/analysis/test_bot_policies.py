"""Policies of bots: probabilities that they return, shares of their answers, and who is asked."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardhub.base.errors import BotRefusalError, SolvingError
from cardhub.bots import RandomBot
from cardhub.lab.analysis.bot_policies import BotPolicy, can_ask
from cardhub.lab.match.match_spec import Entrant, Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.model.hidden.observation import Observation
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()
FILE = """
cardhub_match: 1
name: cup
seed: 1
salt: none
bots: [{id: dice, use: random}, {id: rule, use: rule}]
games: [{game: leduc}]
schedule: {blocks: 1}
"""


class First:
    """Takes the first legal action, and counts how often it is asked."""

    asked = 0

    def __init__(self, rng: Random) -> None:
        pass

    def choose(self, observation: Observation[Any], /) -> int:
        """Return the first legal action."""
        type(self).asked += 1
        return observation.legal()[0]


def observed(seed: int = 1) -> Observation[Any]:
    """Return the first decision of a game of Kuhn poker."""
    players = [Player("A", "random"), Player("B", "random")]
    return set_up(REGISTRY.game("kuhn"), players, {}, seed).observe(0)


def test_a_bot_with_probabilities_is_asked_for_them() -> None:
    policy = BotPolicy(RandomBot, 8, "", most_asked=0)
    assert policy(observed()) == {0: 0.5, 1: 0.5}
    assert policy.is_exact


def test_shares_of_answers_are_smoothed_and_equal_positions_are_asked_once() -> None:
    """One more answer is spread over the legal actions, so every action is possible."""
    policy, First.asked = BotPolicy(First, 9, "", most_asked=10), 0
    assert policy(observed()) == pytest.approx({0: 0.95, 1: 0.05})
    assert policy(observed()) == policy(observed())
    assert First.asked == 9
    assert not policy.is_exact


def test_a_bot_without_probabilities_is_not_asked_without_end() -> None:
    policy = BotPolicy(First, 2, "", most_asked=1)
    first = observed()
    others = map(observed, range(2, 9))
    other = next(seen for seen in others if seen.information_text() != first.information_text())
    policy(first)
    with pytest.raises(SolvingError, match="more than 1 decisions of a bot would be asked"):
        policy(other)


@pytest.fixture
def match(tmp_path: Path) -> Match:
    path = tmp_path / "cup.yaml"
    path.write_text(FILE, "utf-8")
    return read_match(path, REGISTRY)


@pytest.mark.parametrize(
    ("use", "is_sandboxed", "can"),
    [
        ("random", True, True),
        ("rule", False, True),
        # A third-party bot is run only as the match runs it.
        ("rule", True, False),
        ("cfr:10", False, True),
        # A search would take too long.
        ("ismcts:10", False, False),
        ("ismcts:milliseconds=5", False, False),
        ("nobody", False, False),
    ],
)
def test_bots_that_are_quick_or_return_probabilities_are_asked(
    match: Match, use: str, is_sandboxed: bool, can: bool
) -> None:
    entrant = Entrant("dice", use, ("leduc",))
    changed = replace(match, entrants=(entrant,), sandbox=is_sandboxed)
    assert can_ask(REGISTRY, changed, "dice", "leduc") is can


def test_a_bot_that_cannot_be_made_is_not_asked(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise BotRefusalError("no weights")

    monkeypatch.setattr(REGISTRY, "make_bot", fail)
    assert not can_ask(REGISTRY, match, "rule", "leduc")
