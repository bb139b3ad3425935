"""Numbers of fields: declarations are read at any table, and wrong ones are refused."""

from typing import Annotated, ClassVar

import pytest

from cardhub import BitsOf, IndexOf, Number, Omitted, Option, Range, State, Usual, per_token
from cardhub.model.game.initial_state import resolve_options, table_size
from cardhub.model.table.ranges import Span, TableSize
from cardhub.testing.checking import ConformanceError
from cardhub.testing.game_checks.state_checks import check_ranges
from cardhub.testing.random_play import default_trial, play
from holdem import Holdem
from kuhn import Kuhn
from kuhn.game import Table

TABLE = TableSize({"seats": 4, "tokens": 52, "faces": 52, "actions": 60, "chips": 100})


class Bounded(Kuhn):
    """A game whose stakes are declared too low."""

    class Low(Table):
        """The state."""

        stakes: Annotated[list[int], Range(0, 1)]

    state_type = Low


def first_fault(game: Kuhn) -> str:
    """Return the message of the check for some random games."""
    # In one of these games a seat bets.
    for seed in range(4):
        for position in play(game, default_trial(game, 2, seed)):
            try:
                check_ranges(game, position)
            except ConformanceError as error:
                return str(error)
    return ""


def test_bounds_are_numbers_names_and_products() -> None:
    assert Range(0, "seats * chips").span(TABLE) == (0, 400, 0)
    assert Range("-chips", "3 * seats").span(TABLE) == (-100, 12, 0)
    assert IndexOf("seats").span(TABLE) == (0, 3, 0)
    assert IndexOf(7, or_none=True).span(TABLE) == (-1, 6, 0)
    assert BitsOf("seats").span(TABLE) == (0, 15, 4)


def test_lists_have_a_number_for_each_seat_unless_declared() -> None:
    assert Range(0, 1).lengths(TABLE) == (4, 4)
    assert Range(0, 1, count="tokens").lengths(TABLE) == (52, 52)
    assert Usual(0, 1, most=9).lengths(TABLE) == (0, 9)
    with pytest.raises(ValueError, match="fix: give one of them"):
        Range(0, 1, count=2, most=3)


def test_a_declaration_is_written_as_its_source() -> None:
    for text in ("Range(0, 'seats * chips', most=8)", "IndexOf('seats', or_none=True)"):
        assert repr(eval(text)) == text
    assert repr(Omitted()) == "Omitted()"


def test_fields_keep_their_declarations_and_their_first_values() -> None:
    class First(State):
        turn: Annotated[int, Range(1, 40)] = 1
        note = per_token(BitsOf("faces"))
        name: str

    class Second(First):
        name: str

    declaration = Second._declaration
    assert declaration.numbers == {"note": BitsOf("faces"), "turn": Range(1, 40)}
    assert declaration.plain["turn"] == 1
    assert 40 in Span(1, 40)
    assert 41 not in Span(1, 40)


def test_an_empty_range_and_numbers_of_a_text_are_refused() -> None:
    with pytest.raises(ValueError, match=r"Range\(5, 2\) has no number. fix: Range\(2, 5\)"):
        Range(5, 2)
    with pytest.raises(TypeError, match=r"name: numbers are declared for int.* fix: leave out"):

        class Named(State):
            name: Annotated[str, Range(0, 1)]


def test_a_bound_that_names_nothing_is_refused_at_its_line() -> None:
    class Wrong(Table):
        turn: Annotated[int, Range(0, "ronds")]

    with pytest.raises(TypeError, match=r"test_ranges.py:\d+: Wrong.turn: .*'ronds'.*rounds.*fix"):

        class Rounds(Kuhn):
            state_type = Wrong
            options: ClassVar[dict[str, Option]] = {"rounds": Number(3, "Rounds.", 1, 9)}


def test_the_check_names_the_number_the_step_and_the_line_of_the_declaration() -> None:
    assert not first_fault(Kuhn())
    message = first_fault(Bounded())
    assert "state.stakes is [1, 2]" in message or "state.stakes is [2, 1]" in message
    assert "Range(0, 1) is from 0 to 1: not 2" in message
    assert "test_ranges.py" in message


def test_scores_beyond_the_declared_range_are_found() -> None:
    class Unfair(Kuhn):
        score_range = Range(0, 2)

    message = first_fault(Unfair())
    assert "scores() is" in message
    assert "Range(0, 2) is from 0 to 2" in message


def test_options_are_numbers_of_the_table() -> None:
    game = Holdem()
    settings = resolve_options(game, {"chips": 50}, 3)
    table = table_size(game, settings, 3, 52)
    assert table.value("seats * chips") == 150
