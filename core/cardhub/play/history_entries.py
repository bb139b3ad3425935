"""Entries of a game's history, from the deal to the scores."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from cardhub.model.hidden.outcomes import Outcome
from cardhub.play.records.edition import Edition
from cardhub.play.seating import Player

# A person left the table, came back, or ran out of time; or a person used a power over the bots of
# a game with other people.
Note = Literal["left", "back", "timeout", "paused", "resumed", "hurried", "stopped", "paced"]
PRESENCE: tuple[Note, ...] = ("left", "back", "timeout")
NOTE_TEXTS: Mapping[Note, str] = {
    "left": "{player} leaves the table",
    "back": "{player} is back at the table",
    "timeout": "{player} has run out of time",
    "paused": "{player} pauses the bots",
    "resumed": "{player} lets the bots continue",
    "hurried": "{player} makes a bot act immediately",
    "paced": "{player} changes the speed of the bots",
    "stopped": "{player} ends the turn of a bot that does not answer",
}
NOTES: tuple[Note, ...] = get_args(Note)


@dataclass(frozen=True, slots=True)
class Dealt:
    """The deal in token order; faces are BLANK where a redacted record lacks them."""

    deal: Outcome


@dataclass(frozen=True, slots=True)
class Taken:
    """An action; `seat` is the seat that took it, or CHANCE.

    `notation` is the action as records write it. The referee sets it.
    """

    seat: int
    action: int
    notation: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The outcome of one shuffle that the last action required.

    `redrawn`: the tokens, if it follows from a takeback. The referee sets it.
    """

    outcome: Outcome
    redrawn: tuple[int, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Undone:
    """An undo of a seat's last action."""

    seat: int


@dataclass(frozen=True, slots=True)
class Hinted:
    """A hint of a bot, given as spec, to the seat to act; the state does not change."""

    seat: int
    bot: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A takeback that other seats agreed to: the game is as before the last action of a seat.

    `count` is the number of actions gone, chance's included; `agreed` has the seats in order.
    `answers` is only in redacted records: all public answers of the game after the takeback.
    `is_anew`: chance draws again from here on, else the same actions have the same outcomes.
    """

    seat: int
    count: int
    agreed: tuple[int, ...] = ()
    answers: tuple[bool, ...] = ()
    is_anew: bool = False


@dataclass(frozen=True, slots=True)
class Seated:
    """Another player takes a seat in the middle of the game; the state does not change.

    `agreed`: the other seats that admitted a visitor, in order. `by`: the seat of the person who
    had a bot replace another person or bot, or None.
    """

    seat: int
    player: Player
    agreed: tuple[int, ...] = ()
    by: int | None = None


@dataclass(frozen=True, slots=True)
class Noted:
    """A note on a seat's person: its presence, or a power that it used; the state stays."""

    seat: int
    note: Note


@dataclass(frozen=True, slots=True)
class EditionChanged:
    """The game goes on with other cards or rules, knowingly; the state does not change.

    `changes` are texts such as `Raven: value 2 → 0`.
    """

    edition: Edition
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of the game, by seat; `sides` is empty in a game without sides."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    returns: tuple[float, ...]
    sides: tuple[int, ...] = ()


Entry = (
    Dealt | Taken | Shuffled | Undone | Hinted | TakenBack | Seated | Noted | EditionChanged | Ended
)


def standing_actions(entries: Iterable[Entry]) -> list[int]:
    """Return the numbers of the entries with actions that were not undone, chance's included."""
    taken: list[int] = []
    for number, entry in enumerate(entries):
        match entry:
            case Taken():
                taken.append(number)
            case Undone():
                taken.pop()
            case TakenBack(_, count):
                del taken[-count:]
    return taken


def standing_entries(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Return the actions that were not taken back, each with the shuffles after it.

    The first list has the shuffles after the deal, before the first action.
    """
    groups: list[list[Entry]] = [[]]
    for entry in entries:
        match entry:
            case Taken():
                groups.append([entry])
            case Shuffled():
                groups[-1].append(entry)
            case Undone():
                groups.pop()
            case TakenBack(_, count):
                del groups[-count:]
    return groups
