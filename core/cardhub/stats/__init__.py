"""The statistics of matches between bots, without any input or output.

A block is one deal played in all seatings; its score is the mean over its games, between 0 and 1.
Blocks are independent, the games within one are not, so everything here counts blocks. Results
repeat exactly for the same games and seed. Nothing is rounded. docs/statistics.md explains all.

Importing this package imports numpy and scipy, which takes a while: do so where it is needed.
"""

from cardhub.stats.alpharank import AlphaRank, alpha_rank
from cardhub.stats.blocks import (
    Spread,
    factor_saved,
    luck_share,
    pooled,
    seat_edge,
    spread_of,
    undecided_share,
)
from cardhub.stats.cycles import (
    Cycles,
    CyclicShare,
    Mixture,
    certified_cycles,
    cyclic_share,
    nash_mixture,
)
from cardhub.stats.disagreement import disagreements
from cardhub.stats.elo import (
    as_elo,
    elo_of_score,
    likelihood_of_superiority,
    mean_points,
    mean_score,
    normalized_elo,
    score_of_elo,
)
from cardhub.stats.holm import holm_rejects
from cardhub.stats.kemeny import Kemeny
from cardhub.stats.overall import Overall, View, overall_views
from cardhub.stats.patterns import Tabulation
from cardhub.stats.payoffs import Payoffs, pair_scores, payoffs_of, payoffs_of_scores
from cardhub.stats.racing import Order, Race, Standing
from cardhub.stats.ranks import Ranks
from cardhub.stats.ratings import Rating, Ratings, SeatEdges, fit_ratings
from cardhub.stats.results import NOBODY, EloEstimate, Estimate, PlayedGame, PointEstimate
from cardhub.stats.sequence import ConfidenceSequence
from cardhub.stats.signflip import PValue, sign_flip
from cardhub.stats.sprt import Hypotheses, Sprt, Verdict
from cardhub.stats.stopped import after_stop
from cardhub.stats.variates import Adjusted, control_variate
from cardhub.stats.zerosum import Equilibrium, max_entropy_nash

__all__ = [
    "NOBODY",
    "Adjusted",
    "AlphaRank",
    "ConfidenceSequence",
    "Cycles",
    "CyclicShare",
    "EloEstimate",
    "Equilibrium",
    "Estimate",
    "Hypotheses",
    "Kemeny",
    "Mixture",
    "Order",
    "Overall",
    "PValue",
    "Payoffs",
    "PlayedGame",
    "PointEstimate",
    "Race",
    "Ranks",
    "Rating",
    "Ratings",
    "SeatEdges",
    "Spread",
    "Sprt",
    "Standing",
    "Tabulation",
    "Verdict",
    "View",
    "after_stop",
    "alpha_rank",
    "as_elo",
    "certified_cycles",
    "control_variate",
    "cyclic_share",
    "disagreements",
    "elo_of_score",
    "factor_saved",
    "fit_ratings",
    "holm_rejects",
    "likelihood_of_superiority",
    "luck_share",
    "max_entropy_nash",
    "mean_points",
    "mean_score",
    "nash_mixture",
    "normalized_elo",
    "overall_views",
    "pair_scores",
    "payoffs_of",
    "payoffs_of_scores",
    "pooled",
    "score_of_elo",
    "seat_edge",
    "sign_flip",
    "spread_of",
    "undecided_share",
]
