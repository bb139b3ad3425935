"""Ints that are not an action of a game, or not an action on a card of its deal."""

from typing import Any

import pytest
from tests.kit.paths import TESTS
from tests.kit.scripted_bot import ScriptedBot
from typing_extensions import override

from cardhub import OVER, Actions, Display, Game, Scene, Seats, State, Tokens, load_cards, per_seat
from cardhub.base.errors import BotFaultError, BotIllegalError, IllegalActionError
from cardhub.base.errors.quoting import as_int, quoted
from cardhub.bots.asking import advise
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import ask_to_act, set_up

# No card of the deal, or out of range.
ODD = (-1, -7, 4, 5, 999, 1000, 1001, 10**9, 10**9999)


class Table(State):
    """Two cards each."""

    hand = per_seat(faces="owner")


class WideDisplay(Display[Table]):
    """A game with far more actions than cards: one may play any of a thousand, and has two."""

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        return Scene("", [])


class Wide(Game[Table]):
    """A game with far more actions than cards: one may play any of a thousand, and has two."""

    name, title, seats = "wide", "Wide", Seats(2)
    cards = load_cards(TESTS / "games" / "magpie.yaml", value=int)
    actions = Actions(Tokens("play", 1000), "pass")
    state_type = Table
    display_type = WideDisplay

    def pack(self, settings: Any, seats: int) -> list[int]:
        """Return four cards."""
        return self.cards.all_copies()[:4]

    def deal(self, state: Table) -> None:
        """Deal two cards each."""
        state.put_all((0, 1), state.hand, 0)
        state.put_all((2, 3), state.hand, 1)
        state.seat = 0

    @override
    def legal(self, state: Table) -> list[int]:
        return state.hand[state.seat][:]

    @override
    def apply(self, state: Table, action: int) -> None:
        state.seat = 1 if state.seat == 0 else OVER

    @override
    def scores(self, state: Table) -> list[int]:
        return [0, 0]


@pytest.fixture
def referee() -> Referee[Table]:
    """Return a game at its start."""
    referee = set_up(Wide(), [Player("Anna", "human"), Player("Bob", "random")], {}, 1)
    referee.proceed()
    return referee


@pytest.mark.parametrize("number", ODD, ids=range(len(ODD)))
def test_any_number_has_words_and_none_is_legal(referee: Referee[Table], number: int) -> None:
    """A card that is not in the deal is as little an action as a number out of range."""
    labels = referee.observe(0).labels()
    words = "pass" if number == 1000 else f"action {quoted(number)}"
    assert labels.label(number) == labels.notation(number) == words
    assert labels.notations([number]) == {words: number}
    with pytest.raises(IllegalActionError):
        referee.apply(number)
    for asked in (
        lambda: ask_to_act(referee, ScriptedBot(number)),
        lambda: _advise(referee, number),
    ):
        with pytest.raises(BotIllegalError, match=r"is not legal\. Legal: play "):
            asked()


def _advise(referee: Referee[Table], number: int) -> None:
    advise(ScriptedBot(number), referee.observe(0))


class Odd:
    """An answer whose methods raise."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def __index__(self) -> int:
        raise self._error

    def __repr__(self) -> str:
        raise self._error

    __str__ = __repr__


class OddError(Exception):
    """An exception whose message cannot be read."""

    def __str__(self) -> str:
        raise SystemExit(0)


ERRORS = (ValueError("no"), SystemExit(0), KeyboardInterrupt(), OddError())


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_exceptions_in_methods_of_an_answer_are_the_bots_fault(
    referee: Referee[Table], error: BaseException
) -> None:
    """The methods are `__index__` and `__repr__`."""
    for answer in (Odd(error), [Odd(error)], {"action": Odd(error)}):
        with pytest.raises(BotFaultError):
            ask_to_act(referee, ScriptedBot(answer))
    assert referee.observe(0).history == ()


class Whole(int):
    """An int of a different type."""

    def __eq__(self, other: object) -> bool:
        raise SystemExit(0)

    __hash__ = None  # type: ignore[assignment]  # on purpose


def test_whole_numbers_of_other_types_are_actions_but_bools_are_not(
    referee: Referee[Table],
) -> None:
    """Learners answer with ints of numpy; True is a mistake."""
    numpy = pytest.importorskip("numpy")
    for answer in (1, Whole(1), numpy.int64(1), numpy.uint8(1), numpy.array(1)):
        chosen = ask_to_act(referee, ScriptedBot(answer))
        assert (type(chosen), chosen) == (int, 1)
    for answer in (True, numpy.bool_(True), 1.0, numpy.float32(1), "1", None):
        assert as_int(answer) is None
        with pytest.raises(BotFaultError):
            ask_to_act(referee, ScriptedBot(answer))


def test_the_referee_keeps_plain_ints(referee: Referee[Table]) -> None:
    """An action that a learner passes is an int in the history."""
    numpy = pytest.importorskip("numpy")
    referee.apply(numpy.int64(1))
    assert [type(step.action) for step in referee.observe(0).history] == [int]


def test_quoting_a_value_runs_none_of_its_code() -> None:
    assert quoted(Odd(SystemExit(0))) == "of type Odd"
    assert quoted([1, "a", None]) == "[1, 'a', None]"
    assert len(quoted("x" * 10_000)) == 200
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    assert quoted(nested) == "of type list"
