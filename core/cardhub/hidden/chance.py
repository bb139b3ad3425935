"""Chance: the seat that rolls dice and shuffles, and whose outcomes are recorded."""

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from cardhub.game.game import Game, S
from cardhub.table.faces import Shuffle, blanked, extended_log, replaced
from cardhub.table.state import CHANCE, State


class Outcome(NamedTuple):
    """What a shuffle came to: faces (BLANK where unknown) and backs, in the order of its tokens."""

    faces: tuple[int, ...]
    backs: tuple[int, ...]


def advance(game: Game[S], state: S, action: int, rng: Random) -> None:
    """Apply an action, then let chance settle whatever it had shuffled."""
    game.apply(state, action)
    if state.pending_shuffles:
        settle(game, state, rng)


def draw_outcome(game: Game[S], state: S, rng: Random) -> int:
    """Return one of chance's legal actions, drawn by the game's weights."""
    return rng.choices(game.legal(state), game.chance_weights(state))[0]


def random_step(game: Game[S], state: S, rng: Random) -> None:
    """Take one random action, chance's by the game's weights."""
    by_chance = state.seat == CHANCE
    action = draw_outcome(game, state, rng) if by_chance else game.random_action(state, rng)
    advance(game, state, action, rng)


def pass_chance(game: Game[S], state: S, rng: Random) -> None:
    """Let chance act for as long as it is its turn."""
    while state.seat == CHANCE:
        advance(game, state, draw_outcome(game, state, rng), rng)


def settle(
    game: Game[Any], state: State, rng: Random, allowed: Sequence[tuple[int, ...]] = ()
) -> None:
    """Draw and lay the outcomes of all shuffles an action asked for.

    `allowed` is what was ruled out for the tokens of each, see `masks_at_shuffles`; playouts leave
    it out, as nobody determinizes from them.
    """
    masks = iter(allowed)
    while state.pending_shuffles:
        restore(state, draw_shuffle(game, state, rng), next(masks, ()))


def draw_shuffle(game: Game[Any], state: State, rng: Random) -> Outcome:
    """Return an outcome, drawn at random, of the next shuffle an action asked for."""
    tokens, keeper = state.pending_shuffles[0]
    faces = _drawn(state, tokens, keeper, rng)
    return Outcome(faces, tuple(game.cards.back_of[face] for face in faces))


def restore(state: State, outcome: Outcome, allowed: tuple[int, ...] = ()) -> None:
    """Lay the outcome of the next shuffle an action asked for.

    `allowed` is what was ruled out for its tokens, see `masks_at_shuffles`.
    """
    (tokens, keeper), *rest = state.pending_shuffles
    _lay(state, tokens, keeper, outcome, allowed)
    state.pending_shuffles = tuple(rest)


def _drawn(state: State, tokens: tuple[int, ...], keeper: int, rng: Random) -> tuple[int, ...]:
    """Return new faces for the tokens; a keeper's cards change places among equal backs only."""
    # A keeper cannot hide which back lies where, but a shuffled card takes its back with it.
    classes: dict[int, list[int]] = {}
    for token in tokens:
        classes.setdefault(state.back[token] if keeper >= 0 else 0, []).append(token)
    drawn: dict[int, int] = {}
    for alike in classes.values():
        faces = [state.face[token] for token in alike]
        rng.shuffle(faces)
        drawn.update(zip(alike, faces, strict=True))
    return tuple(drawn[token] for token in tokens)


def _lay(
    state: State, tokens: tuple[int, ...], keeper: int, outcome: Outcome, allowed: tuple[int, ...]
) -> None:
    """Replace faces, backs and who has seen them, keeping how it was in `state.shuffle_log`."""
    known = blanked(state.face)
    old = (known, state.back, state.seen)
    faces, backs, seen = (tuple(values[token] for token in tokens) for values in old)
    state.shuffle_log = extended_log(
        state.shuffle_log, Shuffle(tokens, keeper, faces, backs, seen, allowed)
    )
    state.face = replaced(state.face, tokens, outcome.faces)
    laid = list(state.back)
    for token, back in zip(tokens, outcome.backs, strict=True):
        laid[token] = back
        state.seen[token] = 0 if keeper < 0 else state.seen[token] & (1 << keeper)
    state.back = tuple(laid)
