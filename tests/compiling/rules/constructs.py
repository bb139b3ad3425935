"""A game whose legal actions are computed with every construct that is translated."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, combinations, product
from math import fsum, sqrt
from operator import mul
from typing import NamedTuple

from typing_extensions import override

from cardhub import first_seat
from kuhn.game import Kuhn, Table

WORDS = {"one": 1, "two": 2, "three": 3}
NAMES = ("one", "two", "three", "four")
MANY = [0.1, 0.2, 0.3, 1e16, 1.0, -1e16, 2.5e-17, 0.7]
FEW = [0.1, 0.7, 1000.3, 2.5e-9, -1000.1]
# More than a float has digits for.
SCALE = 1 << 40


@dataclass(frozen=True)
class Shape:
    """A constant with fields of several types."""

    sides: int
    lengths: tuple[int, ...]
    is_round: bool = False


SHAPES = {0: Shape(3, (3, 4, 5)), 1: Shape(4, (2, 7, 1, 8)), 2: Shape(0, (), is_round=True)}


class Cause(NamedTuple):
    """A named tuple with a text that is made while the game runs."""

    label: str
    points: int


def sets(a: int, b: int) -> list[int]:
    """Sort, count and search sets, and go through them in ascending order."""
    few = {a % 7, b % 7, a % 5}
    many = {(a + step) % 19 for step in range(9)}
    order = [number * 2 for number in few]
    return [
        *sorted(many),
        *WORDS.values(),
        len(few),
        a in many,
        *order,
        max(few),
        sum(many),
        few == {b % 7},
    ]


def unions(a: int, b: int) -> list[int]:
    """Join, cut and compare sets."""
    first, second = {a % 7, b % 7, 3}, set(range(b % 9))
    both, rest = first & second, first - second
    joined = first | {1, 2} | frozenset((5, 6))
    texts = [NAMES[a % 4], NAMES[b % 4], NAMES[1]]
    return [
        *sorted(joined),
        *both,
        *rest,
        joined.issuperset(range(a % 3)),
        both.issubset(second),
        first.isdisjoint([b % 7 + 1, 20]),
        *sorted(first.union(range(2)).intersection((0, 1, 9)).difference([b % 2])),
        *(number for text, number in Counter(texts).items() if text != "four"),
    ]


def counters(a: int, b: int) -> list[int]:
    """Count items, and take lists apart with a star."""
    counts = Counter((a + step * step) % (abs(b) % 7 + 1) for step in range(12))
    (most, times), *_ = counts.most_common()
    counts[most] += counts[99] + 2
    first, *rest = counts.most_common(3)
    *_, second, last = sorted(number * a for number in counts)[-2:] if len(counts) > 1 else (a, b)
    low, *_ = [a, b]
    cause = Cause("why", times)._replace(points=low)
    values = [len(rest), *first]
    values[-1] += 1
    return [most, times, second, last, low, cause.points, *values]


def dictionaries(a: int, b: int) -> list[int]:
    """Fill and read dictionaries, and go through them in the order of their keys."""
    by_rest: dict[int, list[int]] = {}
    for number in range(a % 30, b % 40 + 30):
        if number % 4 not in by_rest:
            by_rest[number % 4] = []
        by_rest[number % 4].append(number)
    squares = {number: number * number for number in range(b % 6)}
    ends = dict.fromkeys((a, b, a))
    rest = [*by_rest, *ends, squares.get(2, -1), {1: 8, 2: 7}.get(a % 3, 6), len(ends)]
    for key, numbers in by_rest.items():
        rest += [key, len(numbers), sum(numbers)]
    return rest + list(squares.values())


def orders(a: int, b: int) -> list[int]:
    """Sort lists by keys and tuples, up and down, and find the greatest tuples."""
    pairs = [((a * step) % 5, step) for step in range(6)]
    pairs.sort(reverse=True)
    numbers = [(b * step) % 11 for step in range(7)]
    by_rest = sorted(numbers, key=lambda number: (number % 3, -number))
    numbers.sort(key=lambda number: -number)
    best = max((b % 5, 3), (a % 5, 2)) if a < 0 else max(pairs)
    low, high = min((a % 3, b), (b % 3, a)), max(by_rest, key=lambda number: number % 4)
    return [*numbers, *by_rest, *best, *low, high, *(second for _, second in pairs)]


def calls(a: int, b: int) -> list[int]:
    """Pass functions and arguments with stars, and call functions that have a cache."""
    rows = [[a, b], [a], [a, b, a - b]]
    sizes = list(map(len, rows))
    quotient, rest = divmod(a, 7)
    seat = first_seat(b % 4, 4, [0, a % 2, 1, b % 2].__getitem__)
    products = map(mul, sizes, sizes)
    sizes[0] += 1
    added = added_up(*(a, b), 1)
    later = next((number for number in range(a % 5, 20) if number * number > 50), -1)
    words = map(WORDS.__getitem__, NAMES[: 1 + a % 2])
    none = -1 if seat is None else seat
    return [
        quotient,
        rest,
        none,
        added,
        later,
        halved(b),
        *words,
        *products,
        min(map(abs, rows[2])),
    ]


def records(a: int, b: int) -> list[int]:
    """Read fields of constants, and carry a text that is made while the game runs."""
    shape = SHAPES[a % 3]
    listed = [Cause("first", a)]
    listed += [Cause(f"at {b}", number) for number in shape.lengths]
    word = NAMES[b % 4]
    points = sum(cause.points for cause in listed)
    return [shape.sides, shape.is_round, points, WORDS.get(word, 0), word == "two", 1 < a % 3 < 9]


def floats(a: int, b: int) -> list[int]:
    """Compute floats, which have to agree to the last bit."""
    shares = [1.0] + [0.0] * (a % 4)
    shares[0] += a / 7
    total: float = 0
    best = -1.0
    for number, share in enumerate(shares):
        total += share * (1 - b / 11) - number
        if share > best:
            best = share
    weights = [scaled * a for scaled in MANY]
    sums = [fsum(weights), sum(few * 7.1 for few in FEW), fsum(map(mul, MANY, weights))]
    pairs = sorted((weight / 3, number) for number, weight in enumerate(weights))
    values = [total, best, min(1.0, a / 3), -best, float(a), max(pairs)[0], *sums]
    values.append(sqrt(abs(b)))
    digits = [int(value / max(1.0, abs(value)) * SCALE) for value in values]
    return digits + [number for _, number in pairs]


def memos(a: int, b: int) -> list[int]:
    """Call a function that is remembered, for more arguments than C has place for."""
    return [sum(map(sum, rows(1000 * a + 10 * b + step))) + squared(step) for step in range(20)]


def in_order_of_sets(a: int, b: int) -> list[int]:
    """Go through a set, whose order is certain for small numbers only."""
    return [number for number in {a, b}]  # noqa: C416  # the loop, not the set, is under test


def iterators(a: int, b: int) -> list[int]:
    """Go through generator functions, products, combinations and chains of them."""
    many = chain(halves(b % 40), below(b % 3), halves(a % 9)) if b % 2 else halves(b % 5)
    doubled = [int(2 * number) for number in many]
    listed = [*doubled, *chain.from_iterable(triangle(a % 7))]
    rest = chain.from_iterable(triangle(3) + triangle(b % 4))
    pairs = {first + 10 * second: first for first, second in product(rest, below(4))}
    hands = [sum(hand) for hand in combinations(range(a % 12), b % 4)]
    threes = [10 * x + y for x, y in product(*triangle(b % 4)[1:]) if x or y] if b % 4 == 3 else []
    sizes = {size: size * a for size in range(3 * (a % 60))}
    return [*listed, *pairs, *pairs.values(), *hands, *threes, len(sizes), sum(sizes.values())]


def below(most: int) -> Iterator[int]:
    """Yield numbers, with an early end."""
    for number in range(most):
        if number == 5:
            return
        yield number


def halves(most: int) -> Iterator[float]:
    """Yield ints and later floats, more of them than a list has room for at first."""
    yield from below(most)
    yield from (number * number / 2 for number in range(most))


@cache
def triangle(size: int) -> list[list[int]]:
    """Return rows that get longer."""
    return [list(range(length)) for length in range(size)]


def added_up(a: int, b: int, c: int) -> int:
    """Return the sum of three numbers."""
    return a + b + c


@cache
def halved(number: int) -> int:
    """Return half of a number, with the help of another cached function."""
    return doubled(number) // 4


@lru_cache(maxsize=9)
def doubled(number: int) -> int:
    """Return twice a number."""
    return 2 * number


class Squares(dict[int, int]):
    """Squares of numbers, which are computed when they are first read."""

    def __missing__(self, number: int) -> int:
        if len(self) > 9:
            self.clear()
        square = self[number] = number * number
        return square


SQUARES = Squares()


def squared(number: int) -> int:
    """Return a square."""
    return SQUARES[number]


@cache
def rows(number: int) -> tuple[tuple[int, ...], ...]:
    """Return rows of numbers."""
    return tuple(tuple(number + row * step for step in range(25)) for row in range(10))


CONSTRUCTS = (
    sets,
    unions,
    counters,
    dictionaries,
    orders,
    calls,
    iterators,
    records,
    floats,
    memos,
    in_order_of_sets,
)


class Constructs(Kuhn):
    """The phase chooses the construct, the stakes are its arguments."""

    name = "constructs"

    @override
    def legal(self, state: Table) -> list[int]:
        return CONSTRUCTS[state.phase](state.stakes[0], state.stakes[1])

    @override
    def apply(self, state: Table, action: int) -> None:
        """Write a sentence about a card that it takes, which has an effect."""
        state.log("{cards} is gone, after {bet} coins", cards=[state.stack.pop()], bet=bet(state))
        state.seat = -1


def bet(state: Table) -> int:
    """Raise the stakes, and return what they were."""
    state.stakes[0] += 1
    return state.stakes[0] - 1
