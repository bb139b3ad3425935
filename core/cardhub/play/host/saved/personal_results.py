"""Statistics over time: results of one person's finished games against bots."""

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import NamedTuple

from cardhub.base.errors import CardhubError
from cardhub.model.game.initial_state import resolve_options
from cardhub.play.host.saved.saved_list import SavedGame
from cardhub.plugins.registry import PluginRegistry

# The normal quantile of a 95 % interval.
Z = 1.96


class PersonalResult(NamedTuple):
    """The result of one saved game for its only person.

    `won` is 1, 0, or the share of a shared first place; None where players have no opponents.
    `against` lists the bots' specs, each once. `is_helped`: hints or undo were used.
    """

    saved: SavedGame
    name: str
    against: str
    score: int
    place: int
    won: float | None
    is_helped: bool


class StatisticsRow(NamedTuple):
    """The results of all games against the same bots, with and without help apart.

    `share` is of games won, with the bounds of its 95 % interval; all are None where players have
    no opponents. `average` is the mean score.
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

    Games of several people, of bots alone, with players who changed, or played on from another one
    are left out; with `name`,
    those of other people as well. `sides` returns the team of every seat; see `sides_of`.
    """
    found = []
    for saved in entries:
        if not saved.is_finished or len(saved.people) != 1:
            continue
        if saved.is_continued or saved.has_changed_players:
            continue
        seat = saved.people[0]
        player = saved.players[seat]
        if name and player.name.casefold() != name.casefold():
            continue
        kinds = dict.fromkeys(other.kind for other in saved.players if not other.is_human)
        won = _won(saved.places, seat, sides(saved))
        score, place = saved.scores[seat], saved.places[seat]
        against = ", ".join(kinds)
        found.append(
            PersonalResult(saved, player.name, against, score, place, won, saved.is_helped)
        )
    return found


def sides_of(registry: PluginRegistry) -> Callable[[SavedGame], Sequence[int]]:
    """Return a function for the team of every seat of a saved game.

    If the game is no longer installed, each seat is a team.
    """

    def sides(saved: SavedGame) -> Sequence[int]:
        seats = len(saved.players)
        try:
            game = registry.game(saved.game)
            return game.teams(resolve_options(game, saved.options, seats), seats)
        except CardhubError:
            return range(seats)

    return sides


def tabulate(found: Sequence[PersonalResult]) -> list[StatisticsRow]:
    """Return a row for each game, bots and use of help; sorted by game, most games first."""
    groups: dict[tuple[str, str, bool], list[PersonalResult]] = {}
    for outcome in found:
        key = (outcome.saved.game, outcome.against, outcome.is_helped)
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


def _row(
    game: str, against: str, is_helped: bool, group: Sequence[PersonalResult]
) -> StatisticsRow:
    games = len(group)
    average = sum(outcome.score for outcome in group) / games
    won = [outcome.won for outcome in group if outcome.won is not None]
    if len(won) < games:
        return StatisticsRow(game, against, is_helped, games, None, None, None, average)
    share = sum(won) / games
    return StatisticsRow(game, against, is_helped, games, share, *interval(share, games), average)


def _won(places: Sequence[int], seat: int, sides: Sequence[int]) -> float | None:
    if len(set(sides)) == 1:
        return None
    # A shared first place counts as its share, so that the shares of all teams add up to 1.
    first = {side for side, place in zip(sides, places, strict=True) if place == 1}
    return 1 / len(first) if places[seat] == 1 else 0.0
