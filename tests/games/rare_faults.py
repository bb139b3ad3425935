"""Games with faults that uniformly random games hardly ever reach."""

from collections.abc import Mapping
from time import sleep
from typing import ClassVar

from tests.games.magpie import Magpie
from tests.games.magpie import Table as Nest
from tests.games.pockets import Pockets, Table, box

from cardhub import CHANCE, Number, Option, Seats


class Noted(Table):
    """A position with the verb of the action before, and of the one before that."""

    verbs: tuple[str, ...]


class Noting(Pockets):
    """A long game with a few rare actions among many, which notes the last verbs."""

    name, title, seats = "noting", "Noting", Seats(2)
    state_type = Noted
    options: ClassVar[Mapping[str, Option]] = {"steps": Number(60, "How many actions.", 60, 60)}
    dealt = 2
    cards = box(*(f"R{n}" for n in range(3) for _ in range(4)))

    def apply(self, state: Table, action: int) -> None:
        """Note the verb."""
        assert isinstance(state, Noted)
        super().apply(state, action)
        state.verbs = (*state.verbs, self.actions.verb_and_index[action][0])[-3:]


class CrashesRarely(Noting):
    """Crashes if the stack is looked at right before and right after all is gathered."""

    def apply(self, state: Table, action: int) -> None:
        """Divide by zero then."""
        super().apply(state, action)
        assert isinstance(state, Noted)
        if state.verbs == ("peek", "gather", "peek"):
            state.steps //= len(state.discard)


class DeniesRarely(Noting):
    """Denies too much if a number is denied right after all is gathered and looked at."""

    def possible(self, state: Table, token: int) -> int:
        """Exclude all faces but one then."""
        assert isinstance(state, Noted)
        is_rare = state.verbs == ("gather", "peek", "deny0")
        return super().possible(state, token) & (0b010 if is_rare else -1)


class Waits(Magpie):
    """Has rules that do not return in the second turn."""

    method: ClassVar[str] = ""

    def _wait(self, method: str, state: Nest) -> None:
        while self.method == method and state.player:
            sleep(0.01)


class WaitsInLegal(Waits):
    """Does not return from `legal`."""

    method = "legal"

    def legal(self, state: Nest) -> list[int]:
        """Wait for the turn to end."""
        self._wait("legal", state)
        return super().legal(state)


class WaitsInApply(Waits):
    """Does not return from `apply`."""

    method = "apply"

    def apply(self, state: Nest, action: int) -> None:
        """Wait for the turn to end."""
        self._wait("apply", state)
        super().apply(state, action)


class WaitsInScores(Waits):
    """Does not return from `scores`."""

    method = "scores"

    def scores(self, state: Nest) -> list[int]:
        """Wait for the turn to end."""
        self._wait("scores", state)
        return super().scores(state)


class WaitsInDeal(Waits):
    """Does not return from `deal`."""

    def deal(self, state: Nest) -> None:
        """Wait for a card in a zone that is never filled."""
        while not state.nest[0]:
            sleep(0.01)


class RollsAgain(Magpie):
    """Has a die that is rolled for ever."""

    def apply(self, state: Nest, action: int) -> None:
        """Roll again in the second turn."""
        super().apply(state, action)
        if state.player == 1 and state.phase:
            state.seat, state.phase, state.fetches, state.debts = CHANCE, 0, 0, 0
