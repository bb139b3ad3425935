"""The figures of a report as rows of text; heads that begin with `>` are those of numbers."""

from collections.abc import Sequence
from typing import NamedTuple

from cardhub.report import figures
from cardhub.report.game_view import CellView, GameView, PairView
from cardhub.report.overall_view import OverallView
from cardhub.report.page import Page
from cardhub.report.shape import RankedBot


class Table(NamedTuple):
    """Heads of columns, and rows of cells."""

    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def sprt(page: Page) -> Table:
    """Return the state of the test; the page has one."""
    test = page.test
    if test is None:
        raise AssertionError(page.name)
    state, estimate = test.state, test.estimate
    strength = estimate["elo"] if estimate else None
    row = (
        state["verdict"],
        figures.count(state["blocks"]),
        figures.number(state["llr"], 2),
        " to ".join(figures.number(end, 2) for end in state["bounds"]),
        figures.elo(strength),
        figures.elo_range(strength),
    )
    heads = ("Verdict", ">Blocks", ">LLR", ">Bounds", ">Elo, allowing for the stop", ">Interval")
    return Table(heads, [row])


def standings(overall: OverallView) -> Table:
    """Return ranks, ranges and Elo of all bots in all views."""
    views = [figures.opening(view["title"]) for view in overall.data["views"]]
    rows = [(s.bot, *map(_standing, s.views)) for s in overall.standings]
    return Table(("Bot", *(f">{view}" for view in views)), rows)


def ratings(game: GameView) -> Table:
    """Return the bots of a game, best first."""
    heads = (">Rank", "Bot", ">Elo", ">Interval", ">Points", ">Blocks", ">Games", ">Faults")
    rows = [
        (
            figures.rank(bot.row["best"], bot.row["worst"]),
            bot.row["bot"] + (" (anchor)" if bot.is_anchor else ""),
            figures.elo(bot.row["elo"]),
            figures.elo_range(bot.row["elo"]),
            figures.number(bot.row["points"]),
            figures.count(bot.row["blocks"]),
            figures.count(bot.row["games"]),
            figures.count(bot.faults),
        )
        for bot in game.bots
    ]
    return Table(heads, rows)


def cross(game: GameView) -> Table:
    """Return who beats whom."""
    rows = [(bot, *map(_cell, cells)) for bot, cells in game.matrix]
    return Table(("", *(f">{head}" for head in game.heads)), rows)


def pairs(game: GameView) -> Table:
    """Return the pairs in figures."""
    heads = (
        "Pair",
        ">Games",
        ">Won, drawn, lost",
        ">Score",
        ">always valid",
        ">Elo, fixed",
        ">Interval",
        ">p, fixed",
        ">p, always",
        ">Margin",
        "Verdict",
    )
    return Table(heads, [_pair(pair) for pair in game.pairs])


def seats(game: GameView) -> Table:
    """Return what seats are worth."""
    heads = (">Seat", ">Score above the mean", ">Interval", ">Elo", ">Interval", ">Blocks")
    rows = [
        (
            str(row["seat"]),
            figures.signed(row["score"]["value"], 3) if row["score"] else figures.NONE,
            figures.span(row["score"]),
            figures.elo(row["elo"]),
            figures.elo_range(row["elo"]),
            figures.count(row["blocks"]),
        )
        for row in game.stats["seats"]
    ]
    return Table(heads, rows)


def losses(game: GameView) -> Table:
    """Return the games that bots lost by most, with the commands that show them."""
    rows = [
        (loss.bot, figures.number(lost["margin"], 0), f"cardhub match show . {lost['game_id']}")
        for loss in game.losses
        for lost in loss.games
    ]
    return Table(("Bot", ">Behind by", "To see it"), rows)


def mixture(game: GameView) -> Table:
    """Return the equilibrium and the alpha-rank of a game; it has a ladder."""
    ladder = game.stats["ladder"]
    if ladder is None:
        raise AssertionError(game.stats["game"])
    masses = {row["bot"]: row["mass"] for row in ladder["alpha_rank"]}
    rows = [
        (
            row["bot"],
            figures.percent(row["share"]["value"], 1),
            figures.percents(row["share"]),
            figures.percent(masses[row["bot"]]["value"], 1),
            figures.percents(masses[row["bot"]]),
        )
        for row in ladder["nash"]
    ]
    heads = ("Bot", ">Share of the mixture that none beats", ">Interval", ">α-rank", ">Interval")
    return Table(heads, rows)


def faults(page: Page) -> Table:
    """Return all kinds of faults, with the commands that ask the bots again."""
    rows = [
        (f.row["game"], f.row["bot"], f.row["fault"], figures.count(f.row["count"]), f.command)
        for f in page.faults
    ]
    return Table(("Game", "Bot", "Fault", ">Count", "To see the first again"), rows)


def hashes(page: Page) -> Table:
    """Return what a match and its games are known by."""
    result = page.result
    rows = [
        ("SHA-256 of the match", result["spec_sha256"]),
        ("SHA-256 of games.jsonl", result["games_sha256"]),
        ("cardhub", str(result["versions"]["cardhub"])),
    ]
    return Table(("", ""), rows)


def _standing(row: RankedBot | None) -> str:
    if row is None:
        return figures.NONE
    told = f"{row['rank']} (ranks {figures.rank(row['best'], row['worst'])})"
    if row["elo"] is None:
        return told
    return f"{told}, {figures.elo(row['elo'])} ({figures.elo_range(row['elo'])})"


def _cell(found: CellView | None) -> str:
    if found is None:
        return ""
    cell = found.cell
    return f"{found.mark} {figures.number(cell['score'])}" if cell["blocks"] else figures.NONE


def _pair(pair: PairView) -> tuple[str, ...]:
    row = pair.row
    mark = "" if row["is_as_planned"] else "*"
    return (
        f"{row['a']} – {row['b']}",
        figures.count(row["games"]),
        f"{row['wins']}, {row['draws']}, {row['losses']}",
        figures.value(row["score"]),
        figures.span(row["score"]),
        figures.elo(row["elo_fixed"]) + mark,
        figures.elo_range(row["elo_fixed"]),
        figures.p_value(row["p_value"]),
        figures.p_value(row["p_always"]),
        figures.signed(row["margin"]["value"], 1) if row["margin"] else figures.NONE,
        row["race"] or row["verdict"],
    )
