"""Use of actions and cards, and the difference in score that goes with it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardhub.lab.stats import holm_rejects
from cardhub.lab.study.game_trace import UseCount, UseKey
from cardhub.lab.study.measures.study_game import (
    StudyGame,
    Summand,
    as_measure,
    estimate,
    known,
    measure,
)
from cardhub.lab.study.study_schema import Measure, UseRow

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
    means = _means(seats)
    rows = [_row(key, seats, means, level) for key in keys]
    rejected = holm_rejects([1.0 if p is None else p for *_, p in rows], level)
    return tuple(
        UseRow(*key, used, taken, worth, p_value, is_certain)
        for (key, used, taken, worth, p_value), is_certain in zip(rows, rejected, strict=True)
    )


def _seats(game: StudyGame) -> Iterator[_Seat]:
    for seat, uses in enumerate(game.trace.uses):
        yield _Seat(game.deal, (game.bot, seat), game.scores[seat], dict(uses))


def _means(seats: Sequence[_Seat]) -> dict[tuple[str, int], float]:
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
