"""Accumulate the totals of complete blocks by contest in one pass over the log of a match."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from cardhub.lab.analysis.block_schema import UncountedBlock
from cardhub.lab.analysis.pairs.partner_totals import PairTotals, PartnerTotals
from cardhub.lab.analysis.sprt_section import SprtHistory
from cardhub.lab.analysis.totals import AuditTotals, BotTotals, FaultTotals, SeatTotals, UpsetTotals
from cardhub.lab.match.blocks import Games, groups, pairs, rivals
from cardhub.lab.match.log.log_reader import damaged, read_games
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.match.run.match_state import MatchCounts
from cardhub.lab.match.run.schedule import SequentialTest, race_level, sequential_test
from cardhub.lab.match.seat_scores import TablePairs, counted_places, float_scores, seats_of_teams
from cardhub.lab.match.task import GameResult
from cardhub.lab.stats import NOBODY, PlayedGame, Race, Tabulation

Pair = tuple[str, str]

BLOCK = attrgetter("contest", "deal", "bots")


class ContestTotals:
    """Totals of one contest; a bot that is absent in a block is not counted in that block."""

    def __init__(self, match: Match, contest: Contest) -> None:
        self.contest = contest
        self.blocks = self.games = self.decided = 0
        self.table = Tabulation(is_won_only=contest.is_won_by_one)
        self.bots = {bot: BotTotals() for bot in match.players_of(contest.id)}
        counts_places = _counts_places(match, contest)
        self.pairs = {
            pair: PairTotals(
                contest, counts_places=counts_places, has_terms=match.corrects(contest)
            )
            for pair in pairs(match, contest)
        }
        self._tables = TablePairs(contest)
        self.partners = PartnerTotals(contest, self.pairs, rivals(match, contest))
        self.seats = SeatTotals(contest.players)
        self.upsets = UpsetTotals()
        self.faults = FaultTotals()
        self.audit = AuditTotals()
        self.left_out: list[UncountedBlock] = []
        self.racers = rivals(match, contest)
        self.race = _race(match, contest, len(self.racers))
        self._number = {entrant.id: n for n, entrant in enumerate(match.entrants)}

    def add_faults(self, results: Sequence[GameResult]) -> None:
        """Count the faults of games, whether their block is complete or not."""
        for result in results:
            if result.faults:
                self.faults.add(result)

    def leave_out(self, results: Sequence[GameResult], *, is_cut: bool) -> None:
        """Record an incomplete block; `is_cut`: whether a bot was withdrawn during it."""
        first = results[0]
        block = UncountedBlock(
            game=self.contest.id,
            bots=first.bots,
            deals=(first.deal, first.deal),
            games=len(results),
            why="withdrawn" if is_cut else "unfinished",
        )
        self.left_out.append(block)

    def add(self, results: Sequence[GameResult]) -> dict[Pair, float]:
        """Count the games of a complete block and return the scores of its pairs.

        Blocks with mixed partners count for partners only.
        """
        self.blocks += 1
        self.games += len(results)
        self.decided += sum(result.end == "decided" for result in results)
        self.audit.add(results)
        # A substitute plays the seat of a withdrawn bot: its result is not the bot's, and seat
        # effects do not cancel in a block with substitutes.
        absent = {result.seats[seat] for result in results for seat in result.absent}
        if self.contest.partners == "mixed" and not absent:
            self.partners.add(results)
        if self.contest.is_mixed(results[0].bots):
            return {}
        if not self.contest.is_common:
            self.upsets.add(results)
            for result in results:
                self._tabulate(result, absent)
        if not absent and not self.contest.is_common:
            scores = [float_scores(result, self.contest) for result in results]
            self.seats.add(results[0].deal, scores)
        present = {bot for result in results for bot in result.seats} - absent
        # Sorted: the order of a set of strings differs from process to process.
        for bot in sorted(present):
            self.bots[bot].add(bot, results, self.contest)
        return self._add_pairs(results, present)

    def _tabulate(self, result: GameResult, absent: set[str]) -> None:
        entrants = [NOBODY if bot in absent else self._number[bot] for bot in result.seats]
        counted = counted_places(result.places, self.contest.score)
        if result.teams:
            # In the order of their numbers, as `Contest.parties` counts them.
            firsts = sorted(seats_of_teams(result), key=lambda seat: result.teams[seat])
            entrants = [entrants[seat] for seat in firsts]
            counted = tuple(counted[seat] for seat in firsts)
        self.table.add(PlayedGame(result.deal, tuple(entrants), counted))

    def _add_pairs(self, results: Sequence[GameResult], present: set[str]) -> dict[Pair, float]:
        scores = {}
        if self.contest.is_common:
            return self._add_tables(results, present)
        for pair, totals in self.pairs.items():
            if present.issuperset(pair):
                scores[pair] = totals.add(pair, results)
                if self.race is not None:
                    first, second = map(self.racers.index, pair)
                    self.race.add((first, second), scores[pair])
        return scores

    def _add_tables(self, results: Sequence[GameResult], present: set[str]) -> dict[Pair, float]:
        scores: dict[Pair, float] = {}
        if not present:
            return scores
        self._tables.add(results)
        for pair, totals in self.pairs.items():
            tables = self._tables.of(pair) if present.intersection(pair) else None
            if tables is not None:
                scores[pair] = totals.add_tables(tables)
        return scores


class Accumulated:
    """The totals of a log by contest, the state of the sequential test, and the withdrawn bots."""

    def __init__(self, match: Match) -> None:
        self._games = Games(match)
        self.contests = {contest.id: ContestTotals(match, contest) for contest in match.contests}
        self.test = self._new_test(match)
        contest = match.contest(match.sprt.contest) if match.sprt else None
        self.history = SprtHistory(
            match.rating.level,
            in_points=contest is not None and contest.in_points,
            has_terms=contest is not None and match.corrects(contest),
        )
        self.tallies = MatchCounts(match)

    def add(self, results: list[GameResult], *, is_last: bool) -> None:
        """Add the games of the next block, complete or not."""
        for result in results:
            self.tallies.record(result)
        first = results[0]
        contest = self.contests[first.contest]
        contest.add_faults(results)
        if len(results) == self._games.size(first.contest, first.bots):
            self._update_test(first.contest, contest.add(results))
        else:
            # The last block of the log may be unfinished; a withdrawal cut short any other
            # incomplete block.
            is_cut = not is_last or any(bot in self.tallies.withdrawn for bot in first.bots)
            contest.leave_out(results, is_cut=is_cut)

    def can_be(self, result: GameResult) -> bool:
        """Return whether a game may belong to this match; `match verify` checks the rest."""
        totals = self.contests.get(result.contest)
        if totals is None or len(result.seats) != totals.contest.players:
            return False
        # Each game needs all bots of its block: otherwise a pair could have no score.
        return {*result.seats} - {*totals.contest.fillers} == {*result.bots} <= {*totals.bots}

    def _new_test(self, match: Match) -> SequentialTest | None:
        if match.sprt is None:
            return None
        group = groups(match, match.contest(match.sprt.contest))[0]
        return sequential_test(match, self._games.size(match.sprt.contest, group))

    def _update_test(self, contest: str, scores: dict[Pair, float]) -> None:
        if self.test is None or self.test.rule.contest != contest:
            return
        first, second = self.test.rule.a, self.test.rule.b
        if (first, second) in scores:
            score = scores[first, second]
        elif (second, first) in scores:
            score = 2 * self.test.even - scores[second, first]
        else:
            return
        # The verdict is computed once, at the end, because only the last block can decide the test.
        self.test.count(score)
        self.history.add(score, self.test.sprt)


def accumulate(match: Match, folder: Path) -> Accumulated:
    """Return the totals of the log of a match; raises MatchError if it is damaged."""
    # Each block waits for the next one, which shows that it was not the last block of the log.
    totals, waiting = Accumulated(match), None
    for results in _blocks(folder, totals):
        if waiting is not None:
            totals.add(waiting, is_last=False)
        waiting = results
    if waiting is not None:
        totals.add(waiting, is_last=True)
    return totals


def _blocks(folder: Path, totals: Accumulated) -> Iterator[list[GameResult]]:
    def games() -> Iterator[GameResult]:
        for number, result in read_games(folder):
            if not totals.can_be(result):
                raise damaged(folder, number, f"game {result.id} does not belong to this match")
            yield result

    for _, results in groupby(games(), BLOCK):
        yield list(results)


def _counts_places(match: Match, contest: Contest) -> bool:
    """Return whether a comparison needs the scores by places of a game with another score."""
    if contest.score == "rank" or contest.is_common:
        return False
    return contest.is_won_by_one or match.overall.verdict == "mean_rank"


def _race(match: Match, contest: Contest, bots: int) -> Race | None:
    if match.order.mode != "racing":
        return None
    # The race is replayed from the log, so it makes the same decisions as the schedule.
    margin = match.order.margin
    return Race(range(bots), race_level(match), margin, in_points=contest.in_points)
