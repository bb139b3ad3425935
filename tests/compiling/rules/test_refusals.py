"""Rules that are not understood are refused with file, line and column, and the reason."""

import inspect
import re
from pathlib import Path
from types import MethodType

import pytest
from tests.compiling.rules import refused_rules

from cardhub.compiling.rules.c_writer import CText
from cardhub.compiling.rules.translate import translate_rules
from cardhub.plugins.registry import find_plugins
from hearts import tricks
from kuhn.game import Kuhn

SOURCE = Path(refused_rules.__file__)
# The installed games that are not translated as a whole.
REFUSED_GAMES = {"rebels"}
# By line, the beginning of the reason why it is refused.
REASONS = {
    number: match[1]
    for number, line in enumerate(SOURCE.read_text("utf-8").splitlines(), 1)
    if (match := re.search(r"\S  # refused: (.+)", line))
}
REFUSED = [
    kind
    for kind in vars(refused_rules).values()
    if isinstance(kind, type) and issubclass(kind, Kuhn) and kind is not Kuhn
]


@pytest.mark.parametrize("kind", REFUSED)
def test_a_construct_is_refused_at_its_line(kind: type[Kuhn]) -> None:
    kind.name = kind.__name__.lower()
    refusals = translate_rules(kind()).refusals
    assert len(refusals) == 1
    (refusal,) = refusals
    assert refusal.path == SOURCE
    assert refusal.why.startswith(REASONS[refusal.line])
    line = inspect.getsource(refused_rules).splitlines()[refusal.line - 1]
    assert 0 < refusal.column <= len(line)
    assert str(refusal) == f"{SOURCE}:{refusal.line}:{refusal.column}: {refusal.why}"


def test_every_marked_line_is_refused() -> None:
    lines = {translate_rules(kind()).refusals[0].line for kind in REFUSED}
    assert lines == {*REASONS}


def test_installed_games_are_translated_or_refused_with_their_lines() -> None:
    registry = find_plugins([])
    for name in registry.game_names():
        rules = translate_rules(registry.game(name))
        refusals = rules.refusals
        assert bool(refusals) == (name in REFUSED_GAMES)
        assert not rules.playout_refusals
        for refusal in refusals:
            line = refusal.path.read_text("utf-8").splitlines()[refusal.line - 1]
            assert 0 < refusal.column <= len(line)


def test_the_text_in_c_has_the_names_and_lines_of_the_rules() -> None:
    text = CText(translate_rules(Kuhn())).rules()
    number = inspect.getsourcelines(Kuhn.apply)[1]
    assert f"/* kuhn/game.py, line {number} */\nRULE_FUNCTION void RULE(game_kuhn_apply)(" in text
    assert "action == 1 /* BET */" in text
    assert "state->seat = " in text


def test_functions_of_compiled_modules_are_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are bound to their module, as a method is to its object."""
    game = find_plugins([]).game("hearts")
    text = CText(translate_rules(game)).rules()
    for name in ("deal_hands", "pass_on", "play", "playable", "scores"):
        monkeypatch.setattr(tricks, name, MethodType(getattr(tricks, name), tricks))
    assert CText(translate_rules(game)).rules() == text
