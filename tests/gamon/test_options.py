"""Options: valid values and error messages."""

import pytest

from cardhub.base.errors import OptionError
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.table.settings import Value
from cardhub_gamon import Gamon


@pytest.mark.parametrize("coins", [0, -3, 100, "many"])
def test_a_coin_count_that_cannot_start_a_game_is_refused(coins: Value) -> None:
    with pytest.raises(OptionError, match=f"coins cannot be '{coins}': .* from 1 to 99"):
        resolve_options(Gamon(), {"coins": coins}, 2)


def test_an_unknown_deck_is_refused() -> None:
    with pytest.raises(OptionError, match="'spain': it is one of navy, pirate, random"):
        resolve_options(Gamon(), {"first_attacker": "spain"}, 2)


def test_an_unknown_option_is_refused() -> None:
    """The nearest is suggested, and all are named."""
    with pytest.raises(OptionError, match=r"'coin'\. Did you mean 'coins'\?.*first_attacker"):
        resolve_options(Gamon(), {"coin": 3}, 2)


@pytest.mark.parametrize("seats", [1, 3])
def test_two_play(seats: int) -> None:
    with pytest.raises(OptionError, match="Gamon is for 2 players"):
        resolve_options(Gamon(), {}, seats)


def test_defaults() -> None:
    """Defaults: coins 36, Navy attacks first, Gamon is a battle, High Officer counts others."""
    assert dict(resolve_options(Gamon(), {}, 2)) == {
        "coins": 36,
        "first_attacker": "navy",
        "gamon_counts_as_battle": True,
        "high_officer_counts_itself": False,
    }
