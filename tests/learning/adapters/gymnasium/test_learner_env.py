"""Games as Gymnasium environments of one learner pass Gymnasium's check and keep their promises."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import FlattenObservation, RecordEpisodeStatistics

from cardhub.base.errors import IllegalActionError, OptionError, PluginError
from cardhub.learning.adapters.gymnasium import LearnerEnv, env, environment_id, register_games
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from kuhn import Kuhn
from kuhn.game import BET, CALL, CHECK, FOLD

# A board, teams, simultaneous choices, dice and hidden hands.
GAMES = ("garner", "spades", "goofspiel", "pig", "gamon", "leduc")


def play(made: Any, seed: int | None, policy: Callable[[Any], int] = np.argmax) -> list[Any]:
    """Play a game; return its observations, rewards and infos as bytes and values."""
    seen, info = made.reset(seed=seed)
    course: list[Any] = [(seen.tobytes(), info["seat"], info["seed"])]
    is_over = False
    while not is_over:
        seen, reward, terminated, truncated, info = made.step(policy(made.action_masks()))
        course.append((seen.tobytes(), reward, terminated, truncated))
        is_over = terminated or truncated
    return course


@pytest.mark.parametrize("game", GAMES)
def test_gymnasiums_own_check_passes(game: str) -> None:
    """Spaces, seeds, determinism, data that is not shared."""
    check_env(env(game), skip_render_check=True)


def test_gymnasiums_own_check_of_rendering_passes() -> None:
    check_env(gymnasium.make("cardhub/Kuhn-v0").unwrapped)


@pytest.mark.parametrize("game", ["leduc", "gamon", "hearts"])
def test_the_check_of_stable_baselines_passes(game: str) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    for is_inside in (False, True):
        assert checker.check_env(env(game, mask_in_observation=is_inside)) is None, "it raises"


def test_ids_name_every_installed_game() -> None:
    assert environment_id("gin_rummy") == "cardhub/GinRummy-v0"
    assert environment_id("cardhub-mau/mau") == "cardhub/CardhubMauMau-v0"
    register_games()  # once more: nothing is registered twice
    made = gymnasium.make("cardhub/Goofspiel-v0", players=3, options={"cards": 4}, seat=2)
    assert isinstance(made.unwrapped, LearnerEnv)
    assert made.unwrapped.layout.settings["cards"] == 4
    assert made.reset(seed=0)[1]["seat"] == 2
    with pytest.raises(OptionError, match="unknown option"):
        gymnasium.make("cardhub/Goofspiel-v0", options={"card": 4})


def test_a_seed_deals_the_cards_that_it_deals_at_any_table() -> None:
    """The first observation equals the learner's observation in `cardhub play --seed`."""
    made = env(Kuhn(), seat=0)
    for seed in range(4):
        seen, info = made.reset(seed=seed)
        referee = set_up(Kuhn(), [Player(name, "x") for name in "ab"], {}, seed)
        assert np.array_equal(seen, made.layout.encode(referee.observe(0)))
        assert (info["seat"], info["seed"]) == (0, seed)


def test_one_seed_is_one_episode_and_the_next_games_follow_from_it() -> None:
    made, other = (env("leduc", rivals=["ismcts:10", "random"]) for _ in range(2))
    first = [play(made, seed) for seed in (5, None, None)]
    assert [play(other, seed) for seed in (5, None, None)] == first
    assert first[0] != first[1] != first[2]
    assert play(made, 5) == first[0]


def test_the_learner_has_every_seat_in_turn_and_meets_every_rival_there() -> None:
    made = env("kuhn", rivals=["random", "pimc:1"], render_mode="ansi")
    met = []
    for seed in range(4):
        _, info = made.reset(seed=seed)
        met.append((info["seat"], "(pimc:1)" in str(made.render())))
    assert sorted(met) == [(0, False), (0, True), (1, False), (1, True)]
    fixed = env("kuhn", seat=1)
    assert {fixed.reset(seed=seed)[1]["seat"] for seed in range(4)} == {1}


def test_the_final_observation_is_the_learners_and_pays_the_final_utility() -> None:
    made = env(Kuhn(), seat=0)
    paid = set()
    for seed in range(12):
        made.reset(seed=seed)
        seen, reward, terminated, truncated, info = made.step(BET)
        assert terminated
        assert not truncated
        assert made.layout.read(seen, "seat")[-1] == 1, "nobody is to act"
        assert not info["action_mask"].any()
        assert not made.action_masks().any()
        paid.add(reward)
    assert paid == {-2.0, 1.0, 2.0}
    with pytest.raises(ValueError, match="fix: call `reset`"):
        made.step(CHECK)
    with pytest.raises(ValueError, match="fix: call `reset` first"):
        env(Kuhn()).step(CHECK)


def test_an_illegal_action_ends_the_game_or_is_an_error() -> None:
    """An object that is not a number is always an error."""
    made = env(Kuhn(), seat=0, illegal_reward=-7)
    made.reset(seed=0)
    with pytest.raises(IllegalActionError, match="Legal: 0"):
        made.step("bet")
    with pytest.raises(IllegalActionError, match="Legal: 0"):
        made.step(True)
    _, reward, terminated, _, info = made.step(CALL)
    assert (reward, terminated, info["illegal_action"]) == (-7.0, True, True)
    assert not made.action_masks().any()
    strict = env(Kuhn(), seat=0, illegal_reward=None)
    strict.reset(seed=0)
    with pytest.raises(IllegalActionError, match=r"3 \(call\) is not legal.*Legal: 0 \(check\)"):
        strict.step(CALL)
    strict.step(np.int64(CHECK))


@pytest.mark.parametrize("game", ["goofspiel", "hearts"])
def test_deltas_sum_to_the_final_utility(game: str) -> None:
    choices: dict[str, Any] = {"returns": "margins", "seat": 0}
    final, deltas = env(game, **choices), env(game, rewards="deltas", **choices)
    for seed in range(3):
        late, early = play(final, seed), play(deltas, seed)
        assert [step[0] for step in late] == [step[0] for step in early]
        rewards = [step[1] for step in early[1:]]
        assert sum(rewards) == pytest.approx(late[-1][1])
        assert sum(map(bool, rewards)) > 1
        assert not any(step[1] for step in late[1:-1])


def test_long_games_are_truncated_without_a_reward() -> None:
    made = env("gamon", max_actions=9)
    course = play(made, 2)
    assert course[-1][1:] == (0.0, False, True)
    with pytest.raises(ValueError, match="the game is over"):
        made.step(0)


def test_masks_can_be_part_of_the_observation() -> None:
    made = env("leduc", mask_in_observation=True)
    seen, info = made.reset(seed=1)
    assert seen["action_mask"].tolist() == info["action_mask"].tolist()
    assert seen in made.observation_space
    flat = RecordEpisodeStatistics(FlattenObservation(made))
    assert flat.reset(seed=1)[0].shape == (made.layout.size + 3,)


def test_the_table_is_drawn_as_the_learners_seat_sees_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = env(Kuhn(), seat=1, render_mode="ansi")
    made.reset(seed=3)
    first = made.render()
    assert "player_0: " in first.splitlines()[0]
    assert "player_0 (random), staked" in first
    assert first.count("hand (1): a card") == 1
    shown = env(Kuhn(), seat=1, render_mode="human")
    shown.reset(seed=3)
    assert capsys.readouterr().out == f"{first}\n"
    shown.step(FOLD if shown.action_masks()[FOLD] else CHECK)
    assert "learner: " in capsys.readouterr().out
    assert env(Kuhn()).render() is None


def test_games_in_which_the_learner_has_no_decision_are_skipped() -> None:
    """If all games are of this kind, an error is raised."""
    made = env(Kuhn(), max_actions=1)
    assert made.reset(seed=1)[1]["seat"] == 0, "seat 1 would act second"
    with pytest.raises(ValueError, match="no decision in 1000 games"):
        env(Kuhn(), max_actions=1, seat=1).reset(seed=0)


@pytest.mark.parametrize(
    ("error", "words", "choices"),
    [
        (PluginError, "randon", {"rivals": ["randon"]}),
        (OptionError, r"fix: pass a list of bots: \['random'\]", {"rivals": "random"}),
        (OptionError, "fix: pass a list of bots", {"rivals": []}),
        (OptionError, "rewards cannot be 'delta'.*Did you mean 'deltas'", {"rewards": "delta"}),
        (OptionError, "seat cannot be 2", {"seat": 2}),
        (OptionError, "render_mode cannot be 'rgb_array'", {"render_mode": "rgb_array"}),
        (OptionError, "max_actions cannot be 0", {"max_actions": 0}),
    ],
)
def test_invalid_parameters_are_refused(
    error: type[Exception], words: str, choices: dict[str, Any]
) -> None:
    with pytest.raises(error, match=words):
        env("kuhn", **choices)


def test_a_game_of_one_player_has_no_rivals() -> None:
    with pytest.raises(OptionError, match="fix: set players to 2 or more"):
        env("four_piles", players=1)


def test_without_gymnasium_the_error_names_the_extra() -> None:
    """The library is none of cardhub's own dependencies."""
    code = """
import sys
sys.modules["gymnasium"] = None
from cardhub.base.errors import CardhubError
try:
    import cardhub.learning.adapters.gymnasium
except CardhubError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert "pip install '.[gymnasium]' in the checkout of cardhub" in run.stdout


def test_choices_of_heads_play_the_game_that_their_numbers_play() -> None:
    flat, headed = env("holdem"), env("holdem", action_heads=True)
    heads = headed.layout.action_heads
    assert headed.action_space == gymnasium.spaces.MultiDiscrete([*heads.sizes])
    as_parts = play(headed, 3, lambda mask: np.maximum(heads.split([mask.argmax()])[0], 0))
    assert as_parts == play(flat, 3)


def test_choices_that_are_no_action_end_the_game_as_an_illegal_action() -> None:
    made = env("holdem", action_heads=True)
    made.reset(seed=0)
    *_, info = made.step(np.array(made.layout.action_heads.sizes) - 1)
    assert info["illegal_action"]
