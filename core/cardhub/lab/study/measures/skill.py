"""The gain from stronger play: ratings of the ladder, and scores by amount of search."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import ceil, fsum, log2, sqrt

from cardhub.lab.estimate import Measure
from cardhub.lab.match.match_spec import Contest
from cardhub.lab.match.seat_scores import counted_places, float_scores, seats_of_teams
from cardhub.lab.match.task import GameResult
from cardhub.lab.stats import PlayedGame, Ratings, Tabulation, fit_ratings, slope_of_draws
from cardhub.lab.study.measures.study_game import StudyGame, Summand, measure
from cardhub.lab.study.study_schema import BotStrength, Skill

# Standard errors between 0 and an effect that a test at 95 % finds with a power of 80 %.
POWER_REACH = 1.96 + 0.84
# Number of bootstrap draws of the ratings.
DRAWS = 1000


class LadderGame:
    """A game of the ladder; bots (as specs), scores and places are by seat."""

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
    """Return the gain from stronger play between bots at one table; None without games."""
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
    """Return the gain from stronger play in a common cause, in which each bot plays alone."""
    rows = []
    for bot in bots:
        scores = [Summand(game.deal, game.scores[0]) for game in games if game.bot == bot]
        rows.append(BotStrength(bot, iterations[bot], len(scores), None, measure(scores, level)))
    by_deal: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    for game in games:
        number = iterations[game.bot]
        if number:
            by_deal[game.deal].append((log2(number), game.scores[0]))
    parts = []
    for deal, tables in by_deal.items():
        middle = fsum(x for x, _ in tables) / len(tables)
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
    """Yield the deal, the doublings of search between two bots, and their difference in score."""
    for game in games:
        for first, second in combinations(game.seats, 2):
            high, low = iterations[game.bots[first]], iterations[game.bots[second]]
            if high and low and high != low:
                difference = game.scores[first] - game.scores[second]
                yield game.result.deal, log2(high / low), difference


def _elo_slope(
    ratings: Ratings, bots: Sequence[str], iterations: Mapping[str, int | None], level: float
) -> Measure | None:
    chosen = [n for n, bot in enumerate(ratings.rated) if iterations[bots[bot]]]
    x = [log2(iterations[bots[ratings.rated[n]]] or 1) for n in chosen]
    rows = [ratings.by_bot[ratings.rated[n]] for n in chosen]
    y = [rating.elo.value for rating in rows if rating is not None]
    deals = min((rating.blocks for rating in rows if rating is not None), default=0)
    return slope_of_draws(x, y, ratings.draws[:, chosen], level, deals)


def _games_to_tell(pairs: Sequence[tuple[int, float, float]], slope: Measure | None) -> int | None:
    if slope is None or slope.low is None or slope.low <= 0:
        return None
    rest = [y - slope.value * x for _, x, y in pairs]
    deviation = sqrt(fsum(value * value for value in rest) / len(rest))
    return ceil((POWER_REACH * deviation / slope.value) ** 2)
