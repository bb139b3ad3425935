"""Statistics that control a match: the stop rule of a sequential test, and the pairs of a race."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from typing_extensions import override

from cardhub.lab.match.blocks import rivals
from cardhub.lab.match.match_spec import Contest, Match, Order, SprtRule
from cardhub.lab.match.run.schedule import Chooser, FixedOrder, RaceOrder, Schedule

# Slow to import, so only the functions that need statistics import it.
if TYPE_CHECKING:
    from cardhub.lab.stats import Hypotheses, Verdict


class SprtState(Struct, frozen=True):
    """State of the sequential test; a part of the schema of `result.json`."""

    a: str
    b: str
    game: str
    model: str
    elo: tuple[float, float]
    verdict: str
    blocks: int
    llr: float
    bounds: tuple[float, float]


class SequentialTest:
    """Sequential test that ends a match, updated with blocks in the order of the schedule."""

    def __init__(self, rule: SprtRule, games: int, contest: Contest) -> None:
        from cardhub.lab.stats import Sprt

        self.rule = rule
        self.even = contest.even
        # For two players a block has finitely many scores: wins, draws and losses of its games.
        is_finite = contest.parties == 2 and not contest.in_points
        support = tuple(n / (2 * games) for n in range(2 * games + 1)) if is_finite else ()
        self.sprt = Sprt(_hypotheses(rule, games, in_points=contest.in_points), support)

    def record(self, contest: str, score: float | None) -> None:
        """Record the score of `a` against `b` in a block, None if it does not count."""
        if contest == self.rule.contest and score is not None:
            self.sprt.add(score)

    @property
    def verdict(self) -> "Verdict":
        """Current verdict of the test."""
        return self.sprt.verdict

    @property
    def is_decided(self) -> bool:
        """Whether the test has reached a bound."""
        from cardhub.lab.stats import Verdict

        return self.verdict is not Verdict.UNDECIDED

    def state(self) -> SprtState:
        """Return the state of the test for the result."""
        return SprtState(
            a=self.rule.a,
            b=self.rule.b,
            game=self.rule.contest,
            model=self.rule.model,
            elo=self.rule.elo,
            verdict=self.verdict.value,
            blocks=self.sprt.tally.blocks,
            llr=self.sprt.llr,
            bounds=self.sprt.hypotheses.bounds,
        )


class RaceChooser(Chooser):
    """Chooser of the pair whose order is least certain."""

    def __init__(self, bots: Sequence[str], order: Order, level: float, *, in_points: bool) -> None:
        from cardhub.lab.stats import Race

        self._bots = list(bots)
        numbers = range(len(self._bots))
        self._race = Race(numbers, level, order.margin, in_points=in_points)

    @override
    def record(self, pair: tuple[str, str], score: float) -> None:
        one, other = pair
        self._race.add((self._bots.index(one), self._bots.index(other)), score)

    @override
    def next_pair(self, without: Collection[str]) -> tuple[str, str] | None:
        withdrawn = [number for number, bot in enumerate(self._bots) if bot in without]
        pair = self._race.next_pair(withdrawn)
        return None if pair is None else (self._bots[pair[0]], self._bots[pair[1]])


def sequential_test(match: Match, games: int) -> SequentialTest | None:
    """Return the test of a match with `games` per block, or None if it has no test."""
    if match.sprt is None:
        return None
    return SequentialTest(match.sprt, games, match.contest(match.sprt.contest))


def schedule_of(match: Match) -> Schedule:
    """Return the schedule of a match."""
    if match.order.mode != "racing":
        return FixedOrder(match)
    level = race_level(match)
    choosers: dict[str, Chooser] = {
        c.id: RaceChooser(rivals(match, c), match.order, level, in_points=c.in_points)
        for c in match.contests
    }
    return RaceOrder(choosers, match.order.blocks, match.order.batch)


def race_level(match: Match) -> float:
    """Return the confidence level in each game of a race that makes all verdicts hold jointly.

    Games share the error rate evenly: the schedule of each depends on its own results only.
    """
    return 1 - (1 - match.order.level) / len(match.contests)


def _hypotheses(rule: SprtRule, games: int, *, in_points: bool) -> "Hypotheses":
    from cardhub.lab.stats import Hypotheses

    low, high = rule.elo
    return Hypotheses(low, high, rule.alpha, rule.beta, rule.model, games, in_points)
