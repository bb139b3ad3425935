"""Which draws and hidden actions of a card game a player observes."""

from collections.abc import Iterator, Sequence
from typing import Any

from cardhub.learning.adapters.openspiel_games.laid.hidden_actions import partial
from cardhub.learning.adapters.openspiel_games.original import History, Original, odds


def sees_draw(original: Original, history: History, unseen: Sequence[int], player: int) -> bool:
    """Return whether a player observes the last step of a history, a draw from the deck.

    `unseen` are the indices of earlier draws that the player has not seen. The last card of a deck
    has no alternative: it is exchanged with one of those.
    """
    before = original.at(history[:-1])
    outcomes = [each for each in before.legal_actions() if not is_put_back(before, each)]
    if len(outcomes) > 1:
        first, last = (original.knowledge(before.child(outcomes[n]), player) for n in (0, -1))
        return first != last
    for index in unseen:
        other = exchanged(history, index, len(history) - 1)
        if original.is_possible(other):
            state = original.at(other)
            now = original.at(history)
            return original.knowledge(state, player) != original.knowledge(now, player)
    return True


def is_public_chance(original: Original, state: Any) -> bool:
    """Return whether all players know the outcome of a chance node from what they see next.

    They are told it at once, or who gets the next card depends on it, as on the dealer.
    """
    if original.is_public(state):
        return True
    met = set[tuple[bool | int, ...]]()
    for outcome in odds(state):
        sign = _sign(original, state.child(outcome))
        if sign in met:
            return False
        met.add(sign)
    return True


def is_put_back(state: Any, outcome: int) -> bool:
    """Return whether a card that is drawn goes back into the deck, and another one is drawn."""
    if len(state.legal_actions()) < 2:
        return False  # it would be drawn for ever; and the last card of a deal can take long
    after = state.child(outcome)
    return bool(after.is_chance_node()) and after.legal_actions() == state.legal_actions()


def refuse_unseen(original: Original, state: Any) -> None:
    """Raise PluginError unless all players know the outcome of a chance node from what they see."""
    if not is_public_chance(original, state):
        original.refuse_unseen(state)


def _sign(original: Original, state: Any) -> tuple[bool | int, ...]:
    """Return who sees the next card, and who is the first player to act."""
    seen = [original.is_seen(state, player) for player in range(original.players)]
    while state.is_chance_node():
        outcomes = state.legal_actions()
        kept = (each for each in outcomes if not is_put_back(state, each))
        state = state.child(next(kept, outcomes[0]))
    return (*seen, int(state.current_player()))


def exchanged(history: History, first: int, second: int) -> History:
    """Return a history with two steps exchanged."""
    other = list(history)
    other[first], other[second] = other[second], other[first]
    return tuple(other)


def told_of(
    original: Original, history: History, draws: Sequence[int], laid: Sequence[int], player: int
) -> set[int]:
    """Return the indices of the draws and hidden actions of which a player knows now.

    Both are given by the indices of those that it has not seen. Raises PluginError if the player
    can tell an action from some others only.
    """
    return {
        *_told_draws(original, history, draws, player),
        *(index for index in laid if _is_told(original, history, index, player)),
    }


def _told_draws(
    original: Original, history: History, draws: Sequence[int], player: int
) -> Iterator[int]:
    # Draws that can be exchanged without a difference are alike to the player, such as those of its
    # hand, or those of all others. The player knows nothing of a class if a card that was not drawn
    # could be in it; if all cards were drawn, of the greatest one.
    now, alike = original.knowledge(original.at(history), player), list[list[int]]()
    waiting, compared = list(draws), True
    while compared:
        compared = False
        for index in waiting[:]:
            differs = [_differs(original, history, index, group, player, now) for group in alike]
            if False in differs:
                alike[differs.index(False)].append(index)
            elif True in differs or not alike:
                alike.append([index])
            else:
                continue  # public actions fix its card, such as one that was passed
            waiting.remove(index)
            compared = True
    groups = sorted(alike, key=len)
    spare = _spare_card(original, history, max(draws, default=-1))
    if spare is None:
        groups = groups[:-1]
    for group in groups:
        other = (*history[: group[0]], spare or 0, *history[group[0] + 1 :])
        if spare is None or _is_seen_instead(original, other, player, now):
            yield from group


def _spare_card(original: Original, history: History, last: int) -> int | None:
    """Return a card that was not drawn, given the index of the last draw; None if all were."""
    outcomes = original.at(history[:last]).legal_actions() if last >= 0 else []
    return next((int(outcome) for outcome in outcomes if outcome not in history), None)


def _is_seen_instead(original: Original, other: History, player: int, now: str) -> bool:
    """Return whether a possible history looks different to a player."""
    return original.is_possible(other) and original.knowledge(original.at(other), player) != now


def _differs(
    original: Original, history: History, index: int, group: list[int], player: int, now: str
) -> bool | None:
    """Return whether a player sees a draw exchanged with one of others; None: impossible."""
    others = (exchanged(history, index, other) for other in group)
    found = next((each for each in others if original.is_possible(each)), None)
    return None if found is None else original.knowledge(original.at(found), player) != now


def _is_told(original: Original, history: History, index: int, player: int) -> bool:
    """Return whether a player observes a hidden action now, such as a card passed to it."""
    now = original.knowledge(original.at(history), player)
    others = (
        (*history[:index], action, *history[index + 1 :])
        for action in original.at(history[:index]).legal_actions()
        if action not in history[index:]
    )
    possible = [other for other in others if original.is_possible(other)]
    differs = {original.knowledge(original.at(other), player) != now for other in possible}
    if len(differs) > 1:
        raise partial(original, player)
    return True in differs
