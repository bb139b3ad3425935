"""Statistics of matches between bots: pure functions and accumulators, without I/O.

A block is one deal played in all seatings; its score is the mean over its games, between 0 and 1.
Blocks are independent and the games within a block are not, so blocks are the sampling unit of all
estimates. Results are deterministic for the same games and seed, and are not rounded.
docs/statistics.md describes the methods.

Importing this package imports numpy and scipy, which is slow: import it inside the functions that
use it.
"""

from cardhub.lab.stats.bootstrap import Ranks, ranks_of
from cardhub.lab.stats.cluster_estimates import (
    cluster_ratio,
    difference,
    p_of_measure,
    p_of_no_slope,
    paired_difference,
    slope_of_draws,
)
from cardhub.lab.stats.elo import (
    as_elo,
    bound_of_equal,
    elo_of_score,
    likelihood_of_superiority,
    mean_of_clusters,
    mean_points,
    mean_score,
    normalized_elo,
    p_of_mean,
    score_of_elo,
    score_of_lead,
)
from cardhub.lab.stats.game_theory import (
    AlphaRank,
    Cycles,
    Equilibrium,
    Mixture,
    Payoffs,
    alpha_rank,
    certified_cycles,
    cyclic_share,
    max_entropy_nash,
    nash_mixture,
    pair_scores,
    payoffs_of,
    payoffs_of_scores,
)
from cardhub.lab.stats.joint_fit import fit_by_deal
from cardhub.lab.stats.many_games import (
    Kemeny,
    Overall,
    OverallView,
    disagreements,
    overall_views,
)
from cardhub.lab.stats.ratings.fit import (
    Rating,
    Ratings,
    Separation,
    bounded,
    centred,
    fit_ratings,
    point_ratings,
    separations,
)
from cardhub.lab.stats.ratings.tabulation import FinishTable, Tabulation
from cardhub.lab.stats.sequential.boundary_crossing import after_stop
from cardhub.lab.stats.sequential.confidence_sequence import (
    AsymptoticSequence,
    ConfidenceSequence,
    with_all,
)
from cardhub.lab.stats.sequential.racing import PairOrder, Race
from cardhub.lab.stats.sequential.sprt import Hypotheses, Sprt, Verdict
from cardhub.lab.stats.significance import (
    PValue,
    holm_limits,
    holm_rejects,
    p_of_symmetry,
    shaffer_limits,
    sign_flip,
)
from cardhub.lab.stats.types import NOBODY, PlayedGame
from cardhub.lab.stats.variance import (
    Adjusted,
    VarianceComponents,
    control_variate,
    pooled,
    seat_edge,
    seat_edge_in_points,
    undecided_share,
    variance_of,
)

__all__ = [
    "NOBODY",
    "Adjusted",
    "AlphaRank",
    "AsymptoticSequence",
    "ConfidenceSequence",
    "Cycles",
    "Equilibrium",
    "FinishTable",
    "Hypotheses",
    "Kemeny",
    "Mixture",
    "Overall",
    "OverallView",
    "PValue",
    "PairOrder",
    "Payoffs",
    "PlayedGame",
    "Race",
    "Ranks",
    "Rating",
    "Ratings",
    "Separation",
    "Sprt",
    "Tabulation",
    "VarianceComponents",
    "Verdict",
    "after_stop",
    "alpha_rank",
    "as_elo",
    "bound_of_equal",
    "bounded",
    "centred",
    "certified_cycles",
    "cluster_ratio",
    "control_variate",
    "cyclic_share",
    "difference",
    "disagreements",
    "elo_of_score",
    "fit_by_deal",
    "fit_ratings",
    "holm_limits",
    "holm_rejects",
    "likelihood_of_superiority",
    "max_entropy_nash",
    "mean_of_clusters",
    "mean_points",
    "mean_score",
    "nash_mixture",
    "normalized_elo",
    "overall_views",
    "p_of_mean",
    "p_of_measure",
    "p_of_no_slope",
    "p_of_symmetry",
    "pair_scores",
    "paired_difference",
    "payoffs_of",
    "payoffs_of_scores",
    "point_ratings",
    "pooled",
    "ranks_of",
    "score_of_elo",
    "score_of_lead",
    "seat_edge",
    "seat_edge_in_points",
    "separations",
    "shaffer_limits",
    "sign_flip",
    "slope_of_draws",
    "undecided_share",
    "variance_of",
    "with_all",
]
