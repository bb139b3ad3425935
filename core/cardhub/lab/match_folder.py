"""Run a match and read its result: `run_match`, `read_match` and `Match` of `cardhub.lab`."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cardhub.base.errors import MatchError
from cardhub.base.writing import amount
from cardhub.lab.analysis import analyse
from cardhub.lab.analysis.review import reviews_in
from cardhub.lab.analysis.review.review_schema import MatchReview
from cardhub.lab.analysis.schema import BotRow, GameStatistics, MatchResult, PairRow
from cardhub.lab.frames import Rows
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.matchfile import reader
from cardhub.lab.match.run.executors import AHEAD, MakeExecutor, make_executor
from cardhub.lab.match.run.preflight import start_bots
from cardhub.lab.match.run.runner import RunOptions, Watcher, run
from cardhub.lab.match.task import GameResult
from cardhub.lab.report import number_format as fmt
from cardhub.lab.report.report_files import report_html, result_in, write_reports
from cardhub.lab.report.view.listings import MOST_PAGES
from cardhub.lab.seat_rows import SeatRow, seat_rows
from cardhub.play.pages.notebook import framed
from cardhub.plugins.registry import PluginRegistry, find_plugins
from cardhub.view.text.glyphs import cells, pad


class Match:
    """A match, finished or not: its games and figures, as the files in its folder have them.

    `result` is the whole content of `result.json`; docs/results.md explains the fields. Nothing is
    computed here, unless `result.json` is missing or older than the games.
    """

    def __init__(self, folder: str | Path, registry: PluginRegistry) -> None:
        self.folder = Path(folder)
        self._registry = registry
        self.result: MatchResult = result_in(self.folder, self._registry)

    @property
    def name(self) -> str:
        """The name of the match."""
        return self.result.name

    @property
    def is_finished(self) -> bool:
        """Whether all games have been played."""
        return self.result.is_finished

    def ratings(self, game: str = "") -> Rows[BotRow]:
        """Return a row for each bot of a game, best first: `bot`, `rank`, `elo`, `score` and more.

        `elo` has a `value`, and `low` and `high` as the ends of its interval; games scored by
        points have `points` in the same form. `game`: the game's id in the match; by default the
        rows of all games, each with its `game`. Raises MatchError for an unknown game. pandas,
        polars and others read the rows as a data frame, with pyarrow.
        """
        return Rows(BotRow, (row for table in self._games(game) for row in table.bots))

    def standings(self, game: str = "") -> dict[str, float | None]:
        """Return the mean score of each bot, best bot first; `game` as in `ratings`.

        A score is from 0 to 1, or in points; it is None without a game. Raises MatchError if the
        match has several games and none is named, because their scores cannot be compared.
        """
        games = self._games(game)
        if len(games) > 1:
            names = ", ".join(statistics.game for statistics in games)
            raise MatchError(
                f"which game? The match has {names}. fix: standings({games[0].game!r})"
            )
        return {row.bot: row.score for statistics in games for row in statistics.bots}

    def pairs(self, game: str = "") -> Rows[PairRow]:
        """Return a row for each two bots that met: `a`, `b`, `verdict`, `score` of `a`, and more.

        `verdict` is `better`, `worse` or `open`, about `a`. `game` and data frames as in `ratings`.
        """
        return Rows(PairRow, (row for table in self._games(game) for row in table.pairs))

    def seats(self) -> Rows[SeatRow]:
        """Return a row for each seat of each game: `bot`, `score`, `place`, `fault` and more.

        Raises MatchError for a damaged log. All rows are in memory; data frames as in `ratings`.
        """
        return Rows(SeatRow, seat_rows(self.games))

    @property
    def games(self) -> Iterator[GameResult]:
        """The games in the order of the schedule, read from the log one by one.

        By seat, a game has the bots as `seats`, and `scores` and `places`. Raises MatchError for a
        damaged log.
        """
        return (game for _, game in read_games(self.folder))

    def review(self) -> MatchReview | None:
        """Return what `cardhub match review` found out about the bots' decisions, if anything."""
        return reviews_in(self.folder, self.result.statistics.level)

    def write_report(self, pages: int = MOST_PAGES) -> Path:
        """Write the reports into the folder, and return the path of the page for a browser.

        At most `pages` games get a page of their own.
        """
        return write_reports(self.folder, self.result, self._registry, pages)[0]

    def _repr_html_(self) -> str:
        """Return the report for a notebook, without pages of games."""
        return framed(report_html(self.folder, self.result), f"Match {self.name}")

    def __str__(self) -> str:
        return "\n".join(line for game in self._games("") for line in _game_lines(game))

    def _games(self, name: str) -> list[GameStatistics]:
        games = self.result.statistics.games
        chosen = [game for game in games if name in ("", game.game)]
        if not chosen and name:
            known = ", ".join(game.game for game in games)
            raise MatchError(f"the match has no game {name!r}. Games: {known}")
        return chosen


def run_match(
    match: str | Path | Mapping[str, Any],
    folder: str | Path | None = None,
    *,
    workers: int = 1,
    watcher: Watcher | None = None,
    executor: MakeExecutor | None = None,
    plugins: Iterable[str | Path] | None = None,
) -> Match:
    """Play a match, or the rest of it if it has begun, and return it with its result.

    `match`: the path of a match file, or what such a file says as a mapping; docs/match-file.md
    explains the keys. `folder`: where its files go; default: as in the match, else runs/NAME.

    `workers`: the number of games that are played at once, each in a process; 1 means this process.
    With more, a script needs `if __name__ == "__main__":`, because each process imports it.
    `executor`: makes the executor that plays them instead; it is called again if one breaks.
    `watcher`: is called after every game, and several times a second. `plugins`: directories with
    games and bots that are not installed, as for `cardhub --plugins-dir`;
    by default the usual ones, of the environment variable CARDHUB_PLUGINS_DIR.

    The result depends neither on `workers` nor on `executor` and `watcher`. Raises MatchFileError
    with all problems of the match, and MatchError, BotError or SandboxError if it cannot be played.
    """
    registry = _plugins_in(plugins)
    options = reader.ReadOptions(folder=None if folder is None else Path(folder))
    if isinstance(match, Mapping):
        spec = reader.parse_match(match, registry, options)
    else:
        spec = reader.read_match(Path(match), registry, options)
    place = Path(folder) if folder is not None else spec.default_folder
    spec = start_bots(spec, registry, place)
    ahead = AHEAD * workers if workers > 1 or executor else 1
    make = executor or make_executor(workers)
    run(spec, registry, place, RunOptions(make, ahead, watcher or Watcher(), analyse))
    return Match(place, registry)


def read_match(folder: str | Path, plugins: Iterable[str | Path] | None = None) -> Match:
    """Return the match in a folder, finished or not; raises MatchError if there is none.

    `plugins` as in `run_match`; they are needed for an unfinished match and for reports.
    """
    return Match(folder, _plugins_in(plugins))


def _plugins_in(directories: Iterable[str | Path] | None) -> PluginRegistry:
    return find_plugins(None if directories is None else map(Path, directories))


def _game_lines(game: GameStatistics) -> Iterator[str]:
    counts = f"{amount(game.games, 'game')} in {amount(game.blocks, 'block')}"
    yield f"{game.game}: {counts}"
    rows = [(fmt.rank(row.best, row.worst), row.bot, *_strength(row, game)) for row in game.bots]
    columns = zip(*rows, strict=True)
    widths = [max(map(cells, column)) for column in columns]
    for row in rows:
        yield "  ".join(pad(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _strength(row: BotRow, game: GameStatistics) -> tuple[str, str]:
    if game.is_common:
        return fmt.of_target(row.points, game.unit, game.target), ""
    if game.scoring == fmt.POINTS:
        return fmt.points(row.points, game.unit), ""
    return f"{fmt.elo(row.elo)} Elo", fmt.elo_range(row.elo)
