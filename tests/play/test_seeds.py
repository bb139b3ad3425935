"""Seeds at a table: no file for other players reveals the deal."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.kit.redacting import redact

from cardhub.base.errors import BotIllegalError
from cardhub.bots import RandomBot
from cardhub.model.game.initial_state import Seed
from cardhub.play.fault_report import decisions, save_fault
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.seeds import bot_seed, commitment_to, draw_seed, read_seed
from cardhub.play.setup import let_bot_act, set_up
from cardhub_gargon import Gargon

PLAYERS = [Player("Anna", "random"), Player("Bob", "random"), Player("Chris", "random")]
# The number of small seeds tried; an attacker would try all below 10^9.
TRIED = 500


def begun(seed: Seed, path: Path) -> Referee[Any]:
    """Return a recorded game in which some actions were taken."""
    referee: Referee[Any] = set_up(Gargon(), PLAYERS, {}, seed, commitment_to(seed))
    record_to(referee, path)
    referee.proceed()
    for _ in range(8):
        let_bot_act(referee, RandomBot(Random(1)))
    return referee


def fault_file(seed: Seed, folder: Path) -> Path:
    """Return the fault file of a bot."""
    path = folder / "game.jsonl"
    referee = begun(seed, path)
    return save_fault(referee, BotIllegalError("no"), path, decisions(referee))


def traces(seed: Seed) -> set[str]:
    """Return all values that could be compared with a file to test a guessed seed."""
    return {*(bot_seed(seed, seat) for seat in range(3)), str(commitment_to(str(seed)))}


def test_seeds_are_drawn_with_128_bits() -> None:
    drawn = {draw_seed() for _ in range(50)}
    assert len(drawn) == 50
    assert {len(bytes.fromhex(seed)) for seed in drawn} == {16}
    assert all(read_seed(seed) == seed for seed in drawn)


def test_a_chosen_seed_is_a_number() -> None:
    """A number of any length; other texts are invalid."""
    assert (read_seed("5"), read_seed("-3"), read_seed("9" * 50)) == (5, -3, int("9" * 50))
    for text in ("x", "5.0", "0f" * 15, ""):
        with pytest.raises(ValueError, match="invalid literal"):
            read_seed(text)


def test_small_seeds_cannot_be_found_from_a_fault_file(tmp_path: Path) -> None:
    """The bot's author gets the file: neither generator nor name follows from the seed."""
    path = fault_file(321, tmp_path)
    text = path.name + path.read_text("utf-8")
    assert json.loads(path.read_text("utf-8"))["generator"] is None
    assert not [seed for seed in range(TRIED) if any(trace in text for trace in traces(seed))]
    assert "321" not in text


def test_small_seeds_cannot_be_found_from_a_redacted_record(tmp_path: Path) -> None:
    begun(321, tmp_path / "game.jsonl")
    text = redact(Gargon(), read_record(tmp_path / "game.jsonl"), viewer=0)
    assert not [seed for seed in range(TRIED) if any(trace in text for trace in traces(seed))]
    assert "321" not in text


def test_with_a_drawn_seed_a_fault_file_has_the_seed_of_the_bot(tmp_path: Path) -> None:
    """The seed cannot be derived from it, so the file is enough to reproduce the fault."""
    seed = draw_seed()
    text = fault_file(seed, tmp_path).read_text("utf-8")
    assert json.loads(text)["generator"] == bot_seed(seed, json.loads(text)["seat"])
    assert seed not in text


def test_every_seat_has_a_generator_of_its_own() -> None:
    seeds: list[Seed] = [5, 6, "00" * 16, "01" * 16]
    assert len({bot_seed(seed, seat) for seed in seeds for seat in range(5)}) == 20


def test_the_seed_of_a_match_s_game_is_not_taken_for_one_that_was_drawn(tmp_path: Path) -> None:
    """It follows from a chosen number: the game has no commitment, and the file no generator."""
    referee: Referee[Any] = set_up(Gargon(), PLAYERS, {}, "5eed" * 8)
    referee.proceed()
    path = save_fault(referee, BotIllegalError("no"), tmp_path / "game.jsonl", decisions(referee))
    assert json.loads(path.read_text("utf-8"))["generator"] is None
