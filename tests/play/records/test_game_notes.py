"""What a game counts for statistics, from its records."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from tests.games.lanterns import LIGHT, TELL, Lanterns, LanternsDisplay, Table
from tests.kit.redacting import redact
from typing_extensions import override

from cardhub import Frequency, PlayedStep
from cardhub.base.errors import HiddenFaceError
from cardhub.play.records.reading import parse_record, read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.replaying import played_steps, record_notes
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from hearts import Hearts
from hearts.table import DEAL


class CountedDisplay(LanternsDisplay):
    """A game that counts hints given by a seat, and points of cards that others lit."""

    @override
    def player_statistics(
        self, steps: Sequence[PlayedStep[Table]], seat: int
    ) -> Mapping[str, Frequency]:
        own = [step for step in steps if step.before.seat == seat]
        tells = sum(step.action >= TELL for step in own)
        return {"told": Frequency(tells, of=len(own)), "steps": Frequency(len(steps))}


class Counted(Lanterns):
    """A game that counts hints given by a seat, and points of cards that others lit."""

    display_type = CountedDisplay


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Record the start of a game in which seat 0 gives a hint and seat 1 lights a card."""
    path = tmp_path / "game.jsonl"
    referee = set_up(Counted(), [Player("Anna", "human"), Player("Bob", "human")], {}, seed=3)
    record_to(referee, path)
    referee.proceed()
    referee.apply(TELL)
    referee.apply(referee.observe(1).legal()[0])
    return path


def test_a_game_counts_the_steps_of_a_seat(record: Path) -> None:
    notes = record_notes(Counted(), read_record(record), 0)
    assert notes == {"told": Frequency(1, of=1), "steps": Frequency(2)}


def test_an_action_that_was_taken_back_is_no_step(tmp_path: Path) -> None:
    """A player of Hearts who passes a card may think again."""
    names = ("Anna", "Bob", "Chris", "David")
    referee = set_up(Hearts(), [Player(name, "human") for name in names], {}, seed=3)
    record_to(referee, tmp_path / "hearts.jsonl")
    referee.proceed()
    first, second, *_ = referee.observe(0).legal()
    referee.apply(first)
    referee.undo(0)
    referee.apply(second)
    steps = played_steps(Hearts(), read_record(tmp_path / "hearts.jsonl"), 0)
    assert [step.action for step in steps] == [DEAL, second]


def test_steps_have_what_the_seat_saw(record: Path) -> None:
    """The own hand of Lanterns is unseen until a card is lit."""
    hinted, lit = played_steps(Counted(), read_record(record), 1)
    assert (hinted.before.seat, lit.before.seat) == (0, 1)
    token = lit.action - LIGHT
    with pytest.raises(HiddenFaceError):
        _ = lit.before.face[token]
    assert lit.after.face[token] >= 0


def test_a_redacted_record_gives_the_same_counts(record: Path) -> None:
    """The seat's own record has all that it saw."""
    game, whole = Counted(), read_record(record)
    redacted = parse_record(record, redact(game, whole, 0).encode())
    assert record_notes(game, redacted, 0) == record_notes(game, whole, 0)


def test_a_game_that_counts_nothing_has_no_notes(record: Path) -> None:
    assert record_notes(Lanterns(), read_record(record), 0) == {}


def test_frequencies_add_up() -> None:
    assert Frequency(1, of=2) + Frequency(2, of=3) == Frequency(3, of=5)
    assert Frequency(2, of=3).is_valid
    assert not Frequency(4, of=3).is_valid
