"""Checks of options together, and undo."""

import pytest

from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.testing import Trial, check_playout
from cardhub.testing.random_play import default_trial
from cardhub_garner import Garner
from cardhub_garner.layouts import LAYOUTS


@pytest.mark.parametrize("name", LAYOUTS)
def test_variations_keep_them_together(name: str) -> None:
    game = Garner()
    trial = default_trial(game, 2, 5)
    options = dict(trial.settings) | {"layout": name, "new_position": "any", "straight_line": True}
    for top_layer in ("surface", "level"):
        agreed = type(trial.settings)(options | {"top_layer": top_layer})
        assert check_playout(game, Trial(2, agreed, 5), samples=2)


def test_a_turn_can_be_taken_back_to_its_start() -> None:
    """Undo reaches back to the start of the seat's own turn: no face is ever revealed here."""
    players = [Player(name, "human") for name in ("Ada", "Bo")]
    referee = set_up(Garner(), players, {"layout": "a"}, seed=4)
    referee.proceed()
    before = referee.observe(0)
    taken = 0
    while referee.seat == 0:
        referee.apply(referee.observe(0).legal()[0])
        taken += 1
    assert taken >= 3
    for _ in range(taken):
        assert referee.can_undo(0)
        referee.undo(0)
    assert referee.observe(0).state == before.state
    assert referee.observe(0).history == before.history
    assert not referee.can_undo(0)


def test_a_turn_cannot_be_taken_back_once_the_other_has_acted() -> None:
    """Own actions can be undone until the other seat acts."""
    players = [Player(name, "human") for name in ("Ada", "Bo")]
    referee = set_up(Garner(), players, {"layout": "a"}, seed=4)
    while referee.seat == 0:
        referee.apply(referee.observe(0).legal()[0])
    referee.apply(referee.observe(1).legal()[0])
    assert not referee.can_undo(0)
    referee.undo(1)
    assert referee.observe(1).state.lifted == []
