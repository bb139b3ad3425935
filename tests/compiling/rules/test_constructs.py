"""Each construct of rules has the same result in C as in Python."""

from collections.abc import Callable
from random import Random

import pytest
from tests.compiling.rules.conftest import Built
from tests.compiling.rules.constructs import CONSTRUCTS, Constructs, in_order_of_sets
from tests.compiling.rules.test_same_games import first_state

from cardhub.model.table.state import fields_of
from kuhn.game import Table

TRIES = 60


def first_position(game: Constructs) -> Table:
    """Return a state after the deal."""
    state = first_state(game, Random(1))
    assert isinstance(state, Table)
    return state


@pytest.mark.parametrize("construct", CONSTRUCTS[:-1], ids=lambda construct: construct.__name__)
def test_a_construct_has_the_same_result(
    construct: Callable[[int, int], list[int]], built: Built
) -> None:
    game, rng = Constructs(), Random(3)
    module, state = built(game), first_position(game)
    state.phase = CONSTRUCTS.index(construct)
    for _ in range(TRIES):
        state.stakes = [rng.randint(-99, 99), rng.randint(-99, 99)]
        expected = construct(*state.stakes)
        assert module.Position(state).legal(None) == expected


def test_a_sentence_that_nobody_hears_has_its_effects(built: Built) -> None:
    game = Constructs()
    state = first_position(game)
    position = built(game).Position(state)
    position.apply(0, Random(1))
    game.apply(state, 0)
    fields = position.fields()
    assert fields == {name: fields_of(state)[name] for name in fields}


@pytest.mark.parametrize(("first", "second"), [(-1, 3), (0, 8), (1 << 60, 0), (7, 2)])
def test_a_set_in_an_uncertain_order_is_given_back(first: int, second: int, built: Built) -> None:
    game = Constructs()
    module, state = built(game), first_position(game)
    state.phase, state.stakes = CONSTRUCTS.index(in_order_of_sets), [first, second]
    position = module.Position(state)
    if {first, second} <= {*range(8)}:
        assert position.legal(None) == [2, 7]
        return
    with pytest.raises(module.GivenBackError, match="Python"):
        position.legal(None)
