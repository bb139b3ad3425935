"""Hints in records: marked, and of no consequence."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.kit.redacting import redact

from cardhub.base.errors import IllegalActionError, RecordError
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.announcing.announcer import past_events
from cardhub.play.announcing.events import Event
from cardhub.play.records.reading import parse_record, read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.replaying import open_record, replayed, resume
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon

Spoil = Callable[[int, Callable[[dict[str, Any]], None]], Path]
PLAYERS = [Player(name, "human") for name in ("Anna", "Bob", "Chris")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the game is recorded."""
    return tmp_path / "hinted.jsonl"


@pytest.fixture
def referee(path: Path) -> Referee[Any]:
    """Return a game in which Anna, then Bob got a hint before each of their first actions."""
    referee = set_up(Gargon(), PLAYERS, {}, seed=7)
    record_to(referee, path)
    referee.proceed()
    for _ in range(4):
        referee.note_hint("ismcts:1000")
        referee.apply(referee.observe(referee.seat).legal()[-1])
    return referee


def hints_in(text: str) -> list[int]:
    """Return the seats of all hints in a record."""
    lines = [json.loads(line) for line in text.splitlines()]
    return [line["seat"] for line in lines if "hint" in line]


def test_a_hint_is_a_line_of_the_record(referee: Referee[Any], path: Path) -> None:
    referee.note_hint("rule")
    last = path.read_text("utf-8").splitlines()[-1]
    assert json.loads(last) == {"seat": referee.seat, "hint": "rule"}


def test_a_hint_does_not_change_the_replay(referee: Referee[Any], path: Path) -> None:
    """The same states and legal actions as without its line; a game goes on after one."""
    bare = path.with_name("bare.jsonl")
    lines = path.read_text("utf-8").splitlines(keepends=True)
    bare.write_text("".join(line for line in lines if "hint" not in line), "utf-8")
    with_hints = resume(Gargon(), read_record(path))
    without = resume(Gargon(), read_record(bare))
    for seat in range(3):
        seen = [
            replayed.observe(seat).information_state()
            for replayed in (with_hints, without, referee)
        ]
        assert seen[0] == seen[1] == seen[2]
    with_hints.note_hint("rule")
    assert len(path.read_text("utf-8").splitlines()) == len(lines) + 1


def test_a_hint_does_not_stand_between_an_action_and_its_undo(tmp_path: Path) -> None:
    referee = set_up(Gargon(), PLAYERS, {}, seed=7)
    path = tmp_path / "undone.jsonl"
    record_to(referee, path)
    referee.proceed()
    start = referee.observe(0).information_state()
    referee.apply(referee.observe(0).legal()[0])
    referee.note_hint("rule")
    referee.undo(0)
    assert referee.observe(0).information_state() == start
    assert hints_in(path.read_text("utf-8")) == [0]
    assert replayed(read_record(path), open_record(Gargon(), read_record(path))).seat == 0


def test_a_redacted_record_holds_the_seats_own_hints(referee: Referee[Any], path: Path) -> None:
    """Hints of other seats are left out."""
    seats = hints_in(path.read_text("utf-8"))
    assert set(seats) == {0, 1}
    record = read_record(path)
    for viewer in range(4):
        text = redact(Gargon(), record, viewer)
        assert hints_in(text) == [seat for seat in seats if seat == viewer]
        part = path.with_name(f"seat{viewer}.jsonl")
        part.write_text(text, "utf-8")
        again = replayed(read_record(part), open_record(Gargon(), read_record(part)))
        assert again.observe(viewer).history == referee.observe(viewer).history


def test_a_hint_is_an_event_for_who_got_it_and_who_may_see_all(referee: Referee[Any]) -> None:
    """It is hidden from the other viewers, but the event numbers are the same for all."""
    events_by_viewer: dict[int, list[Event]] = {
        viewer: past_events(referee, viewer) for viewer in (-1, 0, 1, 2, 3)
    }
    assert EVERYTHING in events_by_viewer
    hints = {
        v: [e.seat for e in events if e.kind == "hint"] for v, events in events_by_viewer.items()
    }
    assert hints == {-1: hints[0] + hints[1], 0: hints[0], 1: hints[1], 2: [], 3: []}
    first = events_by_viewer[0][0]
    assert first.lines == ("Anna asks for a hint",)
    numbers = {e.number: e.kind for e in events_by_viewer[-1]}
    assert all(numbers[e.number] == e.kind for events in events_by_viewer.values() for e in events)


def test_only_a_seat_that_is_to_act_gets_a_hint(referee: Referee[Any]) -> None:
    while not referee.is_over:
        referee.apply(referee.observe(referee.seat).legal()[0])
    with pytest.raises(IllegalActionError, match="no seat is to act"):
        referee.note_hint("rule")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"seat": 2, "hint": "rule"}, "Chris is not to act here"),
        ({"seat": 7, "hint": "rule"}, "there is no seat 7"),
        ({"seat": "chance", "hint": "rule"}, "there is no seat 'chance'"),
        ({"seat": 0, "hint": 3}, "'hint' is text, not 3"),
    ],
)
def test_a_hint_that_cannot_have_been_is_refused(
    referee: Referee[Any], path: Path, line: dict[str, Any], why: str
) -> None:
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text(lines[0] + json.dumps(line) + "\n", "utf-8")
    with pytest.raises(RecordError, match=rf"hinted\.jsonl:2: {why}"):
        replayed(read_record(path), open_record(Gargon(), read_record(path)))


def test_the_line_of_a_hint_has_no_other_keys(referee: Referee[Any], path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write('{"seat": 0, "hint": "rule", "action": "done"}\n')
    with pytest.raises(RecordError, match="one of action, shuffle, undo, hint, player"):
        read_record(path)


def test_a_hint_of_a_bot_that_cannot_be_printed_is_refused(
    referee: Referee[Any], path: Path
) -> None:
    """An export to a pipe would hand its control characters on."""
    damaged = path.read_text("utf-8").replace("ismcts:1000", "ism\\u0000cts")
    record = parse_record(path, damaged.encode())
    with pytest.raises(
        RecordError, match=r"hinted\.jsonl:2: 'hint' is a bot as text that can be printed"
    ):
        replayed(record, open_record(Gargon(), record))
