"""Games of people at a table: start, leaving, returning, takebacks, rematches, restarts."""

from pathlib import Path
from typing import Any

from tests.online.server.tables.conftest import FakeServer, finish, notes, started

from cardhub.online.wire import client_messages as m
from cardhub.online.wire import server_messages as s
from cardhub.play import table_commands as c
from cardhub.play import table_messages as t
from cardhub.play.host.turns.move_reviews import NOT_OVER


def test_a_spectator_sees_the_table_before_the_game(server: FakeServer) -> None:
    """The state has the people at the seats, and the game's offer."""
    anna = server.create("hearts")
    bob = server.visit(anna)
    assert (bob.viewer, bob.state.stage, bob.state.title) == (4, "open", "Hearts")
    assert [seat.name for seat in bob.state.seats] == ["Anna", "", "", ""]
    assert bob.state.owner == 0
    assert bob.last(t.GameInfo).catalogue.faces
    assert bob.last(t.GameInfo).opponents["easy"].startswith("Rosalind: ")


def test_a_person_who_sits_down_gets_a_token(server: FakeServer) -> None:
    anna = server.create()
    bob = server.seated(anna)
    again = server.visit(anna, bob.token)
    assert bob.viewer == again.viewer == 1
    assert [seat.name for seat in anna.state.seats] == ["Anna", "Bob"]


def test_two_people_play_a_game_to_its_end(server: FakeServer) -> None:
    """Each sees the own choices, and both get the result."""
    anna = server.create("gamon", seats=2)
    bob = server.seated(anna)
    anna.tell(m.Start())
    finish(anna, bob)
    assert anna.table_message.result is not None
    assert bob.table_message.view.is_over
    assert anna.table_message.result.path == ""


def test_bots_take_free_seats_at_the_start(server: FakeServer) -> None:
    """They play at the level that was chosen, or the default one."""
    anna = server.create("pig", seats=3, bots=["", "random", ""])
    anna.tell(m.Start())
    assert [bool(seat.bot) for seat in anna.state.seats] == [False, True, True]
    assert anna.state.seats[1].bot == "random"
    finish(anna)
    assert anna.table_message.result is not None


def test_a_page_that_is_reloaded_leaves_no_trace(server: FakeServer) -> None:
    first, second = started(server)
    second.leave()
    assert not first.state.seats[second.viewer].is_here
    server.wait(59)
    second = server.visit(first, second.token)
    server.wait(100)
    assert notes(server, first) == []
    second.leave()
    server.wait(300)
    assert [line["note"] for line in notes(server, first)] == ["left"]
    server.visit(first, second.token)
    assert [line["note"] for line in notes(server, first)] == ["left", "back"]


def test_a_bot_stands_in_for_a_person_who_left_until_the_return(server: FakeServer) -> None:
    first, second = started(server)
    seat = second.viewer
    second.leave()
    server.wait(60)
    replace = m.Replace(seat=seat, bot="random")
    helper = first
    if not helper.last(s.Welcome).is_owner:
        assert "only the owner" in helper.tell(replace).refusal
    server.wait(61)
    assert helper.state.seats[seat].can_replace
    helper.tell(replace)
    state = helper.state.seats[seat]
    assert (state.bot, state.replaced_person) == (
        "random",
        second.last(s.TableState).seats[seat].name,
    )
    helper.act()
    back = server.visit(first, second.token)
    assert helper.state.seats[seat].bot == ""
    assert back.viewer == seat
    assert [line.get("note") or line["player"]["kind"] for line in notes(server, first)] == [
        "left",
        "random",
        "back",
        "human",
    ]


def test_a_person_replaced_while_present_gets_the_seat_back_on_request(
    server: FakeServer,
) -> None:
    """Reloading the page does not: the owner, or the person, has asked for the bot."""
    first, second = started(server)
    second.tell(m.Replace(seat=second.viewer, bot="random"))
    assert second.state.seats[second.viewer].replaced_person
    again = server.visit(first, second.token)
    assert again.state.seats[second.viewer].bot == "random"
    assert again.table_message.view.viewer == second.viewer
    again.tell(m.Replace(seat=second.viewer))
    assert again.state.seats[second.viewer].bot == ""


def test_a_stranger_cannot_replace_anybody(server: FakeServer) -> None:
    first, second = started(server)
    watcher = server.visit(first)
    second.leave()
    server.wait(200)
    watcher.tell(m.Replace(seat=second.viewer, bot="random"))
    assert "only the owner" in watcher.refusal
    assert first.state.seats[second.viewer].bot == ""


def test_a_seat_that_was_given_up_is_open_to_others(server: FakeServer) -> None:
    """A bot plays on under its own name, until a client sits down."""
    first, second = started(server)
    seat = second.viewer
    second.tell(m.Stand())
    state = first.state.seats[seat]
    assert (state.is_open, bool(state.bot), state.replaced_person) == (True, True, "")
    assert second.viewer == 2
    dora = server.visit(first).tell(m.Sit(name="Dora"))
    first.tell(m.AnswerNewcomer(name="Dora", agrees=True))
    assert dora.viewer == seat
    assert first.state.seats[seat].name == "Dora"
    assert dora.table_message.view.players[seat].name == "Dora"
    finish(first, dora)


def test_a_takeback_needs_the_consent_of_the_others(server: FakeServer) -> None:
    """It is recorded with those who agreed; the state is as before."""
    first, second = started(server, "garner")
    before = first.table_message.view
    first.act()
    while not second.table_message.view.choices:
        first.act()
    first.tell(m.AskTakeback())
    asked = second.state.takeback
    assert asked is not None
    assert (asked.seat, asked.missing) == (first.viewer, (second.viewer,))
    second.tell(m.AnswerTakeback(agrees=False))
    assert "does not agree" in first.refusal
    assert second.state.takeback is None
    first.tell(m.AskTakeback())
    second.tell(m.AnswerTakeback(agrees=True))
    assert [line["agreed"] for line in notes(server, first)] == [[second.viewer]]
    assert len(first.table_message.view.choices) > 0
    assert first.table_message.view.revision > before.revision


def test_a_takeback_lapses(server: FakeServer) -> None:
    first, second = started(server, "garner")
    while not second.table_message.view.choices:
        first.act()
    first.tell(m.AskTakeback())
    server.wait(61)
    assert "in time" in first.refusal
    first.tell(m.AskTakeback())
    second.act()
    assert second.state.takeback is None
    assert "has expired" in second.tell(m.AnswerTakeback(agrees=True)).refusal


def test_a_rematch_begins_when_all_people_wish_for_it(server: FakeServer) -> None:
    """Each sits one seat further, spectators stay, and the scores of the table go on."""
    anna = server.create("kuhn")
    bob = server.seated(anna)
    watcher = server.visit(anna)
    anna.tell(m.Start())
    finish(anna, bob)
    anna.tell(m.Rematch())
    assert [seat.wants_rematch for seat in bob.state.seats] == [True, False]
    bob.tell(m.Rematch())
    assert [seat.name for seat in watcher.state.seats] == ["Bob", "Anna"]
    assert (anna.viewer, bob.viewer, watcher.viewer) == (1, 0, 2)
    assert (watcher.state.number, watcher.state.stage) == (2, "playing")
    assert watcher.table_message.view.players[0].name == "Bob"
    assert sum(watcher.state.scores.values()) == 1
    assert (server.folder / anna.table / "game-2.jsonl").is_file()
    finish(anna, bob)
    assert sum(watcher.state.scores.values()) == 2


def test_a_rematch_waits_for_a_person_who_has_left_without_an_answer(server: FakeServer) -> None:
    first, second = started(server, "kuhn")
    finish(first, second)
    first.tell(m.Rematch())
    second.leave()
    server.wait(60)
    first.tell(m.Rematch())
    assert (first.state.number, first.state.stage) == (1, "over")
    server.visit(first, second.token).tell(m.Rematch())
    assert (first.state.number, first.state.stage) == (2, "playing")


def test_people_can_start_a_rematch_without_those_who_have_left(server: FakeServer) -> None:
    first, second = started(server, "kuhn")
    finish(first, second)
    second.leave()
    first.tell(m.Rematch(without_absent=True))
    assert first.state.number == 2
    seat = 1 - first.viewer
    assert first.state.seats[seat].replaced_person
    assert server.visit(first, second.token).state.seats[seat].bot == ""


def test_a_rematch_without_those_who_have_left_needs_all_who_are_here(server: FakeServer) -> None:
    first, second = started(server, "kuhn")
    finish(first, second)
    first.tell(m.Rematch(without_absent=True))
    assert first.state.number == 1
    second.tell(m.Rematch())
    assert first.state.number == 2


def test_each_player_has_a_review_of_the_own_moves_after_the_game(server: FakeServer) -> None:
    anna, bob = started(server, "kuhn")
    bob.tell(c.AskReview())
    assert bob.last(t.ReviewMessage).why_none == NOT_OVER
    finish(anna, bob)
    watcher = server.visit(anna)
    watcher.tell(c.AskReview())
    assert "do not have a seat" in watcher.refusal
    assert anna.count(t.ReviewMessage) == 0
    anna.tell(c.AskReview())
    assert anna.count(t.ReviewMessage) > 0
    assert anna.last(t.ReviewMessage).why_none == ""
    assert bob.count(t.ReviewMessage) == 1


def test_spectators_may_be_kept_out(server: FakeServer) -> None:
    """They see who sits where, but neither cards nor log, also after the end."""
    anna = server.create("kuhn", shows_spectators=False)
    bob, watcher = server.seated(anna), server.visit(anna)
    anna.tell(m.Start())
    finish(anna, bob)
    watcher.tell(c.AskPast(id=1, step=1))
    assert watcher.refusal == "spectators cannot watch at this table"
    assert (watcher.count(t.TableMessage), watcher.count(t.LogMessage)) == (0, 0)
    assert watcher.state.stage == "over"


def test_an_owner_who_may_not_watch_ends_a_pause_and_opens_no_view(server: FakeServer) -> None:
    """A spectator's session would make the bots wait until its summaries have been read."""
    anna = server.create("gamon", shows_spectators=False)
    server.seated(anna)
    anna.tell(m.Start())
    anna.tell(c.PaceCommand(command="pause")).tell(m.Stand())
    host, shown = anna.served.context.host, anna.count(t.TableMessage)
    assert host is not None
    pace = host.status().pace
    assert "only a person with a seat may do this" in anna.tell(c.SetPace(seconds=1.5)).refusal
    anna.tell(c.PaceCommand(command="resume"))
    assert (host.status().pace, host.status().is_paused) == (pace, False)
    assert anna.viewer not in host._sessions
    assert anna.count(t.TableMessage) == shown


def test_after_a_restart_all_goes_on(server: FakeServer) -> None:
    """Tokens, seats, chat and the game are as before; an old revision is refused."""
    first, second = started(server)
    first.tell(m.Say(text="hello"))
    first.act()
    old = first.table_message.view
    server.start()
    again, other = (server.visit(first, person.token) for person in (first, second))
    assert (again.viewer, other.viewer) == (first.viewer, second.viewer)
    assert again.table_message.view.players == old.players
    assert again.table_message.view.areas == old.areas
    assert [line.text for line in again.log] == [line.text for line in first.log]
    assert again.last(s.ChatMessage).lines[0].text == "hello"
    assert again.state.owner == first.state.owner
    finish(again, other)


def test_a_finished_game_is_shown_after_a_restart(server: FakeServer) -> None:
    first, second = started(server, "kuhn")
    finish(first, second)
    result, replay = first.table_message.result, first.state.replay
    server.start()
    again, other = (server.visit(first, person.token) for person in (first, second))
    assert again.table_message.result == result
    assert again.state.replay == replay == f"/t/{first.table}/replay/1.html"
    assert server.lobby.replay(first.table, 1) is not None
    again.tell(m.Rematch())
    other.tell(m.Rematch())
    assert again.state.number == 2
    assert sum(again.state.scores.values()) == 1


def test_a_game_that_was_not_told_to_anybody_is_dropped(server: FakeServer) -> None:
    """The server was killed between the record of a game and the file of its table."""
    anna = server.create("kuhn")
    bob = server.seated(anna)
    file = server.folder / anna.table / "table.json"
    before = file.read_bytes()
    anna.tell(m.Start())
    file.write_bytes(before)
    server.start()
    again = server.visit(anna, anna.token)
    assert (again.state.stage, again.state.number) == ("open", 0)
    assert not (server.folder / anna.table / "game-1.jsonl").exists()
    again.tell(m.Start())
    assert server.visit(anna, bob.token).state.stage == "playing"


def test_a_table_that_was_never_complete_is_removed(server: FakeServer) -> None:
    anna = server.create("kuhn")
    half = server.folder / ("b" * 16)
    half.mkdir()
    (half / "table.json.new").write_text("{")
    server.start()
    assert not half.exists()
    assert server.visit(anna, anna.token).viewer == 0


def test_a_table_without_visitors_leaves_memory_and_is_loaded_again(server: FakeServer) -> None:
    """Its game goes on from the record."""
    first, second = started(server)
    table = first.served
    first.leave()
    second.leave()
    server.wait(200)
    assert first.served is not table
    again = server.visit(first, first.token)
    assert again.table_message.view.areas == first.table_message.view.areas


def test_a_table_that_never_started_is_deleted_after_days(server: FakeServer) -> None:
    """One at which a game was played is kept."""
    anna, bob = server.create("kuhn"), server.create("kuhn")
    bob.tell(m.Start())
    for person in (anna, bob):
        person.leave()
    server.wait(3 * 86_400 + 60)
    assert server.visit(bob, bob.token).viewer == 0
    folders = {path.name for path in server.folder.iterdir() if path.is_dir()}
    assert folders == {bob.table, "editions"}


def test_a_full_disk_undoes_the_step_and_is_told(server: FakeServer, monkeypatch: Any) -> None:
    first, second = started(server)
    other, _ = started(server, "kuhn")
    before, shown = first.table_message.view.areas, len(second.log)
    path = server.folder / first.table / "game-1.jsonl"
    real = Path.open

    def full(self: Path, *arguments: Any, **given: Any) -> Any:
        if self == path and "ab" in arguments:
            raise OSError(28, "No space left on device")
        return real(self, *arguments, **given)

    monkeypatch.setattr(Path, "open", full)
    first.act()
    assert "No space left on device" in first.refusal
    assert str(server.folder) not in first.refusal
    assert first.table_message.view.areas == before
    other.act()
    monkeypatch.setattr(Path, "open", real)
    first.act()
    assert len(second.log) > shown


def test_among_bots_a_takeback_needs_nobody(server: FakeServer) -> None:
    """It is taken back without a request, and the log has a line about it."""
    anna = server.create("garner", bots=["", "random"])
    anna.tell(m.Start())
    while not anna.table_message.can_take_back:
        anna.act()
    anna.tell(m.AskTakeback())
    assert anna.state.takeback is None
    assert notes(server, anna)[-1]["agreed"] == []
    assert [line.text for line in anna.log if line.kind == "undo"][-1].startswith("Anna takes ")
