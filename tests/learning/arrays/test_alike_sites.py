"""Sites that are alike: what a network reads of a board site by site."""

from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from cardhub import Heuristics, numbers
from cardhub.base.errors import LayoutError
from cardhub.learning.arrays import Layout
from cardhub.learning.arrays.alike_rows import ABSENT
from cardhub.learning.arrays.alike_sites import CARDS, AlikeSites
from cardhub.learning.arrays.feature_spec import Row, Slots
from cardhub.learning.arrays.learner_slots import LearnerInputs, learner_inputs
from cardhub.model.hidden.chance import play_out
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.testing.random_play import Trial, deal
from cardhub_gamon import Gamon
from cardhub_garner import Garner
from cardhub_garner.groups import NEXT_TO, group_of
from cardhub_garner.table import NUMBER, SUIT, Table

SITES, SUITS, NUMBERS, PILES = 25, 5, 15, 3
VALUES = SUITS + NUMBERS


@cache
def inputs() -> LearnerInputs:
    """Return what a network sees of Garner."""
    return learner_inputs(Layout(Garner()))


def sites() -> AlikeSites:
    """Return the sites of Garner."""
    alike = inputs().sites
    assert alike is not None
    return alike


@cache
def position(actions: int) -> Table:
    """Return the state after some actions at random."""
    game, layout = Garner(), Layout(Garner())
    state = deal(game, Trial(2, layout.settings, 1))
    play_out(game, state, Random(1), actions)
    return state


def seen(state: Table) -> tuple[Slots, Slots, Slots]:
    """Return the shared numbers of a state, its sites, and what follows, in lines of sites."""
    row = Row(state, EVERYTHING, (), Garner().scores(state))
    array = inputs().of_states(Layout(Garner()).encode_rows([row]))[0]
    outside, by_row = inputs().ends
    rows = array[outside:by_row].reshape(inputs().row_shape)
    return array[len(inputs().slots) : outside], rows, array[by_row:].reshape(-1, SITES)


def value_of(face: int, field: int) -> int:
    """Return the number of a value of a face: suits come before numbers."""
    values: int = sites().slots.values[face, field]
    return values


def joined_size(state: Table, site: int, value: int) -> int:
    """Return the size of the groups with a value beside a site, without the site itself."""
    kind = SUIT if value < SUITS else NUMBER
    groups = 0
    for near in numbers(NEXT_TO[site]):
        pile = state.board[near]
        if pile and value_of(state.face[pile[-1]], int(value >= SUITS)) == value:
            groups |= group_of(state, state.face[pile[-1]], kind)
    return (groups & ~(1 << site)).bit_count()


# Counts of actions after which cards are lifted, lie on each other, and are collected.
@pytest.mark.parametrize("actions", [0, 1, 30, 75, 120])
def test_a_site_has_its_cards_and_the_sizes_of_its_groups(actions: int) -> None:
    state = position(actions)
    _, rows, (tops, *groups) = seen(state)
    layers, rest = np.split(rows, [3 * VALUES], axis=1)
    for site, pile in enumerate(state.board):
        expected = np.zeros((3, VALUES))
        for depth, token in enumerate(reversed(pile), 1):
            for field in range(2):
                share = 1 if depth <= 2 else 1 / depth
                expected[min(depth, 3) - 1, value_of(state.face[token], field)] += share
        assert np.allclose(layers[site].reshape(3, VALUES), expected)
        assert tops[site] == (state.face[pile[-1]] if pile else ABSENT)
        joined = [joined_size(state, site, value) / CARDS for value in range(VALUES)]
        assert np.allclose(rest[site, :VALUES], joined)
        sizes = [
            group_of(state, state.face[pile[-1]], kind).bit_count() if pile else 0
            for kind in (SUIT, NUMBER)
        ]
        assert np.allclose(rest[site, VALUES : VALUES + 2], np.array(sizes) / CARDS)
        for of_field, kind in zip(groups, (SUIT, NUMBER), strict=True):
            group = group_of(state, state.face[pile[-1]], kind) if pile else 1 << site
            assert [*np.flatnonzero(of_field == of_field[site])] == numbers(group)


@pytest.mark.parametrize("actions", [1, 75])
def test_a_site_has_what_other_piles_and_sites_have_of_its_values(actions: int) -> None:
    state = position(actions)
    shared, rows, _ = seen(state)
    first = max(state.seat, 0)
    piles = [state.won[first], state.won[1 - first], state.lifted]
    shares = np.zeros((PILES, VALUES))
    for number, pile in enumerate(piles):
        for token in pile:
            for field, count in enumerate((NUMBERS, SUITS)):
                shares[number, value_of(state.face[token], field)] += 1 / count
    of_ends = np.zeros((2, VALUES), np.float32)
    for number, token in enumerate(state.lifted[:1] + state.lifted[-1:]):
        of_ends[number, [value_of(state.face[token], field) for field in range(2)]] = 1
    assert np.allclose(shared.reshape(PILES + 2, VALUES), [*shares, *of_ends])
    joined = rows[:, 3 * VALUES : 4 * VALUES]
    best, top, beneath, by_pile, joined_beneath, joined_ends = np.split(
        rows[:, 4 * VALUES + 2 : 4 * VALUES + 2 + 8 + 3 * 2 * PILES],
        np.cumsum([2, 2 * PILES, 2 * PILES, 2 * PILES, 2]),
        axis=1,
    )
    ends = [
        value for field in range(2) for of_end in of_ends for value in _values_in(of_end, field)
    ]
    assert np.allclose(joined_ends, joined[:, ends] if ends else 0)
    for site, pile in enumerate(state.board):
        for depth, numbers_of_values in ((1, top), (2, beneath)):
            values = (
                [value_of(state.face[pile[-depth]], f) for f in (0, 1)] if pile[depth - 1 :] else []
            )
            expected = [shares[p, value] for value in values for p in range(PILES)]
            assert np.allclose(numbers_of_values[site], expected or 0)
            if depth == 1:
                assert np.allclose(best[site], [joined[:, v].max() for v in values] or 0)
            else:
                assert np.allclose(joined_beneath[site], joined[site, values] if values else 0)
        for field, of_field in enumerate((range(SUITS), range(SUITS, VALUES))):
            sums = [sum(joined[site, v] for v in of_field if shares[p, v]) for p in range(PILES)]
            assert np.allclose(by_pile[site, field * PILES :][:PILES], sums)


def _values_in(of_end: Slots, field: int) -> list[int]:
    """Return the value of a field that a card at the end of a pile has, if there is a card."""
    of_field = slice(0, SUITS) if field == 0 else slice(SUITS, VALUES)
    return [int(value) + (of_field.start or 0) for value in np.flatnonzero(of_end[of_field])]


def test_a_column_of_actions_means_the_same_at_each_site() -> None:
    layout, slots = Layout(Garner()), sites().slots
    texts = [layout.action_text(number) for number in slots.actions[:, 0]]
    assert texts == [f"place {column}{row}" for row in range(1, 6) for column in "abcde"]
    of_face = [[layout.action_text(number) for number in line] for line in slots.on_top]
    assert of_face[16] == ["lift B2", "collect B2", "leave B2"]


def test_fields_that_number_sites_are_read_at_the_sites() -> None:
    layout = Layout(Garner())
    read = {*sites().gathered.tolist()}
    for name in ("origins_one_hot", "used", "group", "known", "depths"):
        part = layout.part(name)
        assert {*range(part.slots.start, part.slots.stop)} <= read
    outside = {*inputs().slots.tolist()}
    assert not outside & read
    assert layout.part("origins").start not in outside | read
    assert layout.part("phase").start in outside


class OpenHeuristics(Heuristics[Any]):
    """Declares sites in a game without a board."""

    site_fields = ("number",)


def test_a_game_without_a_board_cannot_declare_sites(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gamon, "heuristics_type", OpenHeuristics)
    with pytest.raises(LayoutError, match="needs `Sites` among the actions"):
        _ = Layout(Gamon()).alike_sites
