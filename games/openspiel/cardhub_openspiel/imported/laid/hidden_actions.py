"""Actions of an OpenSpiel game that others do not observe immediately, for example sealed bids.

At the table the action is a card laid face down. A player sees its face at the step at which
OpenSpiel shows the action to this player.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from cardhub import PluginError
from cardhub_openspiel.imported.original import History, Original

# A step of a history that a viewer does not know.
UNKNOWN = -1
# The maximum number of histories that a player may be unable to distinguish.
MAX_HISTORIES = 5000
# The number of actions of a decision that are compared, because decisions may have thousands.
MAX_COMPARED = 20


def is_hidden(original: Original, state: Any) -> bool:
    """Return whether another player does not observe the action of the player to act.

    Actions without an alternative are not hidden, and neither are actions that end the game,
    because all cards are turned up then. Raises PluginError if a player observes a part of the
    action.
    """
    actions = state.legal_actions()
    if original.is_open or len(actions) < 2:
        return False
    compared = actions[:: 1 + len(actions) // MAX_COMPARED]
    children = [c for c in map(state.child, compared) if not c.is_terminal()]
    other_players = (
        player for player in range(original.players) if player != state.current_player()
    )
    return not all(_observes(original, children, player) for player in other_players)


def _observes(original: Original, children: Sequence[Any], player: int) -> bool:
    # A single child counts as distinct.
    distinct = len({original.knowledge(child, player) for child in children})
    if 1 < distinct < len(children):
        distinct = len({original.shown_to(child, player) for child in children})
    if 1 < distinct < len(children):
        raise partial(original, player)
    return distinct == len(children)


def partial(original: Original, player: int) -> PluginError:
    """Return the error for a player who learns a part of a hidden action."""
    return PluginError(
        f"{original.text} cannot be played here: player {player} learns a part of a hidden action, "
        "but in cardhub the card of an action is either seen or unseen"
    )


def histories(original: Original, steps: Sequence[int]) -> Iterator[History]:
    """Yield the possible histories with these steps; unknown actions are the lowest ones first."""
    for number, step in enumerate(steps):
        if step == UNKNOWN:
            yield from _branches(original, steps, number)
            return
    history = tuple(steps)
    if original.is_possible(history):
        yield history


def _branches(original: Original, steps: Sequence[int], number: int) -> Iterator[History]:
    start = tuple(steps[:number])
    if original.is_possible(start):
        for action in original.at(start).legal_actions():
            yield from histories(original, [*start, action, *steps[number + 1 :]])


def newly_observed(
    original: Original, history: History, unknown: Sequence[int], player: int
) -> list[int]:
    """Return which of the `unknown` indices in the history a player knows at this point.

    All histories are compared that the player could not distinguish before. Raises PluginError if
    the indices depend on the hidden actions, because the indices are public.
    """
    if not unknown:
        return []
    steps = [UNKNOWN if n in unknown else step for n, step in enumerate(history)]
    groups: dict[str, list[History]] = defaultdict(list)
    for number, possible in enumerate(islice(histories(original, steps), MAX_HISTORIES + 1)):
        if number == MAX_HISTORIES:
            raise PluginError(
                f"{original.text} cannot be played here: more than {MAX_HISTORIES} combinations "
                "of hidden actions are possible at once"
            )
        groups[original.knowledge(original.at(possible), player)].append(possible)
    constants = {_constant(group, unknown) for group in groups.values()}
    indices = min(constants)
    values = {tuple(h[n] for n in indices) for group in groups.values() for h in group}
    if len(constants) > 1 or len(values) != len(groups):
        raise partial(original, player)
    return list(indices)


def _constant(group: Sequence[History], unknown: Sequence[int]) -> tuple[int, ...]:
    return tuple(n for n in unknown if len({history[n] for history in group}) == 1)
