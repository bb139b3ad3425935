"""The time that the bots of a pool get for one question."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QuestionBudgets:
    """Limits in seconds.

    A bot is hurried after `alone`, or sooner if other questions wait: so much sooner that each is
    answered about `turn` after it was asked, yet never before `least`. The worker of a bot that has
    been hurried is killed after `grace`, or after `drop_grace` if nobody waits for its answer.
    """

    alone: float = 5.0
    turn: float = 3.0
    least: float = 0.05
    grace: float = 5.0
    drop_grace: float = 2.0

    def of(self, pending: int, workers: int) -> float:
        """Return the time for a question; `pending` counts all that are not answered."""
        if pending <= workers:
            return self.alone
        return min(self.alone, max(self.turn * workers / pending, self.least))
