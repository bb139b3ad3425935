"""What the whole blocks of one contest have come to, in a few numbers for each of them."""

from collections.abc import Sequence
from itertools import combinations

from cardhub.analysis.audit_tally import AuditTally
from cardhub.analysis.bot_tally import BotTally
from cardhub.analysis.fault_tally import FaultTally
from cardhub.analysis.pair_tally import PairTally
from cardhub.analysis.placed import seat_points
from cardhub.analysis.seat_tally import SeatTally
from cardhub.match.groups import groups, rivals
from cardhub.match.scoring import counted_places
from cardhub.match.spec import Contest, Match
from cardhub.match.task import GameResult
from cardhub.stats import NOBODY, PlayedGame, Race, Tabulation

Pair = tuple[str, str]


class ContestTally:
    """Counts the blocks of one contest; a bot that is absent in a block has no part in it."""

    def __init__(self, match: Match, contest: Contest) -> None:
        self.contest = contest
        self.blocks = self.games = 0
        self.table = Tabulation()
        self.bots = {bot: BotTally() for bot in match.players_of(contest.id)}
        self.pairs: dict[Pair, PairTally] = {pair: PairTally() for pair in _pairs(match, contest)}
        self.seats = SeatTally(contest.players)
        self.faults = FaultTally()
        self.audit = AuditTally()
        self.left_out: list[tuple[GameResult, int, str]] = []
        self.racers = rivals(match, contest)
        self.race = _race(match, len(self.racers))
        self._number = {entrant.id: n for n, entrant in enumerate(match.entrants)}

    def count_faults(self, results: Sequence[GameResult]) -> None:
        """Count the faults in any games, also those that do not count otherwise."""
        for result in results:
            if result.faults:
                self.faults.take(result)

    def leave_out(self, results: Sequence[GameResult], why: str) -> None:
        """Note a block that does not count."""
        self.left_out.append((results[0], len(results), why))

    def take(self, results: Sequence[GameResult]) -> dict[Pair, float]:
        """Count the games of a whole block and return the scores of its pairs."""
        self.blocks += 1
        self.games += len(results)
        self.audit.take(results)
        out = {result.seats[seat] for result in results for seat in result.absent}
        for result in results:
            self._tabulate(result, out)
        if not out:
            found = [seat_points(result.places, self.contest.score) for result in results]
            self.seats.take(results[0].deal, found)
        present = {bot for result in results for bot in result.seats} - out
        for bot in sorted(present):
            self.bots[bot].take(bot, results, self.contest.score)
        return self._meet(results, present)

    def _tabulate(self, result: GameResult, out: set[str]) -> None:
        entrants = tuple(NOBODY if bot in out else self._number[bot] for bot in result.seats)
        counted = counted_places(result.places, self.contest.score)
        self.table.add(PlayedGame(result.deal, entrants, counted))

    def _meet(self, results: Sequence[GameResult], present: set[str]) -> dict[Pair, float]:
        scores = {}
        for pair, tally in self.pairs.items():
            if present.issuperset(pair):
                scores[pair] = tally.take(pair, results, self.contest.score)
                if self.race is not None:
                    one, other = map(self.racers.index, pair)
                    self.race.add((one, other), scores[pair])
        return scores


def _pairs(match: Match, contest: Contest) -> list[Pair]:
    """Return the pairs that may meet, in the order of the file."""
    found = {pair for group in groups(match, contest) for pair in combinations(group, 2)}
    order = rivals(match, contest)
    return [pair for pair in combinations(order, 2) if pair in found]


def _race(match: Match, bots: int) -> Race | None:
    """Return the race of a contest as the schedule ran it, if the match is one."""
    if match.order.mode != "racing":
        return None
    return Race(range(bots), match.order.level, match.order.margin)
