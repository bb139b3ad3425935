"""Legal amounts as ranges, so that a table shows one choice instead of a list of hundreds."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.actions import BLANK_AMOUNT, Amount
from cardhub.view.view import AmountRange, ChoiceView

# Fewer amounts are choices of their own.
LEAST = 4
MOST_SHORTCUTS = 6


class Run(NamedTuple):
    """Legal actions of one group whose amounts have equal steps."""

    group: Amount
    actions: Sequence[int]


def find_runs(game: Game[Any], legal: Sequence[int]) -> list[Run]:
    """Return the runs of at least LEAST amounts with equal steps."""
    runs = []
    for group in game.actions.groups:
        if isinstance(group, Amount):
            actions = sorted(action for action in legal if action in group)
            runs += [Run(group, run) for run in _split(actions) if len(run) >= LEAST]
    return runs


def build_range(observation: Observation[Any], run: Run, *, can_undo: bool) -> AmountRange:
    """Return the range of a run, with the shortcuts and the costly amounts of the game's display.

    `can_undo`: the actions of the run can be undone, so none of them is costly.
    """
    group, actions = run
    low, high = group.amount(actions[0]), group.amount(actions[-1])
    stride = actions[1] - actions[0]
    amounts = range(low, high + 1, stride * group.amounts.step)
    display = observation.game.display
    shortcuts = display.shortcuts(observation.state, group.verb)
    costly_from = None if can_undo else _least_costly(observation, run)
    legal = [(str(name), int(number)) for name, number in shortcuts.items() if number in amounts]
    return AmountRange(
        low=low,
        high=high,
        text=group.label_of(BLANK_AMOUNT),
        step=amounts.step,
        stride=stride,
        shortcuts=tuple(legal[:MOST_SHORTCUTS]),
        costly_from=costly_from,
    )


def _least_costly(observation: Observation[Any], run: Run) -> int | None:
    """Return the least amount that needs confirmation, or None."""
    display, state = observation.game.display, observation.state
    costly = takewhile(lambda action: display.is_costly(state, action), reversed(run.actions))
    return min((run.group.amount(action) for action in costly), default=None)


def describe_amounts(choice: ChoiceView) -> str:
    """Return a choice with its shortcuts: `raise to 4–100 (pot 12, all-in 100)`."""
    shortcuts = choice.amounts.shortcuts if choice.amounts else ()
    if not shortcuts:
        return choice.name
    return f"{choice.name} ({', '.join(f'{name} {number}' for name, number in shortcuts)})"


def _split(actions: Sequence[int]) -> list[list[int]]:
    """Return ascending actions as runs of equal steps."""
    runs: list[list[int]] = []
    for action in actions:
        run = runs[-1] if runs else None
        if run and (len(run) == 1 or action - run[-1] == run[1] - run[0]):
            run.append(action)
        else:
            runs.append([action])
    return runs
