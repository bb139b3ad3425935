"""Entries of a game's history, from the deal to the scores."""

from dataclasses import dataclass, field

from cardhub.hidden.chance import Outcome


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
    """The outcome of one shuffle that the last action required."""

    outcome: Outcome


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
class Ended:
    """The end of the game, by seat."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    returns: tuple[float, ...]


Entry = Dealt | Taken | Shuffled | Undone | Hinted | Ended
