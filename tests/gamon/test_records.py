"""Games of Gamon written down, and redacted for one seat."""

import json
from pathlib import Path
from random import Random

import pytest
from tests.kit.redacting import redact

from cardhub.bots.random_bot import RandomBot
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.replaying import open_record, replay
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub_gamon import Gamon
from cardhub_gamon.table import Table

PLAYERS = [Player("Anna", "random"), Player("Bob", "random")]


def record(path: Path, seed: int, **options: str) -> Path:
    """Write down a random game."""
    referee = set_up(Gamon(), PLAYERS, options, seed)
    record_to(referee, path)
    referee.proceed()
    while not referee.is_over:
        observation = referee.observe(referee.seat)
        rng = Random(f"{seed} {len(observation.history)}")
        referee.apply(RandomBot(rng).choose(observation))
    return path


def repeated(path: Path) -> Referee[Table]:
    """Replay a record."""
    referee = open_record(Gamon(), read_record(path))
    assert list(replay(read_record(path), referee))
    return referee


def test_records_use_the_notation_of_the_rules(tmp_path: Path) -> None:
    """Examples are `prize 3`, `place corsair`, `call 4`, `gamon`, `believe`, `move 2`, `pay 0`."""
    verbs: set[str] = set()
    for seed in range(6):
        lines = record(tmp_path / f"{seed}.jsonl", seed).read_text("utf-8").splitlines()
        actions = [json.loads(line).get("action", "") for line in lines]
        verbs |= {action.partition(" ")[0] for action in actions if action}
    known = {"prize", "place", "call", "gamon", "believe", "move", "remove", "pay"}
    assert verbs == known


def test_chances_choice_of_the_attacker_is_recorded(tmp_path: Path) -> None:
    """Gamon N1: `random`; the record replays without a generator."""
    path = record(tmp_path / "game.jsonl", 3, first_attacker="random")
    first = json.loads(path.read_text("utf-8").splitlines()[1])
    assert (first["seat"], first["action"][:6]) == ("chance", "first ")
    assert repeated(path).is_over


@pytest.mark.parametrize("seed", [1, 3, 9, 13])
def test_a_record_for_one_seat_replays_though_hands_stay_hidden(tmp_path: Path, seed: int) -> None:
    """Gamon N15: that a seat was stuck is public; redacted records keep it without the cards."""
    path = record(tmp_path / "game.jsonl", seed)
    for viewer in range(3):
        text = redact(Gamon(), read_record(path), viewer)
        assert "answers" in json.loads(text.partition("\n")[0])
        redacted = tmp_path / f"{viewer}.jsonl"
        redacted.write_text(text, "utf-8")
        assert repeated(redacted).scores() == repeated(path).scores()


def test_an_action_that_shows_that_no_seat_is_stuck_cannot_be_undone() -> None:
    """Undo is allowed until a face has been revealed."""
    referee = set_up(Gamon(), PLAYERS, {}, seed=2)
    referee.apply(referee.read_action("prize 3"))
    assert referee.can_undo(0), "six cards each: nobody can be stuck, so nothing was asked"
    while not referee.is_over and not referee.observe(0).state.answers:
        observation = referee.observe(referee.seat)
        referee.apply(RandomBot(Random(len(observation.history))).choose(observation))
    assert not referee.can_undo(0)
    assert not referee.can_undo(1)
