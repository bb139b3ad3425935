"""Find the draws and hidden actions of a card game that a player observes."""

from collections.abc import Iterator, Sequence
from typing import Any

from cardhub_openspiel.imported.laid.hidden_actions import partial
from cardhub_openspiel.imported.original import History, Original, odds


def sees_draw(original: Original, history: History, unseen: Sequence[int], player: int) -> bool:
    """Return whether a player observes the last step of a history, a draw from the deck.

    `unseen`: the indices of earlier draws that the player has not seen. The last card of a deck has
    no alternative, so it is exchanged with one of them.
    """
    before = original.at(history[:-1])
    outcomes = [o for o in before.legal_actions() if not is_put_back(before, o)]
    if len(outcomes) > 1:
        first, last = (original.knowledge(before.child(outcomes[n]), player) for n in (0, -1))
        return first != last
    for index in unseen:
        alternative = exchanged(history, index, len(history) - 1)
        if original.is_possible(alternative):
            other_view = original.knowledge(original.at(alternative), player)
            return other_view != original.knowledge(original.at(history), player)
    return True


def is_public_chance(original: Original, state: Any) -> bool:
    """Return whether all players can infer the outcome of a chance node.

    True if the outcome is announced immediately, or decides who receives the next card (for example
    the dealer).
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
    """Return whether a drawn card goes back into the deck, and another card is drawn."""
    if len(state.legal_actions()) < 2:
        return False  # a single card would be drawn forever
    after = state.child(outcome)
    return bool(after.is_chance_node()) and after.legal_actions() == state.legal_actions()


def refuse_unseen(original: Original, state: Any) -> None:
    """Raise PluginError unless all players can infer the outcome of a chance node."""
    if not is_public_chance(original, state):
        original.refuse_unseen(state)


def _sign(original: Original, state: Any) -> tuple[bool | int, ...]:
    """Return who sees the next card, and who is the first player to act."""
    sees_card = [original.is_seen(state, player) for player in range(original.players)]
    while state.is_chance_node():
        outcomes = state.legal_actions()
        drawn = (outcome for outcome in outcomes if not is_put_back(state, outcome))
        state = state.child(next(drawn, outcomes[0]))
    return (*sees_card, int(state.current_player()))


def exchanged(history: History, first: int, second: int) -> History:
    """Return a history with two steps exchanged."""
    steps = list(history)
    steps[first], steps[second] = steps[second], steps[first]
    return tuple(steps)


def find_news(
    original: Original, history: History, draws: Sequence[int], laid: Sequence[int], player: int
) -> set[int]:
    """Return the indices of the draws and hidden actions that a player knows at this point.

    `draws` and `laid`: the indices of the draws and of the hidden actions that it has not seen.
    Raises PluginError if the player can distinguish an action only from a part of the others.
    """
    return {
        *_known_draws(original, history, draws, player),
        *(index for index in laid if _is_known_action(original, history, index, player)),
    }


def _known_draws(
    original: Original, history: History, draws: Sequence[int], player: int
) -> Iterator[int]:
    # Draws form a class if an exchange makes no difference to the player, for example the cards in
    # its hand, or all other cards. The player does not know the cards of a class if an undrawn card
    # could be in it; if all cards are drawn, it does not know the cards of the greatest class.
    view, alike = original.knowledge(original.at(history), player), list[list[int]]()
    waiting, compared = list(draws), True
    while compared:
        compared = False
        for index in waiting[:]:
            differs = [_differs(original, history, index, group, player, view) for group in alike]
            if False in differs:
                alike[differs.index(False)].append(index)
            elif True in differs or not alike:
                alike.append([index])
            else:
                continue  # public actions determine its card, for example a passed card
            waiting.remove(index)
            compared = True
    groups = sorted(alike, key=len)
    spare = _spare_card(original, history, max(draws, default=-1))
    if spare is None:
        groups = groups[:-1]
    for group in groups:
        alternative = (*history[: group[0]], spare or 0, *history[group[0] + 1 :])
        if spare is None or _looks_different(original, alternative, player, view):
            yield from group


def _spare_card(original: Original, history: History, last: int) -> int | None:
    """Return an undrawn card, or None if all are drawn; `last`: the index of the last draw."""
    outcomes = original.at(history[:last]).legal_actions() if last >= 0 else []
    return next((int(outcome) for outcome in outcomes if outcome not in history), None)


def _looks_different(original: Original, history: History, player: int, view: str) -> bool:
    """Return whether a history is possible and looks different from `view` to a player."""
    return (
        original.is_possible(history) and original.knowledge(original.at(history), player) != view
    )


def _differs(
    original: Original, history: History, index: int, group: list[int], player: int, view: str
) -> bool | None:
    """Return whether an exchange of a draw with one of a group looks different to a player.

    None if no exchange is possible.
    """
    exchanges = (exchanged(history, index, draw) for draw in group)
    possible = next((exchange for exchange in exchanges if original.is_possible(exchange)), None)
    return None if possible is None else original.knowledge(original.at(possible), player) != view


def _is_known_action(original: Original, history: History, index: int, player: int) -> bool:
    """Return whether a player knows a hidden action, for example a card passed to it."""
    view = original.knowledge(original.at(history), player)
    alternatives = (
        (*history[:index], action, *history[index + 1 :])
        for action in original.at(history[:index]).legal_actions()
        if action not in history[index:]
    )
    possible = [steps for steps in alternatives if original.is_possible(steps)]
    differs = {original.knowledge(original.at(steps), player) != view for steps in possible}
    if len(differs) > 1:
        raise partial(original, player)
    return True in differs
