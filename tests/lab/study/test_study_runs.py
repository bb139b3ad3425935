"""Studies are resumed from their logs, and are the same on any number of workers."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.lab.study.conftest import Studied

from cardhub.base.errors import MatchError
from cardhub.lab.match.blocks import count_games
from cardhub.lab.match.log.log_reader import GAMES
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.study.study_figures import StudyOptions, study_of
from cardhub.lab.study.study_request import (
    StudyRequest,
    default_bots,
    prepare,
    read_study,
    study_files,
    write_study,
)
from cardhub.lab.study.study_schema import STUDY
from cardhub.plugins.registry import PluginRegistry

REQUEST = StudyRequest("kuhn", 2, {}, ("random", "ismcts:2", "ismcts:4"), 6, 2, 3)


def test_a_continued_study_equals_one_played_at_once(studied: Studied, tmp_path: Path) -> None:
    studied(replace(REQUEST, deals=2, ladder_deals=1), tmp_path / "twice")
    for name in ("twice", "once"):
        write_study(tmp_path / name, studied(REQUEST, tmp_path / name))
    for file in (STUDY, f"plain/{GAMES}", f"ladder/{GAMES}"):
        assert (tmp_path / "twice" / file).read_bytes() == (tmp_path / "once" / file).read_bytes()
    assert read_study(tmp_path / "once").is_whole


def test_workers_change_no_figure(
    studied: Studied, registry: PluginRegistry, tmp_path: Path
) -> None:
    """Games are replayed in any order, and counted in the order of the log."""
    alone = studied(REQUEST, tmp_path)
    parts = prepare(tmp_path, REQUEST, registry)
    two = StudyOptions(make=make_executor(2), ahead=4)
    assert study_of(REQUEST, parts, registry, two)[0] == alone


def test_skill_is_that_of_bots_that_meet(studied: Studied, tmp_path: Path) -> None:
    """Elo ratings are on one scale, and search bots gain by doubling."""
    skill = studied(REQUEST, tmp_path).skill
    assert skill is not None
    assert [row.bot for row in skill.bots] == list(REQUEST.bots)
    assert [row.iterations for row in skill.bots] == [None, 2, 4]
    assert skill.score_per_doubling is not None
    elo = [row.elo.value for row in skill.bots if row.elo]
    assert sum(elo) == pytest.approx(0, abs=1e-6)


def test_another_study_is_not_overwritten(
    studied: Studied, registry: PluginRegistry, tmp_path: Path
) -> None:
    """Its match files stay as they are."""
    request = StudyRequest("kuhn", 2, {}, ("random",), deals=1)
    studied(request, tmp_path)
    before = (tmp_path / "plain" / "match.yaml").read_text()
    with pytest.raises(MatchError, match=r"(?s)has a study with other .*fix: .*--out"):
        prepare(tmp_path, replace(request, seed=2), registry)
    assert (tmp_path / "plain" / "match.yaml").read_text() == before


def test_a_folder_without_games_has_no_study(registry: PluginRegistry, tmp_path: Path) -> None:
    parts = prepare(tmp_path, REQUEST, registry)
    with pytest.raises(MatchError, match="no deal is finished yet"):
        study_of(REQUEST, parts, registry, StudyOptions())


def test_unfinished_deals_do_not_count(
    studied: Studied, registry: PluginRegistry, tmp_path: Path
) -> None:
    """A study of an unfinished match has a note about it."""
    request = StudyRequest("kuhn", 2, {}, ("random",), deals=4)
    studied(request, tmp_path)
    log = tmp_path / "plain" / GAMES
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    parts = prepare(tmp_path, request, registry)
    result, _ = study_of(request, parts, registry, StudyOptions())
    assert (result.is_whole, result.skilled.games) == (False, 12)
    assert "Not all games are played yet. The same command continues." in result.notes


def test_bots_meet_others_near_their_strength(registry: PluginRegistry, tmp_path: Path) -> None:
    """The strongest bot that does not search connects both ladders."""
    request = StudyRequest("gamon", 2, {"coins": 24}, default_bots(registry, "gamon"))
    matches = {part.folder.name: part.match for part in prepare(tmp_path, request, registry)}
    assert matches["plain"].players_of("ladder") == ["random", "rule"]
    assert matches["ladder"].players_of("ladder") == [
        "rule",
        "ismcts-25",
        "ismcts-50",
        "ismcts-100",
    ]
    assert matches["search"].contest("ismcts-25-a").rules["coins"] == 24
    assert {name: count_games(match) for name, match in matches.items()} == {
        "plain": 100 * (2 * 4 + 2),
        "search": 10 * 3 * 4,
        "ladder": 20 * 6 * 2,
    }


def test_a_single_bot_plays_only_itself(registry: PluginRegistry) -> None:
    parts = study_files(StudyRequest("kuhn", 2, {}, ("random",)), registry)
    assert list(parts) == ["plain"]
    assert "ladder" not in parts["plain"]


@pytest.mark.parametrize(
    ("game", "players"), [("four_piles", 3), ("gargon", 3), ("spades", 4), ("goofspiel", 2)]
)
def test_every_kind_of_game_can_be_studied(
    studied: Studied, tmp_path: Path, game: str, players: int
) -> None:
    result = studied(StudyRequest(game, players, {}, ("random",), deals=2), tmp_path)
    assert result.skilled.deals == 2
    seats = sum(len(row.seats) for row in result.skilled.seats)
    assert seats == (0 if result.is_common else players)
    assert (result.skilled.score is not None) is result.is_common
    assert result.uses
