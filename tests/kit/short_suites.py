"""A suite of checks that takes a third of the time, for games that `make soak` checks at length."""

from collections.abc import Iterator
from typing import Any

import pytest

from cardhub import Game
from cardhub.testing import Trial
from cardhub.testing.coverage import rounds
from cardhub.testing.game_checks import game_report
from cardhub.testing.game_checks.determinization_bias import LEAST_GAMES
from cardhub.testing.random_play import changed_options


def shorten_suites(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have options changed for one number of seats, and one position of each game checked.

    One cut of each record is replayed. Determinizations are sampled in the least number of games
    that says something about them.
    """
    for first_round in ("MANY", "SOME"):
        monkeypatch.setattr(game_report, first_round, game_report.FEW)
    monkeypatch.setattr(game_report, "CUTS", 1)
    monkeypatch.setattr(game_report, "FEWER_GUESS_GAMES", LEAST_GAMES)
    monkeypatch.setattr(game_report, "rounds", _short_rounds)


def _short_rounds(game: Game[Any], seed: int) -> Iterator[list[Trial]]:
    usual = game.seats.default
    for trials in rounds(game, seed):
        yield [t for t in trials if t.seats == usual or not changed_options(game, t)]
