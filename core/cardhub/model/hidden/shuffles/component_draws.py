"""Draws of the faces of one component's unseen tokens, from the states of its filter."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from typing_extensions import override

from cardhub.model.hidden.constraints.face_masks import FREE, bits_of, find_violation
from cardhub.model.hidden.constraints.sampler import (
    ATTEMPTS,
    ContradictionError,
    Draw,
    Sampler,
    ViolationError,
    contradiction,
    face_draw,
)
from cardhub.model.hidden.shuffles.segments import (
    DEAL,
    DealtFaces,
    Mixing,
    Segment,
    Segments,
    components,
    relevant_mixings,
    step_back,
)
from cardhub.model.hidden.shuffles.shuffle_filter import DeadEndError, Filter, Weights
from cardhub.model.hidden.shuffles.urns import Urn
from cardhub.model.table.faces import BLANK, Shuffle
from cardhub.model.table.state import State

# The first limit of the number of states of a filter.
CAP = 256


def component_draw(mixings: list[Mixing], now: int, seed: str) -> Draw | None:
    """Return a draw for the unseen tokens of a component just before the shuffle `now`.

    None if there are none. Raises ContradictionError.
    """
    members = [segment for mixing in mixings for segment in mixing.entered if segment.end == now]
    if not members:
        return None
    content: Counter[int] = Counter()
    for mixing in mixings:
        content.update(mixing.known)
        content.subtract(mixing.seen)
    tokens, masks = [s.token for s in members], [s.mask for s in members]
    if min(content.values()) < 0:
        last = max(mixing.number for mixing in mixings)
        raise ContradictionError(tokens, number=last)
    pool = list(content.elements())
    if len(mixings) == 1:
        return face_draw(pool, tokens, masks)  # no filter: all slots are exchangeable
    try:
        return ComponentDraw(mixings, now, seed)
    except DeadEndError as error:
        violation = find_violation(pool, masks)
        if violation is not None:
            raise contradiction(tokens, violation) from None
        number = mixings[-1].number if error.mixing is None else error.mixing.number
        entered = tokens if error.mixing is None else [s.token for s in error.mixing.entered]
        raise ContradictionError(entered, number=number) from None


class UrnDraw(NamedTuple):
    """The draw of one urn: a sampler by mask, and for each mask its groups and their slots."""

    sampler: Sampler
    groups: list[list[tuple[int, int]]]


class ComponentDraw(Draw):
    """A draw of the unseen faces of one component; samples are independent.

    `seed` is for thinning, if there are too many states. It is computed from the observation, so
    that equal generators give equal samples.
    """

    def __init__(self, mixings: list[Mixing], now: int, seed: str, cap: int = CAP) -> None:
        while True:
            try:
                self._prepare(mixings, now, cap, Random(f"{seed} {cap}"))
                return
            except DeadEndError as error:
                # Thinning may have removed all states that a later mixing permits. Larger caps end
                # with the exact filter, which fails only if no determinization exists.
                if error.is_exact:
                    raise
                cap *= 4

    @override
    def draw(self, rng: Random, faces: list[int]) -> None:
        rejected = 0
        while (bags := self._attempt(rng)) is None:
            rejected += 1
            if rejected == ATTEMPTS:
                self._build_tables()
        random = rng.random
        for group, tokens in self._tokens.items():
            # A group filled by several urns has their faces in runs, so shuffle each group.
            bag = sorted(bags[group], key=lambda _: random())
            for token, face in zip(tokens, bag, strict=True):
                faces[token] = face

    def _prepare(self, mixings: list[Mixing], now: int, cap: int, rng: Random) -> None:
        run = Filter(mixings, now, cap, rng)
        # Masks of the present are applied last: they concern one time only.
        states = run.run()
        self._tokens: dict[int, list[int]] = {}
        self._masks: dict[int, int] = {}
        present = bits_of(face for urns in states for urn in urns for face, _ in urn.content)
        for group, members in run.members.items():
            states = self._split_by_mask(run, states, group, members, present)
        self._weigh(states)
        if not self._shares:
            raise DeadEndError(None, run.is_exact)

    def _split_by_mask(
        self, run: Filter, states: Weights, group: int, members: list[Segment], present: int
    ) -> Weights:
        by_mask: dict[int, list[int]] = {}
        for segment in members:
            mask = segment.mask & present
            by_mask.setdefault(FREE if mask == present else mask, []).append(segment.token)
        masks = [mask for mask, tokens in by_mask.items() for _ in tokens]
        first = len(run.masks)
        states = run.split_off(states, group, masks)
        numbers = [group, *range(first, len(run.masks))]
        for number, (mask, tokens) in zip(numbers, by_mask.items(), strict=True):
            self._tokens[number] = tokens
            self._masks[number] = mask
        return states

    def _weigh(self, states: Weights) -> None:
        samplers: dict[Urn, UrnDraw | None] = {}
        self._shares: list[list[UrnDraw]] = []
        self._weights: list[float] = []
        for urns, weight in states.items():
            shares = [
                samplers[urn] if urn in samplers else samplers.setdefault(urn, self._share(urn))
                for urn in urns
            ]
            # A state in which one urn has no assignment is impossible as a whole.
            possible = [share for share in shares if share is not None]
            if len(possible) == len(shares):
                self._shares.append(possible)
                self._weights.append(weight)
        self._sum_up()

    def _share(self, urn: Urn) -> UrnDraw | None:
        faces = [face for face, count in urn.content for _ in range(count)]
        groups: dict[int, list[tuple[int, int]]] = {}
        for group, count in urn.slots:
            groups.setdefault(self._masks[group], []).append((group, count))
        sizes = {mask: sum(count for _, count in members) for mask, members in groups.items()}
        try:
            return UrnDraw(Sampler(faces, sizes), list(groups.values()))
        except ViolationError:
            return None

    def _sum_up(self) -> None:
        weights = list(self._weights)
        for index, shares in enumerate(self._shares):
            for share in shares:
                weights[index] *= share.sampler.weight
        self._sums = list(accumulate(weights))

    def _attempt(self, rng: Random) -> dict[int, list[int]] | None:
        # A rejection by one sampler rejects the state as well: choosing only the faces again would
        # prefer states in which rejections are likely.
        sums = self._sums
        chosen = bisect_right(sums, rng.random() * sums[-1]) if len(sums) > 1 else 0
        bags: dict[int, list[int]] = {group: [] for group in self._tokens}
        for sampler, groups in self._shares[min(chosen, len(sums) - 1)]:
            drawn = sampler.draw(rng)
            if drawn is None:
                return None
            for faces, parts in zip(drawn, groups, strict=True):
                first = 0
                for group, count in parts:
                    bags[group] += faces[first : first + count]
                    first += count
        return bags

    def _build_tables(self) -> None:
        for sampler in {
            id(s.sampler): s.sampler for shares in self._shares for s in shares
        }.values():
            if sampler.may_reject:
                sampler.build_table()
        self._sum_up()  # a bound is replaced by an exact weight


def sampled_log(
    state: State, faces: Sequence[int], cards: DealtFaces, rng: Random, seed: str
) -> tuple[Shuffle, ...]:
    """Return the shuffle log of an observed state, sampled to fit the sampled present faces."""
    segments = Segments(state, faces, [FREE] * len(faces))
    live = segments.present[:]
    log = []
    # From the last shuffle to the first: given the faces after a shuffle, those before it depend
    # only on what was seen earlier. So each step uses the same filter with all later faces known.
    for number in range(len(state.shuffle_log) - 1, DEAL, -1):
        step_back(live, segments.pools(number))
        drawn = [segment.face for segment in live]
        for component in components(relevant_mixings(segments, live, number, cards)):
            draw = component_draw(component, number, f"{seed} past {number}")
            if draw is not None:
                draw.draw(rng, drawn)
        for segment in live:
            if segment.face == BLANK:
                segment.face = drawn[segment.token]
        shuffle = state.shuffle_log[number]
        log.append(shuffle._replace(faces=tuple(drawn[token] for token in shuffle.tokens)))
    return tuple(log[::-1])
