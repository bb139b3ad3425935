"""All games of a match together, as a report shows them."""

from dataclasses import dataclass

from cardhub.report.game_view import GameView
from cardhub.report.plots import DotPlot, dot_plot
from cardhub.report.shape import Overall, RankedBot, View


@dataclass(frozen=True)
class Standing:
    """A bot in all views, in their order; None where a view lacks it."""

    bot: str
    views: tuple[RankedBot | None, ...]
    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class OverallView:
    """The views side by side; `plots` are those of views in Elo, each with its title."""

    data: Overall
    standings: tuple[Standing, ...]
    plots: tuple[tuple[str, DotPlot], ...]


def overall_view(data: Overall, games: tuple[GameView, ...], rated: str) -> OverallView:
    """Return all games together; bots stand in the order of the first view."""
    links = {bot: _links(bot, games) for view in data["views"] for bot in _names(view)}
    standings = tuple(
        Standing(bot, tuple(_find(view, bot) for view in data["views"]), links[bot])
        for bot in links
    )
    plots = ((view["title"], _plot(view, links, rated)) for view in data["views"])
    return OverallView(data, standings, tuple((title, plot) for title, plot in plots if plot))


def _names(view: View) -> list[str]:
    return [row["bot"] for row in view["bots"]]


def _find(view: View, bot: str) -> RankedBot | None:
    return next((row for row in view["bots"] if row["bot"] == bot), None)


def _links(bot: str, games: tuple[GameView, ...]) -> tuple[tuple[str, str], ...]:
    """Return the games that a bot is in, each with the name of the list of its games there."""
    return tuple(
        (game.stats["game"], row.link)
        for game in games
        for row in game.bots
        if row.row["bot"] == bot
    )


def _plot(view: View, links: dict[str, tuple[tuple[str, str], ...]], rated: str) -> DotPlot | None:
    """Return the plot of a view; None if it has ranks only."""
    rows = [
        (row["bot"], row["elo"], links[row["bot"]][0][1])
        for row in view["bots"]
        if row["elo"] is not None and links[row["bot"]]
    ]
    return dot_plot(rows, rated) if rows else None
