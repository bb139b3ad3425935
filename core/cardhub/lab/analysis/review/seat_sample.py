"""The sample of a review: seats in games of the log, the same in every run."""

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from cardhub.lab.analysis.review.review_schema import Choice
from cardhub.lab.analysis.totals import margin_of
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.match.task import GameResult


class SampledSeat(NamedTuple):
    """A seat to review; `order` sorts the seats of a bot."""

    order: tuple[int, str]
    seat: int
    result: GameResult
    chosen_by: Choice


class SeatSample:
    """Selects seats of bots in contests: `most` random seats of each bot, and `worst` losses.

    Ids of games are hashes, so the games with the lowest ids are a random sample. The seats at a
    table get equal numbers of games.
    """

    def __init__(
        self, match: Match, contests: Sequence[str], bots: Sequence[str], most: int, worst: int
    ) -> None:
        self._match = match
        self._keys = [(contest, bot) for contest in contests for bot in bots]
        self._most, self._worst = most, worst
        self._by_seat: dict[tuple[str, str, int], list[SampledSeat]] = {}
        self._lost: dict[tuple[str, str], list[SampledSeat]] = {}

    def add(self, result: GameResult) -> None:
        """Consider a game of the log; it is kept in memory only while it is selected."""
        for seat, bot in enumerate(result.seats):
            key = result.contest, bot
            # A seat of a withdrawn bot has only decisions of its substitute.
            if key in self._keys and seat not in result.absent:
                sampled = SampledSeat((0, result.id), seat, result, "sample")
                _insert(self._by_seat.setdefault((*key, seat), []), sampled, self._most)
                self._add_loss(key, seat, result)

    def plan(self) -> list[SampledSeat]:
        """Return the seats in the order of the review: all bots advance together."""
        sampled = {key: list(self._sampled(key)) for key in self._keys}
        chosen = {(item.result.id, item.seat) for row in sampled.values() for item in row}
        lost = [
            [item for item in self._lost.get(key, ()) if (item.result.id, item.seat) not in chosen]
            for key in self._keys
        ]
        return [*_interleaved(sampled.values()), *_interleaved(lost)]

    def _sampled(self, key: tuple[str, str]) -> Sequence[SampledSeat]:
        by_seat = [row for (*bot_key, _), row in self._by_seat.items() if tuple(bot_key) == key]
        # Sorted by the lowest id, so no seat is always the first.
        return list(_interleaved(sorted(by_seat)))[: self._most]

    def _add_loss(self, key: tuple[str, str], seat: int, result: GameResult) -> None:
        margin = _margin(self._match.contest(result.contest), result, seat)
        if margin is not None and self._worst:
            sampled = SampledSeat((margin, result.id), seat, result, "result")
            _insert(self._lost.setdefault(key, []), sampled, self._worst)


def _margin(contest: Contest, result: GameResult, seat: int) -> int | None:
    """Return the lead of a seat over its best rival in points, or None unless it is negative.

    In a common cause, return the score of the table, negated if low scores win.
    """
    if contest.is_common:
        score = result.scores[seat]
        return -score if contest.lowest_wins else score
    teams = result.teams or tuple(range(len(result.seats)))
    rivals = [other for other, team in enumerate(teams) if team != teams[seat]]
    margins = [margin_of(result, seat, rival) for rival in rivals]
    comparable = [margin for margin in margins if margin is not None]
    return min(comparable) if comparable and min(comparable) < 0 else None


def _insert(row: list[SampledSeat], sampled: SampledSeat, most: int) -> None:
    insort(row, sampled, key=lambda item: (item.order, item.seat))
    del row[most:]


def _interleaved(rows: Iterable[Sequence[SampledSeat]]) -> Iterator[SampledSeat]:
    for several in zip_longest(*rows):
        yield from (sampled for sampled in several if sampled is not None)
