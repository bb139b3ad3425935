"""Private fields, secret looks and secret actions are hidden from all other viewers."""

import pickle
from collections.abc import Callable
from copy import deepcopy
from operator import add

import pytest
from tests.games.moles import CARDS, HARM, HELP, LOOK, MOLE, MOUSE, Moles, Table

from cardhub import Actions, HiddenFaceError, Observation, State, private, shared, view_history
from cardhub.bots.external.messages import table
from cardhub.model.hidden.masked_rules import under_mask
from cardhub.model.hidden.observation import EVERYTHING, Step, known_action
from cardhub.model.hidden.serialization import deserialize, serialize
from cardhub.model.table.actions import UNSEEN_ACTION
from cardhub.model.table.faces import BLANK, blanked
from cardhub.testing import initial_state, resolve_options
from cardhub.testing.checking import freeze

MOLES = Moles()
SETTINGS = resolve_options(MOLES, {}, 3)


def dealt(*roles: int) -> Table:
    """Return the position after a deal of these roles."""
    return initial_state(MOLES, SETTINGS, 3, roles)


def observe(state: Table, viewer: int) -> Observation[Table]:
    """Return what a viewer sees after no action."""
    return Observation(MOLES, state, viewer)


def test_moles_see_each_other() -> None:
    state = dealt(MOLE, MOLE, MOUSE, MOUSE)
    assert blanked(observe(state, 0).state.face) == [MOLE, MOLE, BLANK, BLANK]


def test_nobody_else_sees_that_moles_have_seen_each_other() -> None:
    two, one = dealt(MOLE, MOLE, MOUSE, MOUSE), dealt(MOLE, MOUSE, MOUSE, MOLE)
    assert observe(two, 2).state.seen == observe(one, 2).state.seen == [1, 2, 4, 0]
    assert observe(two, 3).state == observe(one, 3).state


def test_a_look_is_public_once_others_learn_of_it() -> None:
    state = dealt(MOLE, MOLE, MOUSE, MOUSE)
    state.show(0, 1)
    assert observe(state, 2).state.seen == [3, 2, 4, 0]
    state.reveal([0])
    assert observe(state, 2).state.seen == [15, 2, 4, 0]


def test_a_card_that_is_seen_by_the_rules_of_a_zone_is_seen_in_public() -> None:
    state = dealt(MOLE, MOUSE, MOUSE, MOLE)
    state.show(3, 0, is_secret=True)
    assert observe(state, 1).state.seen[3] == 0
    state.move(3, state.aside, state.role, 0)
    assert observe(state, 1).state.seen[3] == 1


def test_a_public_look_does_not_become_secret() -> None:
    state = dealt(MOLE, MOUSE, MOUSE, MOLE)
    state.show(3, 0)
    state.show(3, 0, is_secret=True)
    assert observe(state, 1).state.seen[3] == 1


def test_a_secret_action_is_known_to_its_seat_only() -> None:
    state = dealt(MOLE, MOUSE, MOUSE, MOLE)
    history = [Step(0, HARM), Step(1, LOOK)]
    for step in history:
        MOLES.apply(state, step.action)
    own, other, all_seeing = (
        Observation(MOLES, state, viewer, history).history for viewer in (0, 2, EVERYTHING)
    )
    assert own == (Step(0, HARM), Step(1, UNSEEN_ACTION))
    assert other == (Step(0, UNSEEN_ACTION), Step(1, UNSEEN_ACTION))
    assert all_seeing == tuple(history)
    assert known_action(MOLES, 0, HARM, 0) == HARM


def test_a_private_field_has_the_row_of_its_viewer_only() -> None:
    state = dealt(MOLE, MOUSE, MOUSE, MOLE)
    MOLES.apply(state, HELP)
    assert observe(state, 0).state.deeds[0] == observe(state, EVERYTHING).state.deeds[0] == [HELP]
    for viewer in (1, 2, 3):
        observed = observe(state, viewer).state
        assert [observed.has_private(seat) for seat in range(3)] == [s == viewer for s in range(3)]
    assert under_mask(state, 1, lambda masked: masked.deeds[1]) == []


@pytest.mark.parametrize(
    "read",
    [
        len,
        bool,
        list,
        sum,
        tuple,
        lambda row: row[-1],
        lambda row: row[:],
        lambda row: HELP in row,
        lambda row: row == [HELP],
        lambda row: row != [],
        lambda row: add([], row),
        lambda row: add(row, []),
        lambda row: row > [],
        lambda row: row.count(HELP),
        lambda row: row.append(HELP),
        lambda row: [].extend(row),
    ],
)
@pytest.mark.parametrize("is_cloned", [False, True])
def test_reading_the_private_row_of_another_seat_raises(
    read: Callable[[list[int]], object], is_cloned: bool
) -> None:
    state = dealt(MOLE, MOUSE, MOUSE, MOLE)
    MOLES.apply(state, HELP)
    observed = observe(state, 1).state
    row = (observed.clone() if is_cloned else observed).deeds[0]
    with pytest.raises(
        HiddenFaceError, match=r"state\.deeds\[0\] is private: only seat 0 knows it"
    ):
        read(row)


def test_observations_with_unseen_private_rows_can_be_compared_and_copied() -> None:
    state = dealt(MOLE, MOUSE, MOUSE, MOLE)
    first, other = (observe(state, viewer).state for viewer in (0, 1))
    assert first == first.clone() == deepcopy(first) == pickle.loads(pickle.dumps(first))
    assert first not in (other, state)
    assert freeze(first) == freeze(first.clone()) != freeze(other)


def test_programs_get_null_for_unseen_private_rows() -> None:
    state = dealt(MOLE, MOUSE, MOUSE, MOLE)
    MOLES.apply(state, HELP)
    assert table(observe(state, 0))["values"]["deeds"] == [[HELP], None, None]


def test_a_sent_observation_is_the_same() -> None:
    state, history = dealt(MOLE, MOLE, MOUSE, MOUSE), []
    for action in (HARM, LOOK):
        history.append(Step(state.seat, action))
        MOLES.apply(state, action)
    for viewer in range(4):
        sent = Observation(MOLES, state, viewer, history)
        received = deserialize(MOLES, serialize(sent))
        assert (received.state, received.history) == (sent.state, sent.history)


def test_a_private_field_needs_a_history_of_views() -> None:
    with pytest.raises(TypeError, match=r"fix: declare `views = view_history\(\)`"):

        class Loose(State):
            notes = private()


def test_a_secret_look_needs_a_history_of_views() -> None:
    class Open(State):
        pile = shared(faces="nobody")

    state = Open(2, [0], [0], SETTINGS)
    with pytest.raises(TypeError, match=r"fix: declare `views = view_history\(\)`"):
        state.show(0, 1, is_secret=True)


def test_secret_actions_need_a_history_of_views() -> None:
    class Open(State):
        pile = shared(faces="nobody")

    class Hasty(Moles):
        state_type = Open  # type: ignore[assignment]  # the mistake of this test

    with pytest.raises(TypeError, match=r"fix: declare `views = view_history\(\)`"):
        initial_state(Hasty(), SETTINGS, 3, [0] * CARDS.count)


def test_only_verbs_of_actions_can_be_secret() -> None:
    with pytest.raises(ValueError, match="no actions 'vote' to be secret"):
        Actions("help", secret=["vote"])


def test_a_number_is_disclosed_by_answers() -> None:
    class Open(State):
        views = view_history()

    state = Open(2, [0], [0], SETTINGS)
    assert (state.disclose(2), state.answers) == (2, (True, True, False))
    with pytest.raises(TypeError, match="disclose a smaller number"):
        state.disclose(101)
