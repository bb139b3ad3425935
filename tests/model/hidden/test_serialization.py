"""Observations on their way to another process."""

import pickle
from enum import IntEnum
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec import msgpack
from tests.games.magpie import Magpie, Table
from tests.kit.redacting import redact

from cardhub import OVER, Game
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.serialization import deserialize, serialize
from cardhub.model.table.faces import blanked
from cardhub.model.table.state import fields_of
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.replaying import open_record, replay
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from cardhub_gamon import Gamon

REGISTRY = find_plugins()
GAMES = [*map(REGISTRY.game, REGISTRY.game_names()), Magpie()]
ACTIONS = 40


class Wind(IntEnum):
    """A value that a game might keep."""

    EAST = 1


class Trick(NamedTuple):
    """A second class with the same purpose."""

    leader: int
    cards: tuple[int, ...]


class Rich(Table):
    """A state with all that a game can keep in a tuple."""

    kept: tuple[Any, ...]


class RichMagpie(Magpie):
    """Magpie with such states."""

    state_type = Rich


def types_of(value: Any) -> Any:
    """Return the types of a value and of all that it holds."""
    if isinstance(value, dict):
        return dict, [types_of(part) for pair in value.items() for part in pair]
    if isinstance(value, list | tuple):
        return type(value), [types_of(part) for part in value]
    return type(value)


def played(game: Game[Any], seed: int, actions: int = ACTIONS) -> Referee[Any]:
    """Return a referee after some random actions."""
    players = [Player(name, "random") for name in NAMES[: game.seats.default]]
    referee = set_up(game, players, {}, seed)
    referee.proceed()
    rng = Random(seed)
    for _ in range(actions):
        if not referee.is_over:
            referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    return referee


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_an_observation_arrives_as_it_was_sent(game: Game[Any]) -> None:
    """The same state, past, words and choices for the seat that looks."""
    for seed in range(3):
        referee = played(game, seed)
        for seat in range(len(referee.players)):
            sent = referee.observe(seat)
            here: Observation[Any] = deserialize(game, serialize(sent))
            assert here.state == sent.state
            assert type(here.state) is type(sent.state)
            assert types_of(fields_of(here.state)) == types_of(fields_of(sent.state))
            assert here.history == sent.history
            assert types_of(here.history) == types_of(sent.history)
            assert here.information_state() == sent.information_state()
            if sent.is_to_act:
                assert here.legal() == sent.legal()
                drawn = [seen.determinize(Random(1)) for seen in (here, sent)]
                assert drawn[0] == drawn[1]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_more_arrives_than_the_seat_knows(game: Game[Any]) -> None:
    referee = played(game, 5, 6)
    for seat in range(len(referee.players)):
        here: Observation[Any] = deserialize(game, serialize(referee.observe(seat)))
        known = [bool(seen >> seat & 1) for seen in here.state.seen]
        assert [face >= 0 for face in blanked(here.state.face)] == known


@pytest.mark.parametrize(
    "kept",
    [
        (None, True, 1, -1, 1.5, "word", b"bytes"),
        ((), ((1, (2,)), [3, [4, (5,)]])),
        (1 << 63, 1 << 64, -(1 << 63) - 1, [1 << 200], {1 << 70: -(1 << 80)}),
        ({1: "one", "two": [2], (3, 3): {}}, frozenset({1}), {2}),
        (Wind.EAST, Trick(0, (1, 2)), [Trick(1, ())], {Wind.EAST: Trick(2, (3,))}),
    ],
)
def test_all_values_of_a_game_arrive_with_their_types(kept: tuple[Any, ...]) -> None:
    """Lists stay lists, tuples tuples, keys of any type keys, and integers are of any size."""
    sent = played(RichMagpie(), 1, 6).observe(0)
    sent.state.kept = kept
    here: Observation[Any] = deserialize(RichMagpie(), serialize(sent))
    assert here.state.kept == kept
    assert types_of(here.state.kept) == types_of(kept)


def test_objects_that_are_not_data_are_refused_when_they_are_sent() -> None:
    sent = played(RichMagpie(), 1, 6).observe(0)
    sent.state.kept = (Random(1),)
    with pytest.raises(TypeError, match=r"state's kept holds a random\.Random"):
        serialize(sent)


class Bomb:
    """An object whose unpickling would run code."""

    def __reduce__(self) -> Any:
        return pytest.fail, ("code that came with data was run",)


@pytest.mark.parametrize(
    "bytes_",
    [
        b"",
        b"nonsense",
        pickle.dumps(Bomb()),
        b"\x91" * 1_000_000,
        b"\xdd\xff\xff\xff\xff",
        msgpack.encode([0, [1], {}]),
        msgpack.encode([0, [], {"shuffle_log": {"pickle": []}}]),
        msgpack.encode([0, [], {"shuffle_log": {"class": ["subprocess.Popen", "true"]}}]),
        msgpack.encode([0, [], {"shuffle_log": {"class": [[], "true"]}}]),
        msgpack.encode([0, [], {"shuffle_log": {"int": 5}}]),
        msgpack.encode([0, [], {"shuffle_log": {"tuple": 5}}]),
        msgpack.encode([0, [], {"shuffle_log": {}}]),
        msgpack.encode([0, [], {}]),
    ],
)
def test_bytes_that_are_not_an_observation_raise_only_one_error(bytes_: bytes) -> None:
    """The bytes are deeply nested, long, or made to run code."""
    with pytest.raises(ValueError, match="not an observation"):
        deserialize(Magpie(), bytes_)


def test_an_observation_holds_no_answers_that_are_still_to_come(tmp_path: Any) -> None:
    """A redacted record has all answers; an observation has only past ones."""
    path, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    game = Gamon()
    referee = set_up(game, [Player(name, "random") for name in NAMES[:2]], {}, 3)
    record_to(referee, path)
    referee.proceed()
    rng = Random(3)
    while referee.seat != OVER:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    part.write_text(redact(game, read_record(path), 0), "utf-8")
    record = read_record(part)
    assert record.header.answers
    again = open_record(game, record)
    for _ in replay(record, again):
        assert again.observe(0).state.recorded_answers == ()
