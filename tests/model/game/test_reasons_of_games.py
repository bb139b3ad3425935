"""Reasons of all games: every illegal action has one, no legal action has one."""

from random import Random
from typing import Any

import pytest

from cardhub import Game
from cardhub.model.hidden.observation import Observation
from cardhub.plugins.registry import find_plugins
from cardhub.testing.random_play import play, trials
from cardhub.view.explain.reasons import Reasons

INSTALLED = find_plugins()
NAMES = (
    *("gargon", "gamon", "garner", "hearts", "leduc", "goofspiel", "pig"),
    *("spades", "four_piles", "gin_rummy", "big_two"),
)
POSITIONS = 30
PLAYERS = ["Anna", "Bob", "Chris", "David", "Eva"]


@pytest.mark.parametrize("game", [*map(INSTALLED.game, NAMES)], ids=NAMES)
def test_exactly_the_illegal_actions_have_a_reason(game: Game[Any]) -> None:
    """Cards of the hand, of others and of chance, in every phase and with every option."""
    rng = Random(5)
    tables = list(trials(game, 1, 7))
    positions = [
        position for trial in tables for position in play(game, trial) if position.state.seat >= 0
    ]
    for position in rng.sample(positions, min(POSITIONS, len(positions))):
        seen = Observation(game, position.state, position.state.seat)
        labels, legal = seen.labels(PLAYERS[: seen.state.seats]), set(seen.legal())
        for action in filter(labels.is_action, range(game.actions.size)):
            reason = game.why_not(seen.state, action, labels)
            label = labels.label(action)
            assert (reason is None) == (action in legal), f"{label}: {reason}, {position.trial}"
            assert reason is None or len(Reasons(seen, PLAYERS).of(action)) < 160
