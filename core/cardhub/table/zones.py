"""Zones: where tokens lie, and who learns a face when its token comes to lie there."""

from dataclasses import dataclass
from typing import Any, Literal, cast

Viewers = Literal["nobody", "owner", "all"]
"""Who is shown the faces in a zone: `nobody`, the seat that owns the pile, or `all`."""


@dataclass(slots=True)
class Zone:
    """One declared zone of a state class.

    `count` is None for a single pile, 0 for one pile per seat, else the number of piles.
    """

    faces: Viewers
    count: int | None = None
    mixed: bool = False
    name: str = ""

    def empty(self, seats: int) -> list[Any]:
        """Return this zone's piles, without tokens, for a table of `seats`."""
        if self.count is None:
            return []
        return [[] for _ in range(self.count or seats)]

    def piles(self, state: object) -> list[list[int]]:
        """Return the piles of this zone in `state`, a single pile as a list of one."""
        value = getattr(state, self.name)
        return [value] if self.count is None else value


def shared(faces: Viewers) -> list[int]:
    """Declare one pile for the whole table; `owner` makes no sense here."""
    if faces == "owner":
        raise TypeError("a shared zone has no owner: say faces='nobody' or faces='all'")
    return cast("list[int]", Zone(faces))


def per_seat(faces: Viewers, *, mixed: bool = False) -> list[list[int]]:
    """Declare one pile per seat.

    A `mixed` zone is one whose owner may rearrange it unseen: whenever a card enters it after the
    deal, chance makes its tokens indistinguishable to everyone but the owner.
    """
    if mixed and faces != "owner":
        raise TypeError("a mixed zone is one whose owner alone knows the cards: say faces='owner'")
    return cast("list[list[int]]", Zone(faces, count=0, mixed=mixed))


def piles(count: int, faces: Viewers) -> list[list[int]]:
    """Declare `count` piles that belong to nobody, such as the sites of a layout."""
    if count < 1 or faces == "owner":
        raise TypeError("piles() takes a count of at least 1 and faces='nobody' or faces='all'")
    return cast("list[list[int]]", Zone(faces, count=count))
