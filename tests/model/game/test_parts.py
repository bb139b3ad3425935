"""The parts of a game: where they come from, what belongs to them, and faults of their names."""

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.games.magpie import Magpie, MagpieDisplay

from cardhub import Display, Game, Heuristics
from cardhub.base.errors import PluginError
from cardhub.cli.main import cli
from cardhub.model.game.parts import PLACES
from cardhub.plugins.registry import find_plugins
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from kuhn import Kuhn

NAMED = """from pathlib import Path
from cardhub import Game
from tests.games.magpie import Magpie
class Named(Magpie):
    name = 'named'
    display_type = {named!r}
"""


def test_a_game_has_each_part_once_and_a_part_knows_its_game() -> None:
    game = Gamon()
    assert game.display is game.display
    assert game.heuristics is game.heuristics
    assert game.display.game is game.heuristics.game is game
    assert Gamon().display is not game.display


def test_a_game_that_names_no_parts_has_the_defaults() -> None:
    assert type(Kuhn().heuristics) is Heuristics
    assert type(Magpie().display) is MagpieDisplay


def test_a_game_keeps_its_parts_in_a_copy_of_its_own() -> None:
    game = Gargon()
    assert game.display.game is game
    copy = pickle.loads(pickle.dumps(game))
    assert copy.display.game is copy
    assert copy.heuristics.game is copy


@pytest.mark.parametrize("package", ["cardhub_gamon", "cardhub_gargon", "cardhub_garner"])
def test_a_game_for_bots_loads_no_display(package: str) -> None:
    code = f"import sys, {package}; print(*(name for name in sys.modules if '.display.' in name))"
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    ).stdout
    assert printed.strip() == ""


@pytest.mark.parametrize(
    ("name", "base", "attribute"),
    [
        ("scene", Display, "display_type"),
        ("needs_confirmation", Display, "display_type"),
        ("evaluate", Heuristics, "heuristics_type"),
        ("playout_depth", Heuristics, "heuristics_type"),
    ],
)
def test_a_game_with_a_method_of_a_part_is_rejected_with_its_new_place(
    name: str, base: type, attribute: str
) -> None:
    place = base.__name__
    message = (
        f"Old: `{name}` belongs to `{place}`. fix: move it into a class derived from `{place}`, "
        f"and name that class in `{attribute}`"
    )
    with pytest.raises(TypeError, match=rf"^{re.escape(message)}$"):
        type("Old", (Game,), {name: None})


def test_a_part_with_a_method_of_the_game_is_rejected_because_nobody_would_call_it() -> None:
    message = r"^Lost: `possible` belongs to `Game`. fix: move it into a class derived from `Game`$"
    with pytest.raises(TypeError, match=message):
        type("Lost", (Heuristics,), {"possible": None})
    with pytest.raises(TypeError, match="`scene` belongs to `Display`"):
        type("Lost", (Heuristics,), {"scene": None})


def test_a_part_with_a_former_name_is_rejected_with_the_new_one() -> None:
    with pytest.raises(TypeError, match=r"^Old: `story` is now `narration`\. fix: rename it$"):
        type("Old", (Display,), {"story": None})


def test_each_public_name_of_the_contract_has_one_place() -> None:
    assert set(PLACES.values()) == {Game, Heuristics, Display}
    for name, place in PLACES.items():
        others = {Game, Heuristics, Display} - {place}
        assert not any(hasattr(other, name) for other in others), name


@pytest.mark.parametrize(
    ("named", "fault"),
    [
        (".screen:NamedDisplay", "there is no module named.screen. Did you mean 'screens'?"),
        (".screens:NamedDisplya", ".screens has no NamedDisplya. Did you mean 'NamedDisplay'?"),
        ("screens", "'screens', which does not have the form 'module:Class'."),
        (".screens:Path", "'.screens:Path', which is no class derived from Display."),
    ],
)
def test_a_misspelt_name_of_a_part_is_an_error_with_file_line_and_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, fault: str
) -> None:
    package = tmp_path / "named"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "game.py").write_text(NAMED.format(named=named))
    source = (
        "from pathlib import Path\nfrom cardhub import Display\nclass NamedDisplay(Display): ..."
    )
    (package / "screens.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    from named.game import Named  # type: ignore[import-not-found]  # written above

    with pytest.raises(PluginError) as caught:
        _ = Named().display
    message = str(caught.value)
    assert message.startswith(f"{package / 'game.py'}:6: display_type of Named is {named!r}, ")
    assert fault in message
    remedy = "fix: name a class derived from Display, or its name such as '.display:MyDisplay'"
    assert message.endswith(f" {remedy}")


@pytest.mark.parametrize("command", ["check", "plugins"])
def test_a_plugin_whose_display_cannot_be_found_is_reported_as_broken(
    tmp_path: Path, command: str
) -> None:
    """It is found without an import of the display, when the plugin is loaded."""
    (tmp_path / "named.py").write_text(NAMED.format(named="nowhere:NamedDisplay"))
    (listed,) = (p for p in find_plugins([tmp_path]).listed() if p.declared.name == "named")
    assert listed.error is not None
    assert "display_type of Named is 'nowhere:NamedDisplay', but there is no module" in listed.error
    arguments = [command, "named"] if command == "check" else [command]
    options = ["--plugins-dir", str(tmp_path)]
    done = CliRunner().invoke(cli, [*options, *arguments], prog_name="cardhub")
    output = " ".join(done.output.split())
    assert "display_type of Named is 'nowhere:NamedDisplay'" in output
