"""Players and the assignment of players to seats."""

from collections.abc import Sequence
from dataclasses import dataclass

from cardhub.errors import SeatingError
from cardhub.errors.printable import UNSAFE
from cardhub.play.player_names import RESERVED, check_distinct, check_player_name, look_alike

HUMAN = "human"
NAMES = ("Anna", "Bob", "Chris", "David", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jan")


@dataclass(frozen=True, slots=True)
class Player:
    """A player: a name, and `human` or the spec of a bot."""

    name: str
    kind: str

    @property
    def is_human(self) -> bool:
        """Whether the player is a person."""
        return self.kind == HUMAN

    def __str__(self) -> str:
        return self.name if self.is_human else f"{self.name} ({self.kind})"


def seat_players(given: Sequence[Player], seats: int, default_bot: str) -> list[Player]:
    """Return a player for every seat, in order.

    Given players come first; bots with unused names fill the rest. If none is given, seat 0 is a
    person's. Raises SeatingError.
    """
    players = list(given) or [Player(NAMES[0], HUMAN)]
    if len(players) > seats:
        surplus = " and ".join(player.name for player in players[seats:])
        raise SeatingError(f"{len(players)} players for {seats} seats: leave {surplus} out")
    for player in players:
        check_player_name(player.name)
    check_distinct(player.name for player in players)
    free = [n for n in NAMES if not any(look_alike(n, player.name) for player in players)]
    return players + [Player(name, default_bot) for name in free[: seats - len(players)]]


def check_names(players: Sequence[Player]) -> None:
    """Raise SeatingError if a name in a record is invalid or used twice.

    Records may have names that new games do not accept: names of bots in matches, and names from
    older versions.
    """
    for place, player in enumerate(players):
        _check_name(player.name, [other.name for other in players[:place]])


def _check_name(name: str, before: list[str]) -> None:
    if not name.strip() or UNSAFE.search(name) or name != name.strip():
        raise SeatingError(
            f"invalid player name {name!r}: only visible characters, no spaces around"
        )
    if name.casefold() in RESERVED:
        raise SeatingError(f"invalid player name {name!r}: the word is reserved")
    if name.casefold() in [other.casefold() for other in before]:
        raise SeatingError(f"two players are called {name!r}: give each a name of their own")
