"""The conclusion of a match in one sentence, and its certainty."""

from dataclasses import dataclass

from cardhub.analysis.game_schema import BotRow, GameStatistics, IntervalEstimate, PairRow
from cardhub.analysis.schema import AllGames, MatchResult, RankedBot, Ranking, SprtEstimate
from cardhub.errors.quoting import listed
from cardhub.match.run.stop_rule import SprtState
from cardhub.report import number_format as fmt

Ranked = BotRow | RankedBot


@dataclass(frozen=True)
class Conclusion:
    """A sentence on the best bot, and the reasons for it; `sure`: it is statistically certain."""

    sentence: str
    sure: bool
    reasons: tuple[str, ...] = ()


def conclude(result: MatchResult) -> Conclusion:
    """Return the conclusion of a match: from its test, from all games, or from its only game."""
    statistics = result.statistics
    # The test comes first: its question was asked before the match, those of the ratings were not.
    if result.test is not None:
        return _by_test(result, result.test)
    if not any(game.blocks for game in statistics.games):
        return Conclusion("There is no result yet: no block is finished.", False)
    overall = statistics.overall
    if overall is not None and any(view.bots for view in overall.views):
        return _by_views(overall, statistics.level)
    if len(statistics.games) == 1:
        return conclude_game(statistics.games[0], statistics.level)
    return Conclusion("Each game speaks for itself: no two bots are rated in all of them.", False)


def conclude_game(game: GameStatistics, level: float) -> Conclusion:
    """Return the conclusion of one game."""
    met = [pair for pair in game.pairs if pair.blocks]
    ranked: list[Ranked] = [bot for bot in game.bots if bot.rank is not None]
    # A single pair has a p-value of its own; ranks are for more bots.
    if len(met) == 1 and len(game.pairs) == 1:
        return _by_pair(met[0], game, level)
    if len(ranked) < 2:
        return Conclusion(f"{game.game}: no bots can be compared yet.", False)
    leader = ranked[0]  # certain only if its whole range of ranks is 1
    others = _possible(ranked)
    reason = f"Rank {_ranks(leader)} of {len(ranked)} in {fmt.percent(level)} of draws."
    if isinstance(leader, BotRow) and leader.points_above_mean is not None:
        ahead = fmt.points(leader.points_above_mean, game.unit)
        reason = f"{ahead} above the mean of all bots. {reason}"
    if leader.worst == 1:
        text = f"{leader.bot} is the best bot in {game.game}."
        return Conclusion(text, True, (reason,))
    text = f"{leader.bot} leads in {game.game}, but {_doubt(others)}."
    return Conclusion(text, False, (reason,))


def _by_test(result: MatchResult, test: SprtState) -> Conclusion:
    a, b, game = test.a, test.b, test.game
    rule = result.spec["sprt"]
    low, high = (f"{end:g}" for end in test.elo)
    text = {
        "better": f"{a} is better than {b} in {game}.",
        "not better": f"{a} is not better than {b} in {game}.",
    }.get(test.verdict, f"It is undecided whether {a} is better than {b} in {game}.")
    stats = next(found for found in result.statistics.games if found.game == game)
    unit = f"{stats.unit} a game" if test.model == fmt.POINTS else "Elo"
    scale = unit if test.model == fmt.POINTS else f"{test.model} Elo"
    risk = {
        "better": f"A bot of no more than {low} {unit} passes with a chance of {rule['alpha']:g}.",
        "not better": f"A bot of {high} {unit} fails with a chance of {rule['beta']:g}.",
    }.get(test.verdict, f"More blocks decide between {low} and {high} {unit}.")
    bounds = " to ".join(fmt.number(end, 2) for end in test.bounds)
    evidence = (
        f"The test of {low} against {high} {scale} stands at {fmt.number(test.llr, 2)} "
        f"(bounds {bounds}) after {fmt.times(test.blocks, 'block')}. {risk}"
    )
    # Both are decisions; a match may also end undecided, at its last block.
    is_decided = test.verdict in ("better", "not better")
    return Conclusion(text, is_decided, (evidence, *_strength(result.statistics.test, stats)))


def _strength(estimate: SprtEstimate | None, game: GameStatistics) -> tuple[str, ...]:
    if estimate is None:
        return ()
    if game.scoring == fmt.POINTS:
        found = estimate.score_always
        text = f"Mean difference: {fmt.points(found, game.unit)}"
        return (f"{text} (anytime-valid {_span(found, game)}).",) if found else ()
    found, note, always = estimate.elo, estimate.elo_note, estimate.elo_always
    if found is None:
        return (
            (f"Anytime-valid strength: {fmt.interval(always)} Elo.", note)
            if always and note
            else ()
        )
    if note is not None:
        return f"Strength, allowing for the stop: {fmt.interval(found)} Elo.", note
    return (f"Strength, allowing for the stop: {fmt.elo(found)} Elo ({fmt.elo_range(found)}).",)


def _by_pair(pair: PairRow, game: GameStatistics, level: float) -> Conclusion:
    """Return the verdict of two bots with the interval and the p-value that it rests on."""
    a, b, is_planned = pair.a, pair.b, game.p_value_of == "sign_flip"
    text = {
        "better": f"{a} is better than {b} in {pair.game}.",
        "worse": f"{b} is better than {a} in {pair.game}.",
    }.get(pair.verdict, f"It is open whether {a} or {b} is better in {pair.game}.")
    anytime = f"anytime-valid {_span(pair.score, game)}"
    fixed = _span(pair.score_fixed, game)
    spans = f"{fixed}; {anytime}" if is_planned else anytime
    p_value = fmt.equals(pair.p_value if is_planned else pair.p_always)
    reasons = (
        f"Over {fmt.times(pair.blocks, 'block')} {_scores(pair, game)} "
        f"({fmt.percent(level)} interval {spans}).",
        f"By chance alone even bots would differ as much with p {p_value}.",
    )
    return Conclusion(text, pair.verdict != "open", reasons)


def _span(found: IntervalEstimate | None, game: GameStatistics) -> str:
    """Return an interval as a string; in points there is none at first."""
    text = fmt.score_span(found, game.scoring)
    return "none yet" if text == fmt.NONE else text


def _scores(pair: PairRow, game: GameStatistics) -> str:
    score = fmt.score(pair.score.value if pair.score else None, game.scoring)
    if game.scoring == fmt.POINTS:
        return f"{pair.a} is ahead of {pair.b} by {score} {game.unit} a game"
    return f"{pair.a} scores {score}"


def _by_views(overall: AllGames, level: float) -> Conclusion:
    """Return the leader over all games, if the rankings agree on it."""
    views = [view for view in overall.views if view.bots]
    firsts = [[bot.bot for bot in view.bots if bot.rank == 1] for view in views]
    reasons = tuple(_leads(view, first, level) for view, first in zip(views, firsts, strict=True))
    reasons += _absent(overall)
    # Rankings measure different properties: only a bot that leads all of them is the best one.
    shared = [name for name in firsts[0] if all(name in first for first in firsts)]
    if len(shared) != 1:
        named = list(dict.fromkeys(name for first in firsts for name in first))
        return Conclusion(f"There is no one best bot: it is {listed(named, 'or')}.", False, reasons)
    (leader,) = shared
    rows = [bot for view in views for bot in view.bots]
    others = [bot.bot for bot in rows if bot.best == 1 and bot.bot != leader]
    if not others and all(bot.worst == 1 for bot in rows if bot.bot == leader):
        among = f"of {len(views[0].bots)} bots that are rated in all games"
        text = f"{leader} is the best {among if overall.left_out else 'bot over all games'}"
        text += ", in every view."
        return Conclusion(text, True, reasons)
    text = f"{leader} leads over all games, but {_doubt(list(dict.fromkeys(others)))}."
    return Conclusion(text, False, reasons)


def _absent(overall: AllGames) -> tuple[str, ...]:
    names = [row.bot for row in overall.left_out]
    verb = "is" if len(names) == 1 else "are"
    return (
        (f"{listed(names)} {verb} not rated in all games, and so not compared.",) if names else ()
    )


def _leads(view: Ranking, first: list[str], level: float) -> str:
    ranks = next(bot for bot in view.bots if bot.bot == first[0])
    text = f"rank {_ranks(ranks)} in {fmt.percent(level)} of draws" if len(first) == 1 else "level"
    return f"{fmt.opening(view.title)}: {listed(first)}, {text}."


def _possible(ranked: list[Ranked]) -> list[str]:
    return [row.bot for row in ranked[1:] if row.best == 1]


def _doubt(others: list[str]) -> str:
    return f"{listed(others, 'or')} may be as good" if others else "that is not certain"


def _ranks(row: Ranked) -> str:
    return fmt.rank(row.best, row.worst)
