"""How fast a training learns: its step size and its entropy, which shrink, at the end quickly."""

from math import sqrt
from typing import NamedTuple

# At the end of a training's last part, the step size and the entropy are these shares of what they
# would be.
LAST_STEP, LAST_ENTROPY = 0.05, 0.2
# At the end of an imitation the step size is this share of what it was at first.
LAST_IMITATION = 0.1


class Schedule(NamedTuple):
    """The weights of a training's losses, for gains whose typical size is 1.

    `step`: the step size at first. `entropy`: the weight at first of the entropy, which keeps all
    actions in play. `pull`: the weight of the divergence from a slow copy of the policy, which
    keeps the policy from running in circles around an equilibrium. `pace`: after this number of
    updates the step size is one half, and the entropy 0.7 of what they were at first. `memory`:
    the share of the updates, up to the last one, over which the player is an average. `last_part`:
    the share of the training, up to its end, in which step size and entropy shrink faster.
    `readings`: how many times an imitation reads a decision of its teacher. `head_start`: after an
    imitation, self-play begins as if it were after this number of updates.
    """

    step: float
    entropy: float
    pull: float
    pace: int
    memory: float
    last_part: float
    readings: int
    head_start: int

    def step_size(self, updates: int, share_done: float = 0.0) -> float:
        """Return the step size after some updates; `share_done`: the share of the training."""
        return self.step / (1 + updates / self.pace) * self._final(share_done, LAST_STEP)

    def entropy_weight(self, updates: int, share_done: float = 0.0) -> float:
        """Return the weight of the entropy after some updates.

        It shrinks more slowly than the step size: near an equilibrium, steps that are large for the
        entropy lead away from it.
        """
        return self.entropy / sqrt(1 + updates / self.pace) * self._final(share_done, LAST_ENTROPY)

    def imitation_step(self, share_done: float) -> float:
        """Return the step size of an imitation, which falls in its second half.

        A last part of small steps evens out what the latest decisions have changed.
        """
        return self.step * max(LAST_IMITATION, min(1.0, 2 * (1 - share_done)))

    def player_rate(self, updates: int) -> float:
        """Return the rate with which the player follows the policy after some updates."""
        return min(1.0, 1 / (self.memory * updates))

    def _final(self, share_done: float, last: float) -> float:
        """Return 1 before the last part of a training, and then less and less, down to `last`."""
        left = min(1.0, (1 - share_done) / self.last_part)
        return last + (1 - last) * left


# In a small game a perfect policy mixes its actions, and is approached by many small steps. In a
# large game one action is best in most positions, and much entropy would hide it for hours.
#
# The few positions of a small game can be read often, while a large game's decisions would be
# learned by heart; and much entropy would lead away from a mixed policy that was imitated.
MIXING = Schedule(
    step=7e-4,
    entropy=0.2,
    pull=0.1,
    pace=100,
    memory=0.5,
    last_part=0.12,
    readings=24,
    head_start=600,
)
# A long last part: large steps find out what matters, and small ones use it.
SHARP = Schedule(
    step=1e-3,
    entropy=0.04,
    pull=0.02,
    pace=1000,
    memory=0.1,
    last_part=0.4,
    readings=6,
    head_start=0,
)
