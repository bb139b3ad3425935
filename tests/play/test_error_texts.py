"""Error texts reveal no unseen cards."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.kit.scripted_bot import ScriptedBot

from cardhub.base.errors import BotFaultError, IllegalActionError, RecordError
from cardhub.play.advice import public_fault
from cardhub.play.fault_report import reproduce
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.replaying import open_record, replayed
from cardhub.play.referee import Referee
from cardhub.play.setup import ask_to_act, set_up
from cardhub_gargon import Gargon

from .conftest import PLAYERS, finish


@pytest.fixture
def referee() -> Referee[Any]:
    """Return a game of three at its start."""
    referee = set_up(Gargon(), PLAYERS, {}, seed=3)
    referee.proceed()
    return referee


def names_of(referee: Referee[Any], tokens: list[int]) -> set[str]:
    """Return the true names of cards; all of them are unmistakable in a text."""
    everything = referee.observe(-1).labels()
    return {everything.card(token) for token in tokens}


def test_an_illegal_answer_tells_other_people_no_card(referee: Referee[Any]) -> None:
    hand, others = (referee.observe(-1).state.hand[seat] for seat in (0, 1))
    for answer in (*others, 999, "lay"):
        with pytest.raises(BotFaultError) as caught:
            ask_to_act(referee, ScriptedBot(answer))
        text = public_fault(referee.players[0], caught.value)
        assert not names_of(referee, [*hand, *others]) & set(text.replace(".", " ").split())
        with pytest.raises(IllegalActionError) as refused:
            referee.apply(answer)
        assert not names_of(referee, [*hand, *others]) & set(str(refused.value).split())


def test_a_fault_file_names_cards_as_the_seat_knew_them(referee: Referee[Any]) -> None:
    """A card of another seat that a bot tried to lay is named by its back."""
    token = referee.observe(1).state.hand[1][0]
    with pytest.raises(BotFaultError) as caught:
        ask_to_act(referee, ScriptedBot(token))
    kept = json.dumps(reproduce(referee, caught.value, "bot", "seed").as_json())
    [name] = names_of(referee, [token])
    assert kept.count(f"{name}#{token}") == kept.count(f"lay {name}'") == 0
    assert f"lay {referee.observe(0).labels().phrase(token)}" in kept


def _reread(path: Path) -> None:
    record = read_record(path)
    replayed(record, open_record(Gargon(), record))


@pytest.fixture
def spoiled(tmp_path: Path) -> Any:
    """Return a function that records a game and changes one of its lines."""

    def make(number: int, *, is_finished: bool, **contents: Any) -> RecordError:
        path = tmp_path / "game.jsonl"
        game = set_up(Gargon(), PLAYERS, {}, seed=3)
        record_to(game, path)
        game.proceed()
        if is_finished:
            finish(game)
        else:
            game.apply(Random(1).choice(game.observe(0).legal()))
        lines = path.read_text("utf-8").splitlines()
        lines[number - 1] = json.dumps(json.loads(lines[number - 1]) | contents)
        path.write_text("\n".join(lines) + "\n", "utf-8")
        with pytest.raises(RecordError) as caught:
            _reread(path)
        return caught.value

    return make


@pytest.mark.parametrize(
    ("line", "contents", "ending"),
    [
        (2, {"action": "lay R99"}, ":2: this action is not legal here"),
        (2, {"action": ["lay R1"]}, ":2: 'action' is text, not a list"),
        (1, {"deal": ["R1"] * 102}, ":1: the deal does not hold the cards of Gargon"),
        (1, {"deal": ["R99"] * 102}, ":1: it names a card that is not in the game"),
    ],
)
def test_an_error_in_an_unfinished_record_names_no_card(
    spoiled: Any, line: int, contents: Any, ending: str
) -> None:
    """A player who resumes a game has not seen the cards of the others."""
    assert str(spoiled(line, is_finished=False, **contents)).endswith(ending)


def test_an_error_in_a_finished_record_names_the_legal_actions(spoiled: Any) -> None:
    error = spoiled(2, is_finished=True, action="lay R99")
    assert "'lay R99' is not legal here. Legal: lay " in str(error)
