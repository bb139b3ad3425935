"""Brute force: every deal and every outcome of every shuffle, weighed as chance makes them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import factorial, prod
from typing import Any

from cardhub import Game, State
from cardhub.model.hidden.shuffles.segments import back_snapshots, face_snapshots
from cardhub.model.table.faces import BLANK

Faces = tuple[int, ...]
# The faces by token in the deal and now.
World = tuple[Faces, Faces]


def posterior(game: Game[Any], state: State, masks: Sequence[int]) -> dict[World, float]:
    """Return the probability of every history of a game with one deck that agrees with a seat.

    `state` is the seat's observation, `masks` are the faces that the game allows now.
    """
    known, backs = face_snapshots(state), back_snapshots(state)
    ends = [{**dict(zip(s.tokens, s.allowed, strict=False))} for s in state.shuffle_log]
    ends.append(dict(enumerate(masks)))
    pack = Counter(game.pack(state.settings, state.seats))
    open_tokens = range(len(known[0]))
    weights: Counter[World] = Counter()
    for dealt in arrangements(game, pack, open_tokens, backs[0], known[0], ends[0]):
        weights[dealt, dealt] = 1
    for number, shuffle in enumerate(state.shuffle_log, 1):
        after: Counter[World] = Counter()
        for (dealt, now), weight in weights.items():
            for laid in outcomes(game, now, shuffle, backs[number], known[number], ends[number]):
                after[dealt, laid[0]] += weight * laid[1]
        weights = after
    total = sum(weights.values())
    return {history: weight / total for history, weight in weights.items()}


def outcomes(
    game: Game[Any],
    now: Faces,
    shuffle: Any,
    backs: Sequence[int],
    known: Sequence[int],
    ends: dict[int, int],
) -> Iterator[tuple[Faces, int]]:
    """Yield the outcomes of a shuffle, each with the number of ways by labelled card."""
    pool = Counter(now[token] for token in shuffle.tokens)
    weight = prod(map(factorial, pool.values()))
    for laid in arrangements(game, pool, shuffle.tokens, backs, known, ends):
        after = list(now)
        for token, face in zip(shuffle.tokens, laid, strict=True):
            after[token] = face
        if all(ends.get(token, -1) >> face & 1 for token, face in enumerate(after)):
            yield tuple(after), weight


def arrangements(
    game: Game[Any],
    pool: Counter[int],
    tokens: Sequence[int],
    backs: Sequence[int],
    known: Sequence[int],
    ends: dict[int, int],
) -> Iterator[Faces]:
    """Yield every way to lay a pool on tokens that agrees with backs, seen faces and masks."""
    left = pool - Counter(known[token] for token in tokens if known[token] != BLANK)
    open_tokens = [token for token in tokens if known[token] == BLANK]
    if left.total() != len(open_tokens):
        return
    back_of = game.cards.back_of
    fits = [
        [f for f in left if back_of[f] == backs[token] and ends.get(token, -1) >> f & 1]
        for token in open_tokens
    ]
    for filling in filled(left, fits):
        others = iter(filling)
        yield tuple(next(others) if known[t] == BLANK else known[t] for t in tokens)


def filled(left: Counter[int], fits: Sequence[Sequence[int]]) -> Iterator[Faces]:
    """Yield every way to lay faces on places, each of which takes some of them."""
    if not fits:
        yield ()
        return
    for face in fits[0]:
        if left[face]:
            left[face] -= 1
            for others in filled(left, fits[1:]):
                yield (face, *others)
            left[face] += 1
