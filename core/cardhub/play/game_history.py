"""The history of a game: its entries, its players, and those who are told of each entry."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from cardhub.play.history_entries import Dealt, Entry, Note, Noted, Seated
from cardhub.play.seating import Player, check_distinct, check_player_name


class GameHistory(ABC):
    """The entries from the deal on, and the players, who may change in the middle of the game.

    `players` are those of now, `first_players` those of the deal; `names` has by seat all names
    that its players have had.
    """

    def __init__(self, dealt: Dealt, players: Sequence[Player]) -> None:
        self.dealt = dealt
        self.entries: list[Entry] = [dealt]
        self.players = self.first_players = tuple(players)
        self.names: list[tuple[str, ...]] = [(player.name,) for player in players]
        self._listeners: list[Callable[[Entry], object]] = []
        # What turns entries into events, made for the first listener that follows a viewer.
        self.announcer: Any = None

    def subscribe(self, listener: Callable[[Entry], object]) -> None:
        """Call `listener` with every further entry."""
        self._listeners.append(listener)

    def forget_listeners(self) -> None:
        """Call no listener any more; so this history is freed as soon as nobody uses it."""
        self._listeners.clear()
        self.announcer = None

    def seat_player(self, seat: int, player: Player) -> None:
        """Give a seat to another player, or to the same one under another name.

        Raises SeatingError for an invalid name or one that looks like another seat's, and
        IllegalActionError if the game is over or there is no such seat.
        """
        self._check_goes_on(seat)
        check_player_name(player.name)
        self._replace(seat, player)

    def note(self, seat: int, note: Note) -> None:
        """Note that the person of a seat left, came back or ran out of time.

        Raises IllegalActionError if the game is over or there is no such seat.
        """
        self._check_goes_on(seat)
        self._publish(Noted(seat, note))

    @abstractmethod
    def _check_goes_on(self, seat: int) -> None:
        """Raise IllegalActionError unless the game goes on, without a pending shuffle."""

    def _replace(self, seat: int, player: Player) -> None:
        """Seat a player whose name may be one of a record."""
        before, after = self.players[:seat], self.players[seat + 1 :]
        for other in (*before, *after):
            check_distinct((other.name, player.name))
        self.players = (*before, player, *after)
        if player.name not in self.names[seat]:
            self.names[seat] = (*self.names[seat], player.name)
        self._publish(Seated(seat, player))

    def _publish(self, entry: Entry) -> None:
        self.entries.append(entry)
        # In order: the record subscribes first, so a line is on disk before a viewer is told of it.
        for listener in self._listeners:
            listener(entry)
