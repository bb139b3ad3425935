"""A sensible opponent: counts colours and values, weighs whole sets, looks no further."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from cardhub import Observation
from cardhub_gargon.laying import colours_down
from cardhub_gargon.mixes import count_colours
from cardhub_gargon.strategy.evaluation import remoteness
from cardhub_gargon.strategy.worth import DRAWN, Chances
from cardhub_gargon.table import DONE, FIGHT, PASS, SPLITS, TAKE, VALUE, Table


class RuleOfThumb:
    """Plays Gargon by rule of thumb; of equally good actions it draws one."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, observation: Observation[Table]) -> int:
        """Return the most promising legal action."""
        state, seat, legal = observation.state, observation.seat, observation.legal()
        chances = Chances(state, seat)
        if legal[-1] >= TAKE:
            return max(legal, key=lambda a: (_top(state, chances, a - TAKE), self._rng.random()))
        if legal[-1] >= FIGHT:
            return max(legal, key=lambda a: (_strength(state, seat, a - FIGHT), self._rng.random()))
        return self._lay_or_pass(state, seat, legal, chances)

    def _lay_or_pass(self, state: Table, seat: int, legal: list[int], chances: Chances) -> int:
        laid = state.laid[seat]
        sets = list(_sets(state, seat, legal))
        splits = [action for action in legal if PASS <= action < FIGHT]
        best = max(sets, key=lambda s: (chances.of_set(s), self._rng.random()), default=None)
        if best is None or (splits and chances.of_set(best) < _passing(state, splits)):
            return max(splits, key=lambda a: (_drawn(state, chances, a), self._rng.random()))
        more = [token for token in best if token not in laid]
        return more[0] if more else DONE


def _sets(state: Table, seat: int, legal: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield the sets that contain what is laid and that the seat can still complete."""
    laid = tuple(state.laid[seat])
    hand = state.hand[seat] if any(action < DONE for action in legal) else []
    leads = seat == state.leader
    sizes = range(max(1, len(laid)), 4) if leads else (state.colours + state.pair,)
    down = -1 if leads or (seat + 1) % state.seats != state.leader else colours_down(state)
    for size in sizes:
        for more in combinations(hand, size - len(laid)):
            once, twice = count_colours(laid + more, state.back)
            fits = leads or (once.bit_count(), bool(twice)) == (state.colours, state.pair)
            if fits and once & down == once and (size < 3 or once.bit_count() > 1):
                yield laid + more


def _passing(state: Table, splits: list[int]) -> float:
    """Return what passing is worth: the cards drawn, less as the game nears its end."""
    most = max(sum(SPLITS[action - PASS]) for action in splits)
    return DRAWN * most * remoteness(state)


def _drawn(state: Table, chances: Chances, action: int) -> float:
    split = SPLITS[action - PASS]
    tops = [
        t for stack, n in zip(state.stacks, split, strict=True) for t in stack[len(stack) - n :]
    ]
    return sum(1 + chances.wants(state.back[token]) for token in tops)


def _top(state: Table, chances: Chances, stack: int) -> float:
    return chances.wants(state.back[state.stacks[stack][-1]])


def _strength(state: Table, seat: int, colour: int) -> int:
    return max(VALUE[state.face[t]] for t in state.laid[seat] if state.back[t] == colour)
