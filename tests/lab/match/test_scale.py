"""The work on the log of a match grows with its games, and no faster."""

from collections.abc import Callable
from cProfile import Profile
from pathlib import Path
from pstats import Stats
from textwrap import dedent

import pytest
from tests.lab.match.match_files import KUHN

from cardhub.lab.analysis.accumulate import accumulate
from cardhub.lab.match.blocks import Games
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.log.lookup import find_game, match_in
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import Watcher, replay_log, run
from cardhub.lab.match.verifier import verify
from cardhub.lab.report.view.listings import Listings, Selection
from cardhub.plugins.registry import PluginRegistry

# Blocks of the shortest log; the others have twice and three times as many.
BLOCKS = 40
# Calls of one more game, relative to the games before: caches are never quite full.
TOLERANCE = 1.1

Work = Callable[[Path, PluginRegistry], object]


def verify_without_result(folder: Path, registry: PluginRegistry) -> None:
    """Replay all games of an unfinished match."""
    assert verify(folder, registry).is_fine


def restart(folder: Path, registry: PluginRegistry) -> None:
    """Read the log up to the next game."""
    match = match_in(folder)
    assert replay_log(match, Games(match), folder, Watcher()).counts.games


def statistics(folder: Path, registry: PluginRegistry) -> None:
    """Read the log into totals."""
    assert accumulate(match_in(folder), folder).tallies.games


def listings(folder: Path, registry: PluginRegistry) -> None:
    """Fill a list with missing games, which makes it read the whole log."""
    lists = Listings()
    lists.link(Selection(is_faulty=True), "faults", None)
    lists.fill(game for _, game in read_games(folder))


def show(folder: Path, registry: PluginRegistry) -> None:
    """Look for one game."""
    *_, (_, last) = read_games(folder)
    assert find_game(folder, last.id) == last


@pytest.fixture(scope="module")
def logs(registry: PluginRegistry, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return three folders with the first games of one match, unfinished."""
    parent = tmp_path_factory.mktemp("scale")
    file = parent / "kuhn.yaml"
    assert "blocks: 10" in KUHN
    text = KUHN.replace("blocks: 10", f"blocks: {3 * BLOCKS}")
    file.write_text(dedent(text), "utf-8")
    whole = parent / "whole"
    run(read_match(file, registry), registry, whole)
    header, *games = (whole / "games.jsonl").read_bytes().splitlines(keepends=True)
    folders = []
    for part in (1, 2, 3):
        folder = parent / f"{part}"
        folder.mkdir()
        share = games[: part * len(games) // 3]
        (folder / "games.jsonl").write_bytes(b"".join([header, *share]))
        folders.append(folder)
    return folders


@pytest.mark.parametrize("work", [verify_without_result, restart, statistics, listings, show])
def test_each_game_costs_the_same(logs: list[Path], registry: PluginRegistry, work: Work) -> None:
    """Counted in calls of functions, which depend on no clock."""
    work(logs[2], registry)  # fills caches that do not depend on the games
    one, two, three = (calls(work, folder, registry) for folder in logs)
    assert 0 < three - two < TOLERANCE * (two - one)


def calls(work: Work, folder: Path, registry: PluginRegistry) -> int:
    """Return the number of calls of functions, those in C included."""
    profile = Profile()
    profile.runcall(work, folder, registry)
    return int(Stats(profile).total_calls)  # type: ignore[attr-defined]  # not in its stubs
