"""The joint likelihood of all games (Plackett-Luce), its priors, and its maximum by Newton steps.

The data and all bootstrap draws are fitted in batches of concave problems.

Pseudo-games keep ratings finite and intervals wide for bots that won or lost all games. Each bot
wins one pseudo-game and loses one, spread over its opponents; so does each seat against the other
seats.

Davidson-Luce ties (Firth, Kosmidis and Turner 2019, Davidson-Luce model for multi-item choice with
ties): each stage chooses a set of tied players among those left. A set of size s has the weight
delta_s times the geometric mean of its members' strengths, with delta_1 = 1; for two players this
is Davidson's model (1970).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, groupby
from math import comb
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from cardhub.lab.stats.bootstrap import block_weights, weight_shapes
from cardhub.lab.stats.ratings.tabulation import FinishTable, Pattern
from cardhub.lab.stats.types import Floats, Ints, Pair, generator

# The slot of a fixed log strength of 0, for example of the first bot.
NO_PARAMETER = -1


class Stage(NamedTuple):
    """One stage of a ranking: the feature row of each possible set, and the observed set."""

    sets: Floats
    chosen: int


class Evaluated(NamedTuple):
    """Log-likelihood (draws), gradient (parameters x draws), curvature (parameters^2 x draws)."""

    value: Floats
    gradient: Floats
    curvature: Floats


def stages(sizes: Sequence[int], tie_sizes: Sequence[int], unranked: int = 0) -> list[Stage]:
    """Return the stages of a ranking with groups of these sizes, and of `unranked` players below.

    Columns are the players in finishing order, then the log deltas of `tie_sizes`.
    """
    players, first, ranking = sum(sizes) + unranked, 0, []
    for size in sizes:
        unplaced = range(first, players)
        allowed = [1, *(tie for tie in tie_sizes if tie <= len(unplaced))]
        sets = [members for tie in allowed for members in combinations(unplaced, tie)]
        if len(sets) > 1:
            rows = np.asarray([_coefficients(members, players, tie_sizes) for members in sets])
            ranking.append(Stage(rows, sets.index(tuple(range(first, first + size)))))
        first += size
    return ranking


def _coefficients(members: Sequence[int], players: int, tie_sizes: Sequence[int]) -> list[float]:
    strengths = [1 / len(members) if player in members else 0 for player in range(players)]
    return strengths + [float(tie == len(members)) for tie in tie_sizes]


class Term:
    """The likelihood of all patterns with the same group sizes.

    `slots` are the parameter indices of the columns of its stages, or NO_PARAMETER, for each
    pattern. The shape is patterns x columns x 2, because a column may have two parameters (a bot's
    and a seat's).
    """

    def __init__(self, choices: list[Stage], slots: Ints, parameters: int) -> None:
        self._choices = choices
        self.patterns: int = slots.shape[0]
        self._columns: int = slots.shape[1]
        self._pairs = np.triu_indices(self._columns)
        by_column = np.swapaxes(slots, 0, 1)
        self._design_matrix = _design_matrix(by_column, parameters)
        self._covariance_matrix = _covariance_matrix(by_column, parameters, self._pairs)

    @property
    def work(self) -> int:
        """The number of floats that the widest stage needs per draw."""
        widest = max((len(stage.sets) for stage in self._choices), default=1)
        return self.patterns * max(widest, len(self._pairs[0]))

    def evaluate(self, parameters: Floats, weights: Floats) -> Evaluated:
        """Return the weighted log-likelihood and its derivatives; `weights` is patterns x draws."""
        draws = parameters.shape[1]
        cells, flat_weights = self.patterns * draws, weights.reshape(-1)
        strengths = (self._design_matrix @ parameters).reshape(self._columns, cells)
        value = np.zeros(cells)
        slope = np.zeros((self._columns, cells))
        bend = np.zeros((len(self._pairs[0]), cells))
        for stage in self._choices:
            self._add(stage, strengths, value, slope, bend)
        return Evaluated(
            (value * flat_weights).reshape(self.patterns, draws).sum(axis=0),
            self._design_matrix.T @ (slope * flat_weights).reshape(-1, draws),
            self._covariance_matrix @ (bend * flat_weights).reshape(-1, draws),
        )

    def _add(
        self, stage: Stage, strengths: Floats, value: Floats, slope: Floats, bend: Floats
    ) -> None:
        # Log weights of sets are linear in the log strengths and log deltas inside one log-sum-exp:
        # the log-likelihood is concave, its gradient is observed minus expected features, and its
        # negative Hessian the covariance of the features (an exponential family).
        one, other = self._pairs
        logs = stage.sets @ strengths
        logs -= logs.max(axis=0)
        chances = np.exp(logs)
        total = chances.sum(axis=0)
        chances /= total
        value += logs[stage.chosen] - np.log(total)
        mean = stage.sets.T @ chances
        slope += stage.sets[stage.chosen][:, None] - mean
        bend += (stage.sets[:, one] * stage.sets[:, other]).T @ chances
        bend -= mean[one] * mean[other]


def _design_matrix(slots: Ints, parameters: int) -> csr_array:
    rows, used = np.nonzero(slots.reshape(-1, 2) != NO_PARAMETER)
    columns = slots.reshape(-1, 2)[rows, used]
    shape = (slots.shape[0] * slots.shape[1], parameters)
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


def _covariance_matrix(slots: Ints, parameters: int, pairs: tuple[Ints, ...]) -> csr_array:
    one, other = slots[pairs[0]], slots[pairs[1]]  # pairs x patterns x 2
    number = np.arange(one.shape[0] * one.shape[1])
    # A column's strength is the sum of up to two parameters, so a covariance of columns adds to up
    # to four covariances of parameters. Only pairs with one <= other are computed: the others
    # are their mirror images.
    rows, columns = [], []
    for first, second in ((0, 0), (0, 1), (1, 0), (1, 1)):
        left, right = one[:, :, first].ravel(), other[:, :, second].ravel()
        both = (left != NO_PARAMETER) & (right != NO_PARAMETER)
        is_off = np.repeat(pairs[0] != pairs[1], one.shape[1]) & both
        rows += [(left * parameters + right)[both], (right * parameters + left)[is_off]]
        columns += [number[both], number[is_off]]
    at = np.concatenate(rows), np.concatenate(columns)
    return csr_array((np.ones(len(at[0])), at), shape=(parameters**2, len(number)))


def pair_slope(players: int, deltas: Mapping[int, Floats], *, is_won_only: bool = False) -> Floats:
    """Return the derivative of a player's expected pair score by its log strength.

    At equal strengths, with a win counted 1 and a tie 1/2. It is 1/4 without ties, for any number
    of players, and 1 / (2 `players`) if only the winner counts: then all losers are even.
    """
    # Recursion over the players that are left, from 2 on. The slope of the log probability of a set
    # of size s that contains the player is 1/s - 1/left, of any other set -1/left.
    slopes: dict[int, Floats] = {}
    # Of players whose order does not count a pair is even.
    for left in range(2, players + 1):
        weights = {1: np.ones(()), **{s: delta for s, delta in deltas.items() if s <= left}}
        total, slope = np.zeros(()), np.zeros(())
        for size, weight in weights.items():
            total = total + comb(left, size) * weight
            slope = slope + weight * _slope_of(left, size, slopes)
        slopes[left] = slope / total if left == players or not is_won_only else np.zeros(())
    return slopes[players]


def _slope_of(left: int, size: int, slopes: Mapping[int, Floats]) -> Floats:
    # The chosen set contains the player alone, both players of the pair, or neither: then the pair
    # is decided at a later stage.
    pull = 1 / size - 1 / left
    alone = np.asarray(comb(left - 2, size - 1) * pull)
    both = comb(left - 2, size - 2) / 2 * pull if size > 1 else 0
    if size > left - 2:
        return alone + both
    return alone + both + comb(left - 2, size) * (slopes[left - size] - 1 / (2 * left))


# Precision of the normal prior of log strengths and seat effects: standard deviation 20, so wide
# that it only keeps estimates finite where pseudo-games do not.
BOT_PRIOR = 1 / 20**2
# Precision of the normal prior of log tie weights: standard deviation 5.
TIE_PRIOR = 1 / 5**2


@dataclass(frozen=True)
class ParameterIndex:
    """The positions of parameters in the vector: bots, seats, then sizes of ties.

    For identifiability, the first bot and the first seat of each number of players lack a
    parameter; their values are 0.
    """

    bots: tuple[int, ...]
    players: tuple[int, ...]
    ties: tuple[int, ...]

    @cached_property
    def seats(self) -> dict[tuple[int, int], int]:
        """The index of each (number of players, seat) except first seats."""
        keys = [(players, seat) for players in self.players for seat in range(1, players)]
        return {key: len(self.bots) - 1 + number for number, key in enumerate(keys)}

    @property
    def size(self) -> int:
        """The number of parameters."""
        return len(self.bots) - 1 + len(self.seats) + len(self.ties)

    @property
    def prior(self) -> Floats:
        """Return the precision matrix of normal priors around the means of bots and of seats."""
        # I - 1/n is the centring matrix without the row of the first bot or seat: the prior does
        # not depend on which of them is fixed at 0.
        matrix = np.diag(np.full(self.size, TIE_PRIOR))
        first = 0
        for size in (len(self.bots), *self.players):
            part = slice(first, first + size - 1)
            matrix[part, part] = BOT_PRIOR * (np.eye(size - 1) - 1 / size)
            first += size - 1
        return matrix

    def bot(self, bot: int) -> int:
        """Return the parameter index of a bot."""
        return self._index_of_bot[bot]

    def seat(self, players: int, seat: int) -> int:
        """Return the parameter index of a seat, or NO_PARAMETER."""
        return self.seats[players, seat] if seat else NO_PARAMETER

    def tie(self, number: int) -> int:
        """Return the parameter index of the n-th size of ties."""
        return len(self.bots) - 1 + len(self.seats) + number

    def strengths(self, parameters: Floats) -> Floats:
        """Return the log strengths of all bots, bots x draws."""
        return np.vstack([np.zeros((1, parameters.shape[1])), parameters[: len(self.bots) - 1]])

    def deltas(self, parameters: Floats) -> dict[int, Floats]:
        """Return the tie weight of each size of ties, per draw."""
        return {size: np.exp(parameters[self.tie(n)]) for n, size in enumerate(self.ties)}

    def seat_edges(self, players: int, parameters: Floats) -> Floats:
        """Return the centred seat effects, seats x draws."""
        first = self.seats[players, 1]
        zero = np.zeros((1, parameters.shape[1]))
        edges = np.vstack([zero, parameters[first : first + players - 1]])
        return np.asarray(edges - edges.mean(axis=0), dtype=np.float64)

    def slots(self, patterns: Iterable[Pattern]) -> Ints:
        """Return the slots of patterns with equal numbers of players, see `plackett_luce.Term`."""
        return np.asarray([self._slots(pattern) for pattern in patterns], dtype=np.int64)

    def _slots(self, pattern: Pattern) -> list[tuple[int, int]]:
        players = pattern.players
        seated = zip(pattern.bots, pattern.seats, strict=True)
        slots = [(self.bot(bot), self.seat(players, seat)) for bot, seat in seated]
        return slots + [(self.tie(number), NO_PARAMETER) for number in range(len(self.ties))]

    @cached_property
    def _index_of_bot(self) -> dict[int, int]:
        return {bot: number - 1 for number, bot in enumerate(self.bots)}


def parameter_index(patterns: Iterable[Pattern], bots: tuple[int, ...]) -> ParameterIndex:
    """Return the parameter index of `patterns`; the first of `bots` has strength 0."""
    all_patterns = list(patterns)
    ties = {size for pattern in all_patterns for size in pattern.placed if size > 1}
    players = {pattern.players for pattern in all_patterns}
    return ParameterIndex(bots, tuple(sorted(players)), tuple(sorted(ties)))


def opponents(patterns: Iterable[Pattern]) -> dict[int, set[int]]:
    """Return the set of opponents of each bot."""
    met: dict[int, set[int]] = defaultdict(set)
    for pattern in patterns:
        for bot in pattern.bots:
            met[bot].update(other for other in pattern.bots if other != bot)
    return met


def connected_to(bot: int, met: dict[int, set[int]]) -> set[int]:
    """Return the connected component of a bot in the graph of opponents."""
    component, waiting = {bot}, [bot]
    while waiting:
        new = met.get(waiting.pop(), set()) - component
        component |= new
        waiting += sorted(new)
    return component


# The weight of pseudo-games in the estimate: for a pair that is Jeffreys' prior, Beta(1/2, 1/2).
IN_ESTIMATE = 0.5


class PseudoGames(NamedTuple):
    """The likelihood of the pseudo-games, and the mean share of each in a bot's pseudo-games.

    `size` is the number of games that a pseudo-game counts as.
    """

    term: Term
    shares: Floats
    size: float

    def weights(self, draws: int, rng: np.random.Generator) -> Floats:
        """Return random gamma weights, pseudo-games x draws."""
        # Random with mean 1 for each bot, like the weights of blocks: the interval after n wins in
        # n games is then about as wide as Clopper and Pearson's.
        return self.size * rng.gamma(np.repeat(self.shares[:, None], draws, axis=1))


def pseudo_games(index: ParameterIndex, met: dict[int, set[int]], size: float) -> PseudoGames:
    """Return the pseudo-games among rated bots and among seats; `met` are a bot's opponents.

    `size` is the design effect of blocks: where all games of a block end alike, a pseudo-game
    counts as much as a block.
    """
    slots: list[list[tuple[int, int]]] = []
    shares: list[float] = []
    for one, other in combinations(index.bots, 2):
        if other in met[one]:
            slots += _both_ways(index.bot(one), index.bot(other))
            shares += [(1 / len(met[one]) + 1 / len(met[other])) / 2] * 2
    for players in index.players:
        for left, right in combinations(range(players), 2):
            slots += _both_ways(index.seat(players, left), index.seat(players, right))
            shares += [1 / (players - 1)] * 2
    array = np.asarray(slots, dtype=np.int64).reshape(-1, 2, 2)
    return PseudoGames(Term(stages([1, 1], []), array, index.size), np.asarray(shares), size)


def _both_ways(one: int, other: int) -> list[list[tuple[int, int]]]:
    winner, loser = (one, NO_PARAMETER), (other, NO_PARAMETER)
    return [[winner, loser], [loser, winner]]


# The number of blocks of the prior, in which all games end alike.
PRIOR_BLOCKS = 1.0
# The variance below which all games count as equal.
TOLERANCE = 1e-9


def design_effect(table: FinishTable) -> float:
    """Return the design effect of pair scores, from 1 to the mean number of games per block.

    Without any variance of games it is the latter.
    """
    games, scores, squares = _by_pair_and_kind(table)
    if not len(games):
        return 1.0
    is_met = games > 0
    blocks, total = is_met @ table.copies, games @ table.copies
    means, size = scores @ table.copies / total, total / blocks
    by_block = np.where(is_met, scores / np.where(is_met, games, 1), means[:, None])
    between = float(size @ ((by_block - means[:, None]) ** 2 @ table.copies))
    variances = squares @ table.copies / total - means**2
    largest = float(total.sum() / blocks.sum())
    expected = float(variances @ (blocks - 1))
    prior = PRIOR_BLOCKS * float(variances.mean())
    if expected + prior < TOLERANCE:
        return largest
    return float(np.clip((between + prior * largest) / (expected + prior), 1, largest))


def _by_pair_and_kind(table: FinishTable) -> tuple[Floats, Floats, Floats]:
    # Numbers of games, sums of scores and of their squares, pairs x kinds of block.
    pairs: dict[Pair, int] = {}
    rows, columns, values = [], [], []
    for number, pattern in enumerate(table.patterns):
        for pair, score in _pair_scores(pattern):
            rows.append(pairs.setdefault(pair, len(pairs)))
            columns.append(number)
            values.append(score)
    shape = (len(pairs), len(table.patterns))
    sums = [
        (csr_array((part, (rows, columns)), shape=shape) @ table.counts).toarray()
        for part in (np.ones(len(values)), np.asarray(values), np.square(values))
    ]
    return sums[0], sums[1], sums[2]


def _pair_scores(pattern: Pattern) -> Iterator[tuple[Pair, float]]:
    groups = np.repeat(np.arange(len(pattern.sizes)), pattern.sizes).tolist()
    for (one, group), (other, other_group) in combinations(
        zip(pattern.bots, groups, strict=True), 2
    ):
        if one != other:
            ahead = 0.5 if group == other_group else 1.0
            yield (min(one, other), max(one, other)), ahead if one < other else 1 - ahead


# The tolerances of the estimate and of bootstrap draws, in log strength: sampling errors are far
# larger than CLOSE.
EXACT = 1e-12
CLOSE = 1e-6
# The largest number of floats in a batch of draws (4 MB), and the smallest batch.
NUMBERS = 500_000
FEWEST_DRAWS = 16


@dataclass(frozen=True)
class Likelihood:
    """The penalized likelihood of a table of games as a function of block weights."""

    index: ParameterIndex
    terms: list[Term]
    counts: list[csr_array]
    pseudo_games: PseudoGames
    shapes: Floats
    copies: Floats

    def estimate(self) -> Floats:
        """Return the maximum-likelihood parameters as a column."""
        shares = IN_ESTIMATE * self.pseudo_games.size * self.pseudo_games.shares[:, None]
        weights = self._pattern_weights(self.copies[:, None], shares)
        return self._maximum(np.zeros((self.index.size, 1)), weights, EXACT)

    def draws(self, estimate: Floats, draws: int, seed: int) -> Floats:
        """Return the maximum-likelihood parameters for random block weights, parameters x draws.

        All draws start at the estimate, which is close to each maximum.
        """
        rng = generator(seed)
        fits = [np.zeros((self.index.size, 0))]
        for size in self._batch_sizes(draws):
            blocks = block_weights(self.shapes, self.copies, size, rng)
            weights = self._pattern_weights(blocks, self.pseudo_games.weights(size, rng))
            fits.append(self._maximum(np.repeat(estimate, size, axis=1), weights, CLOSE))
        return np.hstack(fits)

    def _batch_sizes(self, draws: int) -> Iterator[int]:
        # Sizes must not depend on the machine: they set the order in which the rng is read.
        work = max(len(self.copies), *(term.work for term in [*self.terms, self.pseudo_games.term]))
        batch = max(FEWEST_DRAWS, NUMBERS // work)
        for first in range(0, draws, batch):
            yield min(batch, draws - first)

    def _pattern_weights(self, blocks: Floats, pseudo_games: Floats) -> list[Floats]:
        return [*(counts @ blocks for counts in self.counts), pseudo_games]

    def _maximum(self, start: Floats, weights: list[Floats], tolerance: float) -> Floats:
        terms, size = [*self.terms, self.pseudo_games.term], self.index.size
        prior = self.index.prior

        def evaluate(points: Floats, active: Ints) -> tuple[Floats, Floats, Floats]:
            gradient = -prior @ points
            value = np.einsum("pd,pd->d", points, gradient) / 2
            bend = np.repeat(prior[:, :, None], len(active), axis=2)
            for term, weight in zip(terms, weights, strict=True):
                part = term.evaluate(points, weight[:, active])
                value = value + part.value
                gradient = gradient + part.gradient
                bend += part.curvature.reshape(size, size, -1)
            return value, gradient, np.ascontiguousarray(bend.transpose(2, 0, 1))

        return maximise(evaluate, start, tolerance)


def likelihood_of(
    table: FinishTable, bots: tuple[int, ...], met: dict[int, set[int]]
) -> Likelihood:
    """Return the likelihood of games among some bots; the first bot has strength 0.

    `met` are the opponents of each bot.
    """
    index = parameter_index(table.patterns, bots)
    shape_of = [(pattern.placed, len(pattern.bots)) for pattern in table.patterns]
    order = sorted(range(len(shape_of)), key=shape_of.__getitem__)
    terms, counts = [], []
    # Patterns with equal group sizes share their stages, and are evaluated as one array.
    for (sizes, players), rows in groupby(order, shape_of.__getitem__):
        these = list(rows)
        slots = index.slots(table.patterns[row] for row in these)
        unranked = players - sum(sizes)
        terms.append(Term(stages(sizes, index.ties, unranked), slots, index.size))
        counts.append(table.counts[these])
    shapes = weight_shapes(bots_of_blocks(table), table.copies)
    pseudo = pseudo_games(index, met, design_effect(table))
    return Likelihood(index, terms, counts, pseudo, shapes, table.copies)


def bots_of_blocks(table: FinishTable) -> list[set[int]]:
    """Return the set of bots in each kind of block."""
    bots: list[set[int]] = [set() for _ in table.copies]
    for row, block in zip(*table.counts.nonzero(), strict=True):
        bots[block].update(table.patterns[row].bots)
    return bots


# A callback: takes points (parameters x problems) and the indices of the problems; returns values,
# gradients (parameters x problems) and negative Hessians (problems x parameters x parameters).
Evaluate = Callable[[Floats, Ints], tuple[Floats, Floats, Floats]]

ROUNDS = 60
HALVINGS = 30
# The largest change of a parameter in one step: where nearly all games are won, the likelihood is
# almost flat, and a full step would leave the region in which its quadratic model holds.
LARGEST_ACTION = 4.0


def maximise(evaluate: Evaluate, start: Floats, tolerance: float) -> Floats:
    """Return the maximum of each problem, starting from its column of `start`.

    A problem has converged after a full step shorter than the square root of `tolerance`: by
    quadratic convergence, the remaining error is about `tolerance`.
    """
    points = start.copy()
    active: Ints = np.arange(points.shape[1])
    if not points.shape[0]:
        return points
    values, slopes, bends = evaluate(points, active)
    for _ in range(ROUNDS):
        # The likelihood is concave and the priors strictly so: negative Hessians are invertible.
        solved = np.linalg.solve(bends, slopes.T[:, :, None])
        newton = np.asarray(solved[:, :, 0].T, dtype=np.float64)
        lengths = np.abs(newton).max(axis=0)
        steps: Floats = np.divide(newton, np.maximum(1, lengths / LARGEST_ACTION))
        there = _Climb(evaluate, points[:, active], steps, values, active)
        points[:, active] = there.points
        going = lengths > tolerance**0.5
        active = active[going]
        if not len(active):
            break
        values = there.values[going]
        slopes, bends = there.slopes[:, going], there.bends[going]
    return points


class _Climb:
    """One Newton step of all problems, with step halving if the value would decrease."""

    def __init__(
        self, evaluate: Evaluate, points: Floats, steps: Floats, before: Floats, active: Ints
    ) -> None:
        self.points = points + steps
        self.values, self.slopes, self.bends = evaluate(self.points, active)
        # Close to the maximum values differ by less than rounding errors: without slack the step
        # would be halved in vain.
        slack = 1e-10 * (1 + np.abs(before))
        for halving in range(1, HALVINGS):
            lower = np.flatnonzero(self.values < before - slack)
            if not len(lower):
                return
            self.points[:, lower] = points[:, lower] + steps[:, lower] / 2**halving
            values, slopes, bends = evaluate(self.points[:, lower], active[lower])
            self.values[lower], self.slopes[:, lower], self.bends[lower] = values, slopes, bends
