"""Rules that are not translated: a line has `# refused: ` and the beginning of the reason."""

from collections.abc import Callable, Generator, Iterator
from itertools import chain, combinations, product
from typing import Any, TypeVar

from typing_extensions import override

from cardhub import State, per_seat, shared, view_history
from kuhn.game import ANSWERS, CHECK, OPENINGS, Kuhn, Table

Rule = TypeVar("Rule", bound=Callable[..., Any])
NAMES = {"check": 0}
MIXED = [1, "two"]
HUGE = 1 << 70


class Squares(dict[int, int]):
    """Squares of numbers, which are computed when they are first read."""

    def __missing__(self, number: int) -> int:
        self[number] = number * number
        return self[number]  # refused: __missing__() must return the value


SQUARES = Squares()


class Nested(Table):
    """A state with fields that a struct does not have."""

    past: list[list[int]]
    label: str


class Watched(Table):  # refused: the state has secrets other than cards, or a history of views
    """A state with a history of views."""

    views = view_history()


class OwnPut(State):  # refused: the state has its own put()
    """A state with its own way to put cards; an heir of Kuhn's would withdraw Kuhn's fast one."""

    hand = per_seat(faces="owner")
    stack = shared(faces="nobody")
    stakes: list[int]

    @override
    def put(self, token: int, zone: list[Any], pile: int = 0) -> None:
        super().put(token, zone, pile)


def checked(rule: Rule) -> Rule:
    """Return a rule as it is."""
    return rule


@checked
def decorated(number: int) -> int:  # refused: a decorated function is not understood
    """Return a number."""
    return number


class WithSets(Kuhn):
    """What exactly one of two sets has."""

    @override
    def legal(self, state: Table) -> list[int]:
        return sorted({*OPENINGS} ^ {CHECK})  # refused: a number is needed here


class WithChangedSets(Kuhn):
    """A set that changes."""

    @override
    def legal(self, state: Table) -> list[int]:
        numbers = {*OPENINGS}
        numbers.add(CHECK)  # refused: add() of a set is not understood
        return sorted(numbers)


class WithFormats(Kuhn):
    """A text that is made while the game runs, and read."""

    @override
    def legal(self, state: Table) -> list[int]:
        return [NAMES[f"check{state.phase}"]]  # refused: a text that is made while


class WithSquares(Kuhn):
    """A dictionary that reads what it has just stored."""

    @override
    def legal(self, state: Table) -> list[int]:
        return [SQUARES[state.phase]]


class WithUsedIterators(Kuhn):
    """An iterator that the first loop uses up, so nothing is left for the second."""

    @override
    def legal(self, state: Table) -> list[int]:
        doubled = (2 * stake for stake in state.stakes)
        return [*doubled, *doubled]  # refused: doubled is not known here


class WithIteratorsInLoops(Kuhn):
    """An iterator that the first round of a loop uses up."""

    @override
    def legal(self, state: Table) -> list[int]:
        pairs = enumerate(state.stakes)
        return [len([*pairs]) for _ in OPENINGS]  # refused: an iterator is used up once


class WithKeptIterators(Kuhn):
    """A function gets an iterator, and may use it at any time."""

    @override
    def legal(self, state: Table) -> list[int]:
        return longest(map(abs, state.stakes))  # refused: an iterator is understood


class WithGeneratedLoops(Kuhn):
    """A loop changes what a generator expression goes through."""

    @override
    def apply(self, state: Table, action: int) -> None:
        for stake in (stake for stake in state.stakes if stake):  # refused: a generator
            state.stakes.remove(stake)


class WithGenerators(Kuhn):
    """A generator function reads a state that may change before it goes on."""

    @override
    def legal(self, state: Table) -> list[int]:
        return list(even_stakes(state))


class WithEndedGenerators(Kuhn):
    """A generator function returns a value, which ends it."""

    @override
    def legal(self, state: Table) -> list[int]:
        return list(until_two(state.phase))


class WithChains(Kuhn):
    """A list changes between the making of a chain and its use."""

    @override
    def legal(self, state: Table) -> list[int]:
        both = chain(state.stakes, OPENINGS)  # refused: a chain of lists is understood in
        state.stakes.append(1)
        return list(both)


class WithReplacedIterators(Kuhn):
    """A variable is an iterator in one case and a list in the other."""

    @override
    def legal(self, state: Table) -> list[int]:
        pairs: Any = combinations(range(state.phase), 2)
        if state.stakes:
            pairs = [state.stakes]  # refused: pairs is an iterator elsewhere
        return [len(pair) for pair in pairs]


class WithRepeatedProducts(Kuhn):
    """A product of a list with itself."""

    @override
    def legal(self, state: Table) -> list[int]:
        return [a for a, _ in product(range(state.phase), repeat=2)]  # refused: product() with


class WithFilledDictionaries(Kuhn):
    """What a dictionary has depends on what has been read before."""

    @override
    def legal(self, state: Table) -> list[int]:
        return OPENINGS if state.phase in SQUARES else ANSWERS  # refused: what this dictionary has


class WithTextsInOrder(Kuhn):
    """Texts are sorted, whose order no number says."""

    @override
    def legal(self, state: Table) -> list[int]:
        names = list(NAMES) * state.phase
        return [NAMES[name] for name in sorted(names)]  # refused: only numbers, and tuples of


class WithSharedItems(Kuhn):
    """A list gets floats while something else refers to it as a list of ints."""

    @override
    def legal(self, state: Table) -> list[int]:
        numbers = [1]
        others = numbers
        others.append(state.phase / 2)  # type: ignore[arg-type]  # refused: the items of the list
        return numbers


class WithTry(Kuhn):
    """A statement that handles exceptions."""

    @override
    def legal(self, state: Table) -> list[int]:
        try:  # refused: this statement is not understood (Try)
            return [state.stakes[0]]
        except IndexError:
            return OPENINGS


class WithHugeNumbers(Kuhn):
    """A constant of more than 64 bits."""

    @override
    def legal(self, state: Table) -> list[int]:
        return [CHECK & HUGE | HUGE]  # refused: the number has more than 64 bits


class WithMixedLists(Kuhn):
    """A list of constants with several types."""

    @override
    def legal(self, state: Table) -> list[int]:
        return OPENINGS if state.phase in MIXED[:1] + MIXED else []  # refused: the list has


class WithPowers(Kuhn):
    """A root, whose last bits depend on a library."""

    @override
    def scores(self, state: Table) -> list[int]:
        return [int(state.stakes[0] ** 0.5), 0]  # refused: the operator Pow of floats


class WithSeveralTypes(Kuhn):
    """A variable that is a number and a list."""

    @override
    def legal(self, state: Table) -> list[int]:
        chosen: Any = state.phase
        chosen = [chosen]  # refused: chosen has values of several types
        return OPENINGS if chosen else []


class WithNestedFields(Kuhn):
    """A rule that reads a field that the struct does not have."""

    state_type = Nested

    @override
    def legal(self, state: Any) -> Any:
        return state.past[0]  # refused: a text, a tuple or a nested list of the state is read


class WithAliases(Kuhn):
    """A variable goes on to refer to a list that a field no longer has."""

    @override
    def apply(self, state: Table, action: int) -> None:
        stakes = state.stakes
        state.stakes = [2, 2]  # refused: a variable may refer to state.stakes
        stakes[0] = 5


class WithReturnedAliases(Kuhn):
    """A function returns the list of a field, which then gets another list."""

    @override
    def apply(self, state: Table, action: int) -> None:
        stakes = stakes_of(state)
        state.stakes = [2, 2]  # refused: a variable may refer to state.stakes
        stakes[0] = 5


def longest(numbers: Any) -> list[int]:
    """Return the numbers."""
    return list(numbers)


def even_stakes(state: Table) -> Iterator[int]:  # refused: a generator function is understood
    """Yield stakes."""
    for stake in state.stakes:
        if stake % 2 == 0:
            yield stake


def until_two(number: int) -> Generator[int, None, int]:
    """Yield a number, and return another."""
    yield number
    return 2  # refused: a generator function that returns a value


def stakes_of(state: Table) -> list[int]:
    """Return the stakes of a state."""
    return state.stakes


class WithSharedLists(Kuhn):
    """A field gets a list that a variable refers to."""

    @override
    def apply(self, state: Table, action: int) -> None:
        stakes = [2, 2]
        state.stakes = stakes  # refused: state.stakes gets a list that something else
        stakes[0] = 5


class WithWeights(Kuhn):  # refused: chance_weights() returns something else
    """Chance has no weights after all."""

    @override
    def chance_weights(self, state: Table) -> list[float] | None:
        return None


class WithDecorators(Kuhn):
    """A rule whose function is decorated."""

    @override
    def legal(self, state: Table) -> list[int]:
        return [decorated(state.phase)]


class WithViews(Kuhn):
    """A game with other secrets than cards."""

    state_type = Watched


class WithOwnPut(Kuhn):
    """A game whose state has its own put."""

    state_type = OwnPut  # type: ignore[assignment]  # it is refused before anybody plays it
