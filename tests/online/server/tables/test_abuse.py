"""Limits against people and clients who overuse what they may do."""

from pathlib import Path
from typing import Any

import pytest
from tests.online.server.tables.conftest import FakeServer, finish, started

from cardhub.base.errors import RecordError
from cardhub.online.server.tables.storage.table_store import TableStore
from cardhub.online.server.tables.table_context import TableLimits
from cardhub.online.wire import client_messages as m
from cardhub.online.wire import server_messages as s
from cardhub.play import table_commands as c
from cardhub.play import table_messages as t
from cardhub.play.host.replays.results.game_result import build_result
from cardhub.play.host.table_host import Host
from cardhub.play.host.turns.hint_requests import HintRequests


def test_the_result_of_a_game_is_made_once_for_each_viewer(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes a replay of the whole game: too much for every visit and every message."""
    made: list[int] = []
    real = build_result

    def build(replay: Any, viewer: int) -> Any:
        made.append(viewer)
        return real(replay, viewer)

    monkeypatch.setattr("cardhub.play.host.replays.results.game_result.build_result", build)
    anna, bob = started(server, "kuhn")
    finish(anna, bob)
    for _ in range(5):
        server.visit(anna).leave()
        anna.tell(c.PlayForced(is_on=True))
    assert sorted(made) == [0, 1, 2]
    assert anna.table_message.result is not None


def test_a_hint_is_dropped_by_the_person_who_asked_only(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All people of a table share the bot that gives hints."""
    calls: list[tuple[str, int]] = []
    first, second = started(server)

    def cancel(_: HintRequests, *seats: int) -> None:
        calls.extend(("cancel", seat) for seat in seats)

    def hurry(_: HintRequests, seat: int) -> None:
        calls.append(("hurry", seat))

    monkeypatch.setattr(HintRequests, "cancel", cancel)
    monkeypatch.setattr(HintRequests, "hurry", hurry)
    for person in (second, first):
        calls.clear()
        person.tell(c.AskHint(request="hurry")).tell(c.AskHint(request="cancel"))
        assert {seat for _, seat in calls} <= {person.viewer}
    assert calls == [("hurry", first.viewer), ("cancel", first.viewer)]


def test_a_record_does_not_grow_without_an_end(tmp_path: Path) -> None:
    """An endless series of takebacks would fill the disk."""
    server = FakeServer(tmp_path / "tables", TableLimits(steps=3))
    anna = server.create("garner", bots=["", "random"])
    anna.tell(m.Start())
    while len(anna.log) < 3:
        anna.act()
    for message in (c.Undo(), m.AskTakeback(), c.AskHint(), m.Replace(seat=0, bot="random")):
        assert "has become too long" in anna.tell(message).refusal
    shown = len(anna.log)
    anna.act()
    assert len(anna.log) > shown


def test_a_table_has_so_many_games(tmp_path: Path) -> None:
    """Each game has a record, and games of bots take no time."""
    server = FakeServer(tmp_path / "tables", TableLimits(games=2))
    anna = server.create("kuhn", name="", bots=["random", "random"])
    for _ in range(2):
        anna.tell(m.Start())
        server.wait(60)
        assert anna.state.stage == "over"
    assert "make a new table" in anna.tell(m.Start()).refusal
    assert len(list((server.folder / anna.table).glob("game-*.jsonl"))) == 2


def test_a_spectator_who_has_seen_hands_gets_no_seat(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Host, "shows_spectators_hands", True)
    anna = server.create()
    anna.tell(m.Start())
    watcher = server.visit(anna)
    assert watcher.count(t.TableMessage)
    anna.tell(m.SetUp(shows_spectators=False))
    assert "see hands" in watcher.tell(m.Sit(name="Mallory")).refusal


def test_after_a_game_only_the_owner_gives_a_seat_away(server: FakeServer) -> None:
    """A person who is away may be replaced by others only for the rest of the game."""
    anna, bob = started(server, "kuhn")
    anna.act(-1)
    anna.leave()
    server.wait(130)
    assert bob.state.seats[0].can_replace
    bob.act()
    assert bob.state.stage == "over"
    assert not bob.state.seats[0].can_replace
    assert "only the owner" in bob.tell(m.Replace(seat=0, bot="random")).refusal
    assert bob.state.seats[0].name == "Anna"


def test_folders_that_cannot_be_read_do_not_keep_others_from_starting(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob = server.create(), server.create()
    lost, unreadable = server.folder / ("a" * 16), server.folder / bob.table / "table.json"
    lost.mkdir()
    (lost / "game-1.jsonl").write_text("")
    real = Path.is_file

    def is_file(path: Path) -> bool:
        if path == unreadable:
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(Path, "is_file", is_file)
    server.start()
    assert server.visit(anna, anna.token).viewer == 0
    assert (lost / "game-1.jsonl").exists()


def test_a_full_disk_keeps_nobody_out(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person whose seat cannot be given back watches, and gets the reason."""
    anna, bob = started(server)
    other = bob if anna.last(s.Welcome).is_owner else anna
    owner = anna if other is bob else bob
    other.leave()
    owner.tell(m.Replace(seat=other.viewer, bot="random"))
    real = Path.open

    def full(self: Path, *arguments: Any, **given: Any) -> Any:
        if "ab" in arguments:
            raise OSError(28, "No space left on device")
        return real(self, *arguments, **given)

    def save(self: TableStore, file: object) -> None:
        raise RecordError("table.json: No space left on device. fix: free space")

    monkeypatch.setattr(Path, "open", full)
    monkeypatch.setattr(TableStore, "save", save)
    back = server.visit(owner, other.token)
    assert not back.closed
    assert "No space left" in back.refusal


def test_writers_who_have_gone_are_forgotten(server: FakeServer) -> None:
    """Their rates are kept as long as these count."""
    anna = server.create()
    for _ in range(20):
        watcher = server.visit(anna).tell(m.Say(text="hello"))
        watcher.leave()
        server.wait(20)
    assert len(anna.served._chat._times) == 1
