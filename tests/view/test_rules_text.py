"""The rules of a game, with the options in use."""

import pytest

from cardhub.model.game.initial_state import resolve_options
from cardhub.view.explain.explanations import rules_with_options
from cardhub_gargon import Gargon


@pytest.mark.parametrize(("seats", "last"), [(3, 2), (5, 4)])
def test_an_option_tells_its_values_for_the_players_at_the_table(seats: int, last: int) -> None:
    """The range of `start` is that of the seats in use."""
    game = Gargon()
    text = rules_with_options(game, resolve_options(game, {}, seats), seats)
    assert f"- `start`: 0 (a seat from 0 to {last}). " in text
    assert "- `open_winnings`: off. " in text
