"""Games whose code raises exceptions: their tables stop with a reason, and can continue."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.online.server.tables.conftest import FakeClient, FakeServer

from cardhub.base.errors import CardhubError
from cardhub.online.server.table_interface import LoadError
from cardhub.online.wire import client_messages as m
from cardhub.online.wire import server_messages as s
from cardhub.play import table_commands as c
from cardhub.play import table_messages as t
from cardhub.play.host.turns.forced_pauses import MOST, USUAL
from kuhn.game import CHECK, Kuhn, KuhnDisplay

Repair = Callable[[], None]


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Repair]:
    """Return a function that breaks a method of Kuhn Poker, for the seat to act or for all.

    It returns one that mends it.
    """

    def break_method(name: str, seat: int | None = None) -> Repair:
        real = getattr(Kuhn, name)

        def fails(game: Kuhn, state: Any, *given: Any) -> Any:
            if seat in (None, state.seat):
                raise ZeroDivisionError("planted")
            return real(game, state, *given)

        monkeypatch.setattr(Kuhn, name, fails)
        return lambda: monkeypatch.setattr(Kuhn, name, real)

    return break_method


def bots_turn(server: FakeServer) -> tuple[FakeClient, FakeClient]:
    """Return the owner of a table whose bot acts after the owner, and a spectator."""
    owner = server.create("kuhn", bots=["", "random"])
    watcher = server.visit(owner)
    owner.tell(m.Start())
    return owner, watcher


@pytest.mark.interpreted("it replaces a method that compiled code calls directly")
def test_a_bots_turn_that_fails_is_told_and_tried_again(
    server: FakeServer, broken: Callable[..., Repair]
) -> None:
    """The table stands still at its record, for all clients, until its owner retries."""
    other, _ = bots_turn(server)
    owner, watcher = bots_turn(server)
    lines = len(owner.log)
    repair = broken("apply", seat=1)
    owner.act()
    for client in (owner, watcher):
        assert "The code of this game failed" in (client.table_message.status.fault or "")
        assert "planted" not in str(client.messages)
    assert len(owner.log) > lines
    shown = owner.table_message.view.revision
    owner.tell(c.PaceCommand(command="retry"))
    assert owner.table_message.status.fault
    repair()
    assert "only the owner" in watcher.tell(c.PaceCommand(command="retry")).refusal
    owner.tell(c.PaceCommand(command="retry"))
    assert not owner.table_message.status.fault
    assert owner.table_message.view.revision > shown
    while owner.state.stage == "playing":
        owner.act()
    other.act()
    assert not other.table_message.status.fault
    records = [server.folder / client.table / "game-1.jsonl" for client in (owner, other)]
    assert all(record.is_file() for record in records)


def test_a_bot_may_be_replaced_where_its_turn_fails(
    server: FakeServer, broken: Callable[..., Repair]
) -> None:
    """Another bot ends the halt as well."""
    owner, _ = bots_turn(server)
    repair = broken("apply", seat=1)
    owner.act()
    repair()
    owner.tell(m.Replace(seat=1, bot="random"))
    assert not owner.table_message.status.fault


@pytest.mark.interpreted("it replaces a method that compiled code calls directly")
def test_a_forced_turn_that_fails_is_told(
    server: FakeServer, broken: Callable[..., Repair], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person may act, or the owner retries."""
    anna = server.create("kuhn")
    bob = server.seated(anna)
    anna.tell(c.PlayForced(is_on=True))
    monkeypatch.setattr(Kuhn, "legal", lambda *_: [CHECK])
    repair = broken("apply", seat=0)
    anna.tell(m.Start())
    server.wait(MOST * USUAL)
    assert bob.table_message.status.fault
    assert not bob.table_message.view.choices
    repair()
    anna.tell(c.PaceCommand(command="retry"))
    assert not bob.table_message.status.fault
    server.wait(MOST * USUAL)
    assert bob.table_message.view.choices


@pytest.mark.interpreted("it replaces a method that compiled code calls directly")
def test_a_table_that_cannot_go_on_from_its_record_closes_its_visitors(
    server: FakeServer, broken: Callable[..., Repair]
) -> None:
    """They get the reason; after the game is repaired, the table continues."""
    other, _ = bots_turn(server)
    anna = server.create("kuhn")
    bob = server.seated(anna)
    anna.tell(m.Start())
    anna.act()
    lines = len(anna.log)
    repair = broken("apply")
    server.lobby.loaded[anna.table].context.later(1, lambda: 1 // 0)  # as a turn that fails
    server.wait(1)
    assert "tell the host" in anna.closed
    assert "tell the host" in bob.closed
    assert not other.closed
    with pytest.raises(LoadError, match="fix: "):
        server.lobby.find(anna.table)
    repair()
    again = FakeClient(server, anna.table, anna.token).enter()
    assert again.state.stage == "playing"
    assert len(again.log) == lines


@pytest.mark.interpreted("it replaces a method that compiled code calls directly")
def test_a_view_that_fails_is_told_to_its_viewer_only(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others see the game, and the game goes on."""
    anna = server.create("kuhn")
    bob = server.seated(anna)
    real = KuhnDisplay.scene

    def fails(self: KuhnDisplay, state: Any, viewer: int) -> Any:
        if viewer == bob.viewer:
            raise ZeroDivisionError("planted")
        return real(self, state, viewer)

    monkeypatch.setattr(KuhnDisplay, "scene", fails)
    anna.tell(m.Start())
    assert anna.table_message.view.viewer == anna.viewer
    assert "the code of this game failed" in bob.refusal
    monkeypatch.setattr(KuhnDisplay, "scene", real)
    anna.tell(m.Say(text="hello"))
    assert bob.last(s.TableState).stage == "playing"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"game": "nonesuch"}, "nonesuch"),
        ({"options": {"nonesuch": 1}}, "nonesuch"),
        ({"version": 99}, "no such table"),
    ],
)
def test_a_table_whose_game_is_gone_is_refused_with_the_reason(
    server: FakeServer, change: dict[str, Any], why: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The server logs it at its start; the files stay, and other tables continue."""
    owner, other = server.create("kuhn"), server.create("kuhn")
    owner.tell(m.Start())
    path = server.folder / owner.table / "table.json"
    before = path.read_text("utf-8")
    path.write_text(json.dumps({**json.loads(before), **change}), "utf-8")
    server.start()
    assert owner.table in caplog.text
    with pytest.raises(CardhubError, match=why) as refused:
        server.lobby.find(owner.table)
    assert "fix: " in str(refused.value)
    assert str(server.folder) not in str(refused.value)
    assert FakeClient(server, other.table, other.token).enter().state.stage == "open"
    path.write_text(before, "utf-8")
    server.start()
    assert FakeClient(server, owner.table, owner.token).enter().state.stage == "playing"


def test_a_record_against_the_rules_is_refused_with_the_reason(
    server: FakeServer,
) -> None:
    owner = server.create("kuhn")
    server.seated(owner)
    owner.tell(m.Start()).act()
    path = server.folder / owner.table / "game-1.jsonl"
    path.write_text(path.read_text("utf-8") + '{"seat": 1, "action": "jump"}\n', "utf-8")
    server.start()
    with pytest.raises(LoadError, match=r"game-1\.jsonl:\d+: ") as refused:
        server.lobby.find(owner.table)
    assert str(server.folder) not in str(refused.value)


def test_a_refusal_names_the_message_that_it_answers(server: FakeServer) -> None:
    owner = server.create("kuhn")
    server.seated(owner)
    owner.tell(m.Start())
    owner.tell(c.Act(action=99, rev=owner.table_message.view.revision, id=5))
    assert owner.last(t.Refused).id == 5
    assert owner.tell(c.Undo(id=6)).last(t.Refused).id == 6
    assert owner.tell(c.Act(action=0, rev=99)).last(t.Refused).id == 0
