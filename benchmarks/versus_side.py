"""One side of `versus.py`: asks a bot of the checkout whose Python runs this program.

Both sides follow the same game, by its seed and all actions, and a bot gets the observation of its
seat only. The clock of a search is the CPU time of this process. A line of JSON from stdin begins a
game, applies an action or asks a seat; this program imports only names of long standing.
"""

import json
import sys
from random import Random
from time import process_time
from typing import Any

import cardhub.bots.search.search_bot  # noqa: F401  # loads the clock as well
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins

# The modules that have read the clock for searches, the present one first.
CLOCKS = ("cardhub.bots.search.search_budget", "cardhub.bots.search.search_bot")


class Side:
    """The present game and the bots of this side."""

    def __init__(self) -> None:
        self._registry = find_plugins()
        self._referee: Any = None
        self._bots: dict[int, Any] = {}

    def game(self, name: str, seats: int, seed: int, spec: str, own: list[int]) -> dict[str, Any]:
        """Begin a game in which this side has some seats."""
        players = [Player(f"seat {number}", "bot") for number in range(seats)]
        self._referee = set_up(self._registry.game(name), players, {}, seed)
        self._referee.proceed()
        self._bots = {
            seat: self._registry.make_bot(spec, name, Random(f"{seed} {seat}")) for seat in own
        }
        return {}

    def apply(self, action: int) -> dict[str, Any]:
        """Apply an action of any seat."""
        self._referee.apply(action)
        self._referee.proceed()
        return {}

    def ask(self, seat: int) -> dict[str, Any]:
        """Return the choice of a seat and its CPU time."""
        observation = self._referee.observe(seat)
        started = process_time()
        action = self._bots[seat].choose(observation)
        return {"action": action, "seconds": process_time() - started}

    def scores(self) -> dict[str, Any]:
        """Return the scores, by which the sides are compared."""
        return {"scores": self._referee.scores()}


def use_cpu_time() -> None:
    """Have searches measure the CPU time of this process.

    Other programs on the machine would take wall time from one side or the other.
    """
    modules = [module for name in CLOCKS if (module := sys.modules.get(name))]
    for module in modules:
        if hasattr(module, "monotonic"):
            module.monotonic = process_time  # type: ignore[attr-defined]  # an import of it
            return
    raise SystemExit("where does search read the clock? fix: name that module in CLOCKS")


def main() -> None:
    """Answer lines until stdin ends."""
    use_cpu_time()
    side = Side()
    for line in sys.stdin:
        name, arguments = json.loads(line)
        print(json.dumps(getattr(side, name)(**arguments)), flush=True)


if __name__ == "__main__":
    main()
