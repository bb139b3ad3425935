"""A suite of checks that takes a third of the time, for games that `make soak` checks at length."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from cardhub import Game, Value
from cardhub.base.errors import OptionError
from cardhub.model.game.initial_state import resolve_options
from cardhub.testing import Trial
from cardhub.testing.coverage import rounds
from cardhub.testing.game_checks import game_report
from cardhub.testing.game_checks.determinization_bias import LEAST_GAMES
from cardhub.testing.random_play import changed_options


def shorten_suites(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have options changed for one number of seats, and one position of each game checked.

    Several options are changed at a time: a game is played with each of their values. One cut of
    each record is replayed. Determinizations are sampled in the least number of games that says
    something about them.
    """
    for first_round in ("MANY", "SOME"):
        monkeypatch.setattr(game_report, first_round, game_report.FEW)
    monkeypatch.setattr(game_report, "CUTS", 1)
    monkeypatch.setattr(game_report, "FEWER_GUESS_GAMES", LEAST_GAMES)
    monkeypatch.setattr(game_report, "rounds", _short_rounds)


def _short_rounds(game: Game[Any], seed: int) -> Iterator[list[Trial]]:
    for trials in rounds(game, seed):
        changed = [trial for trial in trials if changed_options(game, trial)]
        usual = [trial for trial in changed if trial.seats == game.seats.default]
        yield [*(trial for trial in trials if trial not in changed), *_combined(game, usual)]


def _combined(game: Game[Any], trials: Iterable[Trial]) -> Iterator[Trial]:
    """Yield fewer trials with the same changed options, several in each as far as they fit."""
    remaining = list(trials)
    while remaining:
        given: dict[str, Value] = {}
        others: list[Trial] = []
        for trial in remaining:
            options = changed_options(game, trial)
            if given.keys().isdisjoint(options) and _are_allowed(game, given | options, trial):
                given |= options
            else:
                others.append(trial)
        first = remaining[0]
        yield replace(first, settings=resolve_options(game, given, first.seats))
        remaining = others


def _are_allowed(game: Game[Any], options: Mapping[str, Value], trial: Trial) -> bool:
    try:
        resolve_options(game, options, trial.seats)
    except OptionError:
        return False
    return True
