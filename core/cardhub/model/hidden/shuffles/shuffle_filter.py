"""The forward filter over the mixings of one component, with weighted states of urns.

The prior of all histories is uniform: each deal and each outcome of each shuffle is equally
likely, by labelled card. A state of the filter is a set of histories in which the same slots have
the same urns; the sets are disjoint. The weight of a state is proportional to the joint probability
of its set and all observations so far. The product of the weights along the mixings is therefore
the exact posterior, as in the forward algorithm of a hidden Markov model.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import fsum
from random import Random
from typing import NamedTuple, TypeVar

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
from cardhub.model.hidden.shuffles.urns import (
    Counts,
    OpenUrn,
    Urn,
    Urns,
    entering,
    leaving,
    normal,
    revealing,
    splitting,
)
from cardhub.model.table.faces import BLANK, Shuffle
from cardhub.model.table.state import State

Weights = dict[Urns, float]

K = TypeVar("K", bound=Hashable)


class DeadEndError(Exception):
    """No state is consistent with a mixing; a state lost by thinning may be, if not `is_exact`."""

    def __init__(self, mixing: Mixing | None, is_exact: bool) -> None:
        super().__init__(mixing, is_exact)
        self.mixing = mixing
        self.is_exact = is_exact


class FilterStep(NamedTuple):
    """A mixing in numbers: leaving and entering slots by group, known and seen faces."""

    mixing: Mixing
    leaving: Counts
    known: Counts
    seen: list[tuple[int, int]]
    entering: Counts


class Filter:
    """The filter over the mixings of one component, up to the shuffle `now`.

    Slots that are not distinguished yet are one group; see `urns`. With more than `cap` states the
    filter becomes a particle filter: still unbiased, but no longer exact.
    """

    def __init__(self, mixings: Iterable[Mixing], now: int, cap: int, rng: Random) -> None:
        self._cap = cap
        self._rng = rng
        self.is_exact = True
        self.masks: dict[int, int] = {}
        self.members: dict[int, list[Segment]] = {}
        """The slots of each group that exist at the end."""
        self.steps = self._numbered(mixings, now)

    def run(self) -> Weights:
        """Return the states at the end; raises DeadEndError."""
        states: Weights = {(): 1.0}
        for step in self.steps:
            states = self.limited(self._after(states, step), step.mixing)
        return states

    def limited(self, states: Weights, mixing: Mixing | None = None) -> Weights:
        """Return the states with a maximum weight of 1, thinned if there are too many."""
        top = max(states.values(), default=0.0)
        if not top:
            raise DeadEndError(mixing, self.is_exact)
        # Without scaling, the products of many small probabilities would underflow to 0.
        states = {state: weight / top for state, weight in states.items()}
        if len(states) > self._cap:
            self.is_exact = False
            states = thinned(states, self._cap, self._rng)
        return states

    def split_off(self, states: Weights, group: int, masks: Sequence[int]) -> Weights:
        """Split a group by the masks of its slots; `masks` has one for each slot.

        The first mask keeps the group's number; the others get new groups.
        """
        _, *others = Counter(masks).items()
        for mask, number in others:
            new = self._new_group(mask)
            weights: Weights = {}
            for urns, weight in states.items():
                for share, rows in leaving(urns, {group: number}):
                    # No card moves: the slots that leave the group keep their urn.
                    moved = [
                        (row.content, row.outside | ({new: row.inside} if row.inside else {}))
                        for row in rows
                    ]
                    _add(weights, normal(moved), weight * share)
            states = self.limited(weights)
        return states

    def _numbered(self, mixings: Iterable[Mixing], now: int) -> list[FilterStep]:
        group_of: dict[int, int] = {}  # of a segment, by its identity
        steps = []
        for mixing in mixings:
            by_mask: dict[int, int] = {}
            for segment in mixing.entered:
                # Present masks are applied at the end: applied here, they would split the states.
                mask = segment.mask if segment.end < now else FREE
                if mask not in by_mask:
                    by_mask[mask] = self._new_group(mask)
                group_of[id(segment)] = by_mask[mask]
                if segment.end == now:
                    self.members.setdefault(by_mask[mask], []).append(segment)
            left = Counter(group_of[id(segment)] for segment in mixing.left)
            entered = Counter(group_of[id(segment)] for segment in mixing.entered)
            seen = sorted(mixing.seen.items())
            steps.append(FilterStep(mixing, dict(left), dict(mixing.known), seen, dict(entered)))
        return steps

    def _new_group(self, mask: int) -> int:
        self.masks[len(self.masks)] = mask
        return len(self.masks) - 1

    def _after(self, states: Weights, step: FilterStep) -> Weights:
        weights: Weights = {}
        for urns, weight in states.items():
            for share, entered in self._outcomes(urns, step):
                _add(weights, normal(entered), weight * share)
        return weights

    def _outcomes(
        self, urns: Urns, step: FilterStep
    ) -> Iterator[tuple[float, list[tuple[Counts, Counts]]]]:
        # The same order as on the table: slots leave, their urns are pooled, some faces are seen,
        # and the rest is distributed over the new slots. Each stage multiplies the weight by the
        # conditional probability of its choice.
        masks = [self.masks[group] for group in step.entering]
        for left, rows in leaving(urns, step.leaving):
            for seen, hidden in revealing(_pooled(rows, step.known), step.seen):
                for parted, split in splitting(hidden, masks):
                    for placed, entered in entering(split, step.entering, self.masks):
                        yield left * seen * parted * placed, entered


def _pooled(rows: Iterable[OpenUrn], known: Counts) -> list[OpenUrn]:
    # Urns that are in the pool as a whole become one urn with the known faces: after the shuffle
    # their cards are exchangeable. An urn that is there in part stays separate, because its slots
    # outside hold the rest of its content.
    content, inside, others = known.copy(), sum(known.values()), []
    for row in rows:
        if row.outside or not row.inside:
            others.append(row)
            continue
        for face, count in row.content.items():
            content[face] = content.get(face, 0) + count
        inside += row.inside
    return [*others, OpenUrn(content, {}, inside)] if inside else others


def _add(states: Weights, urns: Urns, weight: float) -> None:
    if weight:
        states[urns] = states.get(urns, 0.0) + weight


def thinned(weights: Mapping[K, float], cap: int, rng: Random) -> dict[K, float]:
    """Return about `cap` states at most; the expected weight of each state is its own weight.

    States with weights above a bound are kept. The others are sampled systematically, in proportion
    to their weights, and get the bound as their weight.
    """
    bound = _bound(sorted(weights.values(), reverse=True), cap)
    kept: dict[K, float] = {}
    # One random offset for all states: this has less variance than a draw for each.
    due = rng.random() * bound
    for state, weight in weights.items():
        if weight >= bound:
            kept[state] = weight
            continue
        due -= weight
        if due < 0:
            kept[state] = bound
            due += bound
    return kept


def _bound(descending: list[float], cap: int) -> float:
    # All heavier states are kept, and of the lighter states the sum of their weights divided by the
    # bound. The returned bound makes the total `cap`.
    light = fsum(descending)
    for heavy, weight in enumerate(descending):
        bound = light / (cap - heavy)
        if weight < bound or heavy == cap - 1:
            return bound
        light -= weight
    return 0.0


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
