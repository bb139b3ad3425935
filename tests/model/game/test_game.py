"""The base class of games."""

from pathlib import Path

import pytest

from cardhub import Game, State
from cardhub.plugins.registry import find_plugins


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
