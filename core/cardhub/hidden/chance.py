"""Chance: the seat that rolls dice and shuffles, and whose outcomes are recorded."""

from random import Random
from typing import Any, NamedTuple

from cardhub.game.game import Game, S
from cardhub.table.faces import Shuffle, blanked, replaced
from cardhub.table.state import CHANCE, State


class Outcome(NamedTuple):
    """What a shuffle came to: faces (BLANK where unknown) and backs, in the order of its tokens."""

    faces: tuple[int, ...]
    backs: tuple[int, ...]


def advance(game: Game[S], state: S, action: int, rng: Random) -> None:
    """Apply an action, then let chance settle whatever it had shuffled."""
    game.apply(state, action)
    if state.unsettled:
        settle(game, state, rng)


def draw_outcome(game: Game[S], state: S, rng: Random) -> int:
    """Return one of chance's legal actions, drawn by the game's weights."""
    return rng.choices(game.legal(state), game.chance_weights(state))[0]


def pass_chance(game: Game[S], state: S, rng: Random) -> None:
    """Let chance act for as long as it is its turn."""
    while state.seat == CHANCE:
        advance(game, state, draw_outcome(game, state, rng), rng)


def settle(game: Game[Any], state: State, rng: Random) -> list[Outcome]:
    """Draw the outcomes of all shuffles an action asked for, and lay them."""
    back_of = game.cards.back_of
    outcomes = []
    for tokens, keeper in state.unsettled:
        faces = _drawn(state, tokens, keeper, rng)
        outcomes.append(Outcome(faces, tuple(back_of[face] for face in faces)))
        _lay(state, tokens, keeper, outcomes[-1])
    state.unsettled = ()
    return outcomes


def restore(state: State, outcomes: list[Outcome]) -> None:
    """Lay recorded outcomes of the shuffles an action asked for."""
    for (tokens, keeper), outcome in zip(state.unsettled, outcomes, strict=True):
        _lay(state, tokens, keeper, outcome)
    state.unsettled = ()


def _drawn(state: State, tokens: tuple[int, ...], keeper: int, rng: Random) -> tuple[int, ...]:
    """Return new faces for the tokens; a keeper's cards change places among equal backs only."""
    classes: dict[int, list[int]] = {}
    for token in tokens:
        classes.setdefault(state.back[token] if keeper >= 0 else 0, []).append(token)
    drawn: dict[int, int] = {}
    for alike in classes.values():
        faces = [state.face[token] for token in alike]
        rng.shuffle(faces)
        drawn.update(zip(alike, faces, strict=True))
    return tuple(drawn[token] for token in tokens)


def _lay(state: State, tokens: tuple[int, ...], keeper: int, outcome: Outcome) -> None:
    """Replace faces, backs and who has seen them, keeping how it was in `state.past`."""
    known = blanked(state.face)
    old = (known, state.back, state.seen)
    faces, backs, seen = (tuple(values[token] for token in tokens) for values in old)
    state.past = (*state.past, Shuffle(tokens, keeper, faces, backs, seen))
    state.face = replaced(state.face, tokens, outcome.faces)
    state.back = state.back[:]
    for token, back in zip(tokens, outcome.backs, strict=True):
        state.back[token] = back
        state.seen[token] = 0 if keeper < 0 else state.seen[token] & (1 << keeper)
