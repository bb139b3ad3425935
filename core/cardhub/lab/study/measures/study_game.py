"""Games of a study, and measures from sums by deal."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import ceil, floor, log2, log10, sqrt
from typing import NamedTuple

from msgspec.structs import replace

from cardhub.lab.match.match_spec import Contest
from cardhub.lab.match.seat_scores import counted_places, float_scores, seats_of_teams
from cardhub.lab.match.task import GameResult
from cardhub.lab.stats import (
    ClusterEstimate,
    PlayedGame,
    Ratings,
    Tabulation,
    cluster_ratio,
    fit_ratings,
    holm_rejects,
    slope_of_draws,
)
from cardhub.lab.study.game_trace import NOBODY_LEADS, GameTrace, UseCount, UseKey
from cardhub.lab.study.study_schema import (
    BotStrength,
    Choices,
    Distribution,
    HistogramBar,
    Leads,
    Luck,
    Measure,
    ProgressPoint,
    SeatAdvantage,
    Skill,
    UseRow,
)


@dataclass(frozen=True, slots=True)
class StudyGame:
    """A game of copies of one bot, given by its spec; `group` are the ids of the copies.

    `scores` are those of a match, by seat.
    """

    bot: str
    group: tuple[str, ...]
    result: GameResult
    scores: tuple[float, ...]
    trace: GameTrace

    @property
    def deal(self) -> int:
        """The number of the deal: games with equal numbers have equal cards."""
        return self.result.deal


class Summand(NamedTuple):
    """A summand of a ratio: its deal, and what it adds to the total and to the size."""

    deal: int
    total: float
    size: float = 1.0


def estimate(parts: Iterable[Summand]) -> tuple[ClusterEstimate, int] | None:
    """Return the ratio of total to size, deals as clusters, and their number."""
    sums: defaultdict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for part in parts:
        own = sums[part.deal]
        own[0] += part.total
        own[1] += part.size
    # Sorted: a sum of floats depends on the order of its terms.
    ordered = [sums[deal] for deal in sorted(sums)]
    found = cluster_ratio([total for total, _ in ordered], [size for _, size in ordered])
    return None if found is None else (found, sum(size > 0 for _, size in ordered))


def measure(parts: Iterable[Summand], level: float) -> Measure | None:
    """Return the ratio of total to size with its interval; None without anything to count."""
    found = estimate(parts)
    return None if found is None else as_measure(*found, level)


def known(parts: Sequence[Summand], level: float) -> Measure:
    """Return `measure` of parts of which one counts at least; raises ValueError otherwise."""
    found = measure(parts, level)
    if found is None:
        raise ValueError("a measure of no games")
    return found


def as_measure(found: ClusterEstimate, deals: int, level: float) -> Measure:
    """Return an estimate as it is stored."""
    reach = found.reach(level)
    low, high = (None, None) if reach is None else (found.value - reach, found.value + reach)
    return Measure(found.value, low, high, found.error, found.freedom, deals)


def as_estimate(found: Measure) -> ClusterEstimate:
    """Return a stored measure as an estimate."""
    return ClusterEstimate(found.value, found.error, found.freedom)


def clipped(found: Measure, low: float = 0.0, high: float = 1.0) -> Measure:
    """Return a measure whose value and interval lie within the possible range."""

    def inside(value: float) -> float:
        return min(max(value, low), high)

    ends = (None if end is None else inside(end) for end in (found.low, found.high))
    bottom, top = ends
    return replace(found, value=inside(found.value), low=bottom, high=top)


def scaled(found: Measure, factor: float) -> Measure:
    """Return a measure times a positive number."""
    ends = (None if end is None else factor * end for end in (found.low, found.high, found.error))
    low, high, error = ends
    return replace(found, value=factor * found.value, low=low, high=high, error=error)


# Number of equal stretches that a game is divided into.
STRETCHES = 20


def choices(games: Sequence[StudyGame], level: float) -> Choices:
    """Return the numbers of legal actions of the games."""
    counts = [(game.deal, len(game.scores), game.trace.choices) for game in games]
    return Choices(
        mean=_rate([Summand(deal, sum(each), len(each)) for deal, _, each in counts], level),
        most=max((max(each, default=0) for *_, each in counts), default=0),
        forced=_rate([Summand(deal, each.count(1), len(each)) for deal, _, each in counts], level),
        free=known(
            [Summand(d, (len(each) - each.count(1)) / seats) for d, seats, each in counts], level
        ),
        log10_lines=known([Summand(d, sum(map(log10, each))) for d, _, each in counts], level),
        by_progress=tuple(_by_progress(games, level)),
    )


def _rate(parts: Sequence[Summand], level: float) -> Measure:
    # A game may end before its first decision.
    return measure(parts, level) or known([Summand(part.deal, 0.0) for part in parts], level)


def _by_progress(games: Sequence[StudyGame], level: float) -> list[ProgressPoint]:
    parts: list[list[Summand]] = [[] for _ in range(STRETCHES)]
    for game in games:
        found = game.trace.choices
        for number, legal in enumerate(found):
            parts[number * STRETCHES // len(found)].append(Summand(game.deal, legal))
    return [
        ProgressPoint((number + 0.5) / STRETCHES, measure(each, level))
        for number, each in enumerate(parts)
    ]


QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
# About the number of bars of a histogram.
BARS = 20
WIDTHS = (1, 2, 5, 10)
# A share within the last tenth.
LAST_SHARE = 0.95


def distribution(
    deals: Sequence[int], values: Sequence[float], level: float, *, is_share: bool = False
) -> Distribution:
    """Return the distribution of values, one per game on the deal at the same index.

    Bars have a round width; those of shares are tenths, of which the last has 1 as well.
    """
    ordered = sorted(values)
    mean = known([Summand(deal, value) for deal, value in zip(deals, values, strict=True)], level)
    deviation = sqrt(sum((value - mean.value) ** 2 for value in values) / max(1, len(values) - 1))
    return Distribution(
        mean=mean,
        deviation=deviation,
        least=ordered[0],
        greatest=ordered[-1],
        quantiles=tuple(_quantile(ordered, share) for share in QUANTILES),
        bars=_bars([min(value, LAST_SHARE) for value in ordered], 0.1)
        if is_share
        else _bars(ordered, _round_width(ordered[-1] - ordered[0])),
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, floor(share * len(ordered)))]


def _round_width(span: float) -> float:
    least = max(span / BARS, 1.0)
    power = 10.0 ** floor(log10(least))
    return next(step * power for step in WIDTHS if step * power >= least)


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

    Two groups of copies of a bot play each deal, with other random numbers. The product of their
    deviations has the variance due to the deal as its mean. Games of one group do not serve: its
    copies have their random numbers in all seats, so that their games depend on each other.
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
        one, other = of_deal.values()
        for seat in firsts:
            mean = means[bot, seat]
            shared = _deviation(one, seat, mean) * _deviation(other, seat, mean)
            both = [(game.scores[seat] - mean) ** 2 for game in (*one, *other)]
            parts.append(Summand(deal, shared, sum(both) / len(both)))
    found = measure(parts, level)
    if found is None:
        return None
    seat_share = _seat_share(games, firsts)
    rest = 1 - seat_share
    # Of the whole variance, that of seats included.
    deal_share = clipped(scaled(found, rest), high=rest)
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
    return sum(game.scores[seat] for game in games) / len(games) - mean


def _seat_share(games: Sequence[StudyGame], seats: Sequence[int]) -> float:
    """Return the share of the variance that the fixed advantages of seats explain."""
    by_seat = [[game.scores[seat] for game in games] for seat in seats]
    count = len(games)
    means = [sum(scores) / count for scores in by_seat]
    middle = sum(means) / len(means)
    whole = sum((s - middle) ** 2 for scores in by_seat for s in scores) / (count * len(seats))
    # The part of the means' variance that chance alone would make is taken off.
    within = whole - sum((mean - middle) ** 2 for mean in means) / len(means)
    between = sum((mean - middle) ** 2 for mean in means) / len(means) - within / count
    return min(max(between / whole, 0.0), 1.0) if whole > 0 else 0.0


def seat_advantages(games: Sequence[StudyGame], level: float) -> tuple[SeatAdvantage, ...]:
    """Return the advantage of each seat, or of each team by its seats.

    Several bots count by their games. `is_certain` allows for all seats by Holm's correction.
    """
    firsts = seats_of_teams(games[0].result)
    teams = games[0].result.teams or tuple(range(len(games[0].scores)))
    rows = []
    for first in firsts:
        edges = [Summand(game.deal, game.scores[first] - _mean(game, firsts)) for game in games]
        score = known([Summand(game.deal, game.scores[first]) for game in games], level)
        seats = tuple(seat for seat, team in enumerate(teams) if team == teams[first])
        rows.append((seats, score, known(edges, level)))
    # With two teams both advantages are one figure, and one test.
    tested = rows[:1] if len(rows) == 2 else rows
    p_values = [as_estimate(edge).p_value() for _, _, edge in tested]
    rejected = holm_rejects([1.0 if p is None else p for p in p_values], level)
    if len(rows) == 2:
        p_values, rejected = p_values * 2, rejected * 2
    return tuple(
        SeatAdvantage(*row, p_value, is_certain)
        for row, p_value, is_certain in zip(rows, p_values, rejected, strict=True)
    )


def draws(games: Sequence[StudyGame], level: float) -> Measure | None:
    """Return the share of games in which several seats or teams share the first place."""
    shared = [Summand(game.deal, float(len(winners(game)) > 1)) for game in games]
    return measure(shared, level)


def winners(game: StudyGame) -> list[int]:
    """Return the first seats of the teams in the first place."""
    places = game.result.places
    return [seat for seat in seats_of_teams(game.result) if places[seat] == 1]


def reached(games: Sequence[StudyGame], contest: Contest, level: float) -> Measure | None:
    """Return the share of tables that reached the target of a common cause, if it has one."""
    if contest.target is None:
        return None
    is_low, target = contest.lowest_wins, contest.target
    won = [
        score <= target if is_low else score >= target
        for score in (game.result.scores[0] for game in games)
    ]
    return measure([Summand(g.deal, float(w)) for g, w in zip(games, won, strict=True)], level)


def _mean(game: StudyGame, firsts: Sequence[int]) -> float:
    return sum(game.scores[seat] for seat in firsts) / len(firsts)


# The shares of a game at which its leader is looked at.
POINTS = 20
# Below this share of games with a leader before the last tenth, scores do not move before the end.
LEAST_LED = 0.05
LATE = 0.9


def leads(games: Sequence[StudyGame], level: float) -> Leads | None:
    """Return who led when; None if scores do not tell, or if there are no rivals."""
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
    """Return the share of the decisions after which the only winner led alone to the end."""
    (winner,) = winners(game)
    leaders = game.trace.leaders
    first = len(leaders)
    while first and leaders[first - 1] == winner:
        first -= 1
    return min(first, len(leaders) - 1) / max(1, len(leaders) - 1)


def lead_changes(game: StudyGame) -> int:
    """Return how often the lead passed from one seat or team to another; ties between count not."""
    alone = [leader for leader in game.trace.leaders if leader != NOBODY_LEADS]
    return sum(one != other for one, other in pairwise(alone))


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


# Number of seats, with a use or without, below which its worth is not estimated.
LEAST = 10
UNUSED = UseCount(0, 0)


class _Seat(NamedTuple):
    """A seat in a game: its deal, stratum, score, and uses."""

    deal: int
    stratum: tuple[str, int]
    score: float
    uses: dict[UseKey, UseCount]


def use_rows(games: Sequence[StudyGame], level: float) -> tuple[UseRow, ...]:
    """Return a row for each action and card, sorted by kind and name.

    `is_certain` allows for all rows by Holm's correction.
    """
    seats = [seat for game in games for seat in _seats(game)]
    keys = sorted({key for seat in seats for key in seat.uses})
    means = _means_use_worth(seats)
    rows = [_row(key, seats, means, level) for key in keys]
    rejected = holm_rejects([1.0 if p is None else p for *_, p in rows], level)
    return tuple(
        UseRow(*key, used, taken, worth, p_value, is_certain)
        for (key, used, taken, worth, p_value), is_certain in zip(rows, rejected, strict=True)
    )


def _seats(game: StudyGame) -> Iterator[_Seat]:
    for seat, uses in enumerate(game.trace.uses):
        yield _Seat(game.deal, (game.bot, seat), game.scores[seat], dict(uses))


def _means_use_worth(seats: Sequence[_Seat]) -> dict[tuple[str, int], float]:
    sums: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    for seat in seats:
        sums[seat.stratum].append(seat.score)
    return {stratum: sum(scores) / len(scores) for stratum, scores in sums.items()}


def _row(
    key: UseKey, seats: Sequence[_Seat], means: dict[tuple[str, int], float], level: float
) -> tuple[UseKey, Measure, Measure | None, Measure | None, float | None]:
    counts = [seat.uses.get(key, UNUSED) for seat in seats]
    both = list(zip(seats, counts, strict=True))
    used = known([Summand(seat.deal, float(count.chosen > 0)) for seat, count in both], level)
    taken = measure(
        [Summand(seat.deal, count.chosen, count.offered) for seat, count in both], level
    )
    worth, p_value = _worth(both, means, level)
    return key, used, None if key.kind == "dealt" else taken, worth, p_value


def _worth(
    both: Sequence[tuple[_Seat, UseCount]], means: dict[tuple[str, int], float], level: float
) -> tuple[Measure | None, float | None]:
    """Return the slope of the score over the use, both centred by bot and seat."""
    totals: defaultdict[tuple[str, int], list[int]] = defaultdict(lambda: [0, 0])
    for seat, count in both:
        own = totals[seat.stratum]
        own[0] += count.chosen > 0
        own[1] += 1
    # Where all seats of a stratum use a card, or none, they say nothing on its worth.
    if sum(min(used, size - used) for used, size in totals.values()) < LEAST:
        return None, None
    parts = []
    for seat, count in both:
        used, size = totals[seat.stratum]
        x = (count.chosen > 0) - used / size
        parts.append(Summand(seat.deal, x * (seat.score - means[seat.stratum]), x * x))
    found = estimate(parts)
    if found is None:
        return None, None
    return as_measure(*found, level), found[0].p_value()


# Standard errors between 0 and an effect that is found at 95 % with a power of 80 %.
POWER_REACH = 1.96 + 0.84
# Number of bootstrap draws of the ratings.
DRAWS = 1000


class LadderGame:
    """A game of the ladder: its result with the specs of the bots, and the scores, by seat."""

    __slots__ = ("bots", "places", "result", "scores", "seats")

    def __init__(self, result: GameResult, contest: Contest, uses: Mapping[str, str]) -> None:
        self.result = result
        self.bots = tuple(uses[bot] for bot in result.seats)
        self.scores = float_scores(result, contest)
        self.places = counted_places(result.places, contest.score)
        self.seats = seats_of_teams(result)


def skill_of_ladder(
    games: Sequence[LadderGame],
    bots: Sequence[str],
    iterations: Mapping[str, int | None],
    seed: int,
    level: float,
) -> Skill | None:
    """Return how strength pays between bots at one table; None without games."""
    if not games:
        return None
    ratings = _ratings(games, bots, seed, level)
    counts = {bot: sum(bot in game.bots for game in games) for bot in bots}
    rows = tuple(
        BotStrength(
            bot, iterations[bot], counts[bot], _elo(ratings, n), _mean_score(games, bot, level)
        )
        for n, bot in enumerate(bots)
        if counts[bot]
    )
    pairs = list(_pairs(games, iterations))
    slope = measure([Summand(deal, x * y, x * x) for deal, x, y in pairs], level)
    elo = _elo_slope(ratings, bots, iterations, level)
    return Skill(rows, elo, slope, _games_to_tell(pairs, slope))


def skill_of_tables(
    games: Sequence[StudyGame],
    bots: Sequence[str],
    iterations: Mapping[str, int | None],
    level: float,
) -> Skill:
    """Return how strength pays in a common cause, where each bot has a table of its own."""
    rows = []
    for bot in bots:
        own = [Summand(game.deal, game.scores[0]) for game in games if game.bot == bot]
        rows.append(BotStrength(bot, iterations[bot], len(own), None, measure(own, level)))
    by_deal: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    for game in games:
        number = iterations[game.bot]
        if number:
            by_deal[game.deal].append((log2(number), game.scores[0]))
    parts = []
    for deal, tables in by_deal.items():
        middle = sum(x for x, _ in tables) / len(tables)
        parts += [Summand(deal, (x - middle) * y, (x - middle) ** 2) for x, y in tables]
    return Skill(tuple(rows), None, measure(parts, level), None)


def _ratings(games: Sequence[LadderGame], bots: Sequence[str], seed: int, level: float) -> Ratings:
    numbers = {bot: number for number, bot in enumerate(bots)}
    table = Tabulation()
    for game in games:
        entrants = tuple(numbers[game.bots[seat]] for seat in game.seats)
        places = tuple(game.places[seat] for seat in game.seats)
        table.add(PlayedGame(game.result.deal, entrants, places))
    return fit_ratings(table.table(), len(bots), draws=DRAWS, seed=seed, level=level)


def _elo(ratings: Ratings, bot: int) -> Measure | None:
    rating = ratings.by_bot[bot]
    if rating is None:
        return None
    column = ratings.draws[:, ratings.rated.index(bot)]
    value, low, high = rating.elo
    return Measure(value, low, high, float(column.std()), float(rating.blocks), rating.blocks)


def _mean_score(games: Sequence[LadderGame], bot: str, level: float) -> Measure | None:
    parts = [
        Summand(game.result.deal, game.scores[seat])
        for game in games
        for seat in game.seats
        if game.bots[seat] == bot
    ]
    return measure(parts, level)


def _pairs(
    games: Sequence[LadderGame], iterations: Mapping[str, int | None]
) -> Iterator[tuple[int, float, float]]:
    """Yield the deal, the doublings between two bots at a table and their difference in score."""
    for game in games:
        for one, other in combinations(game.seats, 2):
            high, low = iterations[game.bots[one]], iterations[game.bots[other]]
            if high and low and high != low:
                yield game.result.deal, log2(high / low), game.scores[one] - game.scores[other]


def _elo_slope(
    ratings: Ratings, bots: Sequence[str], iterations: Mapping[str, int | None], level: float
) -> Measure | None:
    chosen = [n for n, bot in enumerate(ratings.rated) if iterations[bots[bot]]]
    x = [log2(iterations[bots[ratings.rated[n]]] or 1) for n in chosen]
    found = [ratings.by_bot[ratings.rated[n]] for n in chosen]
    y = [rating.elo.value for rating in found if rating is not None]
    slope = slope_of_draws(x, y, ratings.draws[:, chosen], level)
    if slope is None:
        return None
    deals = min(rating.blocks for rating in found if rating is not None)
    value, low, high, error = slope
    return Measure(value, low, high, error, float(deals), deals)


def _games_to_tell(pairs: Sequence[tuple[int, float, float]], slope: Measure | None) -> int | None:
    if slope is None or slope.low is None or slope.low <= 0:
        return None
    rest = [y - slope.value * x for _, x, y in pairs]
    deviation = sqrt(sum(value * value for value in rest) / len(rest))
    return ceil((POWER_REACH * deviation / slope.value) ** 2)
