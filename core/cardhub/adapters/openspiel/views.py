"""Tree nodes as strings, as one viewer observes them."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from cardhub.adapters.openspiel.tree import TreeNode
from cardhub.cards import Cards
from cardhub.game.game import Game, S
from cardhub.hidden.observation import EVERYTHING, observed_state, public_state
from cardhub.table.faces import BLANK, Shuffle, blanked
from cardhub.table.state import State, declared_names


def information_state(node: TreeNode[Any], viewer: int) -> str:
    """Return the information state of a viewer (perfect recall) as a string.

    Equal strings are one information set. `viewer` is a seat, the number of seats for the public
    part, or EVERYTHING.
    """
    if not node.is_dealt:
        return _opening(node, viewer)
    state = viewed_state(node, viewer)
    parts = [_viewer_name(viewer), " ".join(_cards(node, state))]
    for shuffle in state.shuffle_log:
        parts.append("before a shuffle " + " ".join(_lay(node, shuffle)))
    # Answers tell about hidden faces, which the cards above do not show.
    if state.answers:
        parts.append("answers " + " ".join(["no", "yes"][answer] for answer in state.answers))
    parts.append(", ".join(_history_texts(node)))
    return " | ".join(parts)


def observation(node: TreeNode[Any], viewer: int) -> str:
    """Return the present observation of a viewer as a string."""
    if not node.is_dealt:
        return _opening(node, viewer)
    state = viewed_state(node, viewer)
    cards = _cards(node, state)
    parts = [_viewer_name(viewer)]
    for zone in state.zones:
        piles = (" ".join(cards[token] for token in pile) for pile in zone.piles(state))
        parts.append(f"{zone.name} " + " / ".join(piles))
    for name in declared_names(state):
        parts.append(f"{name} {getattr(state, name)}")
    parts.append(f"seat {state.seat} phase {state.phase}")
    return " | ".join(parts)


def viewed_state(node: TreeNode[S], viewer: int) -> S:
    """Return a copy of a node's state with the faces masked that a viewer has not seen."""
    # A spectator may see more than OpenSpiel's public information: hands hidden from their owners.
    is_public = viewer == node.tree.seats
    return public_state(node.state) if is_public else observed_state(node.state, viewer)


def private_observation(node: TreeNode[Any], viewer: int) -> str:
    """Return the cards that a seat sees, but not all seats."""
    if not node.is_dealt:
        return ""
    state, shared = observed_state(node.state, viewer), public_state(node.state)
    known = zip(_cards(node, state), _cards(node, shared), strict=True)
    own = (f"#{t}={name}" for t, (name, public) in enumerate(known) if name != public)
    return " ".join(own)


def label(node: TreeNode[Any], viewer: int, action: int) -> str:
    """Return the label of an action for a viewer; labels of legal actions are distinct."""
    if not node.is_dealt:
        return public_label(node, action)
    game, state = node.tree.game, viewed_state(node, viewer)
    cards = _cards(node, state)

    def text(action: int) -> str:
        return game.actions.text(action, cards.__getitem__)

    # Two unseen cards have the same label: their tokens tell their actions apart.
    twins = [a for a, _ in node.odds if a != action and text(a) == text(action)]
    token = game.actions.token(action)
    return f"{text(action)}#{token}" if twins and token is not None else text(action)


def public_label(node: TreeNode[Any], action: int) -> str:
    """Return the label of an action with cards named by their tokens, equal for all viewers."""
    return _words(node.tree.game).actions[action]


def outcome(node: TreeNode[Any], step: int) -> str:
    """Return the label of an outcome of chance."""
    cards, due = node.tree.game.cards, node.due
    if due.kind == "face":
        return f"#{due.token} is {cards.faces[step].name}"
    if due.kind == "back":
        return f"#{due.token} has the back {cards.backs[step].name}"
    return label(node, EVERYTHING, step)


def _viewer_name(viewer: int) -> str:
    return "all" if viewer == EVERYTHING else str(viewer)


def _opening(node: TreeNode[Any], viewer: int) -> str:
    backs = node.tree.game.cards.backs
    dealt = (backs[step].name for step in node.path())
    return " | ".join([_viewer_name(viewer), " ".join(dealt)])


def _cards(node: TreeNode[Any], state: State) -> list[str]:
    words, cards = _words(node.tree.game), node.tree.game.cards
    known = zip(blanked(state.face), state.back, strict=True)
    return [_card(words, cards, face, back) for face, back in known]


def _card(words: "_Words", cards: Cards, face: int, back: int) -> str:
    return words.unknown[back] if face == BLANK else cards.faces[face].name


def _lay(node: TreeNode[Any], shuffle: Shuffle) -> Iterator[str]:
    words, cards = _words(node.tree.game), node.tree.game.cards
    for token, face, back in zip(shuffle.tokens, shuffle.faces, shuffle.backs, strict=True):
        yield f"#{token}={_card(words, cards, face, back)}"


def _history_texts(node: TreeNode[Any]) -> Iterator[str]:
    for step in node.history:
        who = "chance" if step.seat < 0 else str(step.seat)
        yield f"{who} {public_label(node, step.action)}"


class _Words(NamedTuple):
    """Names of unseen cards by back, and labels of actions with cards named by their tokens."""

    unknown: list[str]
    actions: list[str]


@lru_cache(maxsize=64)
def _words(game: Game[Any]) -> _Words:
    unknown = [back.unknown for back in game.cards.backs]
    # Equal names of different backs would merge information sets.
    if len(set(unknown)) < len(unknown):
        unknown = [f"{name}{back}" for back, name in enumerate(unknown)]
    actions = [game.actions.text(a, lambda token: f"#{token}") for a in range(game.actions.size)]
    return _Words(unknown, actions)
