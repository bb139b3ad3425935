"""What terms save for a bot whose policy is known only at its decisions, as that of a program.

The values then rest on a model in its place. All games of Leduc poker are counted, so the figures
are exact; docs/statistics.md has them.
"""

from math import fsum
from random import Random
from typing import Any

import pytest

from cardhub.bots.bot import MixedBot
from cardhub.bots.solving.game_tree import TreeNode
from cardhub.lab.match.variance.corrections import MODEL, MODEL_SHARE
from cardhub.lab.match.variance.value_functions import (
    KnownPolicy,
    Odds,
    PartlyRandomPolicy,
    TreeValues,
    small_tree,
)
from cardhub.model.game.initial_state import game_scoring, resolve_options
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()
LEDUC = REGISTRY.game("leduc")
SETTINGS = resolve_options(LEDUC, {}, 2)


def policy(use: str) -> KnownPolicy:
    """Return the policy of a bot."""
    bot = REGISTRY.make_bot(use, "leduc", Random(0))
    assert isinstance(bot, MixedBot)
    return KnownPolicy(bot)


SOLVED, RULE = policy(MODEL), policy("rule")


class AllGames:
    """The plain score of seat 0 over all games, and the score with its terms."""

    def __init__(self, share: float) -> None:
        tree = small_tree(LEDUC, 2, tuple(sorted(SETTINGS.items())))
        assert tree is not None
        models = PartlyRandomPolicy(SOLVED, MODEL_SHARE), RULE
        scoring = game_scoring(LEDUC, SETTINGS, 2)
        self._values = TreeValues(tree, models, scoring, "points")
        self._policies = PartlyRandomPolicy(SOLVED, share), RULE
        self.scores: list[tuple[float, float, float]] = []
        self._walk(tree.root, 1.0, 0.0)

    def saved(self) -> float:
        """Return how many times as many games without terms would be as precise."""
        plain, less = (
            fsum(game[0] * game[column] ** 2 for game in self.scores) - self.mean(column) ** 2
            for column in (1, 2)
        )
        return plain / less

    def mean(self, column: int) -> float:
        """Return the expected score: 1 for the plain one, 2 for the one with terms."""
        return fsum(game[0] * game[column] for game in self.scores)

    def _walk(self, node: TreeNode[Any], weight: float, terms: float) -> None:
        if node.due.kind == "over":
            self.scores.append((weight, node.scores[0], node.scores[0] + terms))
            return
        odds: Odds = node.odds
        if node.due.kind == "turn":
            odds = self._policies[node.state.seat].odds(node)
        mean = self._values.mean(node, odds)[0]
        for step, chance in odds:
            child = node.child(step)
            if chance:
                self._walk(child, weight * chance, terms + mean - self._values.of(child)[0])


@pytest.mark.parametrize(("share", "least"), [(0.0, 14), (0.3, 50), (0.8, 85), (1.0, 18)])
def test_a_tenth_of_the_games_is_enough(share: float, least: float) -> None:
    """For bots that follow `cfr` in this share of decisions, and are random in the others."""
    games = AllGames(share)
    assert games.mean(1) == pytest.approx(games.mean(2), abs=1e-9)
    assert games.saved() > least
