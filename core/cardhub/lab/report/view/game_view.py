"""The view of one game of a match: its statistics with links to lists of games."""

from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from cardhub.lab.analysis.game_schema import BotRow, FaultRow, GameStatistics, UncountedBlock
from cardhub.lab.analysis.pair_schema import CrosstableCell, Deals, MarginBar, PairRow, PairVerdict
from cardhub.lab.report.number_format import POINTS, times
from cardhub.lab.report.view.exploit_view import ExploitColumn
from cardhub.lab.report.view.listings import Listing, Listings, Selection
from cardhub.lab.report.view.partner_view import PartnersLine, partner_lines
from cardhub.lab.report.view.plots import DotPlot, Histogram, dot_plot, histogram
from cardhub.lab.report.view.verdict import Conclusion, conclude_game

R = TypeVar("R")
# Maximum number of pairs for which each histogram bar links to a list of its own.
MAX_PAIRS_WITH_BAR_LISTS = 20
# Signs of the verdicts, for output without colours.
MARKS: dict[PairVerdict, str] = {
    "better": "▲",
    "worse": "▼",
    "equal": "=",
    "not better": "≤",
    "not worse": "≥",
    "open": "·",
}


class LinkedRow(NamedTuple, Generic[R]):
    """A row of the statistics, and the HTML id of a list of games."""

    row: R
    link: str


@dataclass(frozen=True)
class BotView:
    """A bot in the table of ratings."""

    row: BotRow
    link: str
    faults: int
    is_anchor: bool


@dataclass(frozen=True)
class CellView:
    """A cell of the crosstable; `mark` is its verdict as a string of one sign."""

    cell: CrosstableCell
    mark: str
    link: str


@dataclass(frozen=True)
class PairView:
    """A pair of bots; `link` is the HTML id of their games."""

    row: PairRow
    link: str
    histogram: Histogram | None


@dataclass(frozen=True)
class FaultView:
    """Faults of one kind; `listing` has the commands that reproduce them."""

    row: FaultRow
    link: str
    listing: Listing

    @property
    def command(self) -> str:
        """The command that reproduces the first fault, as a string."""
        for game in self.listing.games:
            for note in game.faults:
                if (note.bot, note.fault) == (self.row.bot, self.row.fault):
                    # The seat is named: other bots may be at fault in the same game.
                    return f"cardhub match repro . {game.id} --seat {note.seat}"
        return ""


class CrosstableRow(NamedTuple):
    """A bot's cells by index of the column; None for a pair that does not meet."""

    bot: str
    cells: tuple[CellView | None, ...]


@dataclass(frozen=True)
class GameView:
    """A game of a match; `heads` are the columns of the crosstable `matrix`.

    `exploits` is a column of the ratings, None if it was not asked for. `upsets` and `audit` are
    HTML ids of lists of games, empty if there are none.
    """

    anchor: str
    stats: GameStatistics
    conclusion: Conclusion
    link: str
    bots: tuple[BotView, ...]
    exploits: ExploitColumn | None
    plot: DotPlot | None
    heads: tuple[str, ...]
    matrix: tuple[CrosstableRow, ...]
    pairs: tuple[PairView, ...]
    partners: tuple[PartnersLine, ...]
    losses: tuple[LinkedRow[BotRow], ...]
    upsets: str
    faults: tuple[FaultView, ...]
    left_out: tuple[LinkedRow[UncountedBlock], ...]
    audit: str


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
        bots = tuple(self._bot(row, rated) for row in stats.bots)
        matrix = self._crosstable()
        return GameView(
            anchor=anchor,
            stats=stats,
            conclusion=conclude_game(stats, level),
            link=self._link(f"Games of {self._game}", count=stats.games),
            bots=bots,
            exploits=exploits,
            plot=_in_points(bots, stats) if stats.scoring == POINTS else _ratings(bots, rated),
            heads=tuple(row.bot for row in matrix),
            matrix=matrix,
            # Pairs without a complete block have no estimates.
            pairs=tuple(self._pair(row) for row in stats.pairs if row.blocks),
            partners=partner_lines(stats, self._listings),
            losses=tuple(self._loss(row) for row in stats.bots if row.worst_games),
            upsets=self._upsets(),
            faults=tuple(self._fault(row) for row in stats.faults),
            left_out=tuple(self._left_out(row) for row in stats.left_out),
            audit=self._audit(),
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

    def _bot(self, row: BotRow, rated: str) -> BotView:
        bot = row.bot
        link = self._link(f"Games of {bot} in {self._game}", (bot,), row.deals, row.games)
        faults = sum(fault.count for fault in self._stats.faults if fault.bot == bot)
        return BotView(row, link, faults, bot == rated)

    def _pair_link(self, row: PairRow) -> str:
        title = f"{row.a} against {row.b} in {self._game}"
        if self._stats.is_common:
            # The two have tables of their own: no game has both.
            return self._link(f"Games of {self._game}", count=self._stats.games)
        return self._link(title, (row.a, row.b), row.deals, row.games)

    def _pair(self, row: PairRow) -> PairView:
        link, bars = self._pair_link(row), row.margins
        # With many pairs, lists of bars would crowd out all others in MAX_ROWS.
        has_lists = len(self._stats.pairs) <= MAX_PAIRS_WITH_BAR_LISTS and not self._stats.is_common
        links = [self._bar_link(row, bar) if has_lists else link for bar in bars]
        return PairView(row, link, histogram(bars, links))

    def _bar_link(self, row: PairRow, bar: MarginBar) -> str:
        low, high = bar.low, bar.high
        span = str(low) if low == high else f"{low} to {high}"
        title = f"{row.a} ahead of {row.b} in {self._game} by {span}"
        selection = Selection(self._game, (row.a, row.b), margin=(low, high), partners=self._same)
        # A true minus sign for people; the command of the selection has its own hyphens.
        return self._listings.link(selection, title.replace("-", "−"), bar.games)

    def _crosstable(self) -> tuple[CrosstableRow, ...]:
        met = {cell.bot for cell in self._stats.crosstable}
        heads = [row.bot for row in self._stats.bots if row.bot in met]  # the best bot first
        links = {(row.a, row.b): self._pair_link(row) for row in self._stats.pairs}
        # A pair has one list, to which both of its cells link.
        links |= {(b, a): link for (a, b), link in links.items()}
        cells = {
            (cell.bot, cell.against): CellView(
                cell, MARKS[cell.verdict], links[cell.bot, cell.against]
            )
            for cell in self._stats.crosstable
        }
        return tuple(CrosstableRow(a, tuple(cells.get((a, b)) for b in heads)) for a in heads)

    def _loss(self, row: BotRow) -> LinkedRow[BotRow]:
        ids = tuple(game.game_id for game in row.worst_games)
        title = f"Worst losses of {row.bot} in {self._game}"
        return LinkedRow(row, self._named(ids, title))

    def _upsets(self) -> str:
        ids = tuple(dict.fromkeys(upset.game_id for upset in self._stats.upsets))
        return self._named(ids, f"Upsets in {self._game}") if ids else ""

    def _fault(self, row: FaultRow) -> FaultView:
        title = f"First of {times(row.count, 'fault')} of {row.bot}: {row.fault}"
        link = self._named(row.game_ids, title)
        return FaultView(row, link, self._listings.of(link))

    def _left_out(self, row: UncountedBlock) -> LinkedRow[UncountedBlock]:
        selection = Selection(self._game, row.bots, row.deals, is_counted=False)
        title = f"Games of {self._game} that do not count: {row.why}"
        return LinkedRow(row, self._listings.link(selection, title, row.games))

    def _audit(self) -> str:
        ids = self._stats.audit.game_ids
        return self._named(ids, f"Blocks of {self._game} that are uneven") if ids else ""

    def _named(self, ids: tuple[str, ...], title: str) -> str:
        return self._listings.link(Selection(ids=ids), title, len(ids))


def _ratings(bots: tuple[BotView, ...], rated: str) -> DotPlot | None:
    rows = [(bot.row.bot, bot.row.elo, bot.link) for bot in bots]
    found = [(name, elo, link) for name, elo, link in rows if elo is not None]
    return dot_plot(found, rated) if found else None


def _in_points(bots: tuple[BotView, ...], stats: GameStatistics) -> DotPlot | None:
    rows = [(bot.row.bot, bot.row.points, bot.link) for bot in bots]
    found = [(name, points, link) for name, points, link in rows if points is not None]
    return dot_plot(found, unit=stats.unit) if found else None
