"""Counts of games, scores and faults, in memory that does not grow with the match."""

from collections import Counter
from fractions import Fraction

from msgspec import Struct

from cardhub.lab.match.match_spec import FaultRules, Match
from cardhub.lab.match.seat_scores import exact_scores
from cardhub.lab.match.task import GameResult


class SeatCounts(Struct, frozen=True):
    """Counts of a bot at one seat, as `result.json` has them; `score` is a sum."""

    games: int
    score: float


class BotCounts(Struct, frozen=True):
    """Counts of a bot in one contest, as `result.json` has them; `score` is a sum."""

    games: int
    score: float
    mean_score: float | None
    absent: int
    faults: dict[str, int]
    seats: tuple[SeatCounts, ...]


class _Tally:
    """Exact counts of a bot in one contest; a bot in several seats of a game counts once for each.

    `absent` counts seats played by a substitute because the bot was withdrawn.
    """

    def __init__(self, players: int) -> None:
        self._games = [0] * players
        # By seat and denominator: shares of a place, such as 1/3, are summed without rounding, and
        # without the greatest common divisor that each addition of fractions computes.
        self._numerators: list[dict[int, int]] = [{} for _ in range(players)]
        self.faults: Counter[str] = Counter()
        self.absent = 0

    def add(self, seat: int, score: int | Fraction) -> None:
        """Count a game with this score."""
        self._games[seat] += 1
        parts, number = self._numerators[seat], score.denominator
        parts[number] = parts.get(number, 0) + score.numerator

    def row(self) -> BotCounts:
        """Return the counts as a row of the result."""
        games = sum(self._games)
        scores = [
            sum((Fraction(n, d) for d, n in parts.items()), Fraction(0))
            for parts in self._numerators
        ]
        total = sum(scores, Fraction(0))
        return BotCounts(
            games=games,
            score=float(total),
            mean_score=float(total / games) if games else None,
            absent=self.absent,
            faults=dict(self.faults),
            seats=tuple(map(SeatCounts, self._games, map(float, scores))),
        )


class MatchCounts:
    """Counts of games, scores and faults by contest, bot and seat; withdraws faulty bots."""

    def __init__(self, match: Match) -> None:
        self._rules: FaultRules = match.faults
        self._contests = {contest.id: contest for contest in match.contests}
        self._tallies = {
            contest.id: {bot: _Tally(contest.players) for bot in match.players_of(contest.id)}
            for contest in match.contests
        }
        self._games: Counter[str] = Counter()
        self._faulty: Counter[str] = Counter()
        self.games = self.steps = 0
        self.withdrawn: dict[str, int] = {}
        """Withdrawn bots, each with the number of games before it was withdrawn."""

    def record(self, result: GameResult) -> None:
        """Count the next game of the schedule."""
        self.games += 1
        self.steps += result.steps
        scores = exact_scores(result, self._contests[result.contest])
        tallies = self._tallies[result.contest]
        for seat, bot in enumerate(result.seats):
            if seat in result.absent:
                tallies[bot].absent += 1
            else:
                tallies[bot].add(seat, scores[seat])
        for note in result.faults:
            tallies[note.bot].faults[note.fault] += 1
        self._judge(result)

    def rows(self) -> dict[str, dict[str, BotCounts]]:
        """Return all counts by contest and bot."""
        return {
            contest: {bot: tally.row() for bot, tally in tallies.items()}
            for contest, tallies in self._tallies.items()
        }

    def bot(self, contest: str, bot: str) -> BotCounts:
        """Return the counts of one bot."""
        return self._tallies[contest][bot].row()

    def _judge(self, result: GameResult) -> None:
        self._games.update({bot for n, bot in enumerate(result.seats) if n not in result.absent})
        if not result.faults:
            return
        # A game counts once, even if the bot has several seats or faults in it.
        faulty = {note.bot for note in result.faults}
        self._faulty.update(faulty)
        # Sorted because the order of a set differs between processes, and withdrawals are logged.
        for bot in sorted(faulty):
            games, faults, rules = self._games[bot], self._faulty[bot], self._rules
            is_frequent = games >= rules.after and faults > rules.share * games
            if (faults > rules.most or is_frequent) and bot not in self.withdrawn:
                self.withdrawn[bot] = self.games
