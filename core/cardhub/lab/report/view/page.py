"""The view of a whole report, independent of its format, with the decisions that lost most."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cardhub.base import writing
from cardhub.lab.analysis.exploit.exploit_schema import MatchExploits
from cardhub.lab.analysis.model_figures import MatchModels
from cardhub.lab.analysis.review.review_schema import BotReview, MatchReview
from cardhub.lab.analysis.schema import (
    AllGames,
    GameStatistics,
    MatchResult,
    Ranking,
    SprtEstimate,
    UpsetGame,
)
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.match.run.schedule import SprtState
from cardhub.lab.match.task import GameResult
from cardhub.lab.report import number_format as fmt
from cardhub.lab.report.number_format import POINTS
from cardhub.lab.report.resources import BotUse
from cardhub.lab.report.view.game_view import FaultView, GameReader, GameView, exploit_columns
from cardhub.lab.report.view.listings import Listings, Selection, chosen_games, upsets_in_turn
from cardhub.lab.report.view.overview import Standings, build_standings
from cardhub.lab.report.view.plots import DotPlot, LinePlot, dot_plot, line_plot
from cardhub.lab.report.view.verdict import Conclusion, conclude
from cardhub.play.advice import PERCENT, SCALE
from cardhub.play.pages.building_data import ReplayMark


def list_mistakes(review: MatchReview, listings: Listings) -> None:
    """Register a list of the games with confirmed mistakes for each bot, so that they get pages."""
    for bot in review.bots:
        ids = tuple(dict.fromkeys(mistake.game_id for mistake in bot.confirmed))
        title = f"Games in which {bot.bot} lost most by a decision in {bot.game}"
        if ids:
            listings.link(Selection(ids=ids), title, len(ids))


def mistake_marks(review: MatchReview) -> dict[str, list[ReplayMark]]:
    """Return the marks of the mistakes on the pages of their games, by game id."""
    marks: dict[str, list[ReplayMark]] = {}
    for bot in review.bots:
        for mistake in bot.confirmed:
            loss = fmt.loss(mistake.loss, bot.unit, mistake.error)
            text = (
                f"{bot.bot}: {mistake.taken} loses {loss}; {mistake.better} is better, as rated by "
                f"{rater_name(review)}"
            )
            mark = ReplayMark(step=mistake.step, kind="mistake", text=text)
            marks.setdefault(mistake.game_id, []).append(mark)
    return marks


def loss_scale(review: MatchReview) -> str:
    """Return what percentages of losses mean, empty without percentages."""
    return SCALE if any(bot.unit == PERCENT for bot in review.bots) else ""


def review_notes(review: MatchReview, games: int) -> Iterator[str]:
    """Yield sentences on what a review lacks; `games` is the number of all games."""
    if not review.is_whole:
        yield "The review is unfinished: the same command continues it."
    if review.header.games != games:
        reviewed = writing.amount(review.header.games, "game")
        yield f"The review is of the first {reviewed} of the match."


def rater_name(review: MatchReview) -> str:
    """Return the name of what rates decisions: the search, or the solutions of small games."""
    header = review.header
    sampler = header.reviewer
    if any(bot.weighted for bot in review.bots):
        sampler = f"{sampler} or by games of the bots themselves"
    if not header.exact:
        return sampler
    solutions = "the solution of the game" if len(header.exact) == 1 else "the games' solutions"
    if len(header.exact) == len(header.contests):
        return solutions
    return f"{solutions} in {writing.listed(header.exact)}, elsewhere by {sampler}"


def review_methods(review: MatchReview) -> Iterator[str]:
    """Yield sentences on what losses mean, and on what a search assumes."""
    header = review.header
    if header.exact:
        yield (
            f"In {writing.listed(header.exact)} a loss is exact: what a decision gives away both "
            "to perfect opponents and to the actual ones."
        )
    if any(bot.weighted for bot in review.bots):
        yield (
            f"In {writing.listed(header.weighted)} cards are as likely as the actions of the other "
            "players make them, if the bots at a table act in known ways: "
            f"{writing.listed(header.asked)}. There a loss is what a decision gives away both to "
            "these bots and to copies of its own bot, which all play on after it."
        )
        yield "In all other decisions the search assumes that all unseen cards are equally likely."
    elif searched := [contest for contest in header.contests if contest not in header.exact]:
        yield (
            f"The search rates decisions in {writing.listed(searched)} assuming that all unseen "
            "cards are equally likely, whatever the other players did."
        )


def review_summary(review: BotReview, level: float) -> str:
    """Return sentences on the mean loss of a bot's decisions."""
    if not review.decisions:
        return "No game is reviewed completely yet."
    share = writing.percent(review.agreed / review.decisions)
    decisions = writing.amount(review.decisions, "decision")
    agree = "lose nothing" if review.method == "exact" else "agree with the search"
    if review.weighted:
        agree = "are as good as any other by this rating"
    sentences = [
        f"{decisions} in {writing.amount(review.seats, 'game')}, {share} of them {agree}.",
        _weights(review),
        _average(review.mean_loss, "A decision loses {} on average", review.unit, level),
        _average(
            review.mean_gain,
            "Best play against these very opponents would gain {} a decision",
            review.unit,
            level,
        ),
    ]
    return " ".join(filter(None, sentences))


def _weights(review: BotReview) -> str:
    """Return a sentence on how likely a review took unseen cards to be; empty without weights."""
    if not review.weighted:
        return ""
    text = (
        f"In {review.weighted} of them cards are weighted by what the other players did: the "
        f"sample of a decision is worth at least {review.worlds:.0f} equally likely deals."
    )
    if review.flattened:
        text += (
            f" In {review.flattened} the weights are flattened, because too few of the sampled "
            "deals were likely."
        )
    return text


def _average(mean: OpenEstimate | None, text: str, unit: str, level: float) -> str:
    """Return a sentence on a mean with its interval; empty if it is unknown."""
    if mean is None or mean.value is None:
        return ""
    sentence = text.format(fmt.loss(mean.value, unit))
    if mean.low is None or mean.high is None:
        return f"{sentence}."
    low, high = writing.number(mean.low, 2), writing.number(mean.high, 2)
    return f"{sentence} ({low} to {high} at {writing.percent(level)})."


FAULTY = Selection(is_faulty=True)
# Names of games, each with the anchor of its list.
Links = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class AllGamesView:
    """Rankings over several games side by side.

    `links` has the bots, each with the lists of its games; `plots` has the plots of rankings in
    Elo, with their titles.
    """

    data: AllGames
    links: Mapping[str, Links]
    plots: tuple[tuple[str, DotPlot], ...]


@dataclass(frozen=True)
class SprtView:
    """The sequential test; the plots show its evidence and the score, block by block.

    `scoring` and `unit` belong to the game of the test.
    """

    state: SprtState
    estimate: SprtEstimate | None
    scoring: str
    unit: str
    link: str
    evidence: LinePlot | None
    score: LinePlot | None


@dataclass(frozen=True)
class Page:
    """Contents of a report.

    `overall` is over all games, `shared` over the games that all bots play. `pages` has the games
    with pages by id. `has_sandbox` as `had_sandbox` returns it. `resources`: what bots with limits
    have used.
    """

    result: MatchResult
    conclusion: Conclusion
    standings: Standings
    overall: AllGamesView | None
    shared: AllGamesView | None
    games: tuple[GameView, ...]
    upsets: tuple[tuple[GameStatistics, UpsetGame], ...]
    review: MatchReview | None
    models: MatchModels | None
    test: SprtView | None
    faults: tuple[FaultView, ...]
    all_faults: str
    listings: Listings
    anchor: str
    pages: Mapping[str, GameResult]
    has_sandbox: bool | None = None
    resources: tuple[BotUse, ...] = ()

    @property
    def sandbox_sentence(self) -> str:
        """How bots that do not come with cardhub ran, or an empty text."""
        if self.has_sandbox is None:
            return ""
        how = "in a sandbox" if self.has_sandbox else "without a sandbox"
        return f"Programs and third-party bots ran {how}."

    @property
    def name(self) -> str:
        """The name of the match."""
        return self.result.name or "Untitled match"

    @property
    def heading(self) -> str:
        """The heading of the conclusion."""
        if not self.result.is_finished:
            return "So far"
        return "Verdict" if self.conclusion.sure else "Not settled"

    @property
    def fault_count(self) -> int:
        """The number of faults of all bots."""
        return sum(fault.row.count for fault in self.faults)

    @property
    def marks(self) -> Mapping[str, Sequence[ReplayMark]]:
        """The marks on the pages of games, by game id."""
        return mistake_marks(self.review) if self.review else {}

    @property
    def watched(self) -> int:
        """The number of games named as upsets, losses or for their faults."""
        lists = (listing.selection.ids for listing in self.listings)
        return len({name for names in lists for name in names})


def read_page(
    result: MatchResult,
    games: Iterable[GameResult],
    review: MatchReview | None = None,
    most_pages: int = 0,
    exploits: MatchExploits | None = None,
    models: MatchModels | None = None,
) -> Page:
    """Return the page of a match from its result and an iterator over the games of its log.

    At most `most_pages` games get pages.
    """
    # Building the page registers its lists; then a single pass over the log fills them.
    page = replace(_page(result, review, exploits), models=models)
    page.listings.fill(games)
    return replace(page, pages={game.id: game for game in chosen_games(page.listings, most_pages)})


def _page(result: MatchResult, review: MatchReview | None, exploits: MatchExploits | None) -> Page:
    statistics = result.statistics
    listings = Listings([row for game in statistics.games for row in game.left_out])
    anchor = statistics.anchor.bot if statistics.anchor else ""
    columns = exploit_columns(exploits)
    games = tuple(
        GameReader(stats, listings).view(
            f"game-{number}", anchor, statistics.level, columns.get(stats.game)
        )
        # HTML ids use the number, because the name of a game may have characters that ids cannot.
        for number, stats in enumerate(statistics.games, 1)
    )
    if review:
        list_mistakes(review, listings)
    overall, shared = statistics.overall, statistics.shared
    faults = tuple(fault for game in games for fault in game.faults)
    return Page(
        result=result,
        conclusion=conclude(result),
        standings=build_standings(games, [ranking for ranking in (overall, shared) if ranking]),
        overall=_overall_view(overall, games, anchor) if overall else None,
        shared=_overall_view(shared, games, anchor) if shared else None,
        games=games,
        upsets=upsets_in_turn(statistics.games),
        review=review,
        models=None,
        test=_test(result, listings),
        faults=faults,
        all_faults=listings.link(FAULTY, "Games with faults") if faults else "",
        listings=listings,
        anchor=anchor,
        pages={},
    )


def _test(result: MatchResult, listings: Listings) -> SprtView | None:
    state, estimate = result.test, result.statistics.test
    if state is None:
        return None
    game = next(game for game in result.statistics.games if game.game == state.game)
    deals = estimate.deals if estimate else None
    # In a common cause no game has both bots.
    selection = Selection(state.game, () if game.is_common else (state.a, state.b), deals)
    link = listings.link(selection, f"{state.a} against {state.b} in {state.game}")
    course = estimate.course if estimate else ()
    if not course:
        return SprtView(state, estimate, game.scoring, game.unit, link, None, None)
    lower, upper = state.bounds
    in_points = game.scoring == POINTS
    evidence = line_plot(
        # The evidence begins at 0 before the first block; a score does not exist there.
        [(0, 0.0), *((point.blocks, point.llr) for point in course)],
        rules=[(upper, "better"), (lower, "not better"), (0.0, "")],
    )
    score = line_plot(
        [(point.blocks, point.score) for point in course],
        [
            (point.blocks, point.low, point.high)
            for point in course
            # After few blocks, differences in points have no interval.
            if point.low is not None and point.high is not None
        ],
        [(0.0 if in_points else 0.5, "even")],
        # Scores are from 0 to 1; the rest is room for the line and its labels.
        None if in_points else (-0.02, 1.1),
    )
    return SprtView(state, estimate, game.scoring, game.unit, link, evidence, score)


def _overall_view(data: AllGames, games: tuple[GameView, ...], rated: str) -> AllGamesView:
    links = {row.bot: _links(row.bot, games) for view in data.views for row in view.bots}
    plots = ((view.title, _plot(view, links, rated)) for view in data.views)
    return AllGamesView(data, links, tuple((title, plot) for title, plot in plots if plot))


def _links(bot: str, games: tuple[GameView, ...]) -> Links:
    return tuple((game.stats.game, game.bot_links[bot]) for game in games if bot in game.bot_links)


def _plot(view: Ranking, links: dict[str, Links], rated: str) -> DotPlot | None:
    rows = [
        (row.bot, row.elo, links[row.bot][0][1])
        for row in view.bots
        if row.elo is not None and links[row.bot]
    ]
    return dot_plot(rows, rated) if rows else None
