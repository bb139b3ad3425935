"""Games of a study and their figures: measures by deal, choices, luck, seats, leads, uses."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, fsum, log10, sqrt
from typing import NamedTuple

from msgspec.structs import replace

from cardhub.lab.estimate import Measure
from cardhub.lab.match.match_spec import Contest
from cardhub.lab.match.seat_scores import seats_of_teams
from cardhub.lab.match.task import GameResult
from cardhub.lab.report.view.plots import round_step
from cardhub.lab.stats import cluster_ratio, holm_rejects, p_of_measure, p_of_no_slope
from cardhub.lab.study.game_trace import NOBODY_LEADS, GameTrace, UseKey
from cardhub.lab.study.study_schema import (
    Choices,
    Distribution,
    HistogramBar,
    Leads,
    Luck,
    ProgressPoint,
    SeatAdvantage,
    UseRow,
)
from cardhub.model.game.played_steps import Frequency


@dataclass(frozen=True, slots=True)
class StudyGame:
    """A game between copies of one bot.

    `bot` is its spec, `group` has the ids of the copies, `scores` the match scores by seat.
    """

    bot: str
    group: tuple[str, ...]
    result: GameResult
    scores: tuple[float, ...]
    trace: GameTrace

    @property
    def deal(self) -> int:
        """The number of the deal; games with equal numbers have equal cards."""
        return self.result.deal


class Summand(NamedTuple):
    """A term of a ratio of sums: `total` of the numerator, `size` of the denominator."""

    deal: int
    total: float
    size: float = 1.0


class DealMeasure(Measure, frozen=True):
    """A measure with `shifts`: by the number of a deal, how much the deal moves the value.

    A shift is the deal's residual over the sum of all sizes, 0 for a deal without a summand.
    """

    shifts: Sequence[float]

    @classmethod
    def of(cls, plain: Measure, shifts: Iterable[float]) -> "DealMeasure":
        """Return a measure with shifts."""
        ends, error = (plain.value, plain.low, plain.high), plain.error
        return cls(*ends, error, plain.freedom, plain.deals, array("d", shifts))

    def plain(self) -> Measure:
        """Return the measure without shifts."""
        return Measure(self.value, self.low, self.high, self.error, self.freedom, self.deals)


def measure(parts: Iterable[Summand], level: float) -> DealMeasure | None:
    """Return the ratio of total to size with deals as clusters; None if the size is 0."""
    sums = deal_sums(parts)
    totals, sizes = [part.total for part in sums], [part.size for part in sums]
    ratio = cluster_ratio(totals, sizes, level)
    if ratio is None:
        return None
    whole, shifts = fsum(sizes), [0.0] * (1 + sums[-1].deal)
    for deal, total, size in sums:
        shifts[deal] = (total - ratio.value * size) / whole
    return DealMeasure.of(ratio, shifts)


def deal_sums(parts: Iterable[Summand]) -> list[Summand]:
    """Return the sums of the terms of each deal, in the order of deals."""
    sums: defaultdict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for part in parts:
        row = sums[part.deal]
        row[0] += part.total
        row[1] += part.size
    # Sorted, because a sum of floats depends on the order of its terms.
    return [Summand(deal, *sums[deal]) for deal in sorted(sums)]


def counted_measure(parts: Sequence[Summand], level: float) -> DealMeasure:
    """Return `measure` of parts with a size above 0; raises ValueError otherwise."""
    ratio = measure(parts, level)
    if ratio is None:
        raise ValueError("a measure of no games")
    return ratio


def bounded_measure(wide: DealMeasure, low: float = 0.0, high: float = 1.0) -> DealMeasure:
    """Return a measure with value and interval clipped to the possible range."""

    def inside(value: float) -> float:
        return min(max(value, low), high)

    ends = (None if end is None else inside(end) for end in (wide.low, wide.high))
    bottom, top = ends
    return replace(wide, value=inside(wide.value), low=bottom, high=top)


def scaled_measure(original: DealMeasure, factor: float) -> DealMeasure:
    """Return a measure multiplied by a positive number."""
    ends = (
        None if end is None else factor * end
        for end in (original.low, original.high, original.error)
    )
    low, high, error = ends
    shifts = array("d", (factor * shift for shift in original.shifts))
    value = factor * original.value
    return replace(original, value=value, low=low, high=high, error=error, shifts=shifts)


# Number of equal parts of a game for figures by progress.
STRETCHES = 20


def choices(games: Sequence[StudyGame], level: float) -> Choices:
    """Return the numbers of legal actions of the games."""
    counts = [(game.deal, len(game.scores), game.trace.choices) for game in games]
    free = [(deal, (len(legal) - legal.count(1)) / seats) for deal, seats, legal in counts]
    return Choices(
        mean=_rate([Summand(deal, fsum(legal), len(legal)) for deal, _, legal in counts], level),
        most=max((max(legal, default=0) for *_, legal in counts), default=0),
        forced=_rate(
            [Summand(deal, legal.count(1), len(legal)) for deal, _, legal in counts], level
        ),
        free=counted_measure([Summand(deal, number) for deal, number in free], level),
        log10_lines=counted_measure(
            [Summand(deal, fsum(map(log10, legal))) for deal, _, legal in counts], level
        ),
        by_progress=tuple(_by_progress(games, level)),
    )


def _rate(parts: Sequence[Summand], level: float) -> Measure:
    # A game may end without a decision.
    return measure(parts, level) or counted_measure(
        [Summand(part.deal, 0.0) for part in parts], level
    )


def _by_progress(games: Sequence[StudyGame], level: float) -> list[ProgressPoint]:
    parts: list[list[Summand]] = [[] for _ in range(STRETCHES)]
    for game in games:
        counts = game.trace.choices
        for number, legal in enumerate(counts):
            parts[number * STRETCHES // len(counts)].append(Summand(game.deal, legal))
    return [
        ProgressPoint((number + 0.5) / STRETCHES, measure(part, level))
        for number, part in enumerate(parts)
    ]


QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
# The approximate number of bars of a histogram.
BARS = 20
# A share in the last bar of a histogram of tenths.
LAST_SHARE = 0.95


def distribution(
    deals: Sequence[int], values: Sequence[float], level: float, *, is_share: bool = False
) -> Distribution:
    """Return the distribution of `values`; `deals` has the deal of the game at the same index.

    The width of bars is a round number. Bars of shares are tenths; the last one includes 1.
    """
    ordered = sorted(values)
    mean = counted_measure(
        [Summand(deal, value) for deal, value in zip(deals, values, strict=True)], level
    )
    deviation = sqrt(fsum((value - mean.value) ** 2 for value in values) / max(1, len(values) - 1))
    return Distribution(
        mean=mean,
        deviation=deviation,
        least=ordered[0],
        greatest=ordered[-1],
        quantiles=tuple(
            ordered[min(len(ordered) - 1, floor(share * len(ordered)))] for share in QUANTILES
        ),
        bars=_bars([min(value, LAST_SHARE) for value in ordered], 0.1)
        if is_share
        else _bars(ordered, round_step(max((ordered[-1] - ordered[0]) / BARS, 1.0))),
    )


def _bars(ordered: Sequence[float], width: float) -> tuple[HistogramBar, ...]:
    first = floor(ordered[0] / width + 1e-9)
    numbers = [max(first, floor(value / width + 1e-9)) for value in ordered]
    counts = [0] * (numbers[-1] - first + 1)
    for number in numbers:
        counts[number - first] += 1
    return tuple(
        HistogramBar(round((first + n) * width, 9), round((first + n + 1) * width, 9), count)
        for n, count in enumerate(counts)
    )


def luck(games: Sequence[StudyGame], level: float) -> Luck | None:
    """Return the shares of the variance between equal players; None if all scores are equal.

    Two groups of copies of a bot play each deal with different random numbers. The mean product of
    the groups' deviations is the variance due to the deal. Games within a group cannot replace
    this: its copies use the same random numbers in all seats, so their games are dependent.
    """
    firsts = seats_of_teams(games[0].result)
    means = _means(games, firsts)
    groups: dict[tuple[str, int], dict[tuple[str, ...], list[StudyGame]]] = {}
    for game in games:
        of_deal = groups.setdefault((game.bot, game.deal), {})
        of_deal.setdefault(game.group, []).append(game)
    parts = []
    for (bot, deal), of_deal in groups.items():
        if len(of_deal) != 2:
            continue
        first, second = of_deal.values()
        for seat in firsts:
            mean = means[bot, seat]
            shared = _deviation(first, seat, mean) * _deviation(second, seat, mean)
            squares = [(game.scores[seat] - mean) ** 2 for game in (*first, *second)]
            parts.append(Summand(deal, shared, fsum(squares) / len(squares)))
    deal_part = measure(parts, level)
    if deal_part is None:
        return None
    seat_share = _seat_share(games, firsts)
    rest = 1 - seat_share
    # A share of the whole variance, including the part of the seats.
    deal_share = bounded_measure(scaled_measure(deal_part, rest), high=rest)
    return Luck(deal_share, seat_share, rest - deal_share.value)


def _means(games: Sequence[StudyGame], seats: Sequence[int]) -> dict[tuple[str, int], float]:
    """Return the mean scores by bot and seat."""
    sums: defaultdict[tuple[str, int], float] = defaultdict(float)
    counts: defaultdict[tuple[str, int], int] = defaultdict(int)
    for game in games:
        for seat in seats:
            sums[game.bot, seat] += game.scores[seat]
            counts[game.bot, seat] += 1
    return {key: total / counts[key] for key, total in sums.items()}


def _deviation(games: Sequence[StudyGame], seat: int, mean: float) -> float:
    return fsum(game.scores[seat] for game in games) / len(games) - mean


def _seat_share(games: Sequence[StudyGame], seats: Sequence[int]) -> float:
    """Return the share of the variance that fixed advantages of seats explain."""
    by_seat = [[game.scores[seat] for game in games] for seat in seats]
    count = len(games)
    means = [fsum(scores) / count for scores in by_seat]
    middle = fsum(means) / len(means)
    whole = fsum((s - middle) ** 2 for scores in by_seat for s in scores) / (count * len(seats))
    # The variance of the means that chance alone causes is subtracted.
    within = whole - fsum((mean - middle) ** 2 for mean in means) / len(means)
    between = fsum((mean - middle) ** 2 for mean in means) / len(means) - within / count
    return min(max(between / whole, 0.0), 1.0) if whole > 0 else 0.0


def seat_advantages(games: Sequence[StudyGame], level: float) -> tuple[SeatAdvantage, ...]:
    """Return the advantage of each seat, or of each team by its seats.

    Bots are weighted by their games. `is_certain` holds for all seats, by Holm's correction.
    """
    firsts = seats_of_teams(games[0].result)
    teams = games[0].result.teams or tuple(range(len(games[0].scores)))
    rows = []
    for first in firsts:
        means = [fsum(game.scores[seat] for seat in firsts) / len(firsts) for game in games]
        edges = [
            Summand(game.deal, game.scores[first] - mean)
            for game, mean in zip(games, means, strict=True)
        ]
        score = counted_measure([Summand(game.deal, game.scores[first]) for game in games], level)
        seats = tuple(seat for seat, team in enumerate(teams) if team == teams[first])
        rows.append((seats, score, counted_measure(edges, level)))
    # Two teams have opposite advantages, so there is only one test.
    tested = rows[:1] if len(rows) == 2 else rows
    p_values = [p_of_measure(edge) for _, _, edge in tested]
    rejected = holm_rejects([1.0 if p is None else p for p in p_values], level)
    if len(rows) == 2:
        p_values, rejected = p_values * 2, rejected * 2
    return tuple(
        SeatAdvantage(*row, p_value, is_certain)
        for row, p_value, is_certain in zip(rows, p_values, rejected, strict=True)
    )


def draws(games: Sequence[StudyGame], level: float) -> Measure | None:
    """Return the share of games with a shared first place."""
    shared = [Summand(game.deal, float(len(winners(game)) > 1)) for game in games]
    return measure(shared, level)


def winners(game: StudyGame) -> list[int]:
    """Return the first seats of the teams in the first place."""
    places = game.result.places
    return [seat for seat in seats_of_teams(game.result) if places[seat] == 1]


def reached(games: Sequence[StudyGame], contest: Contest, level: float) -> Measure | None:
    """Return the share of tables that reached the target of a common cause, None without one."""
    if contest.target is None:
        return None
    is_low, target = contest.lowest_wins, contest.target
    won = [
        score <= target if is_low else score >= target
        for score in (game.result.scores[0] for game in games)
    ]
    return measure([Summand(g.deal, float(w)) for g, w in zip(games, won, strict=True)], level)


# The number of equal steps through a game after which its leader is determined.
POINTS = 20
# If fewer games have a leader before the last tenth, scores do not change before the end.
LEAST_LED = 0.05
LATE = 0.9


def leads(games: Sequence[StudyGame], level: float) -> Leads | None:
    """Return how early leaders are decided; None if scores do not show a leader before the end."""
    led = sum(_leader(game, LATE) != NOBODY_LEADS for game in games)
    if led < LEAST_LED * len(games):
        return None
    shares = [number / POINTS for number in range(POINTS + 1)]
    decided = [game for game in games if len(winners(game)) == 1]
    return Leads(
        leader_wins=tuple(ProgressPoint(s, measure(_won(games, s), level)) for s in shares),
        led=tuple(ProgressPoint(s, measure(_led(games, s), level)) for s in shares),
        settled=distribution(
            [game.deal for game in decided],
            [settled_at(game) for game in decided],
            level,
            is_share=True,
        )
        if decided
        else None,
        changes=distribution(
            [game.deal for game in games], [float(lead_changes(game)) for game in games], level
        ),
    )


def settled_at(game: StudyGame) -> float:
    """Return the share of decisions after which the single winner leads alone to the end."""
    (winner,) = winners(game)
    leaders = game.trace.leaders
    first = len(leaders)
    while first and leaders[first - 1] == winner:
        first -= 1
    return min(first, len(leaders) - 1) / max(1, len(leaders) - 1)


def lead_changes(game: StudyGame) -> int:
    """Return how often the lead passes from one seat or team to another, ignoring ties between."""
    alone = [leader for leader in game.trace.leaders if leader != NOBODY_LEADS]
    return sum(before != after for before, after in pairwise(alone))


def _leader(game: StudyGame, share: float) -> int:
    leaders = game.trace.leaders
    return leaders[int(share * (len(leaders) - 1))]


def _won(games: Sequence[StudyGame], share: float) -> list[Summand]:
    parts = []
    for game in games:
        leader, first = _leader(game, share), winners(game)
        if leader != NOBODY_LEADS:
            parts.append(Summand(game.deal, (leader in first) / len(first)))
    return parts


def _led(games: Sequence[StudyGame], share: float) -> list[Summand]:
    return [Summand(game.deal, float(_leader(game, share) != NOBODY_LEADS)) for game in games]


# The least number of seats with a use, and of seats without, for an estimate of its value.
LEAST = 10
UNUSED = Frequency(0)


class _Seat(NamedTuple):
    """A seat in a game; `stratum` is its bot and seat number."""

    deal: int
    stratum: tuple[str, int]
    score: float
    uses: dict[UseKey, Frequency]


def use_rows(games: Sequence[StudyGame], level: float) -> tuple[UseRow, ...]:
    """Return a row for each action and card, sorted by kind and name.

    `is_certain` holds for all rows, by Holm's correction.
    """
    seats = [seat for game in games for seat in _seats(game)]
    keys = sorted({key for seat in seats for key in seat.uses})
    means = _mean_scores(seats)
    rows = [_row(key, seats, means, level) for key in keys]
    rejected = holm_rejects([1.0 if p is None else p for *_, p in rows], level)
    return tuple(
        UseRow(*key, used, taken, gain, p_value, is_certain)
        for (key, used, taken, gain, p_value), is_certain in zip(rows, rejected, strict=True)
    )


def _seats(game: StudyGame) -> Iterator[_Seat]:
    for seat, uses in enumerate(game.trace.uses):
        yield _Seat(game.deal, (game.bot, seat), game.scores[seat], dict(uses))


def _mean_scores(seats: Sequence[_Seat]) -> dict[tuple[str, int], float]:
    sums: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    for seat in seats:
        sums[seat.stratum].append(seat.score)
    return {stratum: fsum(scores) / len(scores) for stratum, scores in sums.items()}


def _row(
    key: UseKey, seats: Sequence[_Seat], means: dict[tuple[str, int], float], level: float
) -> tuple[UseKey, Measure, Measure | None, Measure | None, float | None]:
    counts = [seat.uses.get(key, UNUSED) for seat in seats]
    counted = list(zip(seats, counts, strict=True))
    used = counted_measure(
        [Summand(seat.deal, float(uses.count > 0)) for seat, uses in counted], level
    )
    taken = measure([Summand(seat.deal, uses.count, uses.of) for seat, uses in counted], level)
    gain, p_value = _score_difference(counted, means, level)
    return key, used, None if key.kind == "dealt" else taken, gain, p_value


def _score_difference(
    counted: Sequence[tuple[_Seat, Frequency]], means: dict[tuple[str, int], float], level: float
) -> tuple[Measure | None, float | None]:
    """Return the slope of the score over the use, both centred by bot and seat, and its p-value."""
    totals: defaultdict[tuple[str, int], list[int]] = defaultdict(lambda: [0, 0])
    for seat, uses in counted:
        stratum = totals[seat.stratum]
        stratum[0] += uses.count > 0
        stratum[1] += 1
    # A stratum in which all seats use a card, or none, gives no evidence on its value.
    if sum(min(used, size - used) for used, size in totals.values()) < LEAST:
        return None, None
    parts = []
    for seat, uses in counted:
        used, size = totals[seat.stratum]
        x = (uses.count > 0) - used / size
        parts.append(Summand(seat.deal, x * (seat.score - means[seat.stratum]), x * x))
    slope = measure(parts, level)
    if slope is None or slope.error is None:
        return slope, None
    return slope, p_of_no_slope([deal.total for deal in deal_sums(parts)])
