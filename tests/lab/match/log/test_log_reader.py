"""Lines of a log: decoding returns the encoded game, and errors name the damaged field."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from cardhub.base.errors import MatchError
from cardhub.lab.match.log.log_reader import read_games, read_header, read_result
from cardhub.lab.match.log.log_writer import log_line
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.match_spec import canonical

CUP = """
    cardhub_match: 1
    name: small
    seed: 7
    bots:
      - {id: a, use: random}
      - {id: bad, use: "cheat:after=1"}
    games:
      - {game: leduc}
      - {game: pig}
    schedule: {blocks: 2}
"""
ODD: tuple[object, ...] = (
    None,
    True,
    -1,
    10**400,
    1.5,
    float("nan"),
    "",
    "\x00",
    "\ud800",
    [],
    {},
    [[]],
    {"a": 1},
)


@pytest.fixture
def log(play_once: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the log of a match that was played."""
    monkeypatch.chdir(tmp_path)
    return play_once(CUP, copied_to=Path("out")) / "games.jsonl"


def test_a_line_is_read_as_it_was_written(log: Path) -> None:
    """Reading and writing a line gives the same bytes."""
    for line in log.read_text("utf-8").splitlines()[1:]:
        assert log_line(read_result(line)) == line


def test_a_line_is_canonical_json(log: Path) -> None:
    _, first = next(read_games(log.parent))
    texts = "".join(map(chr, range(300))) + "\u2028\ufeff\uffff\U0001f0a1"
    odd = msgspec.structs.replace(
        first,
        vary={"\uffff": 10**40, "\U0001f0a1": -(10**40), "b": True, "": texts},
        cards=tuple(texts),
        moves=((0, texts), ("chance", tuple(texts))),
    )
    for result in (first, odd):
        assert log_line(result) == canonical(msgspec.to_builtins(result))
        assert read_result(log_line(result)) == result


def test_no_odd_value_anywhere_in_a_line_is_more_than_an_error(log: Path) -> None:
    lines = log.read_text("utf-8").splitlines()[1:]
    refused = 0
    for line in lines:
        for key in json.loads(line):
            for odd in ODD:
                try:
                    read_result(json.dumps(json.loads(line) | {key: odd}))
                except MatchError:
                    refused += 1
    assert refused > 11 * len(lines) * len(json.loads(lines[0]))


@pytest.mark.parametrize("places", [[2, 2], [1, 3], [0, 1], [1], [1, 2, 3], []])
def test_places_that_no_ranking_has_are_an_error(log: Path, places: list[int]) -> None:
    """The message names file and line, and says how to go on."""
    lines = log.read_text("utf-8").splitlines()
    lines[2] = json.dumps(json.loads(lines[2]) | {"places": places})
    log.write_text("\n".join([*lines, ""]), "utf-8")
    with pytest.raises(
        MatchError, match=r"^out/games\.jsonl:3: places: .*\nfix: restore this line"
    ):
        list(read_games(log.parent))


def test_damaged_bytes_are_an_error(log: Path) -> None:
    rng, whole = Random(1), log.read_bytes()
    lines = whole.splitlines(keepends=True)
    result = log.with_name("result.json")
    text = result.read_bytes()
    for damage in (b"\xff", b"\x00", b"[" * 10**5, b'{"a":' * 10**5, b"9" * 5000, b"{}", b""):
        refuses(read_result, lines[1][: rng.randrange(len(lines[1]))] + damage)
        log.write_bytes(lines[0][: rng.randrange(len(lines[0]))] + damage + b"\n")
        refuses(read_header, log.parent)
        log.write_bytes(whole)
        result.write_bytes(text[: rng.randrange(len(text))] + damage)
        refuses(match_in, log.parent)


def refuses(read: Callable[[Any], Any], data: object) -> None:
    """Check that reading fails with a message."""
    with pytest.raises(MatchError, match=r"\w"):
        read(data)
