"""Games of a teacher: repeatable one by one, and encoded as in self-play."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.kit.scripted_bot import ScriptedBot

from cardhub.base.errors import BotIllegalError, CardhubError, OptionError
from cardhub.bots import Searcher
from cardhub.bots.solved_bot import PolicyBot
from cardhub.learning.arrays import Layout
from cardhub.learning.arrays.learner_slots import learner_inputs
from cardhub.learning.train.imitation import DecisionMemory
from cardhub.learning.train.plan import TrainingPlan, training_layout
from cardhub.learning.train.rewards import Rewards
from cardhub.learning.train.teacher_games import (
    TeacherDecisions,
    TeacherGames,
    TeacherTable,
    play_teacher_game,
    shares_of,
)
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import Scoring
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()


def table_of(game: str, teacher: str, seed: int = 1) -> TeacherTable:
    """Return a teacher's table with the default players and options."""
    players = REGISTRY.game(game).seats.default
    return TeacherTable.of(TrainingPlan(game, players, seed, {}, teacher), REGISTRY)


def layout_of(table: TeacherTable) -> Layout:
    """Return the layout of a table."""
    return training_layout(REGISTRY.game(table.game), table.players, dict(table.options))


def masks_of(game: TeacherDecisions, layout: Layout) -> Any:
    """Return the masks of decisions, one number for each action."""
    return np.unpackbits(game.masks, axis=1, count=layout.action_count)


def content(game: TeacherDecisions) -> list[bytes]:
    """Return the bytes of all arrays."""
    return [array.tobytes() for array in game]


def deal(game: str, seed: int = 1) -> Referee[Any]:
    """Return a game for two that has just begun."""
    players = [Player(name, "random") for name in ("Anna", "Bob")]
    referee = set_up(REGISTRY.game(game), players, {}, seed)
    referee.proceed()
    return referee


def test_a_game_follows_from_the_seed_and_its_number() -> None:
    table = table_of("leduc", "ismcts:20")
    third = content(play_teacher_game(table, 3))
    play_teacher_game(table, 4)
    assert content(play_teacher_game(table, 3)) == third
    assert content(play_teacher_game(table, 4)) != third
    assert content(play_teacher_game(table._replace(seed=2), 3)) != third


def test_the_number_of_processes_makes_no_difference() -> None:
    """The second process plays ahead; what is left of its games is played again later."""
    table = table_of("kuhn", "ismcts:20")
    taken = []
    for workers in (1, 2):
        games = TeacherGames(table, workers)
        try:
            played = [*games.take(20), *games.take(1)]
        finally:
            games.close()
        taken.append(([content(game) for game in played], games.games))
    assert taken[0] == taken[1]
    assert taken[0][1] == len(taken[0][0]) > 5


def test_decisions_are_encoded_as_their_seat_sees_them() -> None:
    table = table_of("gamon", "rule")
    layout, game = layout_of(table), play_teacher_game(table, 0)
    masks = masks_of(game, layout)
    assert len(masks) > 10
    assert (masks.sum(axis=1) > 1).all()  # where nothing can be decided, nothing is learned
    assert np.allclose(game.shares.sum(axis=1), 1)
    assert not (game.shares[masks == 0] > 0).any()
    observations, states = layout.expand(game.observations), layout.expand(game.true_states)
    low, high = layout.bounds
    for arrays in (observations, states):
        assert ((low <= arrays) & (arrays <= high)).all()
    # An array begins with its viewer: the seats take turns, and true states belong to nobody.
    assert {*observations[:, : layout.seats].argmax(axis=1)} == {0, 1}
    assert (states[:, : layout.seats] == 0).all()
    assert {*map(tuple, game.results.tolist())} <= {(1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)}


def test_a_search_teaches_its_visits_and_rarely_tried_actions_less() -> None:
    seen = deal("gamon").observe(0)
    bot, other = (REGISTRY.make_bot("ismcts:60", "gamon", Random(1)) for _ in range(2))
    assert isinstance(bot, Searcher)
    visits, shares = bot.visits(seen), shares_of(other, seen)
    assert shares.keys() == visits.keys()
    total = sum(count**2 for count in visits.values())
    assert shares == pytest.approx({action: n**2 / total for action, n in visits.items()})


def test_other_bots_teach_their_policy_or_their_choice() -> None:
    class Bold(PolicyBot):
        """Takes the last action with probability 0.75, and the first otherwise."""

        def policy(self, observation: Observation[Any], /) -> dict[int, float]:
            first, *_, last = observation.legal()
            return {first: 0.25, last: 0.75}

    seen = deal("gamon").observe(0)
    first, *between, last = seen.legal()
    others = dict.fromkeys(between, 0)
    assert shares_of(Bold(Random(1)), seen) == {first: 0.25, **others, last: 0.75}
    assert shares_of(ScriptedBot(last), seen) == {last: 1}
    with pytest.raises(BotIllegalError, match="is not legal"):
        shares_of(ScriptedBot(-7), seen)


@pytest.mark.parametrize("teacher", ["ismcts:milliseconds=10", "pimc:milliseconds=10"])
def test_a_teacher_that_looks_at_the_clock_is_refused(teacher: str) -> None:
    with pytest.raises(OptionError, match="looks at the clock, so equal seeds") as refusal:
        table_of("gamon", teacher)
    assert "fix: a bot that does not" in str(refusal.value)


@pytest.mark.parametrize("teacher", ["expert", "ismcts:many", "wizard", "human"])
def test_a_teacher_that_cannot_play_the_game_is_refused(teacher: str) -> None:
    with pytest.raises(CardhubError):
        table_of("leduc", teacher)


def test_a_teachers_file_may_have_a_relative_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Worker processes may run in another folder."""
    (tmp_path / "mine.py").write_text(
        "class Mine:\n"
        "    def __init__(self, rng):\n"
        "        pass\n"
        "    def choose(self, observation):\n"
        "        return observation.legal()[0]\n"
    )
    monkeypatch.chdir(tmp_path)
    assert str(tmp_path) in table_of("kuhn", "file:mine.py").teacher


def game_of(decisions: int, winner: int, layout: Layout) -> TeacherDecisions:
    """Return a game of two whose decisions are made by the winner."""
    state = np.zeros((decisions, layout.size), np.float32)
    state[:, layout.seats + 1 + winner] = 1  # the seat to act follows the viewer
    results = np.full((decisions, 2), -1.0)
    results[:, winner] = 1
    shares = np.zeros((decisions, layout.action_count), np.float32)
    packed = layout.compact(state)
    masks = np.packbits(np.ones(shares.shape, np.int8), axis=1)
    return TeacherDecisions(packed, masks, packed, shares, results)


def test_the_memory_forgets_the_earliest_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardhub.learning.train.imitation.MEMORY", 5)
    layout = layout_of(table_of("kuhn", "random"))
    rewards = Rewards(Scoring((0, 1), Goal.WIN))
    memory = DecisionMemory(layout, learner_inputs(layout), rewards, readings=1)
    rng, standing = np.random.default_rng(1), np.float32(0)
    assert [*memory.draw(rng, standing)] == []
    memory.add([game_of(3, 0, layout), game_of(0, 0, layout), game_of(4, 1, layout)])
    assert rewards.utilities.count == 4  # a game counts once, and without decisions never
    (batch,) = memory.draw(rng, standing)
    assert batch.masks.shape == (512, layout.action_count)
    # Kuhn's arrays count from the first seat. Of the first game the last decision is left.
    first = (batch.targets == [1, -1]).all(axis=1)
    assert 0.1 < first.mean() < 0.3
    assert (batch.targets[~first] == [-1, 1]).all()
    memory.clear()
    assert [*memory.draw(rng, standing)] == []


def test_targets_count_from_the_seat_to_act() -> None:
    layout = layout_of(table_of("gamon", "random"))
    rewards = Rewards(Scoring((0, 1), Goal.WIN))
    memory = DecisionMemory(layout, learner_inputs(layout), rewards, readings=1)
    memory.add([game_of(3, 0, layout), game_of(4, 1, layout)])
    for batch in memory.draw(np.random.default_rng(1), np.float32(0)):
        assert (batch.targets == [1, -1]).all()
