"""The stage of a table follows from its file and its last game."""

import logging
from pathlib import Path

import pytest
from tests.online.server.tables.conftest import FakeServer
from tests.play.host.conftest import Table

from cardhub.base.errors import BotCrashError, RecordError
from cardhub.online.server.tables.storage.table_store import Chair, TableFile
from cardhub.online.server.tables.table_stage import (
    NOT_CONTINUED,
    OVER,
    PLAYING,
    TableStage,
    count_winners,
    derive_stage,
    running_game,
)
from cardhub.online.wire import client_messages as m
from cardhub.online.wire.server_messages import Stage

STUCK = TableStage("playing", "the disk is full")


def file_of(stage: Stage, number: int = 1, scored: int = 0) -> TableFile:
    """Return the file of a table of two."""
    return TableFile(
        table="aaaaaaaaaaaaaaaa",
        game="garner",
        made=0,
        changed=0,
        owner="",
        chairs=(Chair(), Chair()),
        number=number,
        stage=stage,
        scored=scored,
    )


@pytest.mark.parametrize("game", [None, PLAYING, OVER, STUCK])
def test_a_table_is_open_before_its_first_game_and_after_it_was_set_up_anew(
    game: TableStage | None,
) -> None:
    assert derive_stage(file_of("open", number=0), game) == TableStage("open")
    assert derive_stage(file_of("open"), game) == TableStage("open")


@pytest.mark.parametrize("stage", ["playing", "over"])
def test_the_game_decides_whether_it_is_over(stage: Stage) -> None:
    for game in (OVER, PLAYING, STUCK):
        assert derive_stage(file_of(stage), game) == game


def test_a_game_that_cannot_be_read_is_stuck() -> None:
    assert derive_stage(file_of("playing"), None) == TableStage("playing", NOT_CONTINUED)


def test_a_game_in_memory_is_stuck_if_a_bot_failed_or_it_was_stopped() -> None:
    at = Table()
    at.host.begin("The code of this game failed.")
    at.clock.wait()
    assert running_game(at.host) == TableStage("playing", "The code of this game failed.")
    at.host.request("retry")
    assert running_game(at.host) == PLAYING
    at.to_bots_turn()
    at.answer(BotCrashError("it is gone"))
    game = running_game(at.host)
    assert game.why_stuck.startswith("the bot Bob (random) ")
    assert game.stage == "playing"


def test_a_game_whose_end_is_not_in_its_record_is_not_over(tmp_path: Path) -> None:
    at = Table(people=()).begin()
    while not at.host.is_over:
        at.answer()
    assert running_game(at.host) == OVER
    at.host.fail(RecordError("the disk is full"))
    assert running_game(at.host) == STUCK
    assert derive_stage(file_of("playing"), running_game(at.host)).stage == "playing"


def test_winners_are_counted_once_and_only_at_the_end() -> None:
    at = Table(people=()).begin()
    assert count_winners(file_of("playing"), at.host) == {}
    while not at.host.is_over:
        at.answer()
    names = [at.host.players[seat].name for seat in at.host.winners]
    changes = count_winners(file_of("playing"), at.host)
    assert changes == {"scored": 1, "scores": dict.fromkeys(names, 1)}
    assert count_winners(file_of("over", scored=1), at.host) == {}


def test_the_log_says_once_why_a_game_is_stuck(
    server: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    anna = server.create("kuhn", bots=["", "random"])
    anna.tell(m.Start())
    host = anna.served.context.host
    assert host is not None
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            anna.served._game.restore("The code of this game failed.")
            server.wait()
    texts = [record.getMessage().partition(" is stuck: ")[2] for record in caplog.records]
    assert [text for text in texts if text] == ["The code of this game failed."]
