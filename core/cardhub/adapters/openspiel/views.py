"""Positions as text, as far as one seat may know them."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from cardhub.adapters.openspiel.positions import Position
from cardhub.cards import Cards
from cardhub.game.game import Game
from cardhub.hidden.observation import EVERYTHING, observed_state
from cardhub.table.faces import BLANK, Shuffle, blanked
from cardhub.table.state import State, declared_names


def information_state(position: Position[Any], viewer: int) -> str:
    """Return all that a viewer has ever seen and done: its perfect recall.

    Equal texts are one information set. `viewer` is a seat, the number of seats for a spectator,
    or EVERYTHING.
    """
    if not position.is_dealt:
        return _opening(position, viewer)
    state = observed_state(position.state, viewer)
    parts = [_who(viewer), " ".join(_cards(position, state))]
    for shuffle in state.shuffle_log:
        parts.append("before a shuffle " + " ".join(_lay(position, shuffle)))
    if state.answers:
        parts.append("answers " + " ".join(["no", "yes"][answer] for answer in state.answers))
    parts.append(", ".join(_told(position)))
    return " | ".join(parts)


def observation(position: Position[Any], viewer: int) -> str:
    """Return what a viewer sees now: where every card lies, and whatever else is on the table."""
    if not position.is_dealt:
        return _opening(position, viewer)
    state = observed_state(position.state, viewer)
    cards = _cards(position, state)
    parts = [_who(viewer)]
    for zone in state.zones:
        piles = (" ".join(cards[token] for token in pile) for pile in zone.piles(state))
        parts.append(f"{zone.name} " + " / ".join(piles))
    for name in declared_names(state):
        parts.append(f"{name} {getattr(state, name)}")
    parts.append(f"seat {state.seat} phase {state.phase}")
    return " | ".join(parts)


def private_observation(position: Position[Any], viewer: int) -> str:
    """Return the cards that a seat sees and a spectator does not."""
    if not position.is_dealt:
        return ""
    state, spectator = (
        observed_state(position.state, viewer),
        observed_state(position.state, position.tree.seats),
    )
    known = zip(_cards(position, state), _cards(position, spectator), strict=True)
    own = (f"#{t}={name}" for t, (name, public) in enumerate(known) if name != public)
    return " ".join(own)


def label(position: Position[Any], viewer: int, action: int) -> str:
    """Return an action for people, in the words that a seat may hear; different for each."""
    if not position.is_dealt:
        return in_any_words(position, action)
    game, state = position.tree.game, observed_state(position.state, viewer)
    cards = _cards(position, state)

    def text(action: int) -> str:
        return game.actions.text(action, cards.__getitem__)

    twins = [a for a, _ in position.odds if a != action and text(a) == text(action)]
    token = game.actions.token(action)
    return f"{text(action)}#{token}" if twins and token is not None else text(action)


def in_any_words(position: Position[Any], action: int) -> str:
    """Return an action with cards called by their tokens, the same for all who hear of it."""
    return _words(position.tree.game).actions[action]


def outcome(position: Position[Any], step: int) -> str:
    """Return in words what chance may decide next."""
    cards, due = position.tree.game.cards, position.due
    if due.kind == "face":
        return f"#{due.token} is {cards.faces[step].name}"
    if due.kind == "back":
        return f"#{due.token} has the back {cards.backs[step].name}"
    return label(position, EVERYTHING, step)


def _who(viewer: int) -> str:
    return "all" if viewer == EVERYTHING else str(viewer)


def _opening(position: Position[Any], viewer: int) -> str:
    backs = position.tree.game.cards.backs
    dealt = (backs[step].name for step in position.path())
    return " | ".join([_who(viewer), " ".join(dealt)])


def _cards(position: Position[Any], state: State) -> list[str]:
    """Return what is known of every token, by token."""
    words, cards = _words(position.tree.game), position.tree.game.cards
    known = zip(blanked(state.face), state.back, strict=True)
    return [_card(words, cards, face, back) for face, back in known]


def _card(words: "_Words", cards: Cards, face: int, back: int) -> str:
    return words.unknown[back] if face == BLANK else cards.faces[face].name


def _lay(position: Position[Any], shuffle: Shuffle) -> Iterator[str]:
    words, cards = _words(position.tree.game), position.tree.game.cards
    for token, face, back in zip(shuffle.tokens, shuffle.faces, shuffle.backs, strict=True):
        yield f"#{token}={_card(words, cards, face, back)}"


def _told(position: Position[Any]) -> Iterator[str]:
    for step in position.history:
        who = "chance" if step.seat < 0 else str(step.seat)
        yield f"{who} {in_any_words(position, step.action)}"


class _Words(NamedTuple):
    """What stands for an unseen card, by back, and for an action, cards called by their tokens."""

    unknown: list[str]
    actions: list[str]


@lru_cache(maxsize=64)
def _words(game: Game[Any]) -> _Words:
    unknown = [back.unknown for back in game.cards.backs]
    if len(set(unknown)) < len(unknown):
        unknown = [f"{name}{back}" for back, name in enumerate(unknown)]
    actions = [game.actions.text(a, lambda token: f"#{token}") for a in range(game.actions.size)]
    return _Words(unknown, actions)
