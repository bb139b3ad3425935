"""Action groups, turn order, and the sites of a board as names and as bits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardhub import connected, numbers, orthogonal
from cardhub.model.table.actions import Actions, Amount, Choice, Players, Sites, Tokens
from cardhub.model.table.seats import clockwise, first_seat, left_of

ACTIONS = Actions(Tokens("lay", 4), "done", Choice("call", range(1, 4)), Sites("place", 2, 2))


def test_groups_are_numbered_one_after_the_other() -> None:
    """The game declares a fixed range as named groups."""
    assert ACTIONS.starts == (0, 4, 5, 8)
    assert ACTIONS.size == 12
    lay, done, call, place = ACTIONS.starts
    texts = [
        ACTIONS.text(action, "card{}".format) for action in (lay + 2, done, call + 1, place + 3)
    ]
    assert texts == ["lay card2", "done", "call 2", "place r1c1"]


def test_only_actions_on_tokens_have_one() -> None:
    """An action on a token points at its card."""
    assert [ACTIONS.token(action) for action in (3, 4, 6, 11)] == [3, None, None, None]


@given(st.integers(0, 11))
def test_every_action_is_in_exactly_one_group(action: int) -> None:
    group, index = ACTIONS.group(action)
    assert 0 <= index < group.size
    assert ACTIONS.starts[ACTIONS.groups.index(group)] + index == action


def test_legal_actions_make_a_mask_of_fixed_size() -> None:
    mask = ACTIONS.mask([0, 4, 11])
    assert len(mask) == ACTIONS.size
    assert [action for action, is_legal in enumerate(mask) if is_legal] == [0, 4, 11]


def test_seats_follow_clockwise() -> None:
    assert clockwise(2, 4) == (2, 3, 0, 1)
    assert left_of(3, 4) == 0


def test_seats_that_do_not_play_are_skipped() -> None:
    """Skipping: the first seat that plays, or none."""
    hands = [[], [1], [], [2]]
    assert first_seat(2, 4, hands.__getitem__) == 3
    assert first_seat(0, 4, lambda seat: False) is None


def test_sites_have_a_letter_and_a_number_for_people_and_indexes_in_records() -> None:
    """`a1` is the upper left site; records keep `r0c0`."""
    group = Sites("place", 2, 28)
    assert (group.labels[0], group.words[0]) == ("a1", "r0c0")
    assert (group.labels[28 + 4], group.words[28 + 4]) == ("e2", "r1c4")
    assert (group.labels[25], group.labels[26]) == ("z1", "aa1")
    assert len(set(group.labels)) == group.size


def test_neighbours_are_one_step_along_a_row_or_column() -> None:
    next_to = orthogonal(2, 3)
    assert [numbers(sites) for sites in next_to] == [
        [1, 3],
        [0, 2, 4],
        [1, 5],
        [0, 4],
        [1, 3, 5],
        [2, 4],
    ]


@given(st.sets(st.integers(0, 40)))
def test_numbers_come_in_ascending_order(sites: set[int]) -> None:
    assert numbers(sum(1 << site for site in sites)) == sorted(sites)


@given(st.sets(st.integers(0, 19), min_size=1), st.data())
def test_connected_sites_are_the_sites_that_steps_lead_to(
    sites: set[int], data: st.DataObject
) -> None:
    start = data.draw(st.sampled_from(sorted(sites)))
    walked, edge = {start}, [start]
    for site in edge:
        row, column = divmod(site, 5)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            other = r * 5 + c
            if 0 <= r < 4 and 0 <= c < 5 and other in sites - walked:
                walked.add(other)
                edge.append(other)
    reached = connected(1 << start, sum(1 << site for site in sites), orthogonal(4, 5))
    assert set(numbers(reached)) == walked


def betting() -> tuple[Actions, Amount]:
    """Return actions with raises of 2 to 20 chips."""
    raises = Amount("raise", 2, 20, text="raise to {amount}")
    return Actions("fold", "call", raises, "all in"), raises


def test_an_amount_is_a_block_of_action_numbers() -> None:
    actions, raises = betting()
    assert actions.starts == (0, 1, 2, 21)
    assert (raises.action(2), raises.action(20)) == (2, 20)
    assert [raises.amount(action) for action in (2, 11, 20)] == [2, 11, 20]
    assert [action in raises for action in (1, 2, 20, 21)] == [False, True, True, False]


def test_records_have_the_verb_and_people_read_the_text_of_an_amount() -> None:
    actions, raises = betting()
    group, index = actions.group(raises.action(7))
    assert (group.text(index, str), group.label(index, str)) == ("raise 7", "raise to 7")
    assert raises.label_of("2–20") == "raise to 2–20"


def test_rules_return_the_amounts_that_are_legal_now() -> None:
    _, raises = betting()
    assert [raises.amount(action) for action in raises.between(4, 7)] == [4, 5, 6, 7]
    assert [raises.amount(action) for action in raises.between(4, 9, step=2)] == [4, 6, 8]
    assert [*raises.between(8, 7)] == []


def test_amounts_can_have_steps() -> None:
    bids = Amount("bid", 10, 100, 10)
    actions = Actions("pass", bids)
    assert actions.size == 11
    assert [bids.amount(action) for action in bids.between(30, 60)] == [30, 40, 50, 60]
    assert [bids.amount(action) for action in bids.between(30, 75, step=20)] == [30, 50, 70]


def test_rules_get_values_instead_of_indexes() -> None:
    actions = Actions("pass", Choice("call", range(3, 6)), Amount("bid", 5, 9, 2), Tokens("lay", 2))
    assert actions.verb_and_value[0] == ("pass", 0)
    assert actions.verb_and_value[1:4] == [("call", 3), ("call", 4), ("call", 5)]
    assert actions.verb_and_value[4:7] == [("bid", 5), ("bid", 7), ("bid", 9)]
    assert actions.verb_and_value[7:] == [("lay", 0), ("lay", 1)]


def test_the_value_of_a_seat_a_site_or_a_word_is_its_index() -> None:
    actions = Actions(Players("ask", 2), Sites("place", 1, 2), Choice("fight", ["red", "blue"]))
    assert [value for _, value in actions.verb_and_value] == [0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize(
    ("low", "high", "step", "message"),
    [
        (2, 21, 0, "goes from 2 to 20, not to 21. fix: declare the amounts of the largest table"),
        (1, 20, 0, "goes from 2 to 20, not to 1"),
        (2, 20, -1, "have steps of 1, not -1. fix: a multiple of the declared step"),
    ],
)
def test_amounts_that_are_not_declared_are_refused(
    low: int, high: int, step: int, message: str
) -> None:
    _, raises = betting()
    with pytest.raises(ValueError, match=message):
        raises.between(low, high, step)


def test_an_amount_belongs_to_one_list_of_actions() -> None:
    _, raises = betting()
    with pytest.raises(ValueError, match="'raise' is part of two Actions"):
        Actions(raises)
    with pytest.raises(ValueError, match=r"not part of any actions. fix: Actions\(..., amount\)"):
        Amount("raise", 1, 2).action(1)
    with pytest.raises(ValueError, match="action 0 has no amount of 'raise'"):
        raises.amount(0)


@pytest.mark.parametrize(
    ("low", "high", "step", "text"),
    [(2, 1, 1, ""), (1, 2, 0, ""), (1, 2, 1, "raise"), (1, 2, 1, "{amount}{amount}")],
)
def test_a_declaration_without_amounts_or_a_place_for_them_is_refused(
    low: int, high: int, step: int, text: str
) -> None:
    with pytest.raises(ValueError, match="fix: "):
        Amount("raise", low, high, step, text)
