"""Magpies with a fault each in goal or teams."""

from tests.games.magpie import Magpie, Table

from cardhub import Goal, Settings


class SumsUp(Magpie):
    """Has one score for all seats, and does not say that it is a common cause."""

    def scores(self, state: Table) -> list[int]:
        """Return the sum of all scores for every seat."""
        return [sum(super().scores(state))] * state.seats


class CallsItDecided(Magpie):
    """Says that no difference of scores changes any more."""

    def score_swing(self, state: Table) -> int:
        """Return 0 from the beginning."""
        return 0


class SwingsInHalves(Magpie):
    """Says by a fraction how much scores can change."""

    def score_swing(self, state: Table) -> float:  # type: ignore[override]  # the fault
        """Return a fraction."""
        return 99.5


class KeepsAccounts(Magpie):
    """A common cause with a separate score for each seat."""

    goal = Goal.COMMON


class ForgetsPartners(Magpie):
    """Makes one team of all seats, which have different scores."""

    def teams(self, settings: Settings, seats: int) -> list[int]:
        """Return the same team for every seat."""
        return [1] * seats


class LeavesOutASeat(Magpie):
    """Has one team too few."""

    def teams(self, settings: Settings, seats: int) -> range:
        """Return no team for the last seat."""
        return range(seats - 1)


class CountsTheNameless(Magpie):
    """Has a unit without a name."""

    unit = " "


class WinsInWords(Magpie):
    """Has the name of a goal instead of the goal."""

    goal = "win"  # type: ignore[assignment]  # the fault


class AimsAlone(Magpie):
    """Has a target, but no common score."""

    def target(self, settings: Settings, seats: int) -> int:
        """Return a score at which all would have won."""
        return 9


class CountsInNothing(Magpie):
    """Has units that no score makes."""

    def unit_size(self, settings: Settings) -> int:
        """Return the size of a unit."""
        return 0
