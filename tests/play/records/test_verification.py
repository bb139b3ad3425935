"""A record of a drawn seed commits to its deal first, and reveals the seed last."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.games.magpie import Magpie
from tests.kit.redacting import redact

from cardhub import Game
from cardhub.base.errors import RecordError
from cardhub.bots import RandomBot
from cardhub.model.game.initial_state import Seed
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.replaying import open_record, replayed, resume
from cardhub.play.records.verification import NO_COMMITMENT, verify_record, verify_redacted
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.seeds import commitment_to
from cardhub.play.setup import let_bot_act, set_up
from cardhub.plugins.registry import find_plugins

INSTALLED = find_plugins()
GAMES: list[Game[Any]] = [Magpie(), *map(INSTALLED.game, ("gargon", "gamon", "pig"))]
GARGON = INSTALLED.game("gargon")
DRAWN = "5eed" * 8
Change = Callable[[list[dict[str, Any]]], object]


def begun(game: Game[Any], path: Path, seed: Seed = DRAWN, actions: int = 0) -> Referee[Any]:
    """Return a recorded game of bots after some actions."""
    players = [Player(name, "random") for name in NAMES[: game.seats.default]]
    referee = set_up(game, players, {}, seed, commitment_to(seed))
    record_to(referee, path)
    referee.proceed()
    play(referee, actions)
    return referee


def play(referee: Referee[Any], actions: int) -> None:
    """Play at most this number of actions."""
    rng = Random(actions)
    while actions and not referee.is_over:
        let_bot_act(referee, RandomBot(rng))
        actions -= 1


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the record of a finished game of Gargon."""
    begun(GARGON, tmp_path / "game.jsonl", actions=-1)
    return tmp_path / "game.jsonl"


def lines(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a record."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_record_begins_with_a_commitment_and_ends_with_the_reveal(path: Path) -> None:
    """The commitment can be computed from the seed."""
    first, *_, last = lines(path)
    assert last["reveal"] == first["seed"] == DRAWN
    text = f"cardhub deal commitment 1: {DRAWN}"
    assert sha256(text.encode()).hexdigest() == first["commitment"]


def test_a_redacted_record_has_the_commitment_alone(path: Path, tmp_path: Path) -> None:
    left = tmp_path / "left.jsonl"
    begun(GARGON, left, actions=9)
    for whole in (left, path):
        text = redact(GARGON, read_record(whole), viewer=1)
        assert json.loads(text.splitlines()[0])["commitment"] == commitment_to(DRAWN)
        assert DRAWN not in text


def test_a_chosen_seed_is_not_committed_to(tmp_path: Path) -> None:
    """A hash of it would be found by trying, and the deal with it."""
    begun(GARGON, tmp_path / "game.jsonl", seed=5, actions=-1)
    first, *_, last = lines(tmp_path / "game.jsonl")
    assert "commitment" not in first
    assert "reveal" not in last
    (problem,) = verify_record(GARGON, read_record(tmp_path / "game.jsonl"))
    assert problem == f"{tmp_path / 'game.jsonl'}:1: {NO_COMMITMENT}"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_fair_game_is_found_to_be_one(game: Game[Any], tmp_path: Path) -> None:
    """Dice, reshuffles, and going on with a game included; so are records handed out on the way."""
    path, handed = tmp_path / "game.jsonl", tmp_path / "handed.jsonl"
    begun(game, path, actions=5)
    handed.write_text(redact(game, read_record(path), viewer=0), "utf-8")
    referee = resume(game, read_record(path))
    referee.proceed()
    play(referee, -1)
    record = read_record(path)
    assert record.is_finished
    assert list(verify_record(game, record)) == []
    assert list(verify_redacted(game, record, read_record(handed))) == []


def test_other_cards_than_those_committed_to_are_found(path: Path, tmp_path: Path) -> None:
    begun(GARGON, tmp_path / "other.jsonl", seed="0ddd" * 8, actions=-1)
    other = lines(tmp_path / "other.jsonl")
    for change, said in (
        (lambda new: new[0].update(deal=other[0]["deal"]), "1: the deal does not follow from the"),
        (lambda new: new[0].update(commitment=other[0]["commitment"]), "is not the one committed"),
        (lambda new: new[-1].update(reveal=other[0]["seed"]), "is not the one committed to"),
        (lambda new: new[0].update(seed=other[0]["seed"]), "1: the seed is not the one that is re"),
        (lambda new: new[-1].pop("reveal"), "the last line does not reveal the seed"),
        (lambda new: new[-1].update(scores=[9] * len(other[-1]["scores"])), "this does not follow"),
        (lambda new: new.pop(), "the game is not over: its seed is revealed with the scores"),
        (lambda new: new.pop(-2), "123 lines follow from the seed, not 124"),
    ):
        problems = list(verify_record(GARGON, read_record(changed(path, change))))
        assert len(problems) == 1
        assert said in problems[0]


def test_a_record_that_was_handed_out_holds_the_dealer_to_it(path: Path, tmp_path: Path) -> None:
    """Another game, and a redacted record in the place of the whole one, are found."""
    handed = tmp_path / "handed.jsonl"
    handed.write_text(redact(GARGON, read_record(path), viewer=0), "utf-8")
    other = tmp_path / "other.jsonl"
    begun(GARGON, other, seed="0ddd" * 8, actions=-1)
    (problem,) = verify_redacted(GARGON, read_record(other), read_record(handed))
    assert problem == f"{handed}:1: commitment: not the same as in {other}"
    swapped = changed(path, lambda new: new[0].update(deal=lines(other)[0]["deal"]))
    (problem,) = verify_redacted(GARGON, read_record(swapped), read_record(handed))
    assert "of the deal is not that of" in problem
    (problem,) = verify_record(GARGON, read_record(handed))
    assert "a redacted record has no seed: the whole one is needed" in problem
    assert "is not redacted for a viewer" in next(
        verify_redacted(GARGON, read_record(path), read_record(path))
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda new: new[0].update(commitment="no"), "'commitment' is 64 hexadecimal digits"),
        (lambda new: new[-1].update(reveal="0ddd" * 8), "'reveal' is the seed of the first line"),
        (lambda new: new[0].pop("commitment"), "'reveal' is the seed of the first line"),
    ],
)
def test_odd_commitments_are_refused_in_every_replay(path: Path, change: Change, said: str) -> None:
    """The message names the line of the record."""
    with pytest.raises(RecordError, match=said):
        replay_whole(changed(path, change))


def replay_whole(path: Path) -> None:
    """Read a record and replay it."""
    record = read_record(path)
    replayed(record, open_record(GARGON, record))


def changed(path: Path, change: Change) -> Path:
    """Return a changed copy of a record."""
    new = lines(path)
    change(new)
    copy = path.with_name("changed.jsonl")
    copy.write_text("".join(json.dumps(line) + "\n" for line in new), "utf-8")
    return copy
