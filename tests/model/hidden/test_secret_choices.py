"""Nobody sees what others have chosen until all have chosen."""

from random import Random

import pytest
from tests.games.throws import PAPER, ROCK, SCISSORS, Table, Throws

from cardhub import OVER, Observation
from cardhub.model.hidden.masked_rules import under_mask
from cardhub.model.hidden.observation import EVERYTHING, Step, observe_step
from cardhub.model.hidden.serialization import deserialize, serialize
from cardhub.testing import initial_state, resolve_options

THROWS = Throws()


def dealt() -> Table:
    """Return a position in which both seats are asked."""
    settings = resolve_options(THROWS, {}, 2)
    return initial_state(THROWS, settings, 2, THROWS.pack(settings, 2))


def after(action: int) -> tuple[Table, list[Step]]:
    """Return the position after the first seat's choice, with the history."""
    state = dealt()
    THROWS.apply(state, action)
    return state, [Step(0, action)]


@pytest.mark.parametrize("viewer", [1, 2])
def test_others_and_spectators_see_the_same_as_before_the_choice(viewer: int) -> None:
    state, history = after(PAPER)
    here, before = Observation(THROWS, state, viewer, history), Observation(THROWS, dealt(), viewer)
    assert (here.state, here.history) == (before.state, ())
    assert here.information_state() == before.information_state()
    assert here.information_text() == before.information_text()


def test_a_seat_sees_its_own_choice() -> None:
    state, history = after(PAPER)
    own = Observation(THROWS, state, 0, history)
    assert (own.state.known_choices(), own.history) == ({0: PAPER}, (Step(0, PAPER),))
    assert not own.is_to_act


def test_every_asked_seat_is_to_act_in_its_own_observation() -> None:
    observations = [Observation(THROWS, dealt(), seat) for seat in (0, 1)]
    assert [seen.is_to_act for seen in observations] == [True, True]
    assert [seen.legal() for seen in observations] == [[ROCK, PAPER, SCISSORS]] * 2
    assert not Observation(THROWS, dealt(), 2).is_to_act


def test_a_determinization_has_no_choices_of_others() -> None:
    state, history = after(PAPER)
    drawn = Observation(THROWS, state, 1, history).determinize(Random(0))
    assert (drawn.seat, drawn.known_choices()) == (1, {})
    for action in (SCISSORS, ROCK):
        THROWS.apply(drawn, action)
    assert (drawn.seat, drawn.throws) == (OVER, (ROCK, SCISSORS))


def test_all_choices_are_public_once_all_have_chosen() -> None:
    state, history = after(PAPER)
    THROWS.apply(state, ROCK)
    history.append(Step(1, ROCK))
    assert Observation(THROWS, state, 2, history).history == tuple(history)


def test_whoever_sees_everything_sees_the_choices() -> None:
    state, history = after(PAPER)
    seen = Observation(THROWS, state, EVERYTHING, history)
    assert (seen.state, seen.history) == (state, tuple(history))


def test_a_sent_observation_is_the_same() -> None:
    state, history = after(PAPER)
    for viewer in range(3):
        sent = Observation(THROWS, state, viewer, history)
        received = deserialize(THROWS, serialize(sent))
        assert (received.state, received.history) == (sent.state, sent.history)


def test_a_rule_under_a_mask_reads_no_choice() -> None:
    state, _ = after(PAPER)
    chosen = [under_mask(state, viewer, Table.known_choices) for viewer in range(3)]
    assert chosen == [{0: PAPER}, {}, {}]


def test_the_last_choice_is_described_with_all_choices() -> None:
    before, history = after(PAPER)
    last = before.clone()
    THROWS.apply(last, ROCK)
    first, second = observe_step(THROWS, before, ROCK, last, 2, [*history, Step(1, ROCK)])
    assert first.state.known_choices() == {0: PAPER, 1: ROCK}
    assert (first.state.seat, second.state.throws) == (1, (PAPER, ROCK))
