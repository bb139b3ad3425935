"""Who sits where."""

from collections.abc import Sequence
from dataclasses import dataclass

from cardhub.errors import SeatingError

HUMAN = "human"
NAMES = ("Anna", "Bob", "Chris", "David", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jan")
RESERVED = ("all", "chance")
"""Words that mean something else where a player's name is asked for."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table: a name, and `human` or the bot that plays."""

    name: str
    kind: str

    @property
    def is_human(self) -> bool:
        """Whether a person decides."""
        return self.kind == HUMAN

    def __str__(self) -> str:
        return self.name if self.is_human else f"{self.name} ({self.kind})"


def seat_players(given: Sequence[Player], seats: int, default_bot: str) -> list[Player]:
    """Return a player for every seat, in order.

    Whoever is given sits first; bots with free names fill the rest. With nobody given, seat 0 is a
    person's. Raises SeatingError.
    """
    players = list(given) or [Player(NAMES[0], HUMAN)]
    if len(players) > seats:
        surplus = " and ".join(player.name for player in players[seats:])
        raise SeatingError(f"{len(players)} players for {seats} seats: leave {surplus} out")
    check_names(players)
    taken = {player.name.casefold() for player in players}
    free = [name for name in NAMES if name.casefold() not in taken]
    return players + [Player(name, default_bot) for name in free[: seats - len(players)]]


def check_names(players: Sequence[Player]) -> None:
    """Raise SeatingError if a player's name is none, or another's too."""
    for place, player in enumerate(players):
        _check_name(player.name, [other.name for other in players[:place]])


def _check_name(name: str, before: list[str]) -> None:
    if not name.strip() or not name.isprintable() or name != name.strip():
        raise SeatingError(f"{name!r} is no name: it needs visible characters and no blanks around")
    if name.casefold() in RESERVED:
        raise SeatingError(f"no player can be called {name!r}: the word has a meaning of its own")
    if name.casefold() in [other.casefold() for other in before]:
        raise SeatingError(f"two players are called {name!r}: give each a name of their own")
