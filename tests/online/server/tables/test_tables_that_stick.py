"""Tables that must not stick: bots that play for people, and disks that are full at the end."""

import pytest
from tests.kit.full_disks import full_disk
from tests.online.server.tables.conftest import FakeClient, FakeServer, finish, started

from cardhub.base.errors import RecordError
from cardhub.online.server.tables.table_game import RETRY_AFTER
from cardhub.online.wire import client_messages as m
from cardhub.play import table_commands as c
from cardhub.play import table_messages as t
from cardhub.view.view import Spot


def finish_alone(client: FakeClient) -> None:
    """Play to the end of a game in which bots have all other seats."""
    for _ in range(2000):
        if client.table_message.view.is_over:
            return
        client.tell(c.PaceCommand(command="read"))
        if client.table_message.view.choices:
            client.act()
    raise AssertionError("the game does not end")


def test_a_bot_that_was_asked_for_plays_for_a_person_only_until_the_end_of_the_game(
    server: FakeServer,
) -> None:
    first, second = started(server, "kuhn")
    second.tell(m.Replace(seat=second.viewer, bot="random"))
    second.leave()
    finish(first)
    first.tell(m.Rematch(without_absent=True))
    assert first.state.stage == "playing"
    back = server.visit(first, second.token)
    server.wait(1)
    assert back.count(t.Refused) == 0
    assert back.state.seats[back.viewer].replaced_person == ""
    finish(first, back)
    assert back.table_message.result is not None


def test_a_person_without_a_view_gets_the_reason(server: FakeServer) -> None:
    """A full disk keeps the record from noting that the person is back."""
    first, second = started(server, "gamon")
    second.leave()
    server.wait(200)
    first.tell(m.Replace(seat=second.viewer, bot="random"))
    finish_alone(first)
    first.tell(m.Rematch(without_absent=True))
    with full_disk():
        back = server.visit(first, second.token)
        server.wait(1)
        assert "a bot is playing for you in this game" in back.refusal
    back.tell(m.Replace(seat=back.viewer))
    assert back.table_message.view.viewer == back.viewer


def game_begun_by_a_bot(server: FakeServer) -> tuple[FakeClient, FakeClient]:
    """Return a person, and an absent one in whose seat a bot has begun a game."""
    first, second = started(server, "kuhn")
    second.leave()
    server.wait(200)
    first.tell(m.Replace(seat=second.viewer, bot="random"))
    finish_alone(first)
    return first.tell(m.Rematch(without_absent=True)), second


QUESTIONS = [
    c.AskPast(id=3, step=1),
    c.AskExplain(id=3, spot=Spot("area", 0)),
    c.PaceCommand(command="read"),
]


@pytest.mark.parametrize("command", QUESTIONS, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize("others", ["seated", "gone"])
def test_a_person_without_a_view_gets_the_reason_for_each_refused_command(
    server: FakeServer, caplog: pytest.LogCaptureFixture, command: c.TableCommand, others: str
) -> None:
    """It is no failure of the game's code, and depends on no other person at the table."""
    first, second = game_begun_by_a_bot(server)
    with full_disk():
        back = server.visit(first, second.token)
    if others == "gone":
        first.tell(m.Stand())
    refused = back.count(t.Refused)
    back.tell(command)
    assert back.count(t.Refused) == refused + 1
    assert "take your seat back" in back.refusal
    assert "failed at a message" not in caplog.text


def test_a_person_without_a_view_may_have_single_choices_played(
    server: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    """It is stored for the time after the bot."""
    first, second = game_begun_by_a_bot(server)
    with full_disk():
        back = server.visit(first, second.token)
    refused = back.count(t.Refused)
    back.tell(c.PlayForced(is_on=True))
    assert back.count(t.Refused) == refused
    assert back.served.context.chairs[back.viewer].plays_forced
    assert "failed at a message" not in caplog.text


def test_the_lobby_lists_a_table_to_an_absent_person_in_whose_seat_a_bot_began(
    server: FakeServer,
) -> None:
    first, second = game_begun_by_a_bot(server)
    offer = server.lobby.own_offer(first.table, second.token)
    assert offer is not None
    assert not offer.is_turn


def fail(*_: object) -> None:
    """Fail as a full disk does."""
    raise RecordError("the disk is full")


def end_on_a_full_disk(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> FakeClient:
    """Return the person of a game whose end is in its record, but not in the file of the table."""
    anna = server.create("kuhn", bots=["", "random"])
    anna.tell(m.Start())
    monkeypatch.setattr(server.lobby._services.store, "save", fail)
    finish_alone(anna)
    return anna


def test_a_game_that_ends_on_a_full_disk_is_over(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = end_on_a_full_disk(server, monkeypatch)
    assert anna.state.stage == "over"
    assert anna.table_message.result is not None
    assert not anna.state.scores
    assert "cannot start" in anna.tell(m.Rematch()).refusal
    monkeypatch.undo()
    server.wait(RETRY_AFTER)
    assert sum(anna.state.scores.values()) == 1
    assert anna.tell(m.Rematch()).state.number == 2


def test_a_rematch_counts_the_winners_of_a_game_that_ended_on_a_full_disk(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = end_on_a_full_disk(server, monkeypatch)
    monkeypatch.undo()
    state = anna.tell(m.Rematch()).state
    assert (state.number, sum(state.scores.values())) == (2, 1)
    server.wait(RETRY_AFTER)
    assert sum(anna.state.scores.values()) == 1


def test_a_restart_counts_the_winners_of_a_game_that_ended_on_a_full_disk(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = end_on_a_full_disk(server, monkeypatch)
    monkeypatch.undo()
    server.start()
    back = server.visit(anna, anna.token)
    assert (back.state.stage, sum(back.state.scores.values())) == ("over", 1)


def test_a_seat_that_a_full_disk_does_not_give_back_is_given_back_later(
    server: FakeServer,
) -> None:
    first, second = started(server, "gamon")
    second.leave()
    server.wait(200)
    first.tell(m.Replace(seat=second.viewer, bot="random"))
    with full_disk():
        back = server.visit(first, second.token)
        server.wait(RETRY_AFTER + 1)
        assert back.state.seats[back.viewer].replaced_person
    server.wait(RETRY_AFTER)
    assert back.state.seats[back.viewer].replaced_person == ""


def test_a_set_up_that_cannot_be_written_keeps_the_finished_game(server: FakeServer) -> None:
    anna = server.create("kuhn", bots=["", "random"]).tell(m.Start())
    finish_alone(anna)
    with full_disk():
        assert "cannot be written" in anna.tell(m.SetUp(bots=["", "easy"])).refusal
        assert server.visit(anna, anna.token).table_message.result is not None
    assert anna.state.stage == "over"
    assert anna.tell(m.Rematch()).state.number == 2


def test_the_clock_of_a_game_whose_end_is_not_in_its_record_runs_after_a_restart(
    server: FakeServer,
) -> None:
    """A power failure may lose the end of a record after the file of the table was written."""
    anna = server.create("kuhn", bots=["", "random"], clock="1d").tell(m.Start())
    finish_alone(anna)
    anna.leave()
    path = server.folder / anna.table / "game-1.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    server.start()
    assert list(server.lobby.loaded) == [anna.table]


def test_a_finished_game_with_a_clock_is_not_loaded_at_a_start(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its record says that it is over, although its file does not."""
    anna = server.create("kuhn", bots=["", "random"], clock="1d").tell(m.Start())
    with monkeypatch.context() as patch:
        patch.setattr(server.lobby._services.store, "save", fail)
        finish_alone(anna)
    server.start()
    assert list(server.lobby.loaded) == []
