"""Choices at the same time: a table keeps them until all seats that were asked have chosen."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cardhub.play.referee import Referee, check_action, chooses_at_once, seats_to_act


class KeptChoices:
    """The choices of the present round, which the referee gets in the order of seats once complete.

    They are in no record and in no observation: after a restart the round begins again. `count`:
    the changes since the round began that all viewers see: a person has chosen, or withdraws a
    choice. Others see neither when a bot chooses nor that a person chooses again.
    """

    def __init__(self, referee: Referee[Any]) -> None:
        self._referee = referee
        self._actions: dict[int, int] = {}
        self._own_changes: Counter[int] = Counter()
        self.count = 0

    @property
    def is_round(self) -> bool:
        """Whether seats are choosing at the same time."""
        return chooses_at_once(self._referee)

    @property
    def asked(self) -> Sequence[int]:
        """The seats to act, with those that have chosen."""
        return seats_to_act(self._referee)

    @property
    def missing(self) -> Sequence[int]:
        """The seats to act, without those that have chosen."""
        asked = seats_to_act(self._referee)
        return [seat for seat in asked if seat not in self._actions] if self._actions else asked

    def of(self, seat: int) -> int | None:
        """Return the choice of a seat, None before it has chosen."""
        return self._actions.get(seat)

    def keep(self, seat: int, action: object) -> None:
        """Keep the choice of a seat instead of an earlier one; raises IllegalActionError."""
        number = check_action(self._referee, seat, action)
        if seat in self._actions:
            self._own_changes[seat] += 1
        elif self._referee.players[seat].is_human:
            self.count += 1
        self._actions[seat] = number

    def withdraw(self, seat: int) -> bool:
        """Withdraw the choice of a seat; return whether it had chosen."""
        if seat not in self._actions:
            return False
        del self._actions[seat]
        self.count += 1
        return True

    def can_undo(self, seat: int) -> bool:
        """Return whether a seat can take back its choice, or its last action before the round."""
        if seat in self._actions:
            return True
        players = self._referee.players
        has_others = any(players[other].is_human for other in self._actions)
        return not has_others and self._referee.can_undo(seat)

    def own_changes(self, seat: int) -> int:
        """Return the number of changes since the round began that only a seat sees."""
        return self._own_changes[seat]

    def end(self) -> Mapping[int, int]:
        """End the round; return the choices in the order of seats."""
        actions = dict(sorted(self._actions.items()))
        self._actions.clear()
        return actions

    def restart_count(self) -> int:
        """Count the changes again; return the largest number of changes that one seat has seen."""
        most = max(self._own_changes.values(), default=0)
        self._own_changes.clear()
        self.count = 0
        return most
