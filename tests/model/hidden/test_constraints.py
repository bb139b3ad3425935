"""Sharing out faces among tokens that cannot bear all of them."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from math import factorial, prod
from random import Random

import pytest
from tests.games.pockets import Table, TinyPockets
from tests.model.hidden.chisquare import p_value
from typing_extensions import override

from cardhub.base.errors import DeterminizationError
from cardhub.model.hidden.constraints.face_masks import find_violation
from cardhub.model.hidden.constraints.sampler import (
    BoundedRejection,
    ContradictionError,
    CountingTable,
    Sampler,
    TableTooLargeError,
    face_draw,
    upper_bounds,
)
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.shuffles.shuffle_filter import thinned
from cardhub.testing.random_play import default_trial, play

FACES = [0, 0, 1, 2, 3, 3, 4]
# Of the first tokens; the other three can bear any face.
MASKS = [0b00011, 0b00110, 0b11001, 0b11001]
DRAWS = 4000


def allowed() -> dict[tuple[int, ...], float]:
    """Return all assignments of the faces that the masks allow, each equally likely."""
    layouts = {
        faces
        for faces in permutations(FACES)
        if all(mask >> face & 1 for mask, face in zip(MASKS, faces, strict=False))
    }
    return dict.fromkeys(layouts, 1 / len(layouts))


def laid(drawn: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the faces by token of a draw for the masks' classes."""
    return tuple(face for faces in drawn for face in faces)


def test_counting_makes_every_assignment_as_likely() -> None:
    """Copies of a face count as one card: assignments differ by their faces only."""
    table = CountingTable(FACES, [0b00011, 0b00110, 0b11001], [1, 1, 2])
    rng = Random(1)
    drawn = Counter(laid(table.draw(rng)) for _ in range(DRAWS))
    assert p_value(drawn, allowed()) > 0.01


def test_rejection_makes_every_assignment_as_likely() -> None:
    """Accepted samples are uniform, although cards are assigned one by one."""
    method = BoundedRejection(FACES, [0b00011, 0b00110, 0b11001], [1, 1, 2])
    rng, drawn = Random(2), Counter[tuple[int, ...]]()
    while drawn.total() < DRAWS:
        sample = method.draw(rng)
        if sample is not None:
            drawn[laid(sample)] += 1
    assert p_value(drawn, allowed()) > 0.01


def test_a_bound_is_never_below_the_copies_that_are_left() -> None:
    copies = [sum(1 << copy for copy, face in enumerate(FACES) if m >> face & 1) for m in MASKS]
    left: list[set[int]] = [set() for _ in copies]
    for assigned in permutations(range(len(FACES)), len(copies)):
        if all(own >> copy & 1 for own, copy in zip(copies, assigned, strict=True)):
            for number, own in enumerate(copies):
                taken = sum(1 << copy for copy in assigned[:number])
                left[number].add((own & ~taken).bit_count())
    bounds = upper_bounds(copies, len(FACES))
    assert all(max(copies) <= bound for copies, bound in zip(left, bounds, strict=True))
    assert upper_bounds([0b00011, 0b00110, 0b00111, 0b11111], 5) == [2, 2, 1, 2]
    assert upper_bounds([0b011, 0b110, 0b101], 3) == [2, 2, 1], "unions bound more"


@pytest.mark.parametrize(("constrained", "most"), [(10, 4), (20, 80)])
def test_few_draws_are_rejected_among_many_hints(constrained: int, most: int) -> None:
    """Each token has another hint: one colour of five, or not two of eight numbers."""
    tried, accepted, ones = 0, 0, [1] * constrained
    for seed in range(4):
        rng = Random(seed)
        sampler = BoundedRejection(range(40), [hinted(rng) for _ in range(constrained)], ones)
        while accepted <= 5 * seed + 5:
            tried += 1
            accepted += sampler.draw(rng) is not None
    assert tried <= most * accepted


def hinted(rng: Random) -> int:
    """Return the faces (five colours, eight numbers) that fit a random hint."""
    colour, others = rng.randrange(5), rng.sample(range(8), 2)
    is_known = rng.random() < 0.5
    faces = range(8 * colour, 8 * colour + 8) if is_known else range(40)
    return sum(1 << face for face in faces if face % 8 not in others)


def test_the_weight_is_the_share_of_assignments_that_are_allowed() -> None:
    masks = Counter({0b00011: 1, 0b00110: 1, 0b11001: 2, 0b11111: 3})
    shares = factorial(len(FACES)) / prod(map(factorial, Counter(FACES).values()))
    assert Sampler(FACES, masks).weight == pytest.approx(len(allowed()) / shares)


def test_many_masks_are_left_to_rejection_until_that_takes_too_long() -> None:
    """A table that grows too large is not built; but a table has the last word."""
    rng = Random(3)
    masks = [sum(1 << face for face in rng.sample(range(30), 15)) for _ in range(12)]
    with pytest.raises(TableTooLargeError):
        CountingTable(range(30), masks, [1] * 12)
    sampler = Sampler(range(30), dict.fromkeys([*masks, -1], 1) | {-1: 18})
    assert sampler.may_reject
    assert any(sampler.draw(rng) is not None for _ in range(100))
    small = Sampler(FACES, {0b00011: 1, 0b11111: 6})
    small.build_table()
    assert not small.may_reject


def test_a_violation_is_tokens_that_share_too_few_faces() -> None:
    """The tokens named have fewer copies between them than they are."""
    violation = find_violation([0, 1, 2, 3], [0b0011, 0b0011, 0b0011, 0b1111])
    assert violation is not None
    assert (violation.slots, violation.mask) == ([0, 1, 2], 0b0011)
    assert find_violation([0, 1, 2, 3], [0b0011, 0b0111, 0b0011, 0b1111]) is None


def test_a_draw_without_a_fitting_face_is_a_contradiction() -> None:
    """It names tokens, not places in a list."""
    with pytest.raises(ContradictionError) as caught:
        face_draw([0, 1, 2], [7, 8, 9], [0b001, 0b001, -1])
    assert (caught.value.tokens, caught.value.mask) == ([7, 8], 0b001)


class Denied(TinyPockets):
    """Everything but one number is denied of all cards in hand, wrongly."""

    def possible(self, state: Table, token: int) -> int:
        """Leave the highest red card alone."""
        red = sum(1 << f for f, card in enumerate(self.cards.faces) if card.name == "R2")
        blue = sum(1 << f for f, card in enumerate(self.cards.faces) if card.name[0] == "B")
        return red | blue


@pytest.mark.parametrize("number", [0, 6])
def test_where_no_determinization_exists_the_error_names_the_cards(number: int) -> None:
    """The message contains only cards that the seat can see, before and after shuffles."""
    position = list(play(Denied(), default_trial(Denied(), 3, 4)))[number]
    assert bool(position.state.shuffle_log) == bool(number)
    seen = Observation(Denied(), position.state, 3, position.history)
    with pytest.raises(DeterminizationError) as caught:
        seen.determinize(Random(1))
    text = str(caught.value)
    assert "no determinization exists" in text
    assert "can only be R2, of which there are too few" in text
    assert "R?#" in text
    assert text.partition("(")[2].count("#") >= 2


class Counted(Random):
    """Counts how often it is asked."""

    asked = 0

    @override
    def random(self) -> float:
        self.asked += 1
        return super().random()


def test_ten_constrained_cards_cost_at_most_five_times_none() -> None:
    """Random numbers are counted, for ten cards of forty with different masks."""
    rng = Random(5)
    masks = [sum(1 << face for face in rng.sample(range(40), 24)) for _ in range(10)]
    costs = []
    for these in ([-1] * 40, [*masks, *[-1] * 30]):
        counted, faces = Counted(6), [-1] * 40
        draw = face_draw(list(range(40)), range(40), these)
        for _ in range(200):
            draw.draw(counted, faces)
        costs.append(counted.asked)
    assert costs[0] > 0
    assert costs[1] <= 5 * costs[0]


def test_thinning_keeps_every_weight_in_expectation() -> None:
    """The heavy states stay; the light ones are sampled, and count for those that go."""
    weights = {number: 1.0 / (number + 1) for number in range(50)}
    rng, sums = Random(7), Counter[int]()
    for _ in range(DRAWS):
        kept = thinned(weights, 10, rng)
        assert len(kept) <= 11
        assert kept[0] == 1.0
        sums.update(kept)
    for number, weight in weights.items():
        assert sums[number] / DRAWS == pytest.approx(weight, rel=0.25)
