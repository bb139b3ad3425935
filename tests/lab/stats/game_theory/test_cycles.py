"""Intransitive games: cycles, equilibria and alpha-rank."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from cardhub.lab.estimate import Estimate
from cardhub.lab.stats import (
    PlayedGame,
    alpha_rank,
    certified_cycles,
    cyclic_share,
    nash_mixture,
    pair_scores,
    payoffs_of,
    payoffs_of_scores,
)
from cardhub.lab.stats.game_theory import POPULATION, stationary, takeovers

Plant = Callable[..., list[PlayedGame]]


def cloned(games: list[PlayedGame], bot: int, clone: int) -> list[PlayedGame]:
    """Return the games with a duplicate of a bot added, which draws against its original."""
    last = max(game.block for game in games) + 1
    again = [
        PlayedGame(game.block + last, tuple(clone if b == bot else b for b in game[1]), game.places)
        for game in games
        if bot in game.entrants
    ]
    return [*games, *again, PlayedGame(3 * last, (bot, clone), (1.0, 1.0))]


def test_rock_paper_scissors_is_one_certified_cycle(circle: list[PlayedGame]) -> None:
    """All of its log-odds are cyclic, and the equilibrium is uniform."""
    payoffs = payoffs_of(circle, 3)
    cycles = certified_cycles(payoffs, Random(1))
    assert cycles.certified == ((0, 1, 2),)
    assert cycles.apparent == 1
    assert cycles.limit == pytest.approx(0.05 / 3)
    share = cyclic_share(payoffs)
    assert share is not None
    assert share[0] == pytest.approx(1)
    assert share[1] < 0.1


def test_cycles_may_be_judged_by_other_p_values(circle: list[PlayedGame]) -> None:
    """Anytime-valid p-values are accepted; one insignificant edge leaves a cycle uncertified."""
    payoffs = payoffs_of(circle, 3)
    cycles = certified_cycles(payoffs, Random(1), p_values=[0.001, 0.001, 0.02])
    assert (cycles.apparent, cycles.certified) == (1, ())
    cycles = certified_cycles(payoffs, Random(1), p_values=[0.001, 0.001, 0.01])
    assert cycles.certified == ((0, 1, 2),)


def test_payoffs_come_from_scores_as_well(circle: list[PlayedGame]) -> None:
    """Payoffs of block scores equal payoffs of games."""
    scores = {pair: (list(of), list(of.values())) for pair, of in pair_scores(circle).items()}
    one, other = payoffs_of(circle, 3), payoffs_of_scores(scores, 3)
    assert one.advantages().tolist() == other.advantages().tolist()
    assert one.draw_means(5, 1).tolist() == other.draw_means(5, 1).tolist()


def test_a_bot_that_beats_all_others_is_the_whole_mixture(duels: Plant) -> None:
    """A dominant bot has the whole share in the estimate and in all draws."""
    mixture = nash_mixture(payoffs_of(duels([3.0, 0.0, 0.0], 40, np.random.default_rng(4)), 3))
    assert [tuple(share) for share in mixture.shares] == [(1, 1, 1), (0, 0, 0), (0, 0, 0)]


def test_the_mixture_of_rock_paper_scissors_is_a_third_each(circle: list[PlayedGame]) -> None:
    """Pairs count as even, with wide intervals for unobserved blocks."""
    mixture = nash_mixture(payoffs_of(circle, 3), draws=30)
    assert [share.value for share in mixture.shares] == pytest.approx([1 / 3] * 3)
    assert mixture.gap < 1e-9
    for share in mixture.shares:
        assert 0.2 < share.low < 1 / 3 < share.high < 0.5


def test_a_cloned_bot_leaves_the_others_their_shares(circle: list[PlayedGame]) -> None:
    """A duplicate of rock halves its share and leaves the others unchanged."""
    mixture = nash_mixture(payoffs_of(cloned(circle, 0, 3), 4), draws=0)
    shares = [share.value for share in mixture.shares]
    assert shares == pytest.approx([1 / 6, 1 / 3, 1 / 3, 1 / 6])


def test_noise_certifies_no_cycle(duels: Plant) -> None:
    """Eight even bots: plenty of apparent cycles, none certain, and a share as by noise."""
    payoffs = payoffs_of(duels([0.0] * 8, 12, np.random.default_rng(3)), 8)
    cycles = certified_cycles(payoffs, Random(1))
    assert cycles.apparent > 3
    assert cycles.certified == ()
    share = cyclic_share(payoffs)
    assert share is not None
    assert share[0] == pytest.approx(share[1], rel=0.5)


def test_a_ladder_has_next_to_no_cyclic_share(duels: Plant) -> None:
    """A Bradley-Terry model has no cyclic component."""
    games = duels([1.5, 0.5, -0.3, -1.2], 200, np.random.default_rng(4))
    payoffs = payoffs_of(games, 4)
    share = cyclic_share(payoffs)
    assert share is not None
    assert share[0] < 0.02
    best = nash_mixture(payoffs, draws=20).shares
    assert [s.value for s in best] == pytest.approx([1, 0, 0, 0])


def test_scores_of_pairs_are_means_over_a_block() -> None:
    """The block score is the mean over its games and over a bot's seats."""
    games = [
        PlayedGame(4, (1, 0), (1.0, 2.0)),
        PlayedGame(4, (0, 1), (1.0, 1.0)),
        PlayedGame(5, (2, 0, 2), (1.0, 2.0, 3.0)),
    ]
    assert pair_scores(games) == {(0, 1): {4: 0.25}, (0, 2): {5: 0.5}}


def test_takeovers_are_those_of_a_moran_process() -> None:
    """Fixation probabilities equal the product formula of the Moran process."""
    alpha, score = 0.7, 0.63  # of the mutant against a resident
    product, total = 1.0, 1.0
    for mutants in range(1, POPULATION):
        rest = POPULATION - 1
        mutant = ((mutants - 1) * 0.5 + (POPULATION - mutants) * score) / rest
        resident = (mutants * (1 - score) + (POPULATION - mutants - 1) * 0.5) / rest
        product *= np.exp(-alpha * (mutant - resident))
        total += product
    matrix = np.asarray([[0, 0.5 - score], [score - 0.5, 0]])
    assert takeovers(matrix, alpha)[0, 1] == pytest.approx(1 / total)
    assert takeovers(np.zeros((2, 2)), alpha)[0, 1] == pytest.approx(1 / POPULATION)
    assert 0 < takeovers(matrix, 500.0)[1, 0] < 1e-250


def test_stationary_masses_are_those_of_the_chain() -> None:
    """The distribution equals the left eigenvector of a random chain."""
    rates = np.random.default_rng(1).random((6, 6)) / 10
    chain = rates.copy()
    np.fill_diagonal(chain, 0)
    np.fill_diagonal(chain, 1 - chain.sum(axis=1))
    masses = stationary(rates)
    assert masses @ chain == pytest.approx(masses)


def test_alpha_rank_sweeps_from_even_to_what_cannot_be_invaded(circle: list[PlayedGame]) -> None:
    """Rock, paper and scissors share the mass; a bot that beats all of them takes it."""
    sweep = alpha_rank(payoffs_of(circle, 3), draws=20)
    assert sweep.masses[-1] == pytest.approx([1 / 3] * 3)
    best = [PlayedGame(900 + n, (3, n % 3), (1.0, 2.0)) for n in range(60)]
    sweep = alpha_rank(payoffs_of([*circle, *best], 4), draws=20)
    assert sweep.masses[-1] == pytest.approx([0, 0, 0, 1], abs=1e-6)
    assert sweep.masses[0].max() < 0.99
    assert sweep.final[3].low > 0.9
    assert sweep.is_settled


def test_long_ladders_under_strong_selection_stay_numbers() -> None:
    """Masses stay accurate over hundreds of orders of magnitude."""
    games = [
        PlayedGame(one * 40 + other, (one, other), (1.0, 2.0))
        for one in range(12)
        for other in range(one + 1, 12)
    ]
    sweep = alpha_rank(payoffs_of(games, 12), draws=5)
    assert np.isfinite(sweep.masses).all()
    assert sweep.final[0].value == pytest.approx(1)


@pytest.mark.parametrize("bots", [1, 3])
def test_without_games_everything_is_even(bots: int) -> None:
    payoffs = payoffs_of([], bots)
    assert cyclic_share(payoffs) is None
    assert certified_cycles(payoffs, Random(1)).certified == ()
    assert [s.value for s in nash_mixture(payoffs, draws=3).shares] == pytest.approx(
        [1 / bots] * bots
    )
    assert [s.value for s in alpha_rank(payoffs, draws=3).final] == pytest.approx([1 / bots] * bots)


def test_one_block_between_two_bots_leaves_both_possible() -> None:
    """The point estimate is a pure strategy, and the interval is wide."""
    payoffs = payoffs_of([PlayedGame(0, (0, 1), (1.0, 2.0))], 2)
    mixture = nash_mixture(payoffs, draws=60)
    assert mixture.shares[0] == Estimate(1, 0, 1)
    assert cyclic_share(payoffs) is None


def test_bots_beyond_the_number_are_refused() -> None:
    """The message has the index of the unknown bot."""
    with pytest.raises(ValueError, match="unknown bot 5"):
        payoffs_of([PlayedGame(0, (0, 5), (1.0, 2.0))], 2)
