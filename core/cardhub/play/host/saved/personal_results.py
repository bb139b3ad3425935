"""Statistics over time: results of one person's finished games against bots."""

from collections.abc import Callable, Iterable, Sequence
from math import fsum, sqrt
from typing import Any, NamedTuple

from cardhub.base.csv_text import csv_text
from cardhub.base.errors import CardhubError
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.game.played_steps import Frequency
from cardhub.play.host.saved.saved_list import SavedGame
from cardhub.play.records.reading import read_record
from cardhub.play.records.replaying import record_notes
from cardhub.play.table_messages import GameOutcome
from cardhub.plugins.registry import PluginRegistry

# The fewest games whose share won is a percentage.
FEW_GAMES = 10
# The normal quantile of a 95 % interval.
Z = 1.96


class PersonalResult(NamedTuple):
    """The result of one saved game for its only person."""

    saved: SavedGame
    outcome: GameOutcome


class StatisticsRow(NamedTuple):
    """The results of all games against the same bots, with and without help apart.

    `share`: the share of games won, with the bounds of its 95 % interval; all are None if players
    have no opponents. `average` is the mean score.
    """

    game: str
    against: str
    is_helped: bool
    games: int
    share: float | None
    low: float | None
    high: float | None
    average: float


def outcomes(
    entries: Iterable[SavedGame], sides: Callable[[SavedGame], Sequence[int]], name: str = ""
) -> list[PersonalResult]:
    """Return the outcomes of finished games of one person, in the order of `entries`.

    Games of several people, of bots only, with replaced players, and games played on from another
    game or with other cards or rules are left out; with `name`, the games of other people as well.
    `sides` returns the team of every seat; see `sides_of`.
    """
    results = []
    for saved in entries:
        if not saved.is_finished or len(saved.people) != 1:
            continue
        if saved.is_continued or saved.has_changed_players or saved.has_changed_edition:
            continue
        seat = saved.people[0]
        if name and saved.players[seat].name.casefold() != name.casefold():
            continue
        kinds = dict.fromkeys(other.kind for other in saved.players if not other.is_human)
        outcome = GameOutcome(
            game=saved.game,
            against=", ".join(kinds),
            is_helped=saved.is_helped,
            score=saved.scores[seat],
            won=_won(saved.places, seat, sides(saved)),
        )
        results.append(PersonalResult(saved, outcome))
    return results


def sides_of(registry: PluginRegistry) -> Callable[[SavedGame], Sequence[int]]:
    """Return a function for the team of every seat of a saved game.

    Sides that the game had are its teams. If the game is no longer installed, each seat is a team.
    """

    def sides(saved: SavedGame) -> Sequence[int]:
        seats = len(saved.players)
        if saved.sides:
            return saved.sides
        try:
            game = registry.game(saved.game)
            return game.teams(resolve_options(game, saved.options, seats), seats)
        except CardhubError:
            return range(seats)

    return sides


def tabulate(results: Sequence[PersonalResult]) -> list[StatisticsRow]:
    """Return a row for each game, bots and use of help; sorted by game, most games first."""
    return tabulate_outcomes(result.outcome for result in results)


def tabulate_outcomes(results: Iterable[GameOutcome]) -> list[StatisticsRow]:
    """Return the rows of `tabulate` from what counts of the games."""
    groups: dict[tuple[str, str, bool], list[GameOutcome]] = {}
    for outcome in results:
        key = (outcome.game, outcome.against, outcome.is_helped)
        groups.setdefault(key, []).append(outcome)
    rows = [_row(*key, group) for key, group in groups.items()]
    return sorted(rows, key=lambda row: (row.game, row.is_helped, -row.games, row.against))


def interval(share: float, games: int) -> tuple[float, float]:
    """Return the bounds of the 95 % score interval (Wilson) of a share of games."""
    # Unlike share +- 1.96 standard errors, it stays within 0 and 1 for few games.
    spread = Z * Z / games
    centre = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(0.0, centre - half), min(1.0, centre + half)


def _row(game: str, against: str, is_helped: bool, group: Sequence[GameOutcome]) -> StatisticsRow:
    games = len(group)
    average = sum(outcome.score for outcome in group) / games
    won = [outcome.won for outcome in group if outcome.won is not None]
    if len(won) < games:
        return StatisticsRow(game, against, is_helped, games, None, None, None, average)
    share = fsum(won) / games
    return StatisticsRow(game, against, is_helped, games, share, *interval(share, games), average)


def _won(places: Sequence[int], seat: int, sides: Sequence[int]) -> float | None:
    if len(set(sides)) == 1:
        return None
    # A shared first place counts as its share: the shares of all teams add up to 1.
    first = {side for side, place in zip(sides, places, strict=True) if place == 1}
    return 1 / len(first) if places[seat] == 1 else 0.0


def count_frequencies(game: Game[Any], results: Iterable[PersonalResult]) -> dict[str, str]:
    """Return the counts of a game for the persons of finished games, as text by its caption.

    Records that cannot be replayed are left out.
    """
    total: dict[str, Frequency] = {}
    for result in results:
        try:
            record = read_record(result.saved.path)
            frequencies = record_notes(game, record, result.saved.people[0])
        except CardhubError:
            continue  # another version of the game; its row in the list of replays says so
        for caption, frequency in frequencies.items():
            total[caption] = total[caption] + frequency if caption in total else frequency
    return {caption: frequency_text(frequency) for caption, frequency in total.items()}


def frequency_text(frequency: Frequency) -> str:
    """Return a frequency: `9 of 14 (64%)`, or `3` without a total."""
    count, total = frequency.count, frequency.of
    return f"{count} of {total} ({count / total:.0%})" if total else str(count)


# The heads of `statistics_cells`.
COLUMNS = ("game", "bots", "games", "won", "average", "")
CSV_COLUMNS = (
    *("time", "game", "name", "bots", "seats", "seat", "place", "score", "won", "hints", "undos"),
    "file",
)


def statistics_cells(row: StatisticsRow, game: Game[Any] | None) -> tuple[str, ...]:
    """Return the texts of a row: game, bots, games, share won, average, note.

    `game` is None if it is no longer installed; the average then is a plain number.
    """
    title, unit = (game.title, game.unit) if game else (row.game, "")
    note = "with hints or undo" if row.is_helped else ""
    average = f"{row.average:.1f} {unit}".rstrip()
    return title, row.against, str(row.games), share_text(row), average, note


def share_text(row: StatisticsRow) -> str:
    """Return the share of games won with its interval: `62% (31%–86%)`; `–` without opponents.

    A few games are only counted: `3 of 5`.
    """
    if row.share is None or row.low is None or row.high is None:
        return "–"
    if row.games < FEW_GAMES:
        return f"{row.share * row.games:g} of {row.games}"
    return f"{row.share:.0%} ({row.low:.0%}–{row.high:.0%})"


def statistics_facts(results: Sequence[PersonalResult]) -> dict[str, Any]:
    """Return the rows and all results as JSON values."""
    return {
        "rows": [row._asdict() for row in tabulate(results)],
        "games": [_facts(result) for result in results],
    }


def statistics_csv(results: Sequence[PersonalResult]) -> str:
    """Return all results as CSV, the game played last first, with a line of heads."""
    return csv_text(CSV_COLUMNS, map(_facts, results))


def _facts(result: PersonalResult) -> dict[str, Any]:
    saved, outcome = result
    seat = saved.people[0]
    return {
        "time": saved.time,
        "game": saved.game,
        "name": saved.players[seat].name,
        "bots": outcome.against,
        "seats": len(saved.players),
        "seat": seat,
        "place": saved.places[seat],
        "score": outcome.score,
        "won": outcome.won,
        "hints": saved.hints,
        "undos": saved.undos,
        "file": str(saved.path),
    }
