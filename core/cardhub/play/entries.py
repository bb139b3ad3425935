"""The entries of a game's history: what the referee does and records keep, one by one."""

from dataclasses import dataclass

from cardhub.hidden.chance import Outcome


@dataclass(frozen=True, slots=True)
class Taken:
    """An action; `seat` is who took it, or CHANCE."""

    seat: int
    action: int


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The outcome of one shuffle that the last action asked for."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Undone:
    """A seat took its last action back."""

    seat: int


@dataclass(frozen=True, slots=True)
class Hinted:
    """A seat that was to act got a hint from a bot, given as text; the table stays as it was."""

    seat: int
    bot: str


Entry = Taken | Shuffled | Undone | Hinted
