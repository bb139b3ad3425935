"""What a game rules out for the tokens of a shuffle, kept with it, as later states forget it."""

from typing import Any

from cardhub.game.game import Game, S
from cardhub.hidden.constraints.masks import FREE, bits_of, hook, mask_of
from cardhub.hidden.observation import observed_state


def masks_at_shuffles(game: Game[S], before: S, after: S) -> list[tuple[int, ...]]:
    """Return, for every shuffle an action has asked for, the masks of its tokens.

    The game is asked of the state before the action and of the one right after it, as the action
    may have moved the cards and cleared what was noted of them; both bind. Both are as a spectator
    sees them, so that a mask tells nothing that is not public.
    """
    if not after.pending_shuffles or hook(game) is None:
        return [() for _ in after.pending_shuffles]
    states = [observed_state(state, state.seats) for state in (before, after)]
    shuffled: set[int] = set()
    found = []
    for tokens, _ in after.pending_shuffles:
        # Between two shuffles of one action nothing is said of a token's card.
        masks = tuple(FREE if t in shuffled else _mask(game, states, t) for t in tokens)
        found.append(masks if any(mask != FREE for mask in masks) else ())
        shuffled.update(tokens)
    return found


def _mask(game: Game[Any], states: list[Any], token: int) -> int:
    back_of, back = game.cards.back_of, states[-1].back[token]
    whole = bits_of(face for face, other in enumerate(back_of) if other == back)
    mask = whole
    for state in states:
        mask &= mask_of(game, state, token)
    return FREE if mask == whole else mask
