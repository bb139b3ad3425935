"""Going through a log once: what whole blocks have come to, contest by contest."""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from cardhub.analysis.contest_tally import ContestTally
from cardhub.analysis.sprt_course import SprtCourse
from cardhub.errors import MatchError
from cardhub.match.blocks import Games
from cardhub.match.groups import groups
from cardhub.match.log.match_log import read_games
from cardhub.match.run.stop_rule import SequentialTest, sequential_test
from cardhub.match.run.tallies import Tallies
from cardhub.match.spec import Match
from cardhub.match.task import GameResult

BLOCK = attrgetter("contest", "deal", "bots")


class Gathered:
    """What a log has come to: by contest, in the test, and who was withdrawn."""

    def __init__(self, match: Match) -> None:
        self._games = Games(match)
        self.contests = {contest.id: ContestTally(match, contest) for contest in match.contests}
        self.test = self._new_test(match)
        self._players = {c.id: frozenset(match.players_of(c.id)) for c in match.contests}
        self.course = SprtCourse(match.rating.level)
        self.tallies = Tallies(match)

    def take(self, results: list[GameResult], *, is_last: bool) -> None:
        """Take the games of the next block, as many as there are of it."""
        for result in results:
            self._check(result)
            self.tallies.take(result)
        first = results[0]
        tally = self.contests[first.contest]
        tally.count_faults(results)
        if len(results) == self._games.size(first.contest, first.bots):
            scores = tally.take(results)
            self._judge(first.contest, scores)
        else:
            is_cut = not is_last or any(bot in self.tallies.withdrawn for bot in first.bots)
            tally.leave_out(results, "withdrawn" if is_cut else "unfinished")

    def _check(self, result: GameResult) -> None:
        """Raise MatchError if a game cannot be one of this match; `verify` checks the rest."""
        known = self._players.get(result.contest, frozenset())
        players = len(result.seats)
        if not known.issuperset((*result.seats, *result.bots)) or players != len(result.places):
            raise MatchError(f"game {result.id} is none of this match")

    def _new_test(self, match: Match) -> SequentialTest | None:
        if match.sprt is None:
            return None
        group = groups(match, match.contest(match.sprt.contest))[0]
        return sequential_test(match, self._games.size(match.sprt.contest, group))

    def _judge(self, contest: str, scores: dict[tuple[str, str], float]) -> None:
        """Count a block for the test; it goes on to its verdict, after which no block follows."""
        if self.test is None or self.test.rule.contest != contest:
            return
        one, other = self.test.rule.a, self.test.rule.b
        if (one, other) in scores:
            score = scores[one, other]
        elif (other, one) in scores:
            score = 1 - scores[other, one]
        else:
            return
        self.test.sprt.tally.add(score)
        self.course.add(score, self.test.sprt)


def gather(match: Match, folder: Path) -> Gathered:
    """Return what the log of a match has come to; raises MatchError if it cannot be read."""
    gathered, waiting = Gathered(match), None
    for results in _blocks(folder):
        if waiting is not None:
            gathered.take(waiting, is_last=False)
        waiting = results
    if waiting is not None:
        gathered.take(waiting, is_last=True)
    return gathered


def _blocks(folder: Path) -> Iterator[list[GameResult]]:
    """Yield the games of each block; they stand in the log one after the other."""
    games = (result for _, result in read_games(folder))
    for _, results in groupby(games, BLOCK):
        yield list(results)
