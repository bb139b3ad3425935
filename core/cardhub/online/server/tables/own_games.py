"""A person's own finished games and results; not in the lobby because no table is loaded for them.

Titles, results and rows are the ones of the terminal's saved games.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from cardhub.base.errors import CardhubError, RecordError
from cardhub.online.server.tables.storage.table_store import TableFile
from cardhub.online.server.tables.table_context import TableServices
from cardhub.online.wire.wire_codec import GameOutcome, OwnGame, OwnGames, OwnResults
from cardhub.play.host.saved.personal_results import (
    COLUMNS,
    Outcome,
    outcomes,
    sides_of,
    statistics_cells,
    tabulate_outcomes,
)
from cardhub.play.host.saved.saved_list import SavedGame, describe_saved, read_saved

# The last games of a table that are listed, because each is read from the disk.
MOST_GAMES = 20


def finished_games(services: TableServices, file: TableFile, holder: str) -> OwnGames:
    """Return the last finished games of a table for the person with a token hash, latest first.

    A lesson is not listed, because its bots follow a script.
    """
    seat = file.seat_of(holder)
    name = "" if seat is None else file.chairs[seat].name
    games = () if file.is_lesson else tuple(_saved_games(services, file))
    return OwnGames(games=tuple(_own_game(services, file, saved, name) for saved in games))


def result_table(services: TableServices, results: Sequence[GameOutcome]) -> OwnResults:
    """Return the results of a person's games by game, bots and use of help."""
    rows = tabulate_outcomes(
        Outcome(result.game, result.against, result.is_helped, result.score, result.won)
        for result in results
    )
    cells = []
    for row in rows:
        game = None
        with suppress(CardhubError):
            game = services.game(row.game)
        cells.append(statistics_cells(row, game))
    return OwnResults(heads=COLUMNS, rows=tuple(cells))


def _saved_games(services: TableServices, file: TableFile) -> Iterator[SavedGame]:
    """Yield the last finished games of a table, latest first; skip records that cannot be read."""
    for number in range(file.number, max(file.number - MOST_GAMES, 0), -1):
        with suppress(RecordError):
            saved = read_saved(services.store.find_record(file.table, number), number)
            if saved.is_finished:
                yield saved


def _own_game(services: TableServices, file: TableFile, saved: SavedGame, name: str) -> OwnGame:
    line = describe_saved(services.registry, saved, services.time())
    results = outcomes([saved], sides_of(services.registry), name) if name else []
    outcome = results[0].outcome if results else None
    return OwnGame(
        title=line.title,
        result=line.state,
        players=line.players,
        age=line.age,
        ended=saved.changed,
        replay=f"/t/{file.table}/replay/{saved.number}.html",
        outcome=None if outcome is None else GameOutcome(**outcome._asdict()),
    )
