"""The view of one game of a match: ratings, pairs, partners, exploitability and rows of games."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from cardhub.base import writing
from cardhub.base.writing import amount, listed
from cardhub.lab.analysis.block_schema import Deals, UncountedBlock
from cardhub.lab.analysis.exploit.exploit_schema import BotExploit, ExploitResult, MatchExploits
from cardhub.lab.analysis.schema import (
    BotRow,
    CrosstableCell,
    FaultRow,
    GameStatistics,
    MarginBar,
    PairRow,
    PairVerdict,
    PartnersRow,
)
from cardhub.lab.match.log.game_page import ENDINGS
from cardhub.lab.match.task import GameResult
from cardhub.lab.report.number_format import POINTS
from cardhub.lab.report.view.listings import Listing, Listings, Selection
from cardhub.lab.report.view.plots import DotPlot, Histogram, dot_plot, histogram
from cardhub.lab.report.view.verdict import (
    Conclusion,
    conclude_game,
    less_luck_sentences,
)

EXACT = (
    "Exploitable: the gain of a best response to the bot, as the mean over seats. Perfect play "
    "has 0."
)
SAMPLED = (
    "Two values are bounds from {} answers of the bot in each information set: up to sampling "
    "errors, the true value is between them."
)


@dataclass(frozen=True)
class ExploitColumn:
    """Exploitability in one game: the head, the cells by bot, and the notes below the table."""

    head: str
    cells: Mapping[str, str]
    notes: tuple[str, ...]


def exploit_columns(exploits: MatchExploits | None) -> Mapping[str, ExploitColumn]:
    """Return the columns by game; empty without exploitability."""
    by_game: dict[str, list[BotExploit]] = {}
    for row in exploits.bots if exploits else ():
        by_game.setdefault(row.game, []).append(row)
    return {game: _column(rows) for game, rows in by_game.items()}


def exploit_cell(result: ExploitResult | None) -> str:
    """Return the exact exploitability or its two bounds as a string."""
    if result is None:
        return writing.NONE
    if result.method == "exact":
        return writing.number(result.value, 4)
    return f"{writing.number(result.low, 2)} to {writing.number(result.high, 2)}"


def _column(rows: list[BotExploit]) -> ExploitColumn:
    results = [row.result for row in rows if row.result]
    head = f"Exploitable, {results[0].unit} a game" if results else "Exploitable"
    cells = {row.bot: exploit_cell(row.result) for row in rows}
    return ExploitColumn(head, cells, tuple(_notes(rows, results)))


def _notes(rows: list[BotExploit], results: list[ExploitResult]) -> list[str]:
    """Return notes on the meaning of the cells, then each reason for a dash once."""
    notes = [EXACT] if results else []
    samples = [result.samples for result in results if result.method == "sampled"]
    if samples:
        notes.append(SAMPLED.format(samples[0]))
    by_reason: dict[str, list[str]] = {}
    for row in rows:
        if row.result is None:
            by_reason.setdefault(row.why, []).append(row.bot)
    notes += [f"Exploitability of {listed(bots)}: {why}." for why, bots in by_reason.items()]
    return notes


# Maximum number of pairs for which each histogram bar links to a separate list.
MAX_PAIRS_WITH_BAR_LISTS = 20
Pair = tuple[str, str]
# Signs of the verdicts, for output without colours.
MARKS: dict[PairVerdict, str] = {
    "better": "▲",
    "worse": "▼",
    "equal": "=",
    "not better": "≤",
    "not worse": "≥",
    "open": "·",
}


def partner_bots(game: GameStatistics) -> list[str]:
    """Return the bots that have partners, the best first."""
    rated = {row.bot for row in game.ad_hoc}
    return [row.bot for row in game.bots if row.bot in rated]


def partners_by_bots(game: GameStatistics) -> dict[tuple[str, str], PartnersRow]:
    """Return the rows of partners by their bots, in both orders."""
    rows = {row.bots: row for row in game.partners}
    return rows | {row.bots[::-1]: row for row in game.partners}


@dataclass(frozen=True)
class FaultView:
    """Faults of one kind; `listing` has the commands that reproduce them."""

    row: FaultRow
    listing: Listing

    @property
    def command(self) -> str:
        """The command that asks the bot again at its first fault, as a string."""
        for game in self.listing.games:
            for note in game.faults:
                if (note.bot, note.fault) == (self.row.bot, self.row.fault):
                    # With the seat, because other bots may be at fault in the same game.
                    return f"cardhub match repro . {game.id} --seat {note.seat}"
        return ""


@dataclass(frozen=True)
class GameView:
    """A game of a match: the rows of its statistics, and the HTML ids of the lists behind them.

    `rated` is the bot of known Elo. `heads` are the bots of the crosstable, `cells` and
    `pair_links` have both orders of a pair, `pairs` only pairs that met. `exploits` is a column of
    the ratings, or None. `left_out` has the ids of `stats.left_out` in order; `upsets` and `audit`
    are empty if there are no such games.
    """

    anchor: str
    stats: GameStatistics
    rated: str
    conclusion: Conclusion
    link: str
    bot_links: Mapping[str, str]
    exploits: ExploitColumn | None
    plot: DotPlot | None
    heads: tuple[str, ...]
    cells: Mapping[Pair, CrosstableCell]
    pairs: tuple[PairRow, ...]
    pair_links: Mapping[Pair, str]
    histograms: Mapping[Pair, Histogram]
    partner_links: Mapping[Pair, str]
    loss_links: Mapping[str, str]
    upsets: str
    faults: tuple[FaultView, ...]
    left_out: tuple[str, ...]
    audit: str

    @property
    def less_luck(self) -> tuple[str, ...]:
        """What the terms against luck saved, in a sentence or two for each pair."""
        return less_luck_sentences(self.stats)

    @property
    def points_unit(self) -> str:
        """The unit of differences between bots, empty if they are scores from 0 to 1."""
        return self.stats.unit if self.stats.scoring == POINTS else ""


class GameReader:
    """Builds the view of a game, and registers the lists of games that it links to."""

    def __init__(self, stats: GameStatistics, listings: Listings) -> None:
        self._stats = stats
        self._listings = listings
        self._game = stats.game
        # Ratings and pairs leave out games with mixed partners.
        self._same = "same" if stats.partners else ""

    def view(
        self, anchor: str, rated: str, level: float, exploits: ExploitColumn | None = None
    ) -> GameView:
        """Return the view; `anchor` is its HTML id, `rated` the bot of known Elo."""
        stats = self._stats
        # Links come in the order of the report, because their ids are numbered.
        bot_links = {
            row.bot: self._link(
                f"Games of {row.bot} in {self._game}", (row.bot,), row.deals, row.games
            )
            for row in stats.bots
        }
        pair_links = {(row.a, row.b): self._pair_link(row) for row in stats.pairs}
        compared = {cell.bot for cell in stats.crosstable}
        pairs = tuple(row for row in stats.pairs if row.blocks)
        ids = tuple(dict.fromkeys(upset.game_id for upset in stats.upsets))
        return GameView(
            anchor=anchor,
            stats=stats,
            rated=rated,
            conclusion=conclude_game(stats, level),
            link=self._link(f"Games of {self._game}", count=stats.games),
            bot_links=bot_links,
            exploits=exploits,
            plot=_plot(stats, bot_links, rated),
            heads=tuple(row.bot for row in stats.bots if row.bot in compared),
            cells={(cell.bot, cell.against): cell for cell in stats.crosstable},
            # A pair without a complete block has no estimates.
            pairs=pairs,
            # A pair has one list, to which both of its cells link.
            pair_links=pair_links | {(b, a): link for (a, b), link in pair_links.items()},
            histograms=self._histograms(pairs, pair_links),
            partner_links=dict(self._partner_links()),
            loss_links={row.bot: self._loss(row) for row in stats.bots if row.worst_games},
            upsets=self._named(ids, f"Upsets in {self._game}"),
            faults=tuple(self._fault(row) for row in stats.faults),
            left_out=tuple(self._left_out(row) for row in stats.left_out),
            audit=self._named(stats.audit.game_ids, f"Blocks of {self._game} that are uneven"),
        )

    def _link(
        self,
        title: str,
        bots: tuple[str, ...] = (),
        deals: Deals | None = None,
        count: int | None = None,
    ) -> str:
        selection = Selection(self._game, bots, deals, partners=self._same if bots else "")
        return self._listings.link(selection, title, count)

    def _pair_link(self, row: PairRow) -> str:
        title = f"{row.a} against {row.b} in {self._game}"
        if self._stats.is_common:
            # The bots play at separate tables, so no game has both.
            return self._link(f"Games of {self._game}", count=self._stats.games)
        return self._link(title, (row.a, row.b), row.deals, row.games)

    def _histograms(
        self, pairs: Sequence[PairRow], pair_links: Mapping[Pair, str]
    ) -> Mapping[Pair, Histogram]:
        # With many pairs, lists of bars would crowd out all others in MAX_ROWS.
        has_lists = len(self._stats.pairs) <= MAX_PAIRS_WITH_BAR_LISTS and not self._stats.is_common
        histograms = {}
        for row in pairs:
            link = pair_links[row.a, row.b]
            links = [self._bar_link(row, bar) if has_lists else link for bar in row.margins]
            histograms[row.a, row.b] = histogram(row.margins, links)
        return {pair: drawn for pair, drawn in histograms.items() if drawn}

    def _bar_link(self, row: PairRow, bar: MarginBar) -> str:
        low, high = bar.low, bar.high
        span = str(low) if low == high else f"{low} to {high}"
        title = f"{row.a} ahead of {row.b} in {self._game} by {span}"
        selection = Selection(self._game, (row.a, row.b), margin=(low, high), partners=self._same)
        # A true minus sign for readers; the command of the selection keeps its hyphens.
        return self._listings.link(selection, title.replace("-", "−"), bar.games)

    def _partner_links(self) -> Iterator[tuple[Pair, str]]:
        rows, bots = partners_by_bots(self._stats), partner_bots(self._stats)
        for pair in product(bots, bots):
            row = rows.get(pair)
            if row is None or row.score is None:
                continue
            first, second = row.bots
            is_mixed = first != second
            title = (
                f"{first} and {second} as partners" if is_mixed else f"{first} as its own partner"
            )
            selection = Selection(
                self._game,
                row.bots if is_mixed else (first,),
                row.deals,
                partners="mixed" if is_mixed else "same",
            )
            yield pair, self._listings.link(selection, f"{title} in {self._game}")

    def _loss(self, row: BotRow) -> str:
        ids = tuple(game.game_id for game in row.worst_games)
        return self._named(ids, f"Worst losses of {row.bot} in {self._game}")

    def _fault(self, row: FaultRow) -> FaultView:
        title = f"First of {amount(row.count, 'fault')} of {row.bot}: {row.fault}"
        selection = Selection(ids=row.game_ids)
        return FaultView(row, self._listings.listing(selection, title, len(row.game_ids)))

    def _left_out(self, row: UncountedBlock) -> str:
        selection = Selection(self._game, row.bots, row.deals, is_counted=False)
        title = f"Games of {self._game} that do not count: {row.why}"
        return self._listings.link(selection, title, row.games)

    def _named(self, ids: tuple[str, ...], title: str) -> str:
        return self._listings.link(Selection(ids=ids), title, len(ids)) if ids else ""


def _plot(stats: GameStatistics, bot_links: Mapping[str, str], rated: str) -> DotPlot | None:
    in_points = stats.scoring == POINTS
    rows = [(row.bot, row.points if in_points else row.elo) for row in stats.bots]
    dots = [(bot, value, bot_links[bot]) for bot, value in rows if value is not None]
    if not dots:
        return None
    return dot_plot(dots, unit=stats.unit) if in_points else dot_plot(dots, rated)


def game_remarks(game: GameResult) -> list[str]:
    """Return the faults of a game, and how it ended if it did not end as usual."""
    faults = [f"{note.bot}: {note.fault} after {note.step} actions" for note in game.faults]
    return faults + ([ENDINGS[game.end]] if game.end in ENDINGS else [])


def ordinal(number: int) -> str:
    """Return a place as an ordinal number: 1st, 2nd, 3rd, 4th."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    # 11th, 12th and 13th, not 11st.
    is_teen = number // 10 % 10 == 1
    return f"{number}{'th' if is_teen else endings.get(number % 10, 'th')}"
