"""The terms against luck: their mean is 0 with any values, and exact values leave no luck."""

from collections.abc import Iterator
from math import fsum
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest
from typing_extensions import override

from cardhub.bots.bot import MixedBot
from cardhub.bots.solving.game_tree import Tree, TreeNode
from cardhub.lab.match.match_spec import Score
from cardhub.lab.match.variance.corrections import CountedPolicies, sampled_terms, tree_terms
from cardhub.lab.match.variance.value_functions import (
    KnownPolicy,
    TreeValues,
    Values,
    contest_scores,
)
from cardhub.model.game.initial_state import game_scoring, resolve_options
from cardhub.play.seating import Player
from cardhub.play.setup import let_bot_act, set_up
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()
KUHN = REGISTRY.game("kuhn")
SETTINGS = resolve_options(KUHN, {}, 2)
SCORING = game_scoring(KUHN, SETTINGS, 2)
TREE = Tree(KUHN, 2, SETTINGS)
ALWAYS, NEVER = (99, 99), (0, 0)

Path = list[tuple[TreeNode[Any], int]]


def policy(use: str, game: str = "kuhn") -> KnownPolicy:
    """Return the policy of a bot."""
    bot = REGISTRY.make_bot(use, game, Random(0))
    assert isinstance(bot, MixedBot)
    return KnownPolicy(bot)


POLICIES = policy("cfr:20"), policy("random")


class SillyValues(TreeValues):
    """Values without any sense: they follow from the digits of the path."""

    @override
    def of(self, node: TreeNode[Any]) -> Values:
        digits = fsum((n + 2) * step**2 for n, step in enumerate(node.path()))
        return (digits % 7 - 3, 100.0 - digits)


def games(node: TreeNode[Any], path: Path) -> Iterator[tuple[float, Path, TreeNode[Any]]]:
    """Yield all games after a node: their probabilities, paths and ends."""
    if node.due.kind == "over":
        yield 1.0, path, node
        return
    odds = POLICIES[node.state.seat].odds(node) if node.due.kind == "turn" else node.odds
    for step, chance in odds:
        for weight, whole, end in games(node.child(step), [*path, (node, step)]):
            yield chance * weight, whole, end


def estimates(
    values: TreeValues, until: tuple[int, int], score: Score
) -> Iterator[tuple[float, float, float]]:
    """Yield for all games the probability, the score of seat 0, and this score with its terms."""
    counted = CountedPolicies(POLICIES, until)
    for weight, path, end in games(TREE.root, []):
        played = contest_scores(end.scores, SCORING, score)[0]
        terms = [term[0] for term, _ in tree_terms(values, path, counted)]
        yield weight, played, fsum([played, *terms])


@pytest.mark.parametrize("kind", [TreeValues, SillyValues])
@pytest.mark.parametrize("until", [ALWAYS, NEVER, (99, 0), (1, 2)])
@pytest.mark.parametrize("score", ["points", "win"])
def test_the_mean_over_all_games_of_kuhn_poker_is_the_value_of_the_game(
    kind: type[TreeValues], until: tuple[int, int], score: Score
) -> None:
    """With any values, and with terms for all actions or for some."""
    values = kind(TREE, POLICIES, SCORING, score)
    all_games = [*estimates(values, until, score)]
    assert fsum(weight for weight, _, _ in all_games) == pytest.approx(1)
    value = fsum(weight * played for weight, played, _ in all_games)
    assert fsum(weight * less for weight, _, less in all_games) == pytest.approx(value, abs=1e-12)


def test_with_exact_values_and_both_policies_no_luck_is_left() -> None:
    """Each game of Kuhn poker gives the value of the game itself."""
    values = TreeValues(TREE, POLICIES, SCORING, "points")
    (value,) = {round(less, 9) for _, _, less in estimates(values, ALWAYS, "points")}
    assert value == pytest.approx(values.of(TREE.root)[0])


def test_exact_values_of_chance_alone_leave_less_luck() -> None:
    """What remains is the luck of the bots' own choices."""
    values = TreeValues(TREE, POLICIES, SCORING, "points")
    all_games = [*estimates(values, NEVER, "points")]
    value = values.of(TREE.root)[0]
    plain, less = (
        fsum(weight * (score - value) ** 2 for weight, score in scores)
        for scores in zip(*(((w, p), (w, s)) for w, p, s in all_games), strict=True)
    )
    assert less < plain / 1.5


def test_terms_of_samples_have_the_mean_0() -> None:
    """In Leduc poker as if it were too large for its tree: seeded games, within 4 errors."""
    players = [Player("a", "random"), Player("b", "random")]
    counted = CountedPolicies([policy("random", "leduc")] * 2, ALWAYS)
    sums = []
    for seed in range(150):
        referee = set_up(REGISTRY.game("leduc"), players, {}, seed)
        referee.proceed()
        bots = [REGISTRY.make_bot("random", "leduc", Random(f"{seed} {n}")) for n in range(2)]
        while not referee.is_over:
            let_bot_act(referee, bots[referee.seat])
        sums.append(fsum(t[0] for t, _ in sampled_terms(referee, counted, Random(seed))))
    assert any(sums)
    assert abs(fmean(sums)) < 4 * stdev(sums) / len(sums) ** 0.5


def test_a_policy_that_fails_has_no_terms() -> None:
    """`cfr` refuses a game with more nodes than it may have."""
    refusing = policy("cfr:20,nodes=2")
    values = TreeValues(TREE, [refusing, refusing], SCORING, "points")
    _, path, _ = next(games(TREE.root, []))
    terms = tree_terms(values, path, CountedPolicies([refusing, refusing], ALWAYS))
    assert all(by_chance for _, by_chance in terms)
