"""Search plays poker for chips: its exploitability in Kuhn and Leduc poker stays low."""

from functools import partial

import pyspiel
import pytest

import quality


@pytest.mark.parametrize(
    ("poker", "seeds", "most"), [(quality.KUHN, 6, 0.16), (quality.LEDUC, 2, 0.65)]
)
def test_search_is_hard_to_exploit(poker: quality.Poker, seeds: int, most: float) -> None:
    """The table in docs/bots.md has 24 seeds; with fewer the mean policy is no less exploitable.

    As there, only information sets that the policy reaches are searched, and those that differ in
    suits share a choice.
    """
    game = pyspiel.load_game(poker.theirs)
    policy = quality.mean_policy(poker, quality.ours(poker, "ismcts", 1000), range(1, seeds + 1))
    assert pyspiel.exploitability(game, policy) < most


def test_uniform_play_has_the_exploitability_of_the_literature() -> None:
    """OpenSpiel gives the same figures, so the information sets have been paired correctly."""
    for poker, expected in ((quality.KUHN, 0.4583), (quality.LEDUC, 2.3736)):
        game = pyspiel.load_game(poker.theirs)
        policy = quality.mean_policy(poker, uniform, [0])
        assert len(policy) == (12 if poker is quality.KUHN else 936)
        assert pyspiel.exploitability(game, policy) == pytest.approx(expected, abs=1e-3)
        assert quality.head_to_head(game, policy, policy) == pytest.approx(0)


def test_intervals_measure_how_much_the_seeds_differ() -> None:
    """Equal bots have an interval of 0; bots that always bet with odd seeds have not."""
    measure = partial(pyspiel.exploitability, pyspiel.load_game("kuhn_poker"))
    equal = quality.sample(quality.KUHN, uniform, range(4))
    assert quality.interval(measure, equal) == "0.458 ± 0.000"
    mixed = quality.sample(quality.KUHN, odd_seeds_bet, range(4))
    shown, _, width = quality.interval(measure, mixed).partition(" ± ")
    assert shown == "0.458"  # the mean is uniform, too
    assert float(width) > 0


def odd_seeds_bet(decision: quality.Decision, seed: int) -> dict[int, float]:
    """Return the last action for odd seeds, else the first."""
    return {decision.state.legal_actions()[-(seed % 2)]: 1.0}


def uniform(decision: quality.Decision, seed: int) -> dict[int, float]:
    """Return equal weights for all actions."""
    return dict.fromkeys(decision.state.legal_actions(), 1.0)
