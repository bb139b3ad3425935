"""Exporters: a recorded game in another format, as one viewer may know it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from cardhub.game.game import Game
from cardhub.game.opening import Seed
from cardhub.hidden.observation import Observation
from cardhub.plugins.word import check_word
from cardhub.table.settings import Settings


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that happened at a table, in the words of one viewer.

    `number` counts from 0, `seat` is who acted, below 0 if nobody did. `action` is written as in a
    record, empty unless `kind` is action; `lines` are sentences; `table` is what the viewer knows
    afterwards.
    """

    number: int
    kind: Literal["action", "shuffle", "undo", "hint", "over"]
    seat: int
    action: str
    lines: tuple[str, ...]
    table: Observation[Any]


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A recorded game as one viewer may know it, all that an exporter gets.

    `players` holds by seat a name and `human` or a bot; `viewer` is a player's name, `spectator` or
    `all`; `seed` is None for whom it would tell too much; `scores` and `places` are those at the
    end, None before it; `start` is the table once the cards are dealt.
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
        """Return the name of the player at a seat, or nothing if it is nobody's."""
        return self.players[seat][0] if 0 <= seat < len(self.players) else ""


@dataclass(frozen=True, slots=True)
class Exporter:
    """A format: what people type to have a game in it, and what writes it.

    `export` returns the whole text, at once or in pieces. `games` are the names of the games it is
    for, None if it is for any. Raises ValueError.
    """

    name: str
    summary: str
    export: Callable[[Playthrough], str | Iterable[str]]
    games: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse what nobody could type or call."""
        check_word("format", self.name)
        if not callable(self.export):
            raise ValueError(f"format {self.name!r} exports with {self.export!r}, not a function")

    def suits(self, game: str) -> bool:
        """Return whether games of this name can be had in it."""
        return self.games is None or game in self.games
