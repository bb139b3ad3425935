"""Observations on their way to another process."""

from random import Random
from typing import Any

import pytest
from tests.games.magpie import Magpie

from cardhub import OVER, Game
from cardhub.hidden.observation import Observation
from cardhub.hidden.packing import pack, unpack
from cardhub.play.reading import read_record
from cardhub.play.recording import record_to
from cardhub.play.redaction import redact
from cardhub.play.referee import Referee
from cardhub.play.replaying import open_record, replay
from cardhub.play.seating import NAMES, Player
from cardhub.play.table import set_up
from cardhub.table.faces import blanked
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from cardhub_garner import Garner

GAMES = [Gargon(), Gamon(), Garner(), Magpie()]
ACTIONS = 40


def played(game: Game[Any], seed: int, actions: int = ACTIONS) -> Referee[Any]:
    """Return a referee after some random actions."""
    players = [Player(name, "random") for name in NAMES[: game.seats.default]]
    referee = set_up(game, players, {}, seed)
    referee.proceed()
    rng = Random(seed)
    for _ in range(actions):
        if not referee.is_over:
            referee.act(rng.choice(referee.observe(referee.seat).legal()))
    return referee


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_an_observation_arrives_as_it_was_sent(game: Game[Any]) -> None:
    """The same state, past, words and choices for the seat that looks."""
    for seed in range(3):
        referee = played(game, seed)
        for seat in range(len(referee.players)):
            sent = referee.observe(seat)
            here: Observation[Any] = unpack(game, pack(sent))
            assert here.state == sent.state
            assert type(here.state) is type(sent.state)
            assert here.information_state() == sent.information_state()
            if sent.is_to_act:
                assert here.legal() == sent.legal()
                drawn = [seen.determinize(Random(1)) for seen in (here, sent)]
                assert drawn[0] == drawn[1]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_more_arrives_than_the_seat_knows(game: Game[Any]) -> None:
    """What is hidden is not sent along."""
    referee = played(game, 5, 6)
    for seat in range(len(referee.players)):
        here: Observation[Any] = unpack(game, pack(referee.observe(seat)))
        known = [bool(seen >> seat & 1) for seen in here.state.seen]
        assert [face >= 0 for face in blanked(here.state.face)] == known


def test_an_observation_holds_no_answers_that_are_still_to_come(tmp_path: Any) -> None:
    """A redacted record knows what players will say; a bot that looks at it must not."""
    path, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    game = Gamon()
    referee = set_up(game, [Player(name, "random") for name in NAMES[:2]], {}, 3)
    record_to(referee, path)
    referee.proceed()
    rng = Random(3)
    while referee.seat != OVER:
        referee.act(rng.choice(referee.observe(referee.seat).legal()))
    part.write_text(redact(game, read_record(path), 0), "utf-8")
    record = read_record(part)
    assert record.header.answers
    again = open_record(game, record)
    for _ in replay(record, again):
        assert again.observe(0).state.foretold == ()
