"""The view of bots as partners: a matrix with links to lists of games."""

from dataclasses import dataclass
from typing import NamedTuple

from cardhub.lab.analysis.game_schema import GameStatistics, PartnersRow
from cardhub.lab.report.partner_tables import partner_bots, partners_by_bots, partners_cell
from cardhub.lab.report.view.listings import Listings, Selection


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
    one, other = row.bots
    is_mixed = one != other
    title = f"{one} and {other} as partners" if is_mixed else f"{one} as its own partner"
    selection = Selection(
        stats.game,
        row.bots if is_mixed else (one,),
        row.deals,
        partners="mixed" if is_mixed else "same",
    )
    link = listings.link(selection, f"{title} in {stats.game}")
    return PartnersCell(partner, partners_cell(row, stats), link)
