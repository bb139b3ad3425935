"""Exporters: recorded games in other formats, limited to the knowledge of one viewer."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from cardhub.errors import PluginError
from cardhub.game.game import Game
from cardhub.game.initial_state import Seed
from cardhub.hidden.observation import Observation
from cardhub.plugins.catalogue import check_word
from cardhub.plugins.declaration import Declaration
from cardhub.plugins.failures import guarded, safe_repr
from cardhub.table.settings import Settings


@dataclass(frozen=True, slots=True)
class Moment:
    """One event of a recorded game, described for one viewer.

    `number` counts from 0. `seat` is the acting seat, negative if no player acted. `action` is the
    action's notation as in a record, empty unless `kind` is `action`. `lines` are sentences.
    `table` is the viewer's observation after the event.
    """

    number: int
    kind: Literal["action", "shuffle", "undo", "hint", "over"]
    seat: int
    action: str
    lines: tuple[str, ...]
    table: Observation[Any]


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A recorded game as one viewer may know it: the only argument of an exporter.

    `players` holds by seat a name and a kind (`human` or a bot); `viewer` is a player's name,
    `spectator` or `all`. `seed` is None if it would reveal hidden cards. `start` is the observation
    after the deal; `scores` and `places` are None until the game is over.
    """

    game: Game[Any]
    settings: Settings
    players: tuple[tuple[str, str], ...]
    viewer: str
    seed: Seed | None
    start: Observation[Any]
    moments: tuple[Moment, ...]
    scores: tuple[int, ...] | None
    places: tuple[int, ...] | None

    def player(self, seat: int) -> str:
        """Return the name of the player at a seat, or an empty string for other seats."""
        return self.players[seat][0] if 0 <= seat < len(self.players) else ""


@dataclass(frozen=True, slots=True)
class Exporter:
    """A format for recorded games, with its name and the function that writes it.

    `export` returns the text, whole or in pieces. `games` limits the format to games of these
    names; None allows any game. Raises ValueError.
    """

    name: str
    summary: str
    export: Callable[[Playthrough], str | Iterable[str]]
    games: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Reject an invalid name and an `export` that is not callable."""
        check_word("format", self.name)
        if not callable(self.export):
            raise ValueError(
                f"invalid export of format {self.name!r}: {self.export!r} is not a function"
            )

    def suits(self, game: str) -> bool:
        """Return whether the format supports games of this name."""
        return self.games is None or game in self.games


def export_text(exporter: Exporter, declared: Declaration, game: Playthrough) -> str:
    """Return a game in the format of a plugin's exporter; raises PluginError."""
    failure = f"failed in its format {exporter.name!r}"
    return guarded(declared, failure, lambda: _export(exporter, f"{declared} {failure}", game))


def _export(exporter: Exporter, failure: str, game: Playthrough) -> str:
    result = exporter.export(game)
    if isinstance(result, str):
        return result
    if not hasattr(result, "__iter__"):
        raise PluginError(f"{failure}: it returned {safe_repr(result)}, not text or pieces of it")
    pieces = list(result)
    for piece in pieces:
        if not isinstance(piece, str):
            raise PluginError(f"{failure}: a piece of it is {safe_repr(piece)}, not text")
    return "".join(pieces)
