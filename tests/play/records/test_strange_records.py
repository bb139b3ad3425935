"""Records that were edited, damaged or made up: refused with the line, never a crash."""

import json
from pathlib import Path
from typing import Any

import pytest

from cardhub.base.errors import RecordError
from cardhub.play.records.reading import read_record
from cardhub.play.records.replaying import open_record, replay, resume
from cardhub_gargon import Gargon

from ..conftest import Spoil

ANNA = {"name": "Anna", "kind": "human"}
BOB = {"name": "Bob", "kind": "random"}


def repeat(path: Path) -> None:
    """Read a record and replay all of it."""
    record = read_record(path)
    for _ in replay(record, open_record(Gargon(), record)):
        pass


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("cardhub_record", True, "format True cannot be read, only format 1"),
        ("game", 5, "'game' is text, not 5"),
        ("version", None, "'version' is text, not None"),
        ("seed", "7", "'seed' is a whole number or 32 hexadecimal digits, not '7'"),
        ("seed", True, "'seed' is a whole number, not True"),
        ("seed", 1.5, "'seed' is a whole number, not 1.5"),
        ("seed", float("inf"), "'seed' is a whole number, not inf"),
        ("seed", float("nan"), "'seed' is a whole number, not nan"),
        ("seed", None, "'seed' is a whole number, not None"),
        ("options", [["start", 0]], "'options' is an object, not"),
        ("options", {"start": 1.5}, "option start cannot be 1.5"),
        ("options", {"start": True}, "option start cannot be 'True': it is a seat from 0 to 2"),
        ("options", {"start": None}, "option start cannot be None"),
        ("options", {"start": [0]}, r"option start cannot be \[0\]"),
        ("options", {"start": float("inf")}, "option start cannot be inf"),
        ("players", {"Anna": "human"}, "'players' is a list, not"),
        ("players", [1, 2, 3], "a player has a 'name' and a 'kind', not 1"),
        ("players", [{"name": "Anna"}], "a player has a 'name' and a 'kind', not"),
        ("players", [{"name": 1, "kind": "human"}], "'name' is text, not 1"),
        ("players", [ANNA, BOB, ANNA], "two players are called 'Anna'"),
        ("players", [ANNA, BOB, {"name": "\x1b[2J", "kind": "random"}], "invalid player name"),
        ("players", [ANNA, BOB] * 3, "two players are called"),
        ("players", [ANNA, BOB], "Gargon is for 3 to 5 players, not for 2"),
        ("deal", "R14", "'deal' is a list, not text"),
        ("deal", [None], "'deal' holds text, not null"),
        ("deal", ["R?"] * 102, "only a record redacted for a 'viewer' may lack cards"),
        ("viewer", "Anna", "'viewer' is a seat from 0 to 2, or 3 for a spectator, not 'Anna'"),
        ("viewer", True, "'viewer' is a seat"),
        ("viewer", -2, "'viewer' is a seat"),
        ("viewer", 4, "'viewer' is a seat"),
        ("answers", [1], "'answers' holds true or false, not a whole number"),
        ("answers", "yes", "'answers' is a list, not text"),
    ],
)
def test_an_invalid_header_is_refused(spoil: Spoil, key: str, value: Any, reason: str) -> None:
    """The error names the line, the value and the values that are valid."""
    path = spoil(1, lambda line: line.update({key: value}))
    with pytest.raises(RecordError, match=rf"game\.jsonl:1: .*{reason}"):
        repeat(path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:9]))
    with pytest.raises(RecordError, match=rf"game\.jsonl:1: .*{reason}"):
        resume(Gargon(), read_record(path))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"[" * 100_000, "not JSON"),
        (b'{"seat":' * 100_000, "not JSON"),
        (b"", "not JSON"),
        (b"\0\0\0", "not JSON"),
        (b'{"seat": 0, "action": "\xff"}', "not JSON"),
        (b'{"seat": ' + b"9" * 5000 + b', "action": "lay"}', "not JSON"),
        (b'{"seat": NaN, "action": "lay"}', "there is no seat nan"),
        (b'{"seat": 0, "action": 5}', "'action' is text, not a whole number"),
        (b'{"seat": 0, "action": null}', "'action' is text, not null"),
        (b'{"seat": 0, "undo": 2}', "'undo' is 1: one action is taken back, not 2"),
        (b'{"seat": 0, "undo": true}', "'undo' is 1: one action is taken back, not True"),
        (b'{"seat": "chance", "undo": 1}', "there is no seat 'chance'"),
        (b'{"seat": 2, "undo": 1}', "Chris cannot take anything back"),
        (b'{"seat": 0, "shuffle": []}', "only 'chance' shuffles, not 0"),
        (b'{"seat": "chance", "shuffle": 5}', "'shuffle' is a list, not a whole number"),
        (b'{"seat": "chance", "shuffle": [{}]}', "'shuffle' holds text, not an object"),
        (b'{"seat": "chance", "shuffle": []}', "nothing was to be shuffled here"),
    ],
)
def test_an_invalid_line_is_refused(recorded: Path, line: bytes, reason: str) -> None:
    """The error names the line, the value and the values that are valid."""
    lines = recorded.read_bytes().splitlines(keepends=True)
    recorded.write_bytes(b"".join(lines[:4]) + line + b"\n")
    with pytest.raises(RecordError, match=rf"game\.jsonl:5: .*{reason}"):
        repeat(recorded)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_marks_of_other_systems_are_read(recorded: Path, mark: bytes) -> None:
    """CRLF and a byte order mark, which editors may add, are accepted."""
    header = json.loads(recorded.read_bytes().splitlines()[0])
    recorded.write_bytes(mark + recorded.read_bytes().replace(b"\n", b"\r\n"))
    repeat(recorded)
    assert list(read_record(recorded).header.deal) == header["deal"]


def test_a_last_line_cut_at_any_byte_is_left_out(recorded: Path) -> None:
    """A torn last line is dropped with a warning."""
    lines = recorded.read_bytes().splitlines(keepends=True)[:6]
    for cut in range(1, len(lines[-1])):
        torn = b"".join(lines[:-1]) + lines[-1][:cut]
        recorded.write_bytes(torn)
        record = read_record(recorded)
        assert record.damage == f"{recorded}: line 6 is incomplete and left out"
        resume(Gargon(), record)
        assert recorded.read_bytes() == b"".join(lines[:-1])
