"""Zones: piles of tokens, and the seats that see the faces in them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, cast

# The seats that see the faces in a zone; the `owner` is the seat of the pile, and `others` are all
# other seats and spectators.
Viewers = Literal["nobody", "owner", "others", "all"]
# Those that only zones with one pile per seat can have.
OF_OWNERS = ("owner", "others")


@dataclass(slots=True)
class Zone:
    """A zone of a state class.

    `count` is None for a single pile, 0 for one pile per seat, else the number of piles.
    """

    faces: Viewers
    count: int | None = None
    mixed: bool = False
    name: str = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def piles(self, state: object) -> list[list[int]]:
        """Return the piles of this zone in `state`; a single pile as a list of one."""
        value = getattr(state, self.name)
        return [value] if self.count is None else value


def shows_spectators_more(zones: Iterable[Zone]) -> bool:
    """Return whether spectators see faces that some seat has not seen."""
    return any(zone.faces == "others" for zone in zones)


# The functions below return a Zone, but are typed as the lists of tokens that replace it in each
# state, because authors use `state.hand` as lists of tokens.


def shared(faces: Viewers) -> list[int]:
    """Declare one pile for the whole table."""
    if faces in OF_OWNERS:
        raise TypeError("a shared zone has no owner. fix: faces='nobody' or faces='all'")
    return cast("list[int]", Zone(faces))


def per_seat(faces: Viewers, *, mixed: bool = False) -> list[list[int]]:
    """Declare one pile per seat.

    With `faces="others"` every seat and spectators see the faces, but not the owner.
    In a `mixed` zone the owner may rearrange the cards unseen: whenever a card enters after the
    deal, the pile's tokens become indistinguishable to all seats but the owner's.
    """
    if mixed and faces != "owner":
        raise TypeError("a mixed zone hides its cards from other seats. fix: faces='owner'")
    return cast("list[list[int]]", Zone(faces, count=0, mixed=mixed))


def piles(count: int, faces: Viewers) -> list[list[int]]:
    """Declare `count` piles without an owner, such as the sites of a board."""
    if count < 1 or faces in OF_OWNERS:
        raise TypeError("piles() needs a count of at least 1 and faces='nobody' or faces='all'")
    return cast("list[list[int]]", Zone(faces, count=count))
