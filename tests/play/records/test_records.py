"""Records: written as the game goes, read with suspicion."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.kit.redacting import redact

from cardhub.base.errors import RecordError
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.replaying import open_record, replay, resume
from cardhub.play.referee import Referee
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon

from ..conftest import PLAYERS, Spoil, finish


def reread(path: Path) -> Referee[Any]:
    """Replay a record to its end."""
    record = read_record(path)
    referee = open_record(Gargon(), record)
    assert list(replay(record, referee)) == [number for number, _ in record.lines]
    return referee


def test_the_header_says_all_that_is_needed(recorded: Path) -> None:
    """A header: format and game version, game, options, players, seed, the deal as faces."""
    header = json.loads(recorded.read_text("utf-8").splitlines()[0])
    assert len(header.pop("deal")) == 102
    assert header == {
        "cardhub_record": 1,
        "game": "gargon",
        "version": Gargon.version,
        "options": {"open_winnings": True, "zero_tie_draw": False, "start": 0},
        "players": [{"name": p.name, "kind": p.kind} for p in PLAYERS],
        "seed": 7,
    }


def test_a_record_replays_to_the_same_scores_without_a_generator(recorded: Path) -> None:
    """The deal plus the actions replay the game exactly."""
    end = json.loads(recorded.read_text("utf-8").splitlines()[-1])
    referee = reread(recorded)
    assert referee.is_over
    assert (referee.scores(), referee.places()) == (end["scores"], end["places"])


def test_returns_by_place_are_read_in_records_of_before(recorded: Path) -> None:
    """Then every game had returns by place; in Gargon only winning counts now."""
    *lines, last = recorded.read_text("utf-8").splitlines()
    end = json.loads(last)
    by_place = [2.0 - place for place in end["places"]]
    assert end["returns"] != by_place
    for returns in by_place, [1.0, 1.0, 1.0]:
        line = json.dumps(end | {"returns": returns})
        recorded.write_text("\n".join([*lines, line, ""]), "utf-8")
        if returns == by_place:
            assert reread(recorded).is_over
        else:
            with pytest.raises(RecordError, match="returns are"):
                reread(recorded)


def test_the_same_seed_gives_the_same_bytes(recorded: Path, tmp_path: Path) -> None:
    """The same seed gives the same bytes."""
    again = tmp_path / "again.jsonl"
    referee = set_up(Gargon(), PLAYERS, {"open_winnings": True}, seed=7)
    record_to(referee, again)
    referee.proceed()
    finish(referee)
    assert again.read_bytes() == recorded.read_bytes()


def test_a_game_cut_anywhere_resumes_and_ends_the_same(recorded: Path, tmp_path: Path) -> None:
    """A game killed at any moment resumes without loss."""
    whole = recorded.read_bytes()
    lines = whole.splitlines(keepends=True)
    for kept in (1, 2, len(lines) // 2, len(lines) - 2):
        for torn in (b"", lines[kept][:-1], lines[kept][:5]):
            path = tmp_path / f"cut{kept}-{len(torn)}.jsonl"
            path.write_bytes(b"".join(lines[:kept]) + torn)
            record = read_record(path)
            assert record.torn == bool(torn)
            referee = resume(Gargon(), record)
            referee.proceed()
            finish(referee)
            assert path.read_bytes() == whole


def test_a_line_is_on_disk_before_the_next_action(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    referee = set_up(Gargon(), PLAYERS, {}, seed=1)
    record_to(referee, path)
    referee.proceed()
    for taken in range(1, 20):
        referee.apply(referee.observe(referee.seat).legal()[0])
        assert len(path.read_text("utf-8").splitlines()) == 1 + taken


def test_a_record_is_never_overwritten(recorded: Path) -> None:
    before = recorded.read_bytes()
    with pytest.raises(RecordError, match="exists already"):
        record_to(set_up(Gargon(), PLAYERS, {}, seed=1), recorded)
    assert recorded.read_bytes() == before


def test_a_finished_game_is_not_resumed(recorded: Path) -> None:
    """A finished game can only be replayed."""
    with pytest.raises(RecordError, match="this game is over; replay it instead"):
        resume(Gargon(), read_record(recorded))


def test_undone_actions_stay_in_the_record(tmp_path: Path) -> None:
    """Records are append-only: an undo is another line."""
    path = tmp_path / "game.jsonl"
    referee = set_up(Gargon(), PLAYERS, {}, seed=1)
    record_to(referee, path)
    referee.proceed()
    first, second, *_ = referee.observe(0).legal()
    referee.apply(first)
    referee.undo(0)
    referee.apply(second)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert lines[2] == {"seat": 0, "undo": 1}
    again = resume(Gargon(), read_record(path))
    assert again.observe(0).information_state() == referee.observe(0).information_state()


def test_bad_json_is_refused_with_its_line(recorded: Path) -> None:
    lines = recorded.read_text("utf-8").splitlines()
    lines[3] = lines[3][:-2]
    recorded.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(RecordError, match=r"game\.jsonl:4: not JSON"):
        read_record(recorded)


@pytest.mark.parametrize(
    ("number", "changed", "reason"),
    [
        (1, {"cardhub_record": 2}, "format 2 cannot be read, only format 1"),
        (1, {"version": "0"}, "recorded with gargon version 0"),
        (2, {"action": "fight red"}, r"'fight red' is not legal here\. Legal"),
        (2, {"seat": 1}, "Bob is not to act here"),
        *((2, {"seat": s}, f"there is no seat {s!r}") for s in (3, -1, "Anna", None, True, 1.0)),
    ],
)
def test_a_changed_line_is_refused(
    spoil: Spoil, number: int, changed: dict[str, Any], reason: str
) -> None:
    """The error has the number of the line and the reason."""
    path = spoil(number, lambda line: line.update(changed))
    with pytest.raises(RecordError, match=rf"game\.jsonl:{number}: {reason}"):
        reread(path)


def test_edited_scores_are_refused(spoil: Spoil, recorded: Path) -> None:
    """Edited scores are refused with their line number."""
    last = len(recorded.read_text("utf-8").splitlines())
    path = spoil(last, lambda line: line.update(scores=[1, 2, 3]))
    with pytest.raises(RecordError, match=rf"game\.jsonl:{last}: scores are \[1, 2, 3\], but"):
        reread(path)


def test_scores_before_the_end_are_refused(recorded: Path) -> None:
    """A record cannot claim an end the game has not reached."""
    lines = recorded.read_text("utf-8").splitlines()
    recorded.write_text("\n".join([*lines[:5], lines[-1]]) + "\n", "utf-8")
    with pytest.raises(RecordError, match=r"game\.jsonl:6: scores before the end"):
        reread(recorded)


def test_no_line_may_follow_the_scores(recorded: Path) -> None:
    lines = recorded.read_text("utf-8").splitlines()
    recorded.write_text("\n".join([*lines, lines[-2]]) + "\n", "utf-8")
    with pytest.raises(RecordError, match="nothing may follow the scores"):
        read_record(recorded)


@pytest.mark.parametrize("key", ["game", "version", "options", "players", "seed", "deal"])
def test_a_mangled_header_is_refused(spoil: Spoil, key: str) -> None:
    """A missing or invalid key of the header is an error in line 1."""
    path = spoil(1, lambda line: line.update({key: None}))
    with pytest.raises(RecordError, match=r"game\.jsonl:1: "):
        reread(path)
    path = spoil(1, lambda line: line.pop(key))
    with pytest.raises(RecordError, match=rf"game\.jsonl:1: .*{key}"):
        reread(path)


def test_a_deal_with_other_cards_is_refused(spoil: Spoil) -> None:
    """The deal must hold the cards of the game, each as often as the box does."""
    path = spoil(1, lambda line: line["deal"].__setitem__(0, line["deal"][1]))
    with pytest.raises(RecordError, match=r"game\.jsonl:1: the deal does not hold the cards"):
        reread(path)
    path = spoil(1, lambda line: line["deal"].__setitem__(0, "R99"))
    with pytest.raises(RecordError, match=r"game\.jsonl:1: unknown card 'R99'"):
        reread(path)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_bytes(b'{"cardhub')
    with pytest.raises(RecordError, match=r"empty\.jsonl:1: no complete line"):
        read_record(path)


def test_a_redacted_record_holds_only_faces_that_the_seat_saw(
    recorded: Path, tmp_path: Path
) -> None:
    """A record redacted for one seat is the same file with unseen faces blanked."""
    record = read_record(recorded)
    text = redact(Gargon(), record, viewer=1)
    lines = [json.loads(line) for line in text.splitlines()]
    whole = [json.loads(line) for line in recorded.read_text("utf-8").splitlines()]
    seen = reread(recorded).observe(1).state.seen
    for token, (shown, true) in enumerate(zip(lines[0]["deal"], whole[0]["deal"], strict=True)):
        assert shown == (true if seen[token] >> 1 & 1 else f"{true[0]}?")
    assert lines[0]["viewer"] == 1
    assert any(name.endswith("?") for name in lines[0]["deal"])
    path = tmp_path / "bob.jsonl"
    path.write_text(text, "utf-8")
    assert reread(path).scores() == whole[-1]["scores"]


def test_a_redacted_record_does_not_hold_the_seed(recorded: Path) -> None:
    header = json.loads(redact(Gargon(), read_record(recorded), viewer=1).partition("\n")[0])
    assert header["seed"] is None


def test_a_redacted_record_is_not_played_on(recorded: Path, tmp_path: Path) -> None:
    """A game whose deal is known in part cannot be continued."""
    lines = recorded.read_text("utf-8").splitlines(keepends=True)
    recorded.write_text("".join(lines[:10]), "utf-8")
    path = tmp_path / "bob.jsonl"
    path.write_text(redact(Gargon(), read_record(recorded), viewer=1), "utf-8")
    with pytest.raises(RecordError, match="redacted"):
        resume(Gargon(), read_record(path))
