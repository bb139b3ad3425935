"""Full disks and read-only folders during games."""

from contextlib import nullcontext
from random import Random

import msgspec
import pytest
from tests.kit.full_disks import full_disk
from tests.online.server.tables.conftest import FakeClient, FakeServer, notes, started

from cardhub.online.server.table_interface import DiskError, LobbyError
from cardhub.online.server.tables.table_game import RETRY_AFTER
from cardhub.online.wire import client_messages as m
from cardhub.online.wire.wire_codec import NewTable
from cardhub.play import table_commands as c
from cardhub.view.view import AreaView


def act(rng: Random, client: FakeClient) -> None:
    """Send a message that changes the table, or let time pass."""
    view = client.table_message.view
    if view.choices and rng.random() < 0.5:
        client.act(rng.randrange(len(view.choices)))
        return
    messages: list[m.AnyClientMessage] = [
        c.Undo(),
        m.AskTakeback(),
        m.AnswerTakeback(agrees=True),
        m.Replace(seat=rng.randrange(2), bot=rng.choice(["", "random"])),
        c.PlayForced(is_on=rng.random() < 0.5),
        m.Say(text="hello"),
        c.PaceCommand(command="read"),
        c.PaceCommand(command="retry"),
    ]
    client.tell(rng.choice(messages))
    if rng.random() < 0.1:
        client.server.wait(rng.choice([1, 20, 70]))


def told(client: FakeClient) -> list[tuple[int, str]]:
    """Return the lines of the log without the last step, whose lines may be joined later."""
    last = client.log[-1].step
    return [(line.step, line.text) for line in client.log if line.step < last]


def seen(client: FakeClient) -> tuple[object, ...]:
    """Return the part of a view that must be the same after a restart.

    Cards that have left an area are counted by a session, from where it began.
    """
    view = client.table_message.view
    areas = [
        msgspec.structs.replace(area, gone=0) if isinstance(area, AreaView) else area
        for area in view.areas
    ]
    return areas, view.to_act, [choice.name for choice in view.choices]


def test_a_bot_takes_a_seat_that_was_given_up_on_a_full_disk(server: FakeServer) -> None:
    """Else the game waits for a person whom nobody can be."""
    anna, bob = started(server, "gamon")
    record = server.folder / anna.table / "game-1.jsonl"
    table = server.folder / anna.table / "table.json"
    while record.stat().st_size < table.stat().st_size + 100:
        next(client for client in (anna, bob) if client.table_message.view.choices).act()
    with full_disk(record.stat().st_size):
        anna.tell(m.Stand())
    host = bob.served.context.host
    assert host is not None
    assert host.players[0].is_human
    assert host.players[1].is_human
    server.wait(RETRY_AFTER + 1)
    assert [seat.bot != "" for seat in bob.state.seats].count(True) == 1


def test_clients_retry_if_the_disk_has_room_for_the_last_action_but_not_for_the_result(
    server: FakeServer,
) -> None:
    """The record can be continued only by writing the result, so the table leaves memory."""
    anna, bob = started(server, "kuhn")
    anna.act()
    record = server.folder / anna.table / "game-1.jsonl"
    with full_disk(record.stat().st_size + len('{"seat": 1, "action": "check"}\n') + 20):
        bob.act()
        for client in (anna, bob):
            assert "fix: ask the host of the server whether its disk is full" in client.closed
            assert not client.is_final
        with pytest.raises(DiskError, match=r"not lost. fix: ask the host.*whether its disk is"):
            server.visit(anna, anna.token)
    assert server.visit(anna, anna.token).state.stage == "over"


@pytest.mark.parametrize("clock", ["", "60+5"])
@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_shown_that_is_not_on_disk(server: FakeServer, seed: int, clock: str) -> None:
    rng = Random(seed)
    both = started(server, "gamon", clock=clock)
    for _ in range(4):
        for is_full in (False, True):
            with full_disk() if is_full else nullcontext():
                for _ in range(10):
                    act(rng, rng.choice(both))
    server.wait(RETRY_AFTER)  # bots that stand still for the disk go on by themselves
    server.start()
    back = [server.visit(client, client.token) for client in both]
    for before, after in zip(both, back, strict=True):
        assert told(after)[: len(told(before))] == told(before)
        # Bots that waited for people to read a summary have gone on.
        if after.log[-1].step == before.log[-1].step:
            assert seen(after) == seen(before)
    steps = len(back[0].log)
    for _ in range(40):
        act(rng, rng.choice(back))
    is_over = back[0].table_message.view.to_act < 0  # bots may have played for both
    assert is_over or len(back[0].log) != steps


def test_a_bots_turn_on_a_full_disk_stands_still_and_goes_on(server: FakeServer) -> None:
    """It is retried only after a delay; the reason has no folder of the machine."""
    anna = server.create("kuhn", bots=["random", ""])
    anna.served.receive(anna, m.Start())
    with full_disk():
        server.wait()
        fault = anna.table_message.status.fault or ""
        assert "cannot be written" in fault
        assert "fix: free space" in fault
        count = len(anna.messages)
        server.wait(RETRY_AFTER * 3)
        assert len(anna.messages) < count + 12
        assert str(server.folder) not in str(anna.messages)
    server.wait(RETRY_AFTER)
    assert anna.table_message.view.choices


def test_on_a_full_disk_no_table_is_made_and_no_game_starts(server: FakeServer) -> None:
    anna = server.create("kuhn", bots=["", "random"])
    with full_disk():
        with pytest.raises(LobbyError, match="cannot write the table"):
            server.lobby.create(NewTable(game="kuhn", name="Bob"))
        assert "cannot start" in anna.tell(m.Start()).refusal
        assert "fix: " in anna.tell(m.SetUp(clock="5+10")).refusal
    assert anna.state.stage == "open"
    server.start()
    assert list(server.lobby.loaded) == []
    again = server.visit(anna, anna.token)
    assert again.tell(m.Start()).state.stage == "playing"


def test_a_time_that_ends_on_a_full_disk_is_told(server: FakeServer) -> None:
    """The table stands at its last step until its owner tries again."""
    first, second = started(server, "gamon", clock="1+5")
    other, _ = started(server, "kuhn")
    with full_disk():
        server.wait(61)
        assert second.state.seats[first.viewer].bot == ""
        assert second.table_message.status.fault or second.refusal
    owner = next(client for client in (first, second) if client.state.owner == client.viewer)
    owner.tell(c.PaceCommand(command="retry"))
    assert not owner.table_message.status.fault
    server.wait(61)
    assert "timeout" in [line.get("note") for line in notes(server, first)]
    other.act()
    assert not other.table_message.status.fault
