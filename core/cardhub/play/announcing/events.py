"""Events of a game, as one viewer may know them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from cardhub.model.game.scene import Summary

# `undo`: also a takeback; `seating`: another player, or a note on a person's presence.
Kind = Literal["action", "shuffle", "undo", "hint", "over", "seating"]


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a game, with the contents that its viewers may know.

    `number` counts the events from 0, `seat` is the seat that acted (or CHANCE). `origins` has the
    tokens that moved or were revealed, with a text such as "from Bob's hand, step 141". `lines` are
    sentences with the players' names, empty for a shuffle that the game's narration covers.
    `summary` is the summary of a round that ended here. `undone` is the number of actions taken
    back. `bare` is the same event without origins, or None if it has no origins.
    """

    number: int
    kind: Kind
    seat: int
    action: int | None
    lines: tuple[str, ...]
    origins: Mapping[int, str]
    summary: Summary | None = None
    undone: int = 0
    bare: "Event | None" = field(default=None, compare=False, repr=False)

    @property
    def changed(self) -> frozenset[int]:
        """The tokens that moved or were revealed."""
        return frozenset(self.origins)


def standing_summaries(events: Iterable[Event]) -> list[Event]:
    """Return the events with summaries of rounds, without summaries of undone actions.

    `events` are all events of one viewer.
    """
    taken: list[Event] = []
    for event in events:
        if event.kind == "action":
            taken.append(event)
        elif event.kind == "undo":
            del taken[-event.undone :]
    return [event for event in taken if event.summary is not None]
