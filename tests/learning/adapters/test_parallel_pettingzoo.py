"""Parallel PettingZoo environments: seats that choose at the same time act in one step."""

from random import Random
from typing import Any

import pytest
from pettingzoo.test import parallel_api_test  # type: ignore[import-untyped]  # no marker
from tests.games.throws import PAPER, POINTS, ROCK, Throws

from cardhub.base.errors import IllegalActionError
from cardhub.learning.adapters.pettingzoo import parallel_env, raw_env

# One game with simultaneous choices for two and for three, one with turns.
GAMES: list[tuple[Any, int]] = [(Throws(), 2), ("goofspiel", 3), ("kuhn", 2), ("hearts", 4)]
every_game = pytest.mark.parametrize(("game", "players"), GAMES)


@every_game
def test_pettingzoos_own_test_of_the_interface_passes(game: Any, players: int) -> None:
    made = parallel_env(game, players)
    parallel_api_test(made, num_cycles=40)
    assert made.turns.episode.history


def act(observations: dict[str, Any], rng: Random) -> dict[str, int]:
    """Return a legal action of each agent."""
    return {
        agent: rng.choice(seen["action_mask"].nonzero()[0].tolist())
        for agent, seen in observations.items()
    }


def test_all_seats_that_choose_act_in_one_step() -> None:
    made = parallel_env(Throws())
    made.reset(seed=1)
    *_, rewards, terminations, _, _ = made.step({"player_0": PAPER, "player_1": ROCK})
    assert rewards == {"player_0": POINTS[PAPER][ROCK], "player_1": -POINTS[PAPER][ROCK]}
    assert all(terminations.values())
    assert made.agents == []


def test_games_are_the_same_as_with_one_agent_after_the_other() -> None:
    made, turns, rng = parallel_env("goofspiel", 3), raw_env("goofspiel", 3), Random(5)
    observations, _ = made.reset(seed=5)
    turns.reset(seed=5)
    while made.agents:
        actions = act(observations, rng)
        for agent in made.agents:
            seen = turns.observe(agent)
            assert agent == turns.agent_selection
            assert (seen["observation"] == observations[agent]["observation"]).all()
            assert (seen["action_mask"] == observations[agent]["action_mask"][:-1]).all()
            turns.step(actions[agent])
        observations, rewards, *_ = made.step(actions)
    assert rewards == turns.rewards


def test_a_seed_decides_the_game() -> None:
    texts = []
    for seed in (7, 7, 8):
        made, rng = parallel_env("goofspiel"), Random(0)
        observations, _ = made.reset(seed=seed)
        observations, *_ = made.step(act(observations, rng))
        texts.append(observations["player_0"]["observation"].tobytes())
    assert texts[0] == texts[1] != texts[2]


def test_agents_whose_turn_it_is_not_wait() -> None:
    made = parallel_env("kuhn")
    observations, _ = made.reset(seed=1)
    assert observations["player_0"]["action_mask"].tolist() == [1, 1, 0, 0, 0]
    assert observations["player_1"]["action_mask"].tolist() == [0, 0, 0, 0, 1]
    made.step({"player_0": 0})
    observations, *_ = made.step({"player_0": made.wait, "player_1": 1})
    assert observations["player_0"]["action_mask"].tolist() == [0, 0, 1, 1, 0]


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ({"player_0": ROCK}, "player_1 is to act"),
        ({"player_0": ROCK, "player_1": 7}, "7"),
        ({"player_0": 3, "player_1": ROCK}, "3"),
    ],
)
def test_a_step_with_an_illegal_action_changes_nothing(actions: Any, words: str) -> None:
    made = parallel_env(Throws())
    made.reset(seed=1)
    with pytest.raises(IllegalActionError, match=words):
        made.step(actions)
    assert made.turns.episode.history == []


def test_an_agent_that_waits_has_no_other_action() -> None:
    made = parallel_env("kuhn")
    made.reset(seed=1)
    with pytest.raises(IllegalActionError, match="player_1 waits"):
        made.step({"player_0": 0, "player_1": 0})


def test_masks_can_be_in_the_info_of_each_agent() -> None:
    made = parallel_env(Throws(), mask_in_observation=False)
    observations, infos = made.reset(seed=1)
    for agent in made.agents:
        assert made.observation_space(agent).contains(observations[agent])
        assert infos[agent]["action_mask"].tolist() == [1, 1, 1, 0]


def test_a_game_is_cut_off_after_its_most_actions() -> None:
    made = parallel_env("goofspiel", max_actions=3)
    observations, _ = made.reset(seed=1)
    rng, steps = Random(1), 0
    while made.agents:
        observations, _, _, truncations, _ = made.step(act(observations, rng))
        steps += 1
    assert all(truncations.values())
    assert steps == 2


def test_the_table_as_text_is_that_of_a_spectator() -> None:
    made = parallel_env("goofspiel", options={"cards": 3}, render_mode="ansi")
    made.reset(seed=1)
    assert "hand (3): 3 hearts" in (made.render() or "")
    assert parallel_env("kuhn").render() is None


def test_people_see_the_table_of_a_spectator_after_each_step(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It is printed once for all actions of a step."""
    made = parallel_env("goofspiel", options={"cards": 3}, render_mode="human")
    observations, _ = made.reset(seed=1)
    made.step(act(observations, Random(1)))
    shown = capsys.readouterr().out
    assert shown.count("Goofspiel") == 2
    assert "hand (3): 3 hearts" in shown
    assert made.render() is None
