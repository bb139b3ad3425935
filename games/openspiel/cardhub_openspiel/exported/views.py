"""Tree nodes as strings, as one viewer observes them."""

from collections.abc import Sequence
from typing import Any

from cardhub import EVERYTHING
from cardhub.bots.solving.game_tree import TreeNode
from cardhub.model.game.game import S
from cardhub.model.hidden.information_text import card_texts, information_text, public_names
from cardhub.model.hidden.observation import known_history, observed_state, public_state
from cardhub.model.table.state import declared_names


def information_state(node: TreeNode[Any], viewer: int) -> str:
    """Return the information state of a viewer (perfect recall) as a string.

    Equal strings mean the same information set. `viewer`: a seat, the number of seats for public
    information, or EVERYTHING.
    """
    if not node.is_dealt:
        return _opening(node, viewer)
    game, state = node.tree.game, viewed_state(node, viewer)
    history = known_history(game, node.history, node.state, viewer)
    return information_text(game, state, _viewer_name(viewer), history)


def observation(node: TreeNode[Any], viewer: int) -> str:
    """Return the present observation of a viewer as a string."""
    if not node.is_dealt:
        return _opening(node, viewer)
    state = viewed_state(node, viewer)
    cards = card_texts(node.tree.game, state)
    parts = [_viewer_name(viewer)]
    for zone in state.zones:
        piles = (" ".join(cards[token] for token in pile) for pile in zone.piles(state))
        parts.append(f"{zone.name} " + " / ".join(piles))
    for name in declared_names(state):
        parts.append(f"{name} {getattr(state, name)}")
    parts.append(f"seat {state.seat} phase {state.phase}")
    return " | ".join(parts)


def viewed_state(node: TreeNode[S], viewer: int) -> S:
    """Return a copy of a node's state in which faces that a viewer has not seen are masked."""
    # A spectator may see more than OpenSpiel's public information: hands hidden from their owners.
    is_public = viewer == node.tree.seats
    return public_state(node.state) if is_public else observed_state(node.state, viewer)


def private_observation(node: TreeNode[Any], viewer: int) -> str:
    """Return the cards that a seat sees and another seat does not see."""
    if not node.is_dealt:
        return ""
    state, shared = observed_state(node.state, viewer), public_state(node.state)
    names = zip(card_texts(node.tree.game, state), card_texts(node.tree.game, shared), strict=True)
    return " ".join(f"#{t}={name}" for t, (name, public) in enumerate(names) if name != public)


def label(node: TreeNode[Any], viewer: int, action: int, others: Sequence[int] = ()) -> str:
    """Return the label of an action for a viewer; it differs from the labels of the `others`."""
    if not node.is_dealt:
        return public_label(node, action)
    game, state = node.tree.game, viewed_state(node, viewer)
    cards = card_texts(node.tree.game, state)

    def text(action: int) -> str:
        return game.actions.text(action, cards.__getitem__)

    # Two unseen cards have the same label; their tokens distinguish their actions.
    has_twin = any(text(other) == text(action) for other in others)
    token = game.actions.token(action)
    return f"{text(action)}#{token}" if has_twin and token is not None else text(action)


def public_label(node: TreeNode[Any], action: int) -> str:
    """Return an action's label for all viewers, with cards named by their tokens."""
    return public_names(node.tree.game).actions[action]


def outcome(node: TreeNode[Any], step: int) -> str:
    """Return the label of an outcome of chance."""
    cards, due = node.tree.game.cards, node.due
    if due.kind == "face":
        return f"#{due.token} is {cards.faces[step].name}"
    if due.kind == "back":
        return f"#{due.token} has the back {cards.backs[step].name}"
    others = [other for other, _ in node.odds if other != step]
    return label(node, EVERYTHING, step, others)


def _viewer_name(viewer: int) -> str:
    return "all" if viewer == EVERYTHING else str(viewer)


def _opening(node: TreeNode[Any], viewer: int) -> str:
    backs = node.tree.game.cards.backs
    dealt = (backs[step].name for step in node.path())
    return " | ".join([_viewer_name(viewer), " ".join(dealt)])
