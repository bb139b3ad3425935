"""The conclusion of a match in one sentence, and its certainty.

Sentences follow only from the verdicts of the pairs: a bot is the best if it is better than every
other bot. If no bot is, the ratings determine the leader.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf

from cardhub.base import writing
from cardhub.base.writing import listed
from cardhub.lab.analysis.schema import (
    DIFFERENT,
    AllGames,
    BotRow,
    GameStatistics,
    MatchResult,
    PairRow,
    SprtEstimate,
    Statistics,
    VerdictEvidence,
)
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.match.run.schedule import SprtState
from cardhub.lab.report import number_format as fmt

# Ratings that differ by less are printed as equal: ties of scores differ by rounding only.
LEVEL = 1e-6


class GameVerdicts:
    """The verdicts of a game by bot; a bot that met no other bot has no verdict."""

    def __init__(self, game: GameStatistics) -> None:
        compared_pairs = [pair for pair in game.pairs if pair.evidence]
        compared = {bot for pair in compared_pairs for bot in pair.bots}
        self._wins = {
            (pair.a, pair.b) if pair.verdict == "better" else (pair.b, pair.a)
            for pair in compared_pairs
            if pair.verdict in DIFFERENT
        }
        # The best bot first, as in the table of ratings.
        self.bots = [row.bot for row in game.bots if row.bot in compared]
        self.settled = sum(pair.verdict != "open" for pair in compared_pairs)
        ranked = [row for row in game.bots if row.rank is not None]
        self.leader = ranked[0].bot if ranked else None
        # The leader, and the bots that are as strong to the last digit that reports print.
        self.level = [row.bot for row in ranked if _strength(ranked[0]) - _strength(row) < LEVEL]

    @property
    def best(self) -> str | None:
        """The bot that is better than every other bot, or None."""
        return next((bot for bot in self.bots if not self.not_beaten_by(bot)), None)

    def not_beaten_by(self, bot: str) -> list[str]:
        """Return the other bots that a bot is not better than."""
        return [other for other in self.bots if other != bot and (bot, other) not in self._wins]

    def better_than(self, bot: str) -> list[str]:
        """Return the bots that are better than a bot."""
        return [other for other in self.bots if (other, bot) in self._wins]


def _strength(row: BotRow) -> float:
    """Return the rating that ranks a bot: points above the mean, or else Elo."""
    value = (row.points_above_mean or row.elo or OpenEstimate(None, None, None)).value
    return -inf if value is None else value


@dataclass(frozen=True)
class Conclusion:
    """A sentence on the best bot, and the reasons for it; `sure`: it is statistically certain."""

    sentence: str
    sure: bool
    reasons: tuple[str, ...] = ()


def conclude(result: MatchResult) -> Conclusion:
    """Return the conclusion of a match: from its test, from all games, or from its only game."""
    statistics = result.statistics
    # The test comes first, because only its question was asked before the match.
    if result.test is not None:
        return _by_test(result, result.test)
    if not any(game.blocks for game in statistics.games):
        return Conclusion("There is no result yet: no block is finished.", False)
    if len(statistics.games) == 1:
        return conclude_game(statistics.games[0], statistics.level)
    return _over_games(statistics)


def conclude_game(game: GameStatistics, level: float) -> Conclusion:
    """Return the conclusion of one game."""
    verdicts = GameVerdicts(game)
    compared = [pair for pair in game.pairs if pair.evidence]
    if not compared:
        return Conclusion(f"{game.game}: no bots can be compared yet.", False)
    if len(game.pairs) == 1:
        return _by_pair(compared[0], compared[0].evidence, game)
    settled = writing.amount(verdicts.settled, "pair is", "pairs are")
    reason = (
        f"{settled} settled of {writing.amount(len(compared), 'pair')} that met; all verdicts of "
        f"the match hold together at {writing.percent(level)}."
    )
    if verdicts.best is not None:
        text = f"{verdicts.best} is the best bot in {game.game}: it is better than every other bot."
        return Conclusion(text, True, (reason,))
    leader = verdicts.leader
    if leader is None:
        return Conclusion(f"{game.game}: which bot leads is not known.", False, (reason,))
    ahead = listed(verdicts.better_than(leader))
    if ahead:
        verb = "is" if len(verdicts.better_than(leader)) == 1 else "are"
        text = (
            f"No bot is the best in {game.game}: {leader} leads, but {ahead} {verb} better than it."
        )
        return Conclusion(text, False, (reason,))
    return Conclusion(_open_sentence(game.game, verdicts, leader), False, (reason,))


def _open_sentence(game: str, verdicts: GameVerdicts, leader: str) -> str:
    """Return which bots lead in a game in which no bot is better than the leader."""
    others = [bot for bot in verdicts.not_beaten_by(leader) if bot not in verdicts.level]
    doubt = f", but {listed(others, 'or')} may be as good" if others else ""
    if len(verdicts.level) > 1:
        return f"{listed(verdicts.level)} are level in {game}{doubt}."
    return f"{leader} leads in {game}{doubt}."


def _by_test(result: MatchResult, test: SprtState) -> Conclusion:
    rule = result.spec["sprt"]
    low, high = (f"{end:g}" for end in test.elo)
    stats = next(game for game in result.statistics.games if game.game == test.game)
    unit = f"{stats.unit} a game" if test.model == fmt.POINTS else "Elo"
    scale = unit if test.model == fmt.POINTS else f"{test.model} Elo"
    risk = {
        "better": f"A bot of no more than {low} {unit} passes with a chance of {rule['alpha']:g}.",
        "not better": f"A bot of {high} {unit} fails with a chance of {rule['beta']:g}.",
    }.get(test.verdict, f"More blocks decide between {low} and {high} {unit}.")
    bounds = " to ".join(writing.number(end, 2) for end in test.bounds)
    evidence = (
        f"The test of {low} against {high} {scale} stands at {writing.number(test.llr, 2)} "
        f"(bounds {bounds}) after {writing.amount(test.blocks, 'block')}. {risk}"
    )
    # A match may also end undecided at its last block.
    is_decided = test.verdict in ("better", "not better")
    reasons = evidence, *_tested_strength(result.statistics.test, stats)
    return Conclusion(sprt_sentence(test, stats), is_decided, reasons)


def sprt_sentence(test: SprtState, game: GameStatistics) -> str:
    """Return the verdict of a test as a sentence, no stronger than the hypothesis it rejects."""
    a, b, where = test.a, test.b, test.game
    low, high = test.elo
    unit = f"{game.unit} a game" if test.model == fmt.POINTS else f"{test.model} Elo"
    if test.verdict == "better":
        if low >= 0:
            return f"{a} is better than {b} in {where}."
        return f"{a} is less than {-low:g} {unit} worse than {b} in {where}."
    if test.verdict == "not better":
        if high <= 0:
            return f"{a} is worse than {b} in {where}."
        return f"{a} is not {high:g} {unit} better than {b} in {where}."
    return f"It is undecided whether {a} is better than {b} in {where}."


def _tested_strength(estimate: SprtEstimate | None, game: GameStatistics) -> tuple[str, ...]:
    if estimate is None:
        return ()
    if game.scoring == fmt.POINTS:
        strength = estimate.score_always
        if strength is None:
            return ()
        text = f"Mean difference: {fmt.points(strength, game.unit)}"
        return (f"{text} (anytime-valid {_span(strength, game, None)}).",)
    strength, note, always = estimate.elo, estimate.elo_note, estimate.elo_always
    if strength is None:
        return (
            (f"Anytime-valid strength: {fmt.elo_bounds(always)} Elo.", note)
            if always and note
            else ()
        )
    return (
        f"Strength, allowing for the stop: {fmt.elo(strength)} Elo ({fmt.elo_range(strength)}).",
    )


def _by_pair(pair: PairRow, evidence: VerdictEvidence | None, game: GameStatistics) -> Conclusion:
    """Return the verdict of two bots with the interval and the p-value on which it rests."""
    a, b = pair.a, pair.b
    text = {
        "better": f"{a} is better than {b} in {pair.game}.",
        "worse": f"{b} is better than {a} in {pair.game}.",
        "equal": f"{a} and {b} are too close to matter in {pair.game}.",
        "not better": f"{a} is not better than {b} in {pair.game} by as much as the test asks.",
        "not worse": f"{b} is not better than {a} in {pair.game} by as much as the test asks.",
    }.get(pair.verdict, f"It is open whether {a} or {b} is better in {pair.game}.")
    reasons = [f"Over {writing.amount(pair.blocks, 'block')} {score_sentence(pair, game)}."]
    if evidence is not None and evidence.p_value is not None:
        p_value = fmt.equals(evidence.p_value)
        reasons.append(f"Equally strong bots would differ this much by chance with p {p_value}.")
    return Conclusion(text, pair.verdict != "open", tuple(reasons))


def score_sentence(pair: PairRow, game: GameStatistics) -> str:
    """Return the score of the bot that is ahead, with the interval on which the verdict rests."""
    score = pair.evidence.score if pair.evidence else None
    if score is None or score.value is None:
        return f"{pair.a} and {pair.b} have no score"
    in_points = game.scoring == fmt.POINTS
    even = 0.0 if in_points else 0.5
    leader, other = pair.a, pair.b
    if score.value < even:
        leader, other, score = other, leader, mirrored(score, even)
    kind = "anytime-valid, " if game.p_value_of == "sequence" else ""
    span = f"{kind}{_level(pair)}{_span(score, game, pair.evidence)}"
    if pair.evidence and pair.evidence.kind == "test":
        span += "; the test decides"
    if in_points:
        unit = f"{game.unit} a game"
        return f"{leader} is ahead of {other} by {writing.number(score.value, 2)} {unit} ({span})"
    return f"{leader} scores {writing.number(score.value)} ({span}) against {other}"


def mirrored(estimate: OpenEstimate, even: float) -> OpenEstimate:
    """Return the estimate from the other side of a pair."""
    ends = (estimate.value, estimate.high, estimate.low)
    return OpenEstimate(*(None if end is None else 2 * even - end for end in ends))


def _level(pair: PairRow) -> str:
    limit = pair.evidence.limit if pair.evidence else None
    return f"{100 * (1 - limit):.4g} % interval " if limit is not None else ""


def _span(estimate: OpenEstimate, game: GameStatistics, evidence: VerdictEvidence | None) -> str:
    """Return an interval as a string, or the reason why a mean in points has no interval."""
    text = fmt.score_span(estimate, game.scoring)
    if text != writing.NONE:
        return text
    return "none, all blocks are equal" if evidence and evidence.kind == "sign_flip" else "none yet"


def _over_games(statistics: Statistics) -> Conclusion:
    """Return the bot that is the best in each of its games, or the leader by mean Elo."""
    by_game = {game.game: GameVerdicts(game) for game in statistics.games}
    reasons = tuple(
        conclude_game(game, statistics.level).sentence for game in statistics.games if game.blocks
    )
    reasons += _means(statistics)
    bests = {verdicts.best for verdicts in by_game.values()}
    best = bests.pop() if len(bests) == 1 else None
    if best is not None:
        text = f"{best} is the best bot in each of the {writing.amount(len(by_game), 'game')}."
        return Conclusion(text, True, reasons)
    overall = statistics.overall
    views = overall.views if overall else ()
    means = [view for view in views if view.view == "mean"]
    leaders = [bot.bot for view in means for bot in view.bots if bot.rank == view.bots[0].rank]
    if overall is None or not leaders:
        text = "There is no verdict over all games: no ranking over all games has two bots."
        return Conclusion(text, False, reasons)
    text = f"{listed(leaders)} {'leads' if len(leaders) == 1 else 'lead'} by mean Elo over "
    text += writing.amount(len(overall.games), "game")
    reasons += tuple(
        f"{row.bot} is not compared, because it has no rating{_missed(row.games, by_game)}."
        for row in overall.left_out
    )
    text += ", but it is not settled which bot is the best over all games."
    return Conclusion(text, False, reasons)


def _missed(games: Sequence[str], all_games: Collection[str]) -> str:
    return "" if len(games) == len(all_games) else f" in {listed(games)}"


def _means(statistics: Statistics) -> tuple[str, ...]:
    rankings: Sequence[AllGames | None] = (statistics.overall, statistics.shared)
    return tuple(
        f"Mean Elo over {listed(overall.games)}: "
        + ", ".join(
            f"{bot.bot} {fmt.elo(bot.elo)}{fmt.bracketed(fmt.elo_range(bot.elo))}"
            for bot in view.bots
        )
        + "."
        for overall in rankings
        if overall is not None
        for view in overall.views
        if view.view == "mean"
    )
