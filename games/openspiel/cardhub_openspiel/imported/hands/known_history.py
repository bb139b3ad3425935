"""A viewer's knowledge of the history of a card game."""

from dataclasses import dataclass
from typing import NamedTuple

from cardhub_openspiel.imported.laid.hidden_actions import UNKNOWN
from cardhub_openspiel.imported.original import History

# In place of a seat: the holder of a card that is unseen by all players or out of play.
NOBODY = -1
# OpenSpiel's numbers of players for chance and after the end.
CHANCE_PLAYER, TERMINAL_PLAYER = -1, -4
# A step of this value or less is a hidden action, given by its index among the legal actions.
FIRST_OPTION = -10


class UnknownDraw(NamedTuple):
    """A draw of an unknown card: its index in the history, its deck, and the card's holder."""

    at: int
    deck: int
    holder: int


class Returns(NamedTuple):
    """The public returns from an index in the history."""

    at: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KnownHistory:
    """A viewer's knowledge of a history: its `steps`, with UNKNOWN for unknown ones.

    `receivers`: for each hidden action its index and the player who got its card. `unseen`: the
    unseen cards of each deck. `starts`: the index of each deck's first draw. `players`: the player
    of each step, then the player to act. `returns`: the public returns from index 0; empty if
    returns are not public.
    """

    steps: History
    draws: tuple[UnknownDraw, ...]
    receivers: tuple[tuple[int, int], ...]
    unseen: tuple[tuple[int, ...], ...]
    starts: tuple[int, ...]
    players: tuple[int, ...]
    returns: tuple[Returns, ...] = ()

    def is_consistent(self, history: History) -> bool:
        """Return whether a history, which may be shorter, has the known steps."""
        pairs = zip(self.steps, history, strict=False)
        return all(
            step in (UNKNOWN, true_step) or step <= FIRST_OPTION for step, true_step in pairs
        )

    def deck_at(self, index: int) -> int:
        """Return the deck from which the last card before a step was drawn."""
        return max(sum(start < index for start in self.starts) - 1, 0)

    def returns_by_index(self) -> list[tuple[int, ...]]:
        """Return the returns before each step and at the end; empty if they are not public."""
        returns, changes = list[tuple[int, ...]](), dict(self.returns)
        for index in range(len(self.players) if changes else 0):
            returns.append(changes[index] if index in changes else returns[-1])
        return returns


def option_of(number: int) -> int:
    """Convert the index of a hidden action among the legal actions to its step, or back."""
    return FIRST_OPTION - number


def rounded(returns: list[float]) -> tuple[int, ...]:
    """Return the returns rounded to integers."""
    return tuple(round(value) for value in returns)
