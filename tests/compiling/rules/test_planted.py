"""Rules in C keep secrets as Python does, and give back what they cannot carry out."""

from random import Random
from typing import Any

import pytest
from tests.compiling.rules.conftest import Built
from tests.compiling.rules.planted import BEYOND, LEAKS, Endless
from tests.compiling.rules.test_same_games import expected, first_state, seen

from cardhub.base.errors import HiddenFaceError
from cardhub.model.hidden.masked_rules import under_mask
from cardhub.plugins.registry import find_plugins
from kuhn.game import Kuhn


@pytest.mark.parametrize("game", LEAKS, ids=lambda game: game.name)
def test_a_rule_that_reads_an_unseen_face_raises_as_in_python(game: Kuhn, built: Built) -> None:
    state = first_state(game, Random(1))
    position = built(game).Position(state)
    leaked = 0
    for viewer in range(state.seats + 1):
        rules: list[tuple[Any, Any]] = [
            (game.legal, position.legal),
            (game.scores, position.scores),
        ]
        for rule, in_c in rules:
            answer = expected(rule, state, viewer)
            assert seen(in_c, viewer) == answer
            leaked += isinstance(answer, int)
            if isinstance(answer, int):
                with pytest.raises(HiddenFaceError) as in_python:
                    under_mask(state, viewer, rule)
                with pytest.raises(HiddenFaceError, match=in_python.value.args[0]):
                    in_c(viewer)
    assert leaked >= 2


def is_applied(module: Any, position: Any, rng: Random) -> bool:
    """Apply an action; return whether it was not given back."""
    try:
        position.apply(0, rng)
    except module.GivenBackError:
        return False
    return True


@pytest.mark.parametrize("game", BEYOND, ids=lambda game: game.name)
def test_what_a_struct_cannot_hold_is_given_back(game: Kuhn, built: Built) -> None:
    module, rng = built(game), Random(3)
    state = first_state(game, rng)
    before = rng.getstate()
    assert module.playouts(state, rng, 5, 0, False) is None
    position = module.Position(state)
    kept = position.fields()
    while is_applied(module, position, rng):
        kept = position.fields()
    assert position.fields() == kept
    assert rng.getstate() == before


def test_endless_calls_are_given_back(built: Built) -> None:
    game = Endless()
    module = built(game)
    with pytest.raises(module.GivenBackError, match="too long"):
        module.Position(first_state(game, Random(1))).scores(None)


@pytest.mark.parametrize(
    ("field", "value"),
    [("stakes", [1 << 70, 1]), ("stakes", [1, 1, 1]), ("seat", "0")],
)
def test_a_state_that_does_not_fit_is_given_back(field: str, value: Any, built: Built) -> None:
    game = Kuhn()
    module, state = built(game), first_state(game, Random(1))
    setattr(state, field, value)
    with pytest.raises(module.GivenBackError):
        module.Position(state)
    assert module.playouts(state, Random(1), 1, 0, False) is None


def test_answers_that_a_record_has_are_given_back(built: Built) -> None:
    game = find_plugins([]).game("gamon")
    module, state = built(game), first_state(game, Random(1))
    state.recorded_answers = (True,) * (len(state.answers) + 1)
    with pytest.raises(module.GivenBackError, match="recorded answers"):
        module.Position(state)


class OtherRandom(Random):
    """A generator that may draw in its own way."""


def test_other_generators_than_pythons_own_are_given_back(built: Built) -> None:
    game = Kuhn()
    state = first_state(game, Random(1))
    assert built(game).playouts(state, OtherRandom(1), 1, 0, False) is None
