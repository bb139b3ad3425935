"""Tables of bots as partners of themselves and of others."""

from cardhub.base import writing
from cardhub.lab.analysis.schema import AdHocRow, GameStatistics, PartnersRow
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.report import number_format as fmt
from cardhub.lab.report.text_table import TextTable


def partners_caption(game: GameStatistics) -> str:
    """Return a caption for the table of `partners`, with the kind of its intervals."""
    if game.p_value_of == "sign_flip":
        intervals = "an interval for a number of blocks that was fixed in advance"
    else:
        intervals = "its anytime-valid interval"
    return f"{_measured(game)}, with {intervals}"


def _measured(game: GameStatistics) -> str:
    if game.is_common:
        return f"mean {game.unit} of a table of two bots, or of one bot"
    if game.scoring == fmt.POINTS:
        return f"{game.unit} a game by which two partners are ahead of the whole teams of all bots"
    return "mean score of two partners against the whole teams of all bots"


def partners(game: GameStatistics) -> TextTable:
    """Return the matrix of partners; the diagonal has tables or teams of one bot."""
    rows_by_bots = partners_by_bots(game)
    bots = partner_bots(game)
    rows = [
        (bot, *(partners_cell(rows_by_bots.get((bot, partner)), game) for partner in bots))
        for bot in bots
    ]
    return TextTable(("", *(f">{bot}" for bot in bots)), rows)


def partner_bots(game: GameStatistics) -> list[str]:
    """Return the bots that have partners, the best first."""
    rated = {row.bot for row in game.ad_hoc}
    return [row.bot for row in game.bots if row.bot in rated]


def partners_by_bots(game: GameStatistics) -> dict[tuple[str, str], PartnersRow]:
    """Return the rows of partners by their bots, in both orders."""
    rows = {row.bots: row for row in game.partners}
    return rows | {row.bots[::-1]: row for row in game.partners}


def partners_cell(row: PartnersRow | None, game: GameStatistics) -> str:
    """Return the mean of two partners with its error, and the share of reached targets."""
    if row is None or row.score is None:
        return writing.NONE
    reached = f", {writing.percent(row.reached.value)} reached" if row.reached else ""
    return f"{_mean(row.score, game)}{fmt.error(row.score)}{reached}"


def ad_hoc(game: GameStatistics) -> TextTable:
    """Return the mean of each bot with other partners, and the difference to its whole team."""
    heads = ("Bot", ">With others", ">Interval", ">Above its own", ">Interval", ">Blocks")
    rows = {row.bot: row for row in game.ad_hoc}
    return TextTable(heads, [_ad_hoc(rows[bot], game) for bot in partner_bots(game)])


def _ad_hoc(row: AdHocRow, game: GameStatistics) -> tuple[str, ...]:
    ahead = row.difference
    return (
        row.bot,
        _mean(row.score, game),
        _span(row.score, game),
        writing.signed(ahead.value if ahead else None, _digits(game)),
        fmt.signed_span(ahead, _digits(game)),
        writing.count(row.blocks),
    )


def _digits(game: GameStatistics) -> int:
    return 2 if game.scoring == fmt.POINTS else 3


def _mean(estimate: OpenEstimate | None, game: GameStatistics) -> str:
    if game.is_common:
        return fmt.value(estimate, 2)
    return fmt.score(estimate.value if estimate else None, game.scoring)


def _span(estimate: OpenEstimate | None, game: GameStatistics) -> str:
    return fmt.span(estimate, 2) if game.is_common else fmt.score_span(estimate, game.scoring)
