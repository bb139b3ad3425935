"""Seats, names, tokens, chat and the owner's rights."""

from pathlib import Path

import pytest
from tests.online.server.tables.conftest import FakeClient, FakeServer

from cardhub.bots.language.entry import USUAL
from cardhub.online.server.table_interface import LobbyError, UnknownTableError
from cardhub.online.server.tables.table_context import TableLimits
from cardhub.online.wire import client_messages as m
from cardhub.online.wire import server_messages as s
from cardhub.online.wire.wire_codec import NewTable
from cardhub.play import table_commands as c

NOT_OWNER = "only the owner of the table may do this. fix: ask the owner"


def names(client: object) -> list[str]:
    """Return the names at the seats in a client's state."""
    return [seat.name for seat in client.state.seats]  # type: ignore[attr-defined]  # a test's own


def test_names_that_look_alike_are_refused(server: FakeServer) -> None:
    """A Cyrillic А in Anna would pass for her."""
    anna = server.create("hearts")
    eve = server.visit(anna).tell(m.Sit(name="\u0410nna"))
    assert "look alike" in eve.refusal
    assert eve.refusal.endswith("fix: choose another name")
    assert names(eve) == ["Anna", "", "", ""]


def test_a_bot_has_no_name_that_begins_like_the_name_of_a_person(server: FakeServer) -> None:
    ann = server.create("hearts", name="Ann")
    server.visit(ann).tell(m.Sit(name="bobby"))
    ann.tell(m.Start())
    assert names(ann) == ["Ann", "bobby", "Chris", "David"]


def test_a_seat_that_is_taken_stays_taken(server: FakeServer) -> None:
    """Another free seat can be chosen instead, also by those who sit already."""
    anna = server.create("hearts")
    bob = server.visit(anna).tell(m.Sit(name="Bob", seat=0))
    assert bob.refusal == "seat 0 is not free. fix: choose another seat"
    bob.tell(m.Sit(name="Bob", seat=3)).tell(m.Sit(name="Bob", seat=2))
    assert names(anna) == ["Anna", "", "Bob", ""]
    assert bob.viewer == 2


def test_a_person_who_stands_up_becomes_a_spectator(server: FakeServer) -> None:
    """The old token ends with the seat."""
    anna = server.create("hearts")
    bob = server.seated(anna)
    bob.tell(m.Stand())
    assert (bob.viewer, names(anna)) == (4, ["Anna", "", "", ""])
    assert server.visit(anna, bob.token).closed.startswith("this link is no longer valid")


def test_an_owner_may_only_watch(server: FakeServer) -> None:
    owner = server.create("kuhn", name="", bots=["random", "random"])
    assert (owner.viewer, owner.state.owner) == (2, None)
    owner.tell(m.Start())
    server.wait(60)
    assert owner.state.stage == "over"
    assert owner.table_message.view.viewer == 2


def test_only_the_owner_sets_up_and_starts(server: FakeServer) -> None:
    """The refusals for all others name the owner."""
    anna = server.create("kuhn")
    bob = server.seated(anna)
    for message in (m.Start(), m.SetUp(has_chat=False), c.SetPace(seconds=0)):
        assert bob.tell(message).refusal == NOT_OWNER
    assert anna.state.stage == "open"


def test_the_owner_sets_up_seats_order_and_options(server: FakeServer) -> None:
    anna = server.create("pig", seats=2)
    bob = server.seated(anna)
    anna.tell(m.SetUp(seats=3, bots=["", "", "easy"]))
    anna.tell(m.SetUp(order=[2, 0, 1]))
    assert names(bob) == ["", "Anna", "Bob"]
    assert [seat.bot for seat in bob.state.seats] == ["easy", "", ""]
    assert (anna.viewer, bob.viewer, bob.state.owner) == (1, 2, 1)
    option = bob.state.options[0]
    assert option.most is not None
    anna.tell(m.SetUp(options={option.name: option.most}))
    assert bob.state.options[0].value == option.most


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (m.SetUp(seats=9), "Pig for stakes is for 2 to 4 players, not for 9"),
        (m.SetUp(order=[0, 0]), "the order is invalid. fix: name every seat once"),
        (m.SetUp(bots=["", "", ""]), "3 bots for 2 seats. fix: send one entry per seat"),
        (m.SetUp(options={"nonsense": 1}), "unknown option 'nonsense'"),
        (m.SetUp(bots=["", "nobody"]), "nobody"),
        (m.SetUp(bots=["", "cmd:python3 bot.py"]), "players at this server cannot start programs"),
        (m.SetUp(bots=["", "model:/etc/passwd"]), "cannot start programs, load files"),
        (m.SetUp(bots=["", "llm:x,url=http://10.0.0.1/v1"]), "or ask language models"),
        (m.SetUp(bots=["", "ismcts:rollout=model:nothing"]), "load files"),
        (m.SetUp(bots=["", "ismcts:workers=64"]), "share its workers"),
    ],
)
def test_a_set_up_that_cannot_be_is_refused_as_a_whole(
    server: FakeServer, change: m.SetUp, why: str
) -> None:
    anna = server.create("pig", seats=2)
    before = anna.state
    anna.tell(change)
    assert why in anna.refusal
    assert anna.state == before


def test_a_new_token_ends_the_old_one_at_once(server: FakeServer) -> None:
    """Connections with the old one are closed; the person who asked goes on with the new one."""
    anna = server.create("kuhn")
    bob = server.seated(anna)
    tab, old = server.visit(anna, bob.token), bob.token
    bob.tell(m.Reissue(seat=1))
    assert tab.closed
    assert tab.is_final
    assert bob.last(s.Issued).token == bob.token != old
    assert server.visit(anna, bob.token).viewer == 1
    assert server.visit(anna, old).closed
    assert anna.tell(m.Reissue(seat=1)).last(s.Issued).token != bob.token
    assert bob.closed


def test_an_invited_friend_gets_the_seat_that_was_kept(server: FakeServer) -> None:
    anna = server.create("hearts")
    token = anna.tell(m.Reissue(seat=2)).last(s.Issued).token
    friend = server.visit(anna, token)
    stranger = server.visit(anna).tell(m.Sit(name="Eve", seat=2))
    assert "not free" in stranger.refusal
    assert friend.tell(m.Sit(name="Dora")).viewer == 2
    assert friend.token == token


def test_two_tabs_of_a_person_see_the_same(server: FakeServer) -> None:
    anna = server.create("kuhn")
    bob = server.seated(anna)
    tab = server.visit(anna, anna.token)
    anna.tell(m.Start())
    first = anna if anna.table_message.view.choices else bob
    assert tab.table_message == anna.table_message
    (tab if first is anna else bob).act()
    assert tab.table_message == anna.table_message
    assert tab.log == anna.log


def test_chat_reaches_all_and_never_the_record(server: FakeServer) -> None:
    """Controls become spaces; a client that has lines already gets the new ones."""
    anna = server.create("kuhn")
    bob = server.seated(anna)
    anna.tell(m.Say(text="hello\x1b[2J\u202e there"))
    line = bob.last(s.ChatMessage).lines[-1]
    assert (line.seat, line.name, line.text) == (0, "Anna", "hello [2J  there")
    anna.tell(m.Start())
    assert "hello" not in (server.folder / anna.table / "game-1.jsonl").read_text()
    bob.tell(m.Say(text="hi"))
    again = server.visit(anna, bob.token)
    assert [line.text for line in again.last(s.ChatMessage).lines][-1] == "hi"
    chat = server.visit(anna).last(s.ChatMessage)
    late = FakeClient(server, anna.table).enter(chat=1)
    assert (chat.since, late.last(s.ChatMessage).since) == (0, 1)
    assert chat.lines[1:] == late.last(s.ChatMessage).lines


def test_chat_has_a_rate_a_switch_and_a_place_for_spectators(server: FakeServer) -> None:
    """Spectators are silent while a game runs: they may see more than the players."""
    anna = server.create("kuhn")
    watcher = server.visit(anna)
    for number in range(6):
        anna.tell(m.Say(text=str(number)))
    assert anna.refusal == "you have sent too many lines. fix: wait a few seconds"
    server.wait(11)
    watcher.tell(m.Say(text="good luck"))
    assert anna.last(s.ChatMessage).lines[-1].seat is None
    anna.tell(m.Start())
    assert "during a game" in watcher.tell(m.Say(text="bet")).refusal
    anna.tell(m.SetUp(has_chat=False))
    assert "the chat is off" in anna.tell(m.Say(text="bye")).refusal


def test_a_table_that_cannot_be_made_says_why(server: FakeServer) -> None:
    """Unknown games, wrong names and full servers."""
    for request in (NewTable(game="chess", name="A"), NewTable(game="kuhn", name=" ")):
        with pytest.raises(LobbyError):
            server.lobby.create(request)
    server.limits = TableLimits(tables=3, tables_by_address=2)
    server.start()
    for _ in range(2):
        server.lobby.create(NewTable(game="kuhn", name="A"), "10.0.0.1")
    with pytest.raises(LobbyError, match="your address has made"):
        server.lobby.create(NewTable(game="kuhn", name="A"), "10.0.0.1")
    server.lobby.create(NewTable(game="kuhn", name="A"), "10.0.0.2")
    with pytest.raises(LobbyError, match="no room"):
        server.lobby.create(NewTable(game="kuhn", name="A"), "10.0.0.3")


def test_only_ids_of_tables_are_found(server: FakeServer) -> None:
    """No text of a client gets into a path."""
    for name in ("", "..", "../../etc", "a" * 16, "\x00"):
        with pytest.raises(UnknownTableError):
            server.lobby.find(name)


def test_a_host_can_offer_a_language_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the model that is set up, without its address; without the option none is offered."""
    monkeypatch.setenv(USUAL, "gemma3,url=http://10.0.0.1/v1")
    for lets_models in (True, False):
        server = FakeServer(tmp_path / str(lets_models), TableLimits(lets_models=lets_models))
        anna = server.create("kuhn")
        assert ("llm:gemma3" in anna.state.levels) is lets_models
        anna.tell(m.SetUp(bots=["", "llm:gemma3"]))
        assert (anna.state.seats[1].bot == "llm:gemma3") is lets_models
        anna.tell(m.SetUp(bots=["", "llm:other,url=http://10.0.0.1/v1"]))
        assert "or ask language models" in anna.refusal
