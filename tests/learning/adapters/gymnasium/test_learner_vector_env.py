"""Many learners' games as a vector environment of Gymnasium."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import NormalizeObservation, RecordEpisodeStatistics

from cardhub.base.errors import IllegalActionError, OptionError
from cardhub.learning.adapters.gymnasium import LearnerVectorEnv, vector_env
from cardhub.learning.adapters.gymnasium.factory import learner_spec
from cardhub.learning.adapters.gymnasium.learner_env import LearnerEnv
from kuhn import Kuhn
from kuhn.game import CALL, CHECK


def first_legal(infos: dict[str, Any]) -> Any:
    """Return the first legal action of each table."""
    return infos["action_mask"].argmax(axis=1)


def test_make_vec_makes_tables_of_any_game() -> None:
    """The autoreset mode is declared: the next game begins in the same step."""
    made = gymnasium.make_vec("cardhub/Leduc-v0", num_envs=3, rivals=["random"])
    assert isinstance(made.unwrapped, LearnerVectorEnv)
    assert made.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    seen, infos = made.reset(seed=1)
    assert seen in made.observation_space
    assert infos["action_mask"].shape == (3, 3)
    assert infos["_action_mask"].all()


@pytest.mark.parametrize("choices", [{}, {"rewards": "deltas"}, {"mask_in_observation": True}])
def test_a_table_plays_the_games_of_the_environment_of_one(choices: dict[str, Any]) -> None:
    """Final observations, infos and rewards are equal in games with equal seeds."""
    rivals = ["ismcts:5"]
    many = vector_env("leduc", 3, rivals=rivals, **choices)
    inside = bool(choices.get("mask_in_observation"))
    singles: list[Any] = []
    seen, infos = many.reset(seed=4)
    for table in range(3):
        seat = int(infos["seat"][table])
        spec = learner_spec("leduc", None, None, rivals=rivals, seat=seat, **_without_mask(choices))
        singles.append(LearnerEnv(spec, mask_in_observation=inside))
        singles[table].reset(seed=int(infos["seed"][table]))
    ended = np.zeros(3, bool)
    while not ended.all():
        actions = first_legal(infos)
        seen, rewards, terminated, _, infos = many.step(actions)
        for table in np.flatnonzero(~ended).tolist():
            last, reward, is_over, _, info = singles[table].step(actions[table])
            assert (reward, is_over) == (rewards[table], terminated[table])
            final = infos["final_obs"][table] if is_over else _row(seen, table)
            assert str(final) == str(last)
            kept = infos["final_info"] if is_over else infos
            assert (kept["seat"][table], kept["seed"][table]) == (info["seat"], info["seed"])
            assert kept["action_mask"][table].tolist() == info["action_mask"].tolist()
        ended |= terminated
        if terminated.any():
            assert infos["_final_obs"].tolist() == terminated.tolist()
            assert all(infos["final_obs"][table] is None for table in np.flatnonzero(~terminated))


def _without_mask(choices: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in choices.items() if key != "mask_in_observation"}


def _row(seen: Any, table: int) -> Any:
    if isinstance(seen, dict):
        return {key: value[table] for key, value in seen.items()}
    return seen[table]


def test_truncated_games_keep_their_final_observation() -> None:
    made = vector_env("gamon", 2, max_actions=4, seat=0)
    _, infos = made.reset(seed=2)
    truncated = np.zeros(2, bool)
    while not truncated.any():
        seen, rewards, terminated, truncated, infos = made.step(first_legal(infos))
        assert not rewards.any()
        assert not terminated.any()
    table = int(truncated.argmax())
    final = infos["final_obs"][table]
    assert final in made.single_observation_space
    assert not np.array_equal(final, seen[table])


def test_observations_are_copies_unless_that_is_not_wanted() -> None:
    """Learners keep what they have got; others save the time."""
    for copy in (True, False):
        made = vector_env("leduc", 2, copy=copy)
        first, infos = made.reset(seed=1)
        before = first.copy()
        made.step(first_legal(infos))
        assert np.array_equal(first, before) == copy


def test_an_illegal_action_ends_the_game_of_its_table_only() -> None:
    made = vector_env(Kuhn(), 2, seat=0, illegal_reward=-3)
    made.reset(seed=1)
    _, rewards, terminated, _, infos = made.step([CALL, CHECK])
    assert rewards[0] == -3
    assert terminated[0]
    assert infos["final_info"]["illegal_action"].tolist() == [True, False]
    strict = vector_env(Kuhn(), 2, seat=0, illegal_reward=None)
    strict.reset(seed=1)
    with pytest.raises(IllegalActionError, match="table 0: action 3 is not legal"):
        strict.step([CALL, CHECK])


def test_wrappers_of_vector_environments_and_gymnasiums_own_ones_fit() -> None:
    """Returns of episodes are counted, and single environments can be stepped together."""
    made = RecordEpisodeStatistics(vector_env("kuhn", 2))
    _, infos = made.reset(seed=1)
    returns: list[float] = []
    for _ in range(12):
        *_, infos = made.step(first_legal(infos))
        returns += infos["episode"]["r"][infos["_episode"]].tolist() if "episode" in infos else []
    assert returns
    assert all(abs(value) in (1, 2) for value in returns)
    spec = learner_spec(Kuhn(), None, None)
    sync = SyncVectorEnv([lambda: LearnerEnv(spec)] * 2)
    assert sync.reset(seed=1)[0].shape == (2, spec.layout.size)


@pytest.mark.parametrize("choices", [{}, {"mask_in_observation": True}, {"workers": 1}])
def test_the_next_game_can_begin_in_the_next_step(choices: dict[str, Any]) -> None:
    """The games are those of the other mode, with a step between that shows how one ended."""
    same = vector_env("leduc", 3, **choices)
    later = vector_env("leduc", 3, autoreset_mode="NextStep", **choices)
    assert later.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    courses: list[list[str]] = []
    for made in (same, later):
        seen, infos = made.reset(seed=3)
        course = [f"{_row(seen, 0)} {infos['seed'][0]}"]
        for _ in range(14):
            seen, rewards, terminated, _, infos = made.step(first_legal(infos))
            if made is same and terminated[0]:
                ended = infos["final_info"]
                course.append(f"{infos['final_obs'][0]} {ended['seed'][0]} {rewards[0]}")
                course.append(f"{_row(seen, 0)} {infos['seed'][0]} 0.0")
            else:
                course.append(f"{_row(seen, 0)} {infos['seed'][0]} {rewards[0]}")
            if made is later and terminated.any():
                assert not infos["action_mask"][terminated].any()
                assert not made.action_masks()[terminated].any()
        courses.append(course)
        made.close()
    assert courses[0][:12] == courses[1][:12]


def test_observations_can_be_normalized() -> None:
    """Gymnasium's wrapper takes environments whose next game begins in the next step."""
    made = NormalizeObservation(vector_env("leduc", 4, autoreset_mode="NextStep"))
    seen, infos = made.reset(seed=1)
    for _ in range(10):
        seen, *_, infos = made.step(first_legal(infos))
    assert np.isfinite(seen).all()


def test_unknown_modes_and_modes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(OptionError, match="autoreset_mode cannot be 'Disabled': it is 'SameStep'"):
        vector_env("leduc", 2, autoreset_mode="Disabled")
    with pytest.raises(OptionError, match="copy must be True"):
        vector_env("leduc", 2, autoreset_mode="NextStep", copy=False)
