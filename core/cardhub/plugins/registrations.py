"""Objects that plugins register: collections of games, themes and formats."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from cardhub.base.errors.quoting import did_you_mean
from cardhub.bots.bot import is_among
from cardhub.model.cards.cards import COLOURS
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import Seed
from cardhub.model.game.scene import Summary
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Settings

# In a spec a colon or comma would end the name.
_WORD = re.compile(r"\w[\w-]*")
_COLOUR = re.compile("#[0-9a-fA-F]{6}")


def check_word(kind: str, name: object) -> None:
    """Raise ValueError unless `name` is one word that can be typed on a command line."""
    if not isinstance(name, str) or not _WORD.fullmatch(name):
        raise ValueError(f"invalid {kind} name {name!r}: use letters, digits, - and _")


@dataclass(frozen=True, slots=True)
class GameCollection:
    """A source of games by name: `openspiel:chess` is `chess` of the collection `openspiel`.

    `make` receives the whole name (`openspiel:chess`) and the part after the colon (`chess`). It
    returns a game with the whole name, or raises PluginError. `missing` is a message with a remedy
    if a library that `make` needs is not installed. Raises ValueError.
    """

    name: str
    summary: str
    make: Callable[[str, str], Game[Any]]
    missing: str = ""

    def __post_init__(self) -> None:
        """Reject an invalid name and a `make` that is not callable."""
        check_word("collection", self.name)
        if not callable(self.make):
            raise ValueError(f"invalid make of collection {self.name!r}: {self.make!r}")


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours for the terminal interface, each as `#rrggbb`; only `primary` is required.

    The other colours are derived from `primary` by default. `cards` maps the colours of card files
    to display colours, `{"red": "#c00000"}`; the default fits a dark or light theme. Raises
    ValueError.
    """

    name: str
    summary: str
    primary: str
    is_dark: bool = True
    secondary: str | None = None
    accent: str | None = None
    foreground: str | None = None
    background: str | None = None
    surface: str | None = None
    panel: str | None = None
    warning: str | None = None
    error: str | None = None
    success: str | None = None
    # Not part of the hash, because a dict cannot be hashed.
    cards: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Reject an invalid name and invalid colours."""
        # Checked on creation, because then the traceback leads to the line of the plugin.
        check_word("theme", self.name)
        for name in self.cards:
            if name not in COLOURS:
                hint = did_you_mean(name, COLOURS)
                known = ", ".join(COLOURS)
                raise ValueError(f"cards have no colour {name!r}.{hint} Colours: {known}")
        # All other fields are colours.
        others = ("name", "summary", "is_dark", "cards")
        named = {colour.name: getattr(self, colour.name) for colour in fields(self)}
        given = {n: value for n, value in named.items() if n not in others and value is not None}
        for key, value in [*given.items(), *self.cards.items()]:
            if not isinstance(value, str) or not _COLOUR.fullmatch(value):
                raise ValueError(
                    f"{key} of theme {self.name!r} is {value!r}, not a colour such as '#2e6f95'"
                )


@dataclass(frozen=True, slots=True)
class Moment:
    """One event of a recorded game, described for one viewer.

    `number` counts from 0. `kind`: a takeback is an `undo`; `seating` is another player, or a
    player who left or came back. `seat` is the acting seat, negative if no player acted. `action`
    is the action's notation as in a record, empty unless `kind` is `action`. `lines` are sentences
    that describe the event; there are none for a shuffle that the game's narration has described.
    `table` is the viewer's observation after the event (`table.scene()` is the table as data),
    `summary` the summary of a round that ended. `player` is the name of the acting seat's player at
    that time, empty if no player acted; `Playthrough.player(seat)` is the name at the end.
    """

    number: int
    kind: Literal["action", "shuffle", "undo", "hint", "over", "seating"]
    seat: int
    action: str
    lines: tuple[str, ...]
    table: Observation[Any]
    summary: Summary | None = None
    player: str = ""


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A recorded game as one viewer may know it: the only argument of an exporter.

    `settings` are the values of the `game`'s options. `players` holds by seat a name and a kind
    (`human` or a bot); `viewer` is a player's name, `spectator` or `all`. `seed`, a number or text,
    is None unless `viewer` is `all`. `start` is the observation after the deal, `moments` are the
    events; `scores` and `places` by seat are None until the game is over. `sides` are the final
    sides by seat, empty in a game without sides.
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
    sides: tuple[int, ...] = ()

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
        return is_among(game, self.games)
