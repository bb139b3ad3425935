"""Every installed game, and the one for tests alone, keeps the promises of the contract."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.games.magpie import Magpie

from cardhub import Game
from cardhub.plugins.registry import find_plugins
from cardhub.testing import Trial, check_playout, inspect_game
from cardhub.testing.coverage import STYLES
from cardhub.testing.random_play import default_trial, trials
from cardhub_gargon import Gargon

NAMES = [*find_plugins().game_names(), Magpie.name]
# The tests of these examples run all checks, to show authors how; Gamon is checked by the command
# of docs/game-checks.md.
CHECKED_ELSEWHERE = (
    "gamon",
    *("big_two", "four_piles", "gin_rummy", "goofspiel"),
    *("kuhn", "leduc", "nosegay", "pig", "roses", "spades"),
)


@pytest.mark.parametrize(
    "game", [name for name in NAMES if name not in CHECKED_ELSEWHERE], indirect=True
)
def test_a_game_passes_all_checks(game: Game[Any]) -> None:
    """The one-line test for authors of plugins passes here, with all options."""
    report = inspect_game(game, games=1, is_measured=False)
    assert not report.findings, "\n".join(map(str, report.findings))
    assert set(report.skipped) == {"golden"}


@pytest.mark.parametrize("game", NAMES, indirect=True)
@settings(
    max_examples=2,
    deadline=None,  # a game takes as long as it takes
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # games keep nothing
)
@given(data=st.data())
def test_any_seed_seats_and_options_pass(game: Game[Any], data: st.DataObject) -> None:
    """The seed, seats, changed option and style of play are drawn by hypothesis."""
    tables = list(trials(game, 1, 0))
    table = data.draw(st.sampled_from(tables))
    seed = data.draw(st.integers(0, 2**32))
    style = data.draw(st.integers(0, len(STYLES) - 1))
    assert check_playout(game, Trial(table.seats, table.settings, seed, style), samples=1)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_another_game_of_gargon_for_each_number_of_seats_passes(seats: int) -> None:
    """Every step is checked, and a random position; `make attack` plays hundreds of games."""
    game, seed = Gargon(), Random(seats).getrandbits(32)
    assert check_playout(game, default_trial(game, seats, seed), samples=1, draws=1)
