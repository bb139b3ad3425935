"""Search plays poker for chips: its exploitability in Kuhn and Leduc poker stays low."""

import sys
from functools import partial
from random import Random

import pyspiel
import pytest

import poker_bots
import poker_policies
import versus


@pytest.mark.parametrize(
    ("poker", "seeds", "most"),
    [
        (poker_policies.KUHN, 6, 0.16),
        pytest.param(
            *(poker_policies.LEDUC, 2, 0.65),
            marks=pytest.mark.soak("Kuhn poker shows it at a fifth of the cost"),
        ),
    ],
)
def test_search_is_hard_to_exploit(poker: poker_policies.Poker, seeds: int, most: float) -> None:
    """results/search-quality.md has 24 seeds; the mean policy of fewer is at least as exploitable.

    As there, only information sets that the policy reaches are searched; sets that differ only in
    suits share a choice.
    """
    game = pyspiel.load_game(poker.theirs)
    policy = poker_policies.mean_policy(
        poker, poker_bots.ours(poker, "ismcts", 1000), range(1, seeds + 1)
    )
    assert pyspiel.exploitability(game, policy) < most


def test_uniform_play_has_the_exploitability_of_the_literature() -> None:
    """OpenSpiel gives the same figures, so the information sets have been paired correctly."""
    for poker, expected in ((poker_policies.KUHN, 0.4583), (poker_policies.LEDUC, 2.3736)):
        game = pyspiel.load_game(poker.theirs)
        policy = poker_policies.mean_policy(poker, uniform, [0])
        assert len(policy) == (12 if poker is poker_policies.KUHN else 936)
        assert pyspiel.exploitability(game, policy) == pytest.approx(expected, abs=1e-3)
        assert poker_policies.head_to_head(game, policy, policy) == pytest.approx(0)


def test_intervals_measure_how_much_the_seeds_differ() -> None:
    """The interval of equal bots is 0, and wide for bots that bet only with odd seeds."""
    measure = partial(pyspiel.exploitability, pyspiel.load_game("kuhn_poker"))
    equal = poker_policies.sample(poker_policies.KUHN, uniform, range(4))
    assert poker_policies.interval(measure, equal) == "0.458 ± 0.000"
    mixed = poker_policies.sample(poker_policies.KUHN, odd_seeds_bet, range(4))
    shown, _, width = poker_policies.interval(measure, mixed).partition(" ± ")
    assert shown == "0.458"  # the mean is uniform, too
    assert float(width) > 0


def odd_seeds_bet(decision: poker_policies.Decision, seed: int) -> dict[int, float]:
    """Return the last action for odd seeds, else the first."""
    return {decision.state.legal_actions()[-(seed % 2)]: 1.0}


def uniform(decision: poker_policies.Decision, seed: int) -> dict[int, float]:
    """Return equal weights for all actions."""
    return dict.fromkeys(decision.state.legal_actions(), 1.0)


def test_equal_time_gives_a_faster_search_more_iterations() -> None:
    """OpenSpiel's search in C++ does several iterations in the time of one of ours."""
    mine = poker_bots.ours(poker_policies.KUHN, "ismcts", 100)
    other = partial(poker_bots.theirs, 2.0)
    calibration = poker_bots.Calibration(poker_policies.KUHN, mine, other, 100)
    assert calibration.iterations > 200
    assert (
        0.4 < calibration.ours_ms / calibration.theirs_ms < 2.5
    )  # other programs disturb short times


def test_the_most_visited_action_is_the_one_of_openspiel() -> None:
    """OpenSpiel's method of choosing gives the same action with the same seed."""
    most = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    for decision in poker_policies.all_decisions(poker_policies.KUHN)[:6]:
        mixture = list(poker_bots.theirs(2.0, 301)(decision, 5).items())
        (chosen,) = poker_bots.most_visited({"": [mixture]})[""]
        number = Random(f"5 {decision.plain}").getrandbits(31)
        evaluator = pyspiel.RandomRolloutEvaluator(1, number)
        bot = pyspiel.ISMCTSBot(number, evaluator, 2.0, 301, -1, most, False, False)
        assert dict(chosen)[bot.step(decision.state)] == 1.0


def test_two_checkouts_play_mirrored_deals_at_equal_time() -> None:
    """Each bot has its time for a decision, on the clock of its process."""
    contest = versus.Contest("kuhn", 2, "ismcts:milliseconds=2", sys.executable)
    result = versus.play_block(contest, 1)
    assert result.wins == result.ahead
    assert -2 <= result.margin <= 2
    assert min(result.ours, result.theirs) > 0.0015
