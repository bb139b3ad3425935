"""Leagues: a learner, its earlier versions and their ratings."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.learning.learn.trainers import train

from cardhub.base.errors import OptionError, PluginError
from cardhub.learning.learn.league import League, LeagueRating

EVERY = 10
BLOCKS = 3


@pytest.fixture
def league(tmp_path: Path) -> Callable[..., League]:
    """Return a function that opens a league of Kuhn poker in a folder."""

    def opened(name: str = "league", **changes: Any) -> League:
        given: dict[str, Any] = {"every": EVERY, "blocks": BLOCKS, "opponents": 1}
        return League(tmp_path / name, "kuhn", train, **given | changes)

    return opened


def content(folder: Path) -> dict[str, bytes]:
    """Return the checkpoints of a league, and the games of its matches."""
    paths = [*folder.glob("pool/*.zip"), *folder.glob("matches/*/games.jsonl")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_every_checkpoint_is_rated_against_the_pool(league: Callable[..., League]) -> None:
    watched: list[LeagueRating] = []
    standings = league().run(3 * EVERY, on_rated=watched.append)
    assert [(row.bot, row.steps) for row in standings] == [
        ("random", 0),
        ("step_00000010", 10),
        ("step_00000020", 20),
        ("step_00000030", 30),
    ]
    assert {row.unit for row in standings} == {"chips a game"}
    assert all(row.rating is not None for row in standings)
    assert sum(row.rating or 0.0 for row in standings) == pytest.approx(0)
    # Each of the 3 checkpoints met the random bot, the one before, and one earlier: 6 pairs.
    assert sum(row.games for row in standings) == 2 * 6 * 2 * BLOCKS
    assert [row.bot for row in watched] == [row.bot for row in standings[1:]]


def test_a_league_goes_on_where_it_was_stopped(
    league: Callable[..., League], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends with the same bytes as an uninterrupted league."""
    monkeypatch.chdir(tmp_path)
    whole = content_of(tmp_path, "one", lambda: opened_in("league").run(2 * EVERY))
    parts = content_of(tmp_path, "two", lambda: in_parts("league"))
    assert whole == parts
    assert len(whole) == 4


def content_of(folder: Path, name: str, play: Callable[[], object]) -> dict[str, bytes]:
    """Return the content of a league, which is then moved away."""
    play()
    files = content(folder / "league")
    shutil.move(folder / "league", folder / name)
    return files


def opened_in(folder: str) -> League:
    """Open a league in a folder relative to the working folder, as its logs name models."""
    return League(folder, "kuhn", train, every=EVERY, blocks=BLOCKS)


def in_parts(folder: str) -> None:
    """Run a league, lose the end of a match and a checkpoint, and go on."""
    opened_in(folder).run(EVERY)
    log = Path(folder) / "matches" / "step_00000010" / "games.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:4]))
    (log.parent / "result.json").unlink()
    opened_in(folder).run(2 * EVERY)
    (Path(folder) / "pool" / "step_00000020.zip").unlink()
    shutil.rmtree(Path(folder) / "matches" / "step_00000020")
    opened_in(folder).run(2 * EVERY)


def test_a_league_is_continued_with_the_same_parameters_only(
    league: Callable[..., League],
) -> None:
    """Otherwise its ratings would not be comparable."""
    league()
    with pytest.raises(OptionError, match=r"was begun with every=10, not 20. fix: use the same"):
        league(every=20)
    with pytest.raises(PluginError, match="unknown bot 'nobody'"):
        league("other", rivals=["nobody"])
    with pytest.raises(OptionError, match="every and blocks must be at least 1"):
        league("other", every=0)


def test_half_of_the_games_are_against_the_last_checkpoint(tmp_path: Path) -> None:
    """The others against earlier ones and the rivals that do not learn."""
    plan = League(tmp_path, "kuhn", train, rivals=["random", "ismcts:5"]).plan
    assert {*plan.rivals_of(tmp_path, 1, 2)} <= {"random", "ismcts:5"}
    drawn = plan.rivals_of(tmp_path, 5, 2)
    assert drawn.count(f"model:{plan.path(tmp_path, 4)}") == len(drawn) / 2
    earlier = {f"model:{plan.path(tmp_path, number)}" for number in (1, 2, 3)}
    assert {*drawn} - {f"model:{plan.path(tmp_path, 4)}"} <= earlier | {"random", "ismcts:5"}
    assert drawn == plan.rivals_of(tmp_path, 5, 2)
