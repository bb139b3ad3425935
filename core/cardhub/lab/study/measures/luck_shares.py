"""Luck between equal players: the share of the variance of scores that the deal explains."""

from collections import defaultdict
from collections.abc import Sequence

from cardhub.lab.match.seat_scores import seats_of_teams
from cardhub.lab.study.measures.study_game import StudyGame, Summand, clipped, measure, scaled
from cardhub.lab.study.study_schema import Luck


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
