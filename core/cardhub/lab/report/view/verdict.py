"""The conclusion of a match in one sentence, and its certainty.

Sentences follow only from verdicts: a bot is the best if it is better than every other bot. If no
bot is, the ratings determine the leader.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, inf, log2

from msgspec import UNSET

from cardhub.base import writing
from cardhub.base.writing import listed
from cardhub.lab.analysis.block_schema import LessLuckRow
from cardhub.lab.analysis.schema import (
    DIFFERENT,
    AllGames,
    BotRow,
    ComparisonRow,
    GameStatistics,
    MatchResult,
    PairRow,
    SprtEstimate,
    Statistics,
    VerdictEvidence,
    wins_of,
)
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.match.run.schedule import SprtState
from cardhub.lab.report import number_format as fmt

# Ratings that differ by less are printed as equal: ties of scores differ by rounding only.
LEVEL = 1e-6
# Number of bots that a sentence names, and the fewest that it only counts.
MOST_LISTED, FEWEST_OTHERS = 6, 2
# Terms that save more than this leave only what their fit gets wrong in the first blocks.
ALL_LUCK = 1000.0
# The questions over several games; `each` has no measure.
QUESTIONS = {"mean_score": "mean score", "mean_rank": "mean score by places"}
# Legends of tables, by their names in templates.
LEGENDS = {
    "JOINT": (
        "By how much the mean result of the first bot against all bots is ahead of that of the "
        "second, on the same deals. Ranks rest on these verdicts, which hold together."
    ),
    "LEADS": (
        "The first column answers the question of the match: the lead over the mean bot, in scores."
    ),
    "PLACES": (
        "A game is won by one bot, but all bots have places. These comparisons through all "
        "opponents count places; they change no rank. Their verdicts hold together."
    ),
    "ROUNDS": (
        "Results chose who met whom. So the places are those of this schedule, and do not show "
        "which bot is better: for that, see the verdicts on pairs, which hold whoever meets."
    ),
    "OVER_GAMES": (
        "By how much the first bot is ahead of the second in the mean over the games, deal by "
        "deal. Ranks over all games rest on these verdicts, which hold together."
    ),
}


class BotVerdicts:
    """Verdicts by bot, the best bot first; a bot that was not compared has no verdict."""

    def __init__(self, rows: Iterable[PairRow | ComparisonRow], order: Iterable[str]) -> None:
        self.rows = [row for row in rows if row.evidence]
        compared = {bot for row in self.rows for bot in (row.a, row.b)}
        self._wins = {*wins_of(self.rows)}
        self.bots = [bot for bot in order if bot in compared]
        self.settled = sum(row.verdict != "open" for row in self.rows)

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


def verdicts_of_game(game: GameStatistics) -> BotVerdicts:
    """Return the verdicts on which the ranks of a game rest, in the order of its ratings."""
    return BotVerdicts(game.joint or game.pairs, (row.bot for row in game.bots))


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
    verdicts = verdicts_of_game(game)
    compared = [pair for pair in game.pairs if pair.evidence]
    if not compared or not verdicts.rows:
        return Conclusion(f"{game.game}: no bots can be compared yet.", False)
    if len(game.pairs) == 1:
        return _by_pair(compared[0], compared[0].evidence, game)
    reason = _settled(verdicts, " through all opponents" if game.joint else "", level)
    if verdicts.best is not None:
        text = f"{verdicts.best} is the best bot in {game.game}: it is better than every other bot."
        return Conclusion(text, True, (reason,))
    level_bots, reasons = _level_bots(game), (reason, *_too_few_deals([game]))
    if not level_bots:
        return Conclusion(f"{game.game}: which bot leads is not known.", False, reasons)
    leader = level_bots[0]
    ahead = _listed_bots(verdicts.better_than(leader))
    if ahead:
        verb = "is" if len(verdicts.better_than(leader)) == 1 else "are"
        text = (
            f"No bot is the best in {game.game}: {leader} leads, but {ahead} {verb} better than it."
        )
        return Conclusion(text, False, reasons)
    return Conclusion(_open_sentence(game.game, verdicts, level_bots), False, reasons)


def _too_few_deals(games: Sequence[GameStatistics]) -> tuple[str, ...]:
    """Return in which games no pair can be settled, however clear the results; empty if in none.

    The exact test of n deals has no p-value below 2 to the power of 1 - n.
    """
    short, least = [], 0
    for game in games:
        exact = [
            (row.blocks, row.evidence.limit)
            for row in verdicts_of_game(game).rows
            if row.evidence and row.evidence.kind == "sign_flip" and row.evidence.limit
        ]
        if exact and all(2.0 ** (1 - deals) > limit for deals, limit in exact):
            short.append(game.game)
            least = max(least, *(ceil(1 - log2(limit)) for _, limit in exact))
    if not short:
        return ()
    return (
        f"In {listed(short)} there are too few deals to settle any pair, however clear the "
        f"results: that takes at least {least}.",
    )


def _level_bots(game: GameStatistics) -> list[str]:
    """Return the leader, and the bots that are as strong to the last digit that reports print."""
    ranked = [row for row in game.bots if row.rank is not None]
    return [row.bot for row in ranked if _strength(ranked[0]) - _strength(row) < LEVEL]


def _open_sentence(game: str, verdicts: BotVerdicts, level_bots: Sequence[str]) -> str:
    """Return which bots lead in a game in which no bot is better than the leader."""
    leader = level_bots[0]
    others = [bot for bot in verdicts.not_beaten_by(leader) if bot not in level_bots]
    doubt = f", but {_listed_bots(others, 'or')} may be as good" if others else ""
    if len(level_bots) > 1:
        return f"{_listed_bots(level_bots)} are level in {game}{doubt}."
    return f"{leader} leads in {game}{doubt}."


def _listed_bots(bots: Sequence[str], last: str = "and") -> str:
    """Return bots as a list in a sentence; of many bots it has the first and the number."""
    others = len(bots) - MOST_LISTED
    if others < FEWEST_OTHERS:
        return listed(bots, last)
    return listed([*bots[:MOST_LISTED], f"{others} others"], last)


def _settled(verdicts: BotVerdicts, by: str, level: float) -> str:
    """Return how many pairs are settled, and with which confidence.

    `by` is what they were compared by, or empty for their own games.
    """
    pairs = writing.amount(len(verdicts.rows), "pair")
    met = "" if by else " that met"
    verb = "is" if verdicts.settled == 1 else "are"
    return (
        f"{verdicts.settled} of {pairs}{met} {verb} settled{by}; these verdicts hold together at "
        f"{writing.percent(level)}."
    )


def places_sentence(game: GameStatistics) -> str:
    """Return the verdicts by places of a game played for winning; empty if it has none."""
    rows = [row for row in game.by_places if row.evidence]
    if not rows:
        return ""
    wins = [f"{better} is better than {worse}" for better, worse in wins_of(rows)]
    return f"By places, a secondary test: {listed(wins) or 'no pair is settled'}."


def less_luck_sentences(game: GameStatistics) -> tuple[str, ...]:
    """Return what the terms against luck saved each pair, and its scores with and without them."""
    rows = () if game.less_luck is UNSET else game.less_luck
    return tuple(
        f"{row.a} against {row.b}: {_score_text(row.score, game)} with less luck, "
        f"{_score_text(row.plain, game)} as played. {_saved_sentence(row)}"
        for row in rows
    )


def _score_text(score: OpenEstimate | None, game: GameStatistics) -> str:
    if score is None:
        return writing.NONE
    value = fmt.score(score.value, game.scoring)
    span = fmt.score_span(score, game.scoring)
    return value if span == writing.NONE else f"{value} ({span})"


def _saved_sentence(row: LessLuckRow) -> str:
    source = "chance and of known policies" if row.has_policies else "chance"
    if row.saved is None or row.saved > ALL_LUCK:
        return f"Without the luck of {source}, nothing is left to chance."
    saved = f"Without the luck of {source}, it is as good as {fmt.times(row.saved)} the blocks"
    if row.saved_games is None:
        return f"{saved}."
    return f"{saved}, or {fmt.times(row.saved_games)} the games if each had its own deal."


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


def _level(pair: PairRow | ComparisonRow) -> str:
    limit = pair.evidence.limit if pair.evidence else None
    return f"{100 * (1 - limit):.4g} % interval " if limit is not None else ""


def _span(estimate: OpenEstimate, game: GameStatistics, evidence: VerdictEvidence | None) -> str:
    """Return an interval as a string, or the reason why a mean in points has no interval."""
    text = fmt.score_span(estimate, game.scoring)
    if text != writing.NONE:
        return text
    return "none, all blocks are equal" if evidence and evidence.kind == "sign_flip" else "none yet"


def _over_games(statistics: Statistics) -> Conclusion:
    """Return the best bot over all games by the question of the match, or the leader."""
    reasons = tuple(
        conclude_game(game, statistics.level).sentence for game in statistics.games if game.blocks
    )
    reasons += (*_too_few_deals(statistics.games), *_means(statistics))
    overall = statistics.overall
    if overall is not None:
        games = len(statistics.games)
        reasons += tuple(
            f"{row.bot} is not compared, because it has no rating{_missed(row.games, games)}."
            for row in overall.left_out
        )
    if overall is not None and any(row.evidence for row in overall.pairs):
        return _by_question(overall, statistics.level, reasons)
    bests = {verdicts_of_game(game).best for game in statistics.games}
    best = bests.pop() if len(bests) == 1 else None
    if best is not None:
        count = writing.amount(len(statistics.games), "game")
        return Conclusion(f"{best} is the best bot in each of the {count}.", True, reasons)
    views = overall.views if overall else ()
    means = [view for view in views if view.view == "mean"]
    leaders = [bot.bot for view in means for bot in view.bots if bot.rank == view.bots[0].rank]
    if overall is None or not leaders:
        text = "There is no verdict over all games: no ranking over all games has two bots."
        return Conclusion(text, False, reasons)
    text = f"{_listed_bots(leaders)} {'leads' if len(leaders) == 1 else 'lead'} by mean Elo over "
    text += writing.amount(len(overall.games), "game")
    text += ", but it is not settled which bot is the best over all games."
    return Conclusion(text, False, reasons)


def _missed(games: Sequence[str], all_games: int) -> str:
    return "" if len(games) == all_games else f" in {listed(games)}"


def _by_question(overall: AllGames, level: float, reasons: tuple[str, ...]) -> Conclusion:
    """Return the conclusion from the comparisons over several games."""
    measure = QUESTIONS.get(overall.question, overall.question)
    over = f"over {writing.amount(len(overall.games), 'game')}"
    verdicts = BotVerdicts(overall.pairs, (row.bot for row in overall.leads))
    if len(verdicts.rows) == 1:
        return _two_over_games(verdicts.rows[0], measure, over, reasons)
    reason = _settled(verdicts, f" by {measure}", level)
    leader = verdicts.bots[0]
    if verdicts.best is not None:
        text = (
            f"{verdicts.best} is the best bot {over}: by {measure} it is better than every other "
            "bot."
        )
        return Conclusion(text, True, (reason, *reasons))
    others = _listed_bots(verdicts.not_beaten_by(leader), "or")
    text = f"{leader} leads by {measure} {over}, but {others} may be as good."
    return Conclusion(text, False, (reason, *reasons))


def _two_over_games(
    row: PairRow | ComparisonRow, measure: str, over: str, reasons: tuple[str, ...]
) -> Conclusion:
    evidence = row.evidence
    score = evidence.score if evidence else None
    if evidence is None or score is None or score.value is None:
        raise AssertionError(row)  # only rows with evidence are compared
    leader, other = (row.a, row.b) if score.value >= 0 else (row.b, row.a)
    ahead = score if score.value >= 0 else mirrored(score, 0.0)
    kind = "anytime-valid, " if evidence.kind == "sequence" else ""
    reason = (
        f"Over {writing.amount(row.blocks, 'block')} of each game {leader} is ahead of {other} by "
        f"{fmt.value(ahead)} ({kind}{_level(row)}{fmt.signed_span(ahead, 3)})."
    )
    if row.verdict in DIFFERENT:
        text = f"{leader} is better than {other} {over}, by {measure}."
        return Conclusion(text, True, (reason, *reasons))
    text = f"It is open whether {row.a} or {row.b} is better {over}, by {measure}."
    return Conclusion(text, False, (reason, *reasons))


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
