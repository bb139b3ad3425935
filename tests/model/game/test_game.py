"""The base class of games, and the reasons that all games give against illegal actions."""

import inspect
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardhub import Game, State
from cardhub.model.hidden.observation import Observation
from cardhub.plugins.registry import find_plugins
from cardhub.testing.random_play import play, trials
from cardhub.view.explain.reasons import Reasons


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("outlook", "evaluate"),
        ("horizon", "playout_depth"),
        ("says", "consequence"),
        ("story", "narration"),
        ("notes", "player_statistics"),
        ("costly", "needs_confirmation"),
    ],
)
def test_a_game_that_defines_a_former_name_is_rejected_with_the_new_one(old: str, new: str) -> None:
    """Otherwise the game would run without its evaluation, texts or confirmations."""
    with pytest.raises(TypeError, match=rf"^Old: `{old}` is now `{new}`\. fix: rename it$"):
        type("Old", (Game,), {old: 20})


def test_a_former_name_from_a_mixin_is_rejected_too() -> None:
    class Evaluation:
        def outlook(self, state: State) -> list[float]:
            return [0.0] * state.seats

    with pytest.raises(TypeError, match="`outlook` is now `evaluate`"):
        type("Old", (Evaluation, Game), {})


def test_a_plugin_with_a_former_name_is_reported_as_broken(tmp_path: Path) -> None:
    """Listings show the reason; the other plugins work."""
    source = "from cardhub import Game\nclass Old(Game):\n    name = 'old'\n    horizon = 20\n"
    (tmp_path / "old.py").write_text(source)
    (listed,) = (p for p in find_plugins([tmp_path]).listed() if p.declared.name == "old")
    assert listed.error is not None
    assert "Old: `horizon` is now `playout_depth`. fix: rename it" in listed.error


INSTALLED = find_plugins()
NAMES = (
    *("gargon", "gamon", "garner", "hearts", "leduc", "goofspiel", "pig"),
    *("spades", "four_piles", "gin_rummy", "big_two", "nosegay", "rebels", "doppelkopf"),
)
POSITIONS = 30
PLAYERS = ["Anna", "Bob", "Chris", "David", "Eva"]


@pytest.mark.parametrize("game", [*map(INSTALLED.game, NAMES)], ids=NAMES)
def test_exactly_the_illegal_actions_have_a_reason(game: Game[Any]) -> None:
    """Cards are the seat's, other seats' or chance's, in every phase and with every option."""
    rng = Random(5)
    tables = list(trials(game, 1, 7))
    positions = [
        position for trial in tables for position in play(game, trial) if position.state.seat >= 0
    ]
    for position in rng.sample(positions, min(POSITIONS, len(positions))):
        seen = Observation(game, position.state, position.state.seat)
        labels, legal = seen.labels(PLAYERS[: seen.state.seats]), set(seen.legal())
        for action in filter(labels.is_action, range(game.actions.size)):
            reason = game.display.why_not(seen.state, action, labels)
            label = labels.label(action)
            assert (reason is None) == (action in legal), f"{label}: {reason}, {position.trial}"
            assert reason is None or len(Reasons(seen, PLAYERS).of(action)) < 160


def test_a_game_that_was_typed_at_a_prompt_has_its_docstring_as_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(kind: type) -> str:
        raise OSError(f"source code of {kind} not available")

    monkeypatch.setattr(inspect, "getfile", fail)
    display = INSTALLED.game("kuhn").display
    assert display.lesson() is None
    assert display.rules() == inspect.getdoc(type(INSTALLED.game("kuhn")))
