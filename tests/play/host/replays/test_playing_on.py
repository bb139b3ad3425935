"""Playing on from a step of a finished game."""

from pathlib import Path

import pytest

from cardhub.base.errors import RecordError
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.history_entries import Taken
from cardhub.play.host.opening import Opener
from cardhub.play.host.replays.stepping.playing_on import continued, players_from
from cardhub.play.host.saved.personal_results import outcomes
from cardhub.play.host.saved.saved_list import read_saved
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.records.header import PlayedOn
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.verification import verify_record
from cardhub.plugins.registry import find_plugins
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon

from .conftest import Play


def test_the_same_actions_lead_to_the_same_end(play: Play) -> None:
    """The deal and all later shuffles repeat the old game."""
    replay = play(Gamon())
    referee = continued(replay, 20, replay.players)
    referee.proceed()
    for step in replay.steps[21:]:
        if isinstance(step.entry, Taken) and step.entry.seat >= 0:
            referee.apply(step.entry.action)
    assert referee.is_over
    assert referee.scores() == replay.referee.scores()


def test_the_record_names_the_old_game_and_has_no_commitment(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be resumed like other records; `verify` says why it refuses it."""
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "home"))
    replay = play(Gargon(), 3)
    opener = Opener(find_plugins(), BlockingScheduler(), pace=0, is_inline=True)
    host = opener.play_on(replay, 30, 0)
    assert host.path is not None
    step = replay.stop_near(30)
    host.close()
    record = read_record(host.path)
    assert record.header.played_on == PlayedOn("gargon.jsonl", 30)
    assert (record.header.commitment, record.header.seed) == (None, 5)
    again = opener.replay(host.path)
    assert [s.entry for s in again.steps[: step + 1]] == [s.entry for s in replay.steps[: step + 1]]
    (problem,) = verify_record(Gargon(), record)
    assert "it continues another game" in problem
    assert "gargon.jsonl, step 30" in problem
    opener.resume(host.path).close()


def test_unfinished_games_and_ends_are_refused(play: Play) -> None:
    """The deal of an unfinished game is secret; after the end no action is left."""
    left = play(Gargon(), 3, most=10)
    with pytest.raises(RecordError, match="still secret"):
        continued(left, 3, left.players)
    whole = play(Gamon())
    with pytest.raises(RecordError, match="the game is over here"):
        continued(whole, whole.last, whole.players)


def test_a_person_takes_the_seat_of_the_viewer_where_only_bots_played(play: Play) -> None:
    """The people of the old game keep their seats."""
    bots = play(Gamon(), people=[])
    assert [player.is_human for player in players_from(bots, 1)] == [False, True]
    assert [player.is_human for player in players_from(bots, EVERYTHING)] == [True, False]
    mixed = play(Gamon(), people=[1])
    assert players_from(mixed, 0) == list(mixed.players)


def test_a_game_that_is_played_on_is_left_out_of_statistics(play: Play, tmp_path: Path) -> None:
    """Its cards were known; the same record without the mark counts."""
    replay = play(Gamon())
    referee = continued(replay, 20, replay.players)
    path = tmp_path / "on.jsonl"
    record_to(referee, path)
    referee.proceed()
    for step in replay.steps[21:]:
        if isinstance(step.entry, Taken) and step.entry.seat >= 0:
            referee.apply(step.entry.action)
    assert replay.path is not None
    games = [read_saved(replay.path), read_saved(path)]
    assert [saved.is_finished for saved in games] == [True, True]
    results = outcomes(games, lambda saved: range(len(saved.players)))
    assert [outcome.saved.path for outcome in results] == [replay.path]
