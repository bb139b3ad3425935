"""Find out what chance must draw again after a takeback, because players have seen its outcome."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from cardhub.model.game.game import Game
from cardhub.model.hidden.chance import masks_at_shuffles
from cardhub.model.hidden.constraints.face_masks import FREE
from cardhub.model.hidden.determinize import kinds
from cardhub.model.hidden.shuffles.segments import DEAL, back_snapshots
from cardhub.model.table.state import CHANCE, State

NOT_AGAIN = (
    "nothing can be taken back, because a hidden card has been seen that cannot be drawn again"
)


class Redraw(NamedTuple):
    """What chance draws again after a takeback.

    `is_needed`: an outcome of chance would be known. `pools`: the tokens whose faces are shuffled.
    `why_not`: why that is impossible, or empty.
    """

    is_needed: bool
    pools: tuple[tuple[int, ...], ...] = ()
    why_not: str = ""


def plan_redraw(game: Game[Any], before: State, after: State, removed: Sequence[int]) -> Redraw:
    """Return what chance must draw again to go back from `after` to `before`.

    `removed`: the seats of the actions in between. Cards are drawn again that nobody had seen
    before, among cards of which all that is known is the same.
    """
    learned = _learned(before, after)
    has_shuffled = len(after.shuffle_log) > len(before.shuffle_log)
    if not learned:
        # Later dice and shuffles are drawn again, because they depend on the number of takebacks.
        return Redraw(has_shuffled or CHANCE in removed)
    pools = _pools(game, before)
    if not learned <= {token for pool in pools for token in pool}:
        return Redraw(True, why_not=NOT_AGAIN)
    return Redraw(True, pools)


def _learned(before: State, after: State) -> set[int]:
    """Return the tokens that nobody had seen before, and whose faces of then were seen since."""
    # A shuffle gives its tokens other faces, so the first shuffle has what was known until then.
    seen = after.seen[:]
    for shuffle in reversed(after.shuffle_log[len(before.shuffle_log) :]):
        for token, viewers in zip(shuffle.tokens, shuffle.seen, strict=True):
            seen[token] = viewers
    return {token for token, viewers in enumerate(before.seen) if not viewers and seen[token]}


def _pools(game: Game[Any], state: State) -> tuple[tuple[int, ...], ...]:
    """Return groups of several unseen tokens that are exchangeable by all that is public."""
    if type(game).plausible is not Game.plausible:
        return ()  # it may restrict several cards together
    last = dict.fromkeys(range(len(state.back)), DEAL)
    for number, shuffle in enumerate(state.shuffle_log):
        last |= dict.fromkeys(shuffle.tokens, number)
    dealt = kinds(game, state, back_snapshots(state)[0])
    notes = [getattr(state, name) for name in state.token_fields]
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for token, viewers in enumerate(state.seen):
        if not viewers and not any(note[token] for note in notes):
            kind = dealt[token] if last[token] == DEAL else state.back[token]
            groups[last[token], kind].append(token)
    free = (_free_tokens(game, state, group) for group in groups.values())
    return tuple(tuple(group) for group in free if len(group) > 1)


def _free_tokens(game: Game[Any], state: State, tokens: Sequence[int]) -> list[int]:
    """Return the tokens that can have any face of their back."""
    shuffled = state.clone()
    shuffled.shuffle(tokens)
    (masks,) = masks_at_shuffles(game, state, shuffled)
    free = zip(tokens, masks or [FREE] * len(tokens), strict=True)
    return [token for token, mask in free if mask == FREE]
