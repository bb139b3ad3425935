"""The parameters of the tables of a vector environment."""

from dataclasses import dataclass
from pathlib import Path

from cardhub.base.errors import OptionError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.learning.adapters.utilities import GOAL, check_utility
from cardhub.learning.adapters.vector.seeding import PLAY, SEEDINGS
from cardhub.learning.arrays import Layout

# Rewards of a learner among rivals.
#
# `final`: 0 until the game is over, then its utility. `deltas`: after each decision of the learner
# the change of the utility that the present scores would give; the sum is the same.
FINAL, DELTAS = REWARDS = ("final", "deltas")


@dataclass(frozen=True, slots=True)
class TableSpec:
    """The parameters that all tables share; worker processes receive a copy."""

    layout: Layout
    returns: str = GOAL
    """The kind of utilities; see `cardhub.learning.adapters.utilities`."""
    max_actions: int | None = None
    """After this number of actions of all seats a game is truncated."""
    rivals: tuple[str, ...] = ()
    """The bots at the other seats, clockwise from the learner; if empty, all seats learn.

    If their number differs from the number of other seats, they rotate from game to game.
    """
    seat: int | None = None
    """The learner's seat among rivals, or None for the next seat in every game."""
    rewards: str = FINAL
    """When the learner among rivals gets rewards."""
    illegal_reward: float | None = None
    """With rivals: an illegal action ends the game with this sum of rewards; None: it raises."""
    final_observations: bool = False
    """Whether `BatchArrays.final_observations` is filled."""
    true_states: bool = False
    """Whether `BatchArrays.true_states` is filled."""
    seeding: str = PLAY
    """How the games of vector environments are dealt; see `seeding.py`."""
    directories: tuple[Path, ...] | None = None
    """The directories with the plugins of the rivals; by default the usual ones."""

    def learner(self, turn: int) -> int | None:
        """Return the learner's seat in the game with this number, or None without rivals."""
        if not self.rivals:
            return None
        return turn % self.layout.seats if self.seat is None else self.seat

    def rivals_by_seat(self, turn: int) -> dict[int, str]:
        """Return the rivals in the game with this number."""
        learner, seats = self.learner(turn), self.layout.seats
        if learner is None:
            return {}
        # Rivals change after the learner has had every seat, so it meets each of them at each seat.
        turn = turn // seats if self.seat is None else turn
        first = turn * (seats - 1)
        return {
            (learner + place) % seats: self.rivals[(first + place - 1) % len(self.rivals)]
            for place in range(1, seats)
        }


def check_seeding(seeding: str) -> None:
    """Raise OptionError for an unknown way to deal games."""
    if seeding not in SEEDINGS:
        hint = did_you_mean(seeding, SEEDINGS)
        raise OptionError(f"seeding cannot be {seeding!r}: {' or '.join(SEEDINGS)}.{hint}")


def check_spec(spec: TableSpec) -> None:
    """Raise OptionError for invalid parameters or an invalid combination."""
    seats = spec.layout.seats
    check_utility(spec.returns)
    if spec.max_actions is not None and spec.max_actions < 1:
        raise OptionError(f"max_actions cannot be {spec.max_actions}: it is None or at least 1")
    if spec.seat is not None and not (spec.rivals and 0 <= spec.seat < seats):
        raise OptionError(f"seat cannot be {spec.seat}: with rivals it is from 0 to {seats - 1}")
    if spec.rewards not in REWARDS:
        hint = did_you_mean(spec.rewards, REWARDS)
        raise OptionError(f"rewards cannot be {spec.rewards!r}: {' or '.join(REWARDS)}.{hint}")
    if not spec.rivals and (spec.rewards != FINAL or spec.illegal_reward is not None):
        raise OptionError("rewards and illegal_reward need a learner. fix: name rivals")
    if spec.rivals and seats == 1:
        raise OptionError(
            "rivals need seats: this game has one player. fix: set players to 2 or more"
        )
