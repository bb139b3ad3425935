"""The past of a determinization, drawn only for those who need it."""

from collections.abc import Sequence
from random import Random

from cardhub.hidden.constraints.masks import FREE
from cardhub.hidden.shuffles.drawing import piece_drawing
from cardhub.hidden.shuffles.history import DEAL, History, Source, before, events, pieces
from cardhub.table.faces import BLANK, Shuffle
from cardhub.table.state import State


def drawn_past(
    state: State, faces: Sequence[int], source: Source, rng: Random, seed: str
) -> tuple[Shuffle, ...]:
    """Return the past of an observed state, drawn to go with the faces drawn for the present.

    From the last shuffle to the first: given what lies after a shuffle, what left for it depends on
    nothing but what was seen before. So the same filter serves, with all later faces known.
    """
    history = History(state, faces, [FREE] * len(faces))
    live = history.present[:]
    past = []
    for number in range(len(state.shuffle_log) - 1, DEAL, -1):
        before(live, history.pools(number))
        drawn = [stretch.face for stretch in live]
        for piece in pieces(events(history, live, number, source)):
            draw = piece_drawing(piece, number, f"{seed} past {number}")
            if draw is not None:
                draw.draw(rng, drawn)
        for stretch in live:
            if stretch.face == BLANK:
                stretch.face = drawn[stretch.token]
        shuffle = state.shuffle_log[number]
        past.append(shuffle._replace(faces=tuple(drawn[token] for token in shuffle.tokens)))
    return tuple(past[::-1])
