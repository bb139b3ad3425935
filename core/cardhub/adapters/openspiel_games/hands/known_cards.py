"""Which draws and hidden actions of a card game a player observes."""

from collections.abc import Sequence

from cardhub.adapters.openspiel_games.laid.hidden_actions import partial
from cardhub.adapters.openspiel_games.original import History, Original


def sees_draw(original: Original, history: History, unseen: Sequence[int], player: int) -> bool:
    """Return whether a player observes the last step of a history, a draw from the deck.

    `unseen` are the indices of earlier draws that the player has not seen. The last card of a deck
    has no alternative: it is exchanged with one of those.
    """
    before = original.at(history[:-1])
    if len(before.legal_actions()) > 1:
        return original.is_seen(before, player)
    for index in unseen:
        other = list(history)
        other[index], other[-1] = other[-1], other[index]
        if original.is_possible(tuple(other)):
            state = original.at(tuple(other))
            now = original.at(history)
            return original.knowledge(state, player) != original.knowledge(now, player)
    return True


def is_received(original: Original, history: History, index: int, player: int) -> bool:
    """Return whether a player observes a hidden action now, such as a card passed to it.

    Compares the history with those in which the action was another one. PluginError if the player
    can tell it from some of them only.
    """
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
