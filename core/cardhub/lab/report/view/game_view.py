"""The view of one game of a match: ratings, pairs, partners, exploitability and rows of games."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from cardhub.base import writing
from cardhub.base.writing import amount, listed
from cardhub.lab.analysis.exploit.exploit_schema import BotExploit, ExploitResult, MatchExploits
from cardhub.lab.analysis.schema import (
    BotRow,
    CrosstableCell,
    Deals,
    FaultRow,
    GameStatistics,
    MarginBar,
    PairRow,
    PairVerdict,
    PartnersRow,
    UncountedBlock,
)
from cardhub.lab.match.log.game_page import ENDINGS
from cardhub.lab.match.task import GameResult
from cardhub.lab.report.number_format import POINTS
from cardhub.lab.report.partner_tables import partner_bots, partners_by_bots, partners_cell
from cardhub.lab.report.view.listings import Listing, Listings, Selection
from cardhub.lab.report.view.plots import DotPlot, Histogram, dot_plot, histogram
from cardhub.lab.report.view.verdict import Conclusion, conclude_game

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


@dataclass(frozen=True)
class PartnersCell:
    """The mean result of two partners as a string."""

    partner: str
    text: str
    link: str


class PartnersLine(NamedTuple):
    """A bot's results with each partner by index of the column; None without a result."""

    bot: str
    cells: tuple[PartnersCell | None, ...]


def partner_lines(stats: GameStatistics, listings: Listings) -> tuple[PartnersLine, ...]:
    """Return the matrix of partners, and register the lists of games that it links to."""
    rows = partners_by_bots(stats)
    bots = partner_bots(stats)
    return tuple(
        PartnersLine(a, tuple(_cell(b, rows.get((a, b)), stats, listings) for b in bots))
        for a in bots
    )


def _cell(
    partner: str, row: PartnersRow | None, stats: GameStatistics, listings: Listings
) -> PartnersCell | None:
    if row is None or row.score is None:
        return None
    first, second = row.bots
    is_mixed = first != second
    title = f"{first} and {second} as partners" if is_mixed else f"{first} as its own partner"
    selection = Selection(
        stats.game,
        row.bots if is_mixed else (first,),
        row.deals,
        partners="mixed" if is_mixed else "same",
    )
    link = listings.link(selection, f"{title} in {stats.game}")
    return PartnersCell(partner, partners_cell(row, stats), link)


R = TypeVar("R")
# Maximum number of pairs for which each histogram bar links to a separate list.
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
    """A cell of the crosstable; `mark` is its verdict as a single sign."""

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
        """The command that asks the bot again at its first fault, as a string."""
        for game in self.listing.games:
            for note in game.faults:
                if (note.bot, note.fault) == (self.row.bot, self.row.fault):
                    # With the seat, because other bots may be at fault in the same game.
                    return f"cardhub match repro . {game.id} --seat {note.seat}"
        return ""


class CrosstableRow(NamedTuple):
    """A bot's cells by index of the column; None for a pair that does not meet."""

    bot: str
    cells: tuple[CellView | None, ...]


@dataclass(frozen=True)
class GameView:
    """A game of a match; `heads` are the columns of the crosstable `matrix`.

    `exploits` is a column of the ratings, or None. `upsets` and `audit` are
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
            # A pair without a complete block has no estimates.
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
            # The bots play at separate tables, so no game has both.
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
        # A true minus sign for readers; the command of the selection keeps its hyphens.
        return self._listings.link(selection, title.replace("-", "−"), bar.games)

    def _crosstable(self) -> tuple[CrosstableRow, ...]:
        compared = {cell.bot for cell in self._stats.crosstable}
        heads = [row.bot for row in self._stats.bots if row.bot in compared]  # the best bot first
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
        title = f"First of {amount(row.count, 'fault')} of {row.bot}: {row.fault}"
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
    rated_rows = [(name, elo, link) for name, elo, link in rows if elo is not None]
    return dot_plot(rated_rows, rated) if rated_rows else None


def _in_points(bots: tuple[BotView, ...], stats: GameStatistics) -> DotPlot | None:
    rows = [(bot.row.bot, bot.row.points, bot.link) for bot in bots]
    rated_rows = [(name, points, link) for name, points, link in rows if points is not None]
    return dot_plot(rated_rows, unit=stats.unit) if rated_rows else None


@dataclass(frozen=True)
class SeatCell:
    """The bot at a seat, its place as a string and its score; `is_absent` after a withdrawal."""

    bot: str
    place: str
    score: int
    is_absent: bool


@dataclass(frozen=True)
class GameRow:
    """A game with its seats, faults, and the commands that show it or reproduce a fault."""

    id: str
    game: str
    deal: int
    options: str
    seats: tuple[SeatCell, ...]
    remarks: tuple[str, ...]
    show: str
    repros: tuple[str, ...]


def game_row(game: GameResult) -> GameRow:
    """Return the row of a game; its commands must be run in the folder of the match."""
    seats = enumerate(zip(game.seats, game.places, game.scores, strict=True))
    faults = [f"{note.bot}: {note.fault} after {note.step} actions" for note in game.faults]
    return GameRow(
        id=game.id,
        game=game.contest,
        deal=game.deal,
        options=", ".join(f"{key} {value}" for key, value in game.vary.items()),
        seats=tuple(SeatCell(b, ordinal(p), s, n in game.absent) for n, (b, p, s) in seats),
        remarks=(*faults, *([ENDINGS[game.end]] if game.end in ENDINGS else [])),
        show=f"cardhub match show . {game.id}",
        repros=tuple(f"cardhub match repro . {game.id} --seat {n.seat}" for n in game.faults),
    )


def ordinal(number: int) -> str:
    """Return a place as an ordinal number: 1st, 2nd, 3rd, 4th."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    # 11th, 12th and 13th, not 11st.
    is_teen = number // 10 % 10 == 1
    return f"{number}{'th' if is_teen else endings.get(number % 10, 'th')}"
