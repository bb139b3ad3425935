"""The draft of a new game, and the command that starts the same game."""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cardhub.base.errors import CardhubError, OptionError, SeatingError
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import Seed, resolve_options
from cardhub.model.table.settings import Flag, OneOf, Option, Value, format_value
from cardhub.play.host.opening import NewGame
from cardhub.play.host.saved.preferences import Preferences
from cardhub.play.seating import (
    HUMAN,
    Player,
    check_distinct,
    check_player_name,
    seat_players,
)


@dataclass(frozen=True, slots=True)
class GameDraft:
    """A game to start, with all its settings; methods return a changed draft.

    `kinds`: the possible players at a seat, `human` and levels; `further_kinds`: other bots, which
    can be chosen if `is_advanced`. `bot`: the kind of an added player. `settings`: the options that
    differ from their defaults. `refused`: why some of the kinds cannot play.
    """

    game: Game[Any]
    players: tuple[Player, ...]
    kinds: tuple[str, ...]
    further_kinds: tuple[str, ...]
    bot: str
    names: tuple[str, ...]
    settings: Mapping[str, Value] = field(default_factory=dict)
    seed: Seed | None = None
    helps: bool = True
    refused: Mapping[str, str] = field(default_factory=dict)
    is_advanced: bool = False

    @property
    def new_game(self) -> NewGame:
        """The game to start."""
        return NewGame(self.game.name, self.players, self.settings, self.seed, helps=self.helps)

    def fault(self) -> str:
        """Return why the game cannot start with these settings, or an empty string."""
        try:
            check_distinct(player.name for player in self.players)
            resolve_options(self.game, self.settings, len(self.players))
        except CardhubError as error:
            return str(error)
        return next((self.refused[p.kind] for p in self.players if p.kind in self.refused), "")

    def with_kind(self, seat: int, by: int) -> "GameDraft":
        """Return a draft with the next or previous kind of player at a seat."""
        player = self.players[seat]
        kinds = self.kinds + (self.further_kinds if self.is_advanced else ())
        here = kinds.index(player.kind) if player.kind in kinds else 0
        kind = kinds[(here + by) % len(kinds)]
        return self._with_player(seat, Player(player.name, kind))

    def with_name(self, seat: int, name: str) -> "GameDraft":
        """Return a draft with another name at a seat; raises SeatingError."""
        check_player_name(name)
        draft = self._with_player(seat, Player(name, self.players[seat].kind))
        check_distinct(player.name for player in draft.players)
        return draft

    def with_seat(self) -> "GameDraft":
        """Return a draft with one more bot; raises SeatingError if all seats are taken."""
        if len(self.players) >= self.game.seats.high:
            raise SeatingError(f"{self.game.title} is for {self.game.seats} players")
        kind = next((p.kind for p in reversed(self.players) if not p.is_human), self.bot)
        players = seat_players(self.players, len(self.players) + 1, kind, self.names)
        return self._fitted(tuple(players))

    def without_seat(self, seat: int) -> "GameDraft":
        """Return a draft without a player; raises SeatingError if all are needed."""
        if len(self.players) <= self.game.seats.low:
            raise SeatingError(f"{self.game.title} is for {self.game.seats} players")
        return self._fitted(self.players[:seat] + self.players[seat + 1 :])

    def value(self, name: str) -> Value:
        """Return the value of an option of the game."""
        return self.settings.get(name, self.game.options[name].default)

    def with_option(self, name: str, by: int) -> "GameDraft":
        """Return a draft with the next or previous value of an option."""
        option = self.game.options[name]
        value = next_value(option, self.value(name), by, len(self.players))
        settings = {key: other for key, other in self.settings.items() if key != name}
        if value != option.default:
            settings[name] = value
        return replace(self, settings=settings)

    def command(self) -> str:
        """Return the command line that starts the same game."""
        words = ["cardhub", "play", self.game.name]
        for player in self.players:
            words += ["--seat", f"{player.name}={player.kind}"]
        for name, value in self.settings.items():
            words += ["--set", f"{name}={format_value(value)}"]
        if self.seed is not None:
            words += ["--seed", str(self.seed)]
        if not self.helps:
            words.append("--no-hints")
        return shlex.join(words)

    def _with_player(self, seat: int, player: Player) -> "GameDraft":
        return replace(self, players=(*self.players[:seat], player, *self.players[seat + 1 :]))

    def _fitted(self, players: tuple[Player, ...]) -> "GameDraft":
        # Drop options that name a seat which no longer exists.
        seats = len(players)
        options = self.game.options
        settings = {
            name: value
            for name, value in self.settings.items()
            if options[name].read(value, seats) is not None
        }
        return replace(self, players=players, settings=settings)


def next_value(option: Option, value: Value, by: int, seats: int) -> Value:
    """Return the next or previous valid value of an option; flags and words wrap around."""
    if isinstance(option, Flag):
        return not value
    if isinstance(option, OneOf):
        values = option.values
        return values[(values.index(str(value)) + by) % len(values)]
    if isinstance(value, int):
        changed = option.read(value + by, seats)
        return value if changed is None else changed
    return value


def read_option(option: Option, name: str, text: str, seats: int) -> Value:
    """Return the value of a typed text; raises OptionError with the valid values."""
    value = option.read(text, seats)
    if value is None:
        raise OptionError(f"{name} is {option.describe(seats)}, not {text!r}")
    return value


def draft_of(
    game: Game[Any],
    levels: Iterable[str],
    bots: Iterable[str],
    bot: str,
    preferences: Preferences,
    *,
    watches: bool = False,
) -> GameDraft:
    """Return the initial draft: the person and bots at the default number of seats.

    `bot`: the spec of the bots, a level if there are any; `bots`: the bots that are not in the
    first list; `watches`: all players are bots.
    """
    names = (preferences.name, *preferences.bot_names)
    first = [Player(names[0], bot if watches else HUMAN)]
    players = seat_players(first, game.seats.default, bot, names)
    people = () if watches else (HUMAN,)
    kinds = tuple(dict.fromkeys((*people, *levels, bot)))
    further = tuple(kind for kind in dict.fromkeys(bots) if kind not in kinds)
    return GameDraft(game, tuple(players), kinds, further, bot, names, helps=preferences.helps)
