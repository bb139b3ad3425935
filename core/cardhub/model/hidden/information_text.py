"""Information states as text: everything that a viewer has seen and done."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from cardhub.model.game.game import Game
from cardhub.model.table.actions import UNSEEN_ACTION
from cardhub.model.table.faces import BLANK, Shuffle, blanked
from cardhub.model.table.secrets import known_views
from cardhub.model.table.state import CHANCE, State


class PublicNames(NamedTuple):
    """Distinct names: of faces, of unseen cards by back, and of actions with cards by token."""

    faces: tuple[str, ...]
    unseen: tuple[str, ...]
    actions: tuple[str, ...]


@lru_cache(maxsize=64)
def public_names(game: Game[Any]) -> PublicNames:
    """Return the names of a game's cards and actions that are equal for all viewers."""
    actions, cards = game.actions, game.cards
    return PublicNames(
        _distinct([face.name for face in cards.faces]),
        _distinct([back.unknown for back in cards.backs]),
        _distinct([actions.text(a, lambda token: f"#{token}") for a in range(actions.size)]),
    )


def information_text(
    game: Game[Any], state: State, viewer: str, history: Iterable[tuple[int, int]]
) -> str:
    """Return an information state as text; equal texts are one information state.

    `state` has only the faces that the viewer has seen, `history` pairs of a seat and its action.
    """
    names = public_names(game)
    parts = [viewer, " ".join(card_texts(game, state))]
    for shuffle in state.shuffle_log:
        parts.append("before a shuffle " + " ".join(_shuffled(names, shuffle)))
    # Answers are about hidden faces, which the cards above do not show.
    if state.answers:
        parts.append("answers " + " ".join(["no", "yes"][answer] for answer in state.answers))
    past = (
        f"{'chance' if seat == CHANCE else seat} "
        f"{'secret' if a == UNSEEN_ACTION else names.actions[a]}"
        for seat, a in history
    )
    parts.append(", ".join(past))
    # Other secrets than faces and actions have no words; a seat's views tell them apart.
    if state.views_field and viewer.isdigit():
        parts.append("views " + " ".join(map(str, known_views(state, int(viewer)))))
    return " | ".join(parts)


def card_texts(game: Game[Any], state: State) -> list[str]:
    """Return the name of each token's face, or of its back if the face is masked."""
    names = public_names(game)
    return [
        _card(names, face, back) for face, back in zip(blanked(state.face), state.back, strict=True)
    ]


def _card(names: PublicNames, face: int, back: int) -> str:
    return names.unseen[back] if face == BLANK else names.faces[face]


def _shuffled(names: PublicNames, shuffle: Shuffle) -> Iterator[str]:
    for token, face, back in zip(shuffle.tokens, shuffle.faces, shuffle.backs, strict=True):
        yield f"#{token}={_card(names, face, back)}"


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    # Equal names of different things would merge information states.
    if len(set(names)) == len(names):
        return tuple(names)
    return tuple(f"{name}{number}" for number, name in enumerate(names))
