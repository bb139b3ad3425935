"""Sums in rows: cards by pile, what is printed on them, and which faces are seen."""

from random import Random

import numpy as np
import pytest

from cardhub.learning.arrays import Layout
from cardhub.learning.arrays.feature_spec import Row
from cardhub.learning.arrays.learner_slots import learner_inputs
from cardhub.model.hidden.chance import play_out
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.plugins.registry import find_plugins
from cardhub.testing.random_play import Trial, deal
from cardhub_gargon import Gargon
from cardhub_gargon.table import AMULETS, COLOURS, VALUE

SEATS = 3
VALUES = 16


def test_sums_count_the_cards_of_a_pile_and_what_is_printed_on_them() -> None:
    game, layout = Gargon(), Layout(Gargon(), SEATS)
    inputs = learner_inputs(layout)
    state = deal(game, Trial(SEATS, layout.settings, 1))
    play_out(game, state, Random(1), 60)
    array = layout.encode_rows([Row(state, EVERYTHING, (), game.scores(state))])[0]
    rows = array[inputs.rows]
    sums = rows @ inputs.sums.T
    piles = [pile for zone in state.zones for pile in zone.piles(state)]
    assert sum(map(bool, state.won)) == SEATS
    assert sums.shape == (len(COLOURS), 3 * len(piles) + 2 * VALUES - 1)
    for colour, line in enumerate(sums):
        faces = [[state.face[t] for t in pile if state.back[t] == colour] for pile in piles]
        printed = [
            [
                len(pile) / 4,
                sum(VALUE[face] / 15 for face in pile),
                sum(AMULETS[face] / 5 for face in pile),
            ]
            for pile in faces
        ]
        assert np.allclose(line[: 3 * len(piles)].reshape(-1, 3), printed, atol=1e-5)
        # A true state shows all 17 cards of a colour: 0 is there twice, which counts as 1.
        assert np.allclose(line[3 * len(piles) :][:VALUES], 1)
        later = np.arange(VALUES - 1, 0, -1) / 4
        assert np.allclose(line[3 * len(piles) + VALUES :], later, atol=1e-5)


@pytest.mark.parametrize("game", ["leduc", "gamon"])
def test_a_game_without_rows_has_no_sums(game: str) -> None:
    assert not learner_inputs(Layout(find_plugins().game(game))).sums.size
