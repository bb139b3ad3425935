"""View of the rankings over all games."""

from dataclasses import dataclass

from cardhub.analysis.schema import AllGames, RankedBot, Ranking
from cardhub.report.view.game_view import GameView
from cardhub.report.view.plots import DotPlot, dot_plot

Links = tuple[tuple[str, str], ...]
"""Games, each with the anchor of a list."""


@dataclass(frozen=True)
class BotStanding:
    """A bot in all rankings, in their order; None where it is not ranked."""

    bot: str
    views: tuple[RankedBot | None, ...]
    links: Links


@dataclass(frozen=True)
class OverallView:
    """The rankings side by side; `plots` are those of rankings in Elo, with their titles."""

    data: AllGames
    standings: tuple[BotStanding, ...]
    plots: tuple[tuple[str, DotPlot], ...]


def overall_view(data: AllGames, games: tuple[GameView, ...], rated: str) -> OverallView:
    """Return the view of all games, bots in the order of the first ranking."""
    links = {bot: _links(bot, games) for view in data.views for bot in _names(view)}
    standings = tuple(
        BotStanding(bot, tuple(_find(view, bot) for view in data.views), found)
        for bot, found in links.items()
    )
    plots = ((view.title, _plot(view, links, rated)) for view in data.views)
    return OverallView(data, standings, tuple((title, plot) for title, plot in plots if plot))


def _names(view: Ranking) -> list[str]:
    return [row.bot for row in view.bots]


def _find(view: Ranking, bot: str) -> RankedBot | None:
    return next((row for row in view.bots if row.bot == bot), None)


def _links(bot: str, games: tuple[GameView, ...]) -> Links:
    """Return the games of a bot, each with the anchor of its list."""
    return tuple(
        (game.stats.game, row.link) for game in games for row in game.bots if row.row.bot == bot
    )


def _plot(view: Ranking, links: dict[str, Links], rated: str) -> DotPlot | None:
    """Return the plot of a ranking; None if it has ranks only."""
    rows = [
        (row.bot, row.elo, links[row.bot][0][1])
        for row in view.bots
        if row.elo is not None and links[row.bot]
    ]
    return dot_plot(rows, rated) if rows else None
