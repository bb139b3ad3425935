"""What one viewer knows of the history of a card game."""

from dataclasses import dataclass
from typing import NamedTuple

from cardhub.learning.adapters.openspiel_games.laid.hidden_actions import UNKNOWN
from cardhub.learning.adapters.openspiel_games.original import History

# No seat: the holder of a card that nobody has seen, or that was put away.
NOBODY = -1
# OpenSpiel's numbers of players for chance and after the end.
CHANCE_PLAYER, TERMINAL_PLAYER = -1, -4
# A step of this value or less is a hidden action, given by its place among the legal ones.
FIRST_OPTION = -10


class UnknownDraw(NamedTuple):
    """A draw of an unknown card: its index in the history, its deck, and the player who has it."""

    at: int
    deck: int
    holder: int


class Returns(NamedTuple):
    """The public returns from an index in the history on."""

    at: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KnownHistory:
    """What a viewer knows of a history: `steps`, with UNKNOWN for what it does not know.

    `receivers` has the player who got the card of each hidden action, known or not, by its index;
    `left` the unseen cards of each deck, `starts` the index of its first draw; `players` who took
    each step, and the player to act now. `returns` are public ones, from index 0
    on; empty if returns are not public.
    """

    steps: History
    draws: tuple[UnknownDraw, ...]
    receivers: tuple[tuple[int, int], ...]
    left: tuple[tuple[int, ...], ...]
    starts: tuple[int, ...]
    players: tuple[int, ...]
    returns: tuple[Returns, ...] = ()

    def fits(self, history: History) -> bool:
        """Return whether the known steps are those of a history, as far as it goes."""
        pairs = zip(self.steps, history, strict=False)
        return all(step in (UNKNOWN, other) or step <= FIRST_OPTION for step, other in pairs)

    def deck_at(self, index: int) -> int:
        """Return the deck from which the last card before a step was drawn."""
        return max(sum(start < index for start in self.starts) - 1, 0)

    def returns_by_index(self) -> list[tuple[int, ...]]:
        """Return the returns before each step and at the end; empty if they are not public."""
        found, changes = list[tuple[int, ...]](), dict(self.returns)
        for index in range(len(self.players) if changes else 0):
            found.append(changes[index] if index in changes else found[-1])
        return found


def option_of(number: int) -> int:
    """Return the step for the hidden action with a number among the legal ones, or the reverse."""
    return FIRST_OPTION - number


def rounded(returns: list[float]) -> tuple[int, ...]:
    """Return whole numbers for returns."""
    return tuple(round(value) for value in returns)
