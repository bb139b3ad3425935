"""Provenance of games and bots, down to the source."""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import grimp

from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.provenance import FRONT_ROOMS, clock_dependent_bots, versions_of
from cardhub.plugins.registry import PluginRegistry, find_plugins

CUP = """
    cardhub_match: 1
    name: cup
    seed: 3
    bots:
      - {id: a, use: first}
      - {id: b, use: "ismcts:iterations=3,rollout=rule"}
      - {id: c, use: COMMAND}
      - {id: d, use: adviser}
    games:
      - {game: gamon}
"""


def test_bots_are_told_by_all_that_they_are_made_of(
    match: Callable[[str], Match], registry: PluginRegistry, tmp_path: Path
) -> None:
    """Packages with their versions, files by their names alone; each with a hash."""
    program = tmp_path / "bot.py"
    program.write_text("pass")
    cup = match(CUP.replace("COMMAND", f'"cmd:{sys.executable} {program}"'))
    versions = versions_of(cup, registry)
    assert re.fullmatch(r"1 sha256:\w{64}", versions["games"]["gamon"])
    bots = {
        bot: [re.sub("sha256:.*", "#", source) for source in sources]
        for bot, sources in versions["bots"].items()
    }
    package = versions["cardhub"].partition(" sha256")[0]
    interpreter = Path(sys.executable).name
    assert bots == {
        "a": ["troupe #"],
        "b": [f"{package} #", f"gamon of {package} #"],
        "c": sorted(["bot.py #", f"{package} #", f"{interpreter} #"]),
        "d": [f"{package} #"],
    }
    assert str(tmp_path) not in str(versions)


def test_a_changed_file_is_another_version(
    match: Callable[[str], Match], registry: PluginRegistry, tmp_path: Path
) -> None:
    plugin, program = tmp_path / "mine.py", tmp_path / "bot.py"
    troupe = Path(__file__).parent / "entrants" / "troupe.py"
    versions = []
    for comment in ("", "# changed\n"):
        plugin.write_text(troupe.read_text() + comment)
        program.write_text("pass\n" + comment)
        cup = match(CUP.replace("COMMAND", f'"cmd:{sys.executable} {program}"'))
        versions.append(versions_of(cup, find_plugins([tmp_path]))["bots"])
    changed = {bot for bot in versions[0] if versions[0][bot] != versions[1][bot]}
    assert changed == {"a", "c"}


def test_an_edit_of_equal_length_is_another_version(
    match: Callable[[str], Match], registry: PluginRegistry, tmp_path: Path
) -> None:
    """Also if the time of the last change is set back."""
    program = tmp_path / "bot.py"
    cup = match(CUP.replace("COMMAND", f'"cmd:{sys.executable} {program}"'))
    versions = []
    for text in ("pass", "1+ 1"):
        program.write_text(text)
        os.utime(program, ns=(0, 0))
        versions.append(versions_of(cup, registry)["bots"]["c"])
    assert versions[0] != versions[1]


def test_bots_that_may_look_at_a_clock_are_named(
    match: Callable[[str], Match], registry: PluginRegistry
) -> None:
    """Programs, and searches with a time limit, also by a level."""
    cup = match(CUP.replace("COMMAND", f'"cmd:{sys.executable} -c pass"'))
    assert clock_dependent_bots(cup, registry) == ["c", "d"]


def test_packages_left_out_of_the_digest_cannot_change_a_game() -> None:
    """No module that plays games, or that bots may import, imports them, even indirectly."""
    graph = grimp.build_graph("cardhub")
    reached = {
        module.removeprefix("cardhub.").replace(".", "/")
        for start in ("cardhub", "cardhub.lab.match.run.playing", "cardhub.play.workers")
        for module in graph.find_upstream_modules(start, as_package=start != "cardhub")
    }
    assert "model/table/state" in reached
    assert all("cardhub." + room.replace("/", ".") in graph.modules for room in FRONT_ROOMS)
    assert not [m for m in reached if m.startswith(tuple(room + "/" for room in FRONT_ROOMS))]
