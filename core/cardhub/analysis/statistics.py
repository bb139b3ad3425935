"""Statistics of a whole match, with the rankings over all its games."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it has no types

from cardhub.analysis.accumulate import Accumulated, accumulate
from cardhub.analysis.contests import AnalysedContest, analyse_contest
from cardhub.analysis.game_schema import IntervalEstimate
from cardhub.analysis.schema import (
    AllGames,
    Anchor,
    BotGames,
    BotShare,
    GameShare,
    RankedBot,
    Ranking,
    SprtEstimate,
    Statistics,
)
from cardhub.analysis.sprt_section import sprt_section
from cardhub.errors.quoting import listed
from cardhub.match.match_spec import Match
from cardhub.stats import Estimate, Overall, OverallView, Ranks, Rating, Ratings, disagreements
from cardhub.stats import overall_views as views_of


def statistics_of(match: Match, folder: Path) -> Statistics:
    """Return the statistics of a match; see `cardhub.analysis.analyse`."""
    log = accumulate(match, folder)
    # Matrices are small: several threads would wait for one another, and change the order of sums.
    with threadpool_limits(limits=1):
        return _checked(_statistics(match, log))


def _statistics(match: Match, log: Accumulated) -> Statistics:
    contests = [analyse_contest(match, totals, log) for totals in log.contests.values()]
    overall, notes = all_games_of(match, [one for one in contests if not one.contest.is_common])
    left_out = [one.contest.id for one in contests if one.contest.is_common]
    if left_out and len(contests) > 1:
        what = "has one score for a whole table" if len(left_out) == 1 else "have one for a table"
        notes.append(f"{listed(left_out)} {what}: not part of the rankings over all games.")
    return Statistics(
        level=match.rating.level,
        draws=match.rating.bootstrap,
        anchor=next((Anchor(bot, elo) for bot, elo in match.rating.anchor.items()), None),
        missing=match.rating.missing,
        games=tuple(found.statistics for found in contests),
        overall=overall,
        test=_test(match, log, contests),
        notes=tuple(notes),
    )


def _test(match: Match, log: Accumulated, contests: list[AnalysedContest]) -> SprtEstimate | None:
    if log.test is None:
        return None
    rule = log.test.rule
    (found,) = (found for found in contests if found.contest.id == rule.contest)
    return sprt_section(log.test, log.history, found.deals(rule.a, rule.b), match.rating.level)


def _checked(statistics: Statistics) -> Statistics:
    # Round trip through JSON: types are checked, NaN and numpy scalars cannot pass.
    data = msgspec.json.encode(statistics, enc_hook=_scalar)
    return msgspec.json.decode(data, type=Statistics)


def _scalar(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"no JSON for {type(value).__name__}")


NAMES = {"mean Elo": "mean", "Nash averaging": "nash", "Kemeny": "kemeny"}
# The distance in Elo below the last bot of a game for a missing bot that counts as losing.
LOSS = 400.0
FEWEST = 2


def all_games_of(
    match: Match, contests: Sequence[AnalysedContest]
) -> tuple[AllGames | None, list[str]]:
    """Return the object `overall`, or None with notes as strings on why there is none."""
    if len(contests) < FEWEST:
        return None, []
    assumed = _assumed(match, contests)
    ratings = [
        _with_losses(found.ratings, [bot for bot, games in assumed.items() if n in games])
        for n, found in enumerate(contests)
    ]
    # A linear program that fails must not cost the other statistics.
    try:
        found = views_of(ratings, level=match.rating.level)
    except ArithmeticError as error:
        return None, [f"The games were not put together: {error}."]
    if found is None or len(found.bots) < FEWEST:
        return None, ["There are not two bots that are rated in every game."]
    unrated = _unrated(match, ratings, found)
    return _section(match, contests, found, assumed=assumed, unrated=unrated), []


def _section(
    match: Match,
    contests: Sequence[AnalysedContest],
    found: Overall,
    *,
    assumed: dict[int, list[int]],
    unrated: dict[int, list[int]],
) -> AllGames:
    names = [entrant.id for entrant in match.entrants]
    wanted = [v for name in match.rating.overall for v in found.views if NAMES[v.name] == name]

    def shares(mixture: Sequence[float]) -> tuple[BotShare, ...]:
        pairs = zip(found.bots, mixture, strict=True)
        return tuple(BotShare(names[bot], share) for bot, share in pairs)

    return AllGames(
        views=tuple(_ranking(view, [names[bot] for bot in found.bots]) for view in wanted),
        game_mixture=tuple(
            GameShare(analysed.contest.id, IntervalEstimate(*share))
            for analysed, share in zip(contests, found.games, strict=True)
        ),
        bot_mixture=shares(found.best),
        gap=found.gap,
        lottery=shares(found.lottery),
        contradictions=found.kemeny.contradictions,
        bound=found.kemeny.bound,
        equals=found.kemeny.equals,
        is_anchored=found.is_anchored,
        left_out=_bot_games(match, contests, unrated),
        assumed=_bot_games(match, contests, assumed),
        disagreements=tuple(disagreements(replace(found, views=tuple(wanted)), names)),
    )


def _ranking(view: OverallView, bots: Sequence[str]) -> Ranking:
    rows = [
        RankedBot(bot, IntervalEstimate.of(view.scores[n] if view.scores else None), *view.ranks[n])
        for n, bot in enumerate(bots)
    ]
    return Ranking(NAMES[view.name], view.name, tuple(sorted(rows, key=lambda row: row.rank)))


def _assumed(match: Match, contests: Sequence[AnalysedContest]) -> dict[int, list[int]]:
    # Only bots that are rated in all games they play: an assumed loss must not hide a missing
    # rating.
    if match.rating.missing != "loss":
        return {}
    found = {}
    for number, entrant in enumerate(match.entrants):
        missing = [n for n, one in enumerate(contests) if one.contest.id not in entrant.plays]
        rated = [n for n, one in enumerate(contests) if number in one.ratings.rated]
        if missing and len(missing) + len(rated) == len(contests):
            found[number] = missing
    return found


def _with_losses(ratings: Ratings, bots: Sequence[int]) -> Ratings:
    if not ratings.rated or not bots:
        return ratings
    by_bot = list(ratings.by_bot)
    last = min(rating.elo.value for rating in by_bot if rating is not None) - LOSS
    for bot in bots:
        place = len(ratings.rated) + 1
        by_bot[bot] = Rating(bot, Estimate(last, last, last), Ranks(place, place, place), 0, 0)
    # In every draw as well, so that ranks and mixtures have joint intervals.
    below = np.repeat(ratings.draws.min(axis=1, keepdims=True) - LOSS, len(bots), axis=1)
    return replace(
        ratings,
        by_bot=tuple(by_bot),
        rated=(*ratings.rated, *bots),
        draws=np.hstack([ratings.draws, below]),
    )


def _unrated(match: Match, ratings: Sequence[Ratings], found: Overall) -> dict[int, list[int]]:
    return {
        bot: [n for n, rated in enumerate(ratings) if bot not in rated.rated]
        for bot in range(len(match.entrants))
        if bot not in found.bots
    }


def _bot_games(
    match: Match, contests: Sequence[AnalysedContest], found: dict[int, list[int]]
) -> tuple[BotGames, ...]:
    return tuple(
        BotGames(match.entrants[bot].id, tuple(contests[n].contest.id for n in games))
        for bot, games in found.items()
    )
