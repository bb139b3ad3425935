"""Every installed game, and the one for tests alone, keeps the promises of the contract."""

from random import Random
from typing import Any

import pytest
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
    *("big_two", "doppelkopf", "four_piles", "gin_rummy", "goofspiel", "holdem", "klondike"),
    *("kuhn", "leduc", "nosegay", "orchards", "pig", "rebels", "roses", "spades"),
)


@pytest.mark.usefixtures("short_suite")
@pytest.mark.parametrize(
    "game", [name for name in NAMES if name not in CHECKED_ELSEWHERE], indirect=True
)
def test_a_game_passes_all_checks(game: Game[Any]) -> None:
    """The one-line test for authors of plugins passes here, with all options."""
    report = inspect_game(game, games=1, is_measured=False)
    assert not report.findings, "\n".join(map(str, report.findings))
    assert set(report.skipped) == {"golden"}


@pytest.mark.soak("twice as many games, and more positions of each, as in the tests of games above")
@pytest.mark.parametrize("game", NAMES, indirect=True)
def test_a_game_passes_all_checks_at_length(game: Game[Any]) -> None:
    report = inspect_game(game, games=2, is_measured=False)
    assert not report.findings, "\n".join(map(str, report.findings))


@pytest.mark.parametrize("game", NAMES, indirect=True)
def test_any_seed_seats_and_options_pass(game: Game[Any]) -> None:
    """The seed, seats, changed option and style of play are drawn at random."""
    rng = Random(f"any game of {game.name}")
    table = rng.choice(list(trials(game, 1, 0)))
    trial = Trial(table.seats, table.settings, rng.getrandbits(32), rng.randrange(len(STYLES)))
    assert check_playout(game, trial, samples=1)


@pytest.mark.soak("more games of Gargon; the first test plays one for each number of seats")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_another_game_of_gargon_for_each_number_of_seats_passes(seats: int) -> None:
    """Every step is checked, and a random position; `make attack` plays hundreds of games."""
    game, seed = Gargon(), Random(seats).getrandbits(32)
    assert check_playout(game, default_trial(game, seats, seed), samples=1, draws=1)
