"""Chance: random actions, shuffles, and the faces that were possible before each shuffle."""

from collections.abc import Sequence
from random import Random
from typing import Any

from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import shuffle
from cardhub.model.hidden.constraints.face_masks import FREE, bits_of, mask_of, possible_faces
from cardhub.model.hidden.observation import public_state
from cardhub.model.hidden.outcomes import Outcome, apply_outcome
from cardhub.model.table.secrets import note_views
from cardhub.model.table.state import CHANCE, OVER, State


def advance(game: Game[S], state: S, action: int, rng: Random) -> None:
    """Apply an action and carry out the shuffles that it requested."""
    if state.views_field:
        note_views(state)
    game.apply(state, action)
    if state.pending_shuffles:
        resolve_shuffles(game, state, rng)


def sample_action(game: Game[S], state: S, rng: Random) -> int:
    """Return one of chance's legal actions, sampled by the game's weights."""
    return rng.choices(game.legal(state), game.chance_weights(state))[0]


def random_step(game: Game[S], state: S, rng: Random) -> None:
    """Apply one random action; chance's actions are sampled by the game's weights."""
    by_chance = state.seat == CHANCE
    action = sample_action(game, state, rng) if by_chance else game.random_action(state, rng)
    advance(game, state, action, rng)


def play_out(game: Game[S], state: S, rng: Random, most: int) -> bool:
    """Apply random actions until the game is over; return False if it is not after `most`."""
    for _ in range(most):
        if state.seat == OVER:
            return True
        random_step(game, state, rng)
    return False


def pass_chance(game: Game[S], state: S, rng: Random) -> None:
    """Apply random actions of chance until it is another seat's turn."""
    while state.seat == CHANCE:
        advance(game, state, sample_action(game, state, rng), rng)


def resolve_shuffles(
    game: Game[Any], state: State, rng: Random, allowed: Sequence[tuple[int, ...]] = ()
) -> None:
    """Carry out all pending shuffles with random outcomes.

    `allowed` holds the result of `masks_at_shuffles`. Playouts leave it out: their states are never
    determinized.
    """
    masks = iter(allowed)
    while state.pending_shuffles:
        apply_outcome(state, sample_outcome(game, state, rng), next(masks, ()))


def sample_outcome(game: Game[Any], state: State, rng: Random) -> Outcome:
    """Return a random outcome of the next pending shuffle."""
    tokens, keeper = state.pending_shuffles[0]
    # A keeper cannot hide which back lies where: its cards move among tokens of equal backs only.
    # Other shuffles move the back together with the face.
    classes: dict[int, list[int]] = {}
    for token in tokens:
        classes.setdefault(state.back[token] if keeper >= 0 else 0, []).append(token)
    shuffled: dict[int, int] = {}
    for members in classes.values():
        faces = [state.face[token] for token in members]
        shuffle(faces, rng)
        shuffled.update(zip(members, faces, strict=True))
    faces_in_order = tuple(shuffled[token] for token in tokens)
    return Outcome(faces_in_order, tuple(game.cards.back_of[face] for face in faces_in_order))


def masks_at_shuffles(game: Game[S], before: S, after: S) -> list[tuple[int, ...]]:
    """Return the masks of the tokens of each pending shuffle, for the shuffle log.

    `before` and `after` are the states around the action that requested the shuffles. Later states
    no longer contain the public information about cards that have been shuffled.
    """
    if not after.pending_shuffles:
        return []
    if possible_faces(game) is None:
        return [() for _ in after.pending_shuffles]
    # Masks are public, so they are computed from what everybody has seen. The action may have moved
    # the cards and deleted notes about them: both states restrict the faces.
    states = [public_state(state) for state in (before, after)]
    shuffled: set[int] = set()
    by_shuffle = []
    for tokens, _ in after.pending_shuffles:
        # Nothing is known about a token's card between two shuffles of one action.
        masks = tuple(FREE if t in shuffled else _mask(game, states, t) for t in tokens)
        by_shuffle.append(masks if any(mask != FREE for mask in masks) else ())
        shuffled.update(tokens)
    return by_shuffle


def _mask(game: Game[Any], states: list[Any], token: int) -> int:
    back_of, back = game.cards.back_of, states[-1].back[token]
    whole = bits_of(face for face, other in enumerate(back_of) if other == back)
    mask = whole
    for state in states:
        mask &= mask_of(game, state, token)
    return FREE if mask == whole else mask
