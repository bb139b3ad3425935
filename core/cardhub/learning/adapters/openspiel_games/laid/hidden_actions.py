"""Actions of an OpenSpiel game that other players do not observe at once, such as sealed bids.

At the table such an action is a card laid face down. Its face is shown to a player at the step at
which OpenSpiel tells the player.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from cardhub.base.errors import PluginError
from cardhub.learning.adapters.openspiel_games.original import History, Original

# A step of a history that a viewer does not know.
UNKNOWN = -1
# Maximum number of histories between which a player may be unable to distinguish.
MAX_HISTORIES = 5000
# Actions of one decision that are compared; some games have thousands.
MAX_COMPARED = 20


def is_hidden(original: Original, state: Any) -> bool:
    """Return whether some other player does not observe the action of the player to act.

    An action without an alternative is not hidden, nor one that ends the game, as everything is
    turned up then. Raises PluginError if a player observes a part of the action.
    """
    actions = state.legal_actions()
    if original.is_open or len(actions) < 2:
        return False
    compared = actions[:: 1 + len(actions) // MAX_COMPARED]
    children = [c for c in map(state.child, compared) if not c.is_terminal()]
    others = (player for player in range(original.players) if player != state.current_player())
    return not all(_observes(original, children, player) for player in others)


def _observes(original: Original, children: Sequence[Any], player: int) -> bool:
    # Of a single child, too, it is true that it differs from all others.
    distinct = len({original.knowledge(child, player) for child in children})
    if 1 < distinct < len(children):
        distinct = len({original.told(child, player) for child in children})
    if 1 < distinct < len(children):
        raise partial(original, player)
    return distinct == len(children)


def partial(original: Original, player: int) -> PluginError:
    """Return the error for a player who learns something about an action, but not which it is."""
    return PluginError(
        f"{original.text} cannot be played here: player {player} learns a part of a hidden action, "
        "and here the card of an action is either seen or unseen"
    )


def histories(original: Original, steps: Sequence[int]) -> Iterator[History]:
    """Yield the possible histories that agree with the known steps, the lowest actions first."""
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


def learned(original: Original, history: History, unknown: Sequence[int], player: int) -> list[int]:
    """Return the indices in the history, out of the unknown ones, of which a player now knows.

    Compares all histories that the player could not distinguish before. The indices must not
    depend on the hidden actions, as all players are told them: PluginError otherwise.
    """
    if not unknown:
        return []
    steps = [UNKNOWN if n in unknown else step for n, step in enumerate(history)]
    groups: dict[str, list[History]] = defaultdict(list)
    for number, other in enumerate(islice(histories(original, steps), MAX_HISTORIES + 1)):
        if number == MAX_HISTORIES:
            raise PluginError(
                f"{original.text} cannot be played here: more than {MAX_HISTORIES} combinations "
                "of hidden actions are possible at once"
            )
        groups[original.knowledge(original.at(other), player)].append(other)
    known = {_constant(group, unknown) for group in groups.values()}
    found = min(known)
    values = {tuple(h[n] for n in found) for group in groups.values() for h in group}
    if len(known) > 1 or len(values) != len(groups):
        raise partial(original, player)
    return list(found)


def _constant(group: Sequence[History], unknown: Sequence[int]) -> tuple[int, ...]:
    return tuple(n for n in unknown if len({history[n] for history in group}) == 1)
