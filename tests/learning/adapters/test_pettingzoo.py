"""Games as PettingZoo environments pass PettingZoo's tests and keep their promises."""

import subprocess
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import (  # type: ignore[import-untyped]  # it has types, but no marker
    api_test,
    render_test,
    seed_test,
)
from pettingzoo.utils import TerminateIllegalWrapper  # type: ignore[import-untyped]  # likewise
from pettingzoo.utils.env_logger import EnvLogger  # type: ignore[import-untyped]  # likewise
from tests.games.magpie import Magpie
from tests.kit.installed_games import names_for_arrays

from cardhub import Game, Goal
from cardhub.base.errors import IllegalActionError, OptionError, PluginError
from cardhub.learning.adapters.pettingzoo import CardhubEnv, env, raw_env
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from kuhn.game import ACTIONS, BET, CALL, CHECK, FOLD, Kuhn

GAMES: list[str | Game[Any]] = [*names_for_arrays(), Magpie()]
every_game = pytest.mark.parametrize(
    "game", GAMES, ids=lambda game: game if isinstance(game, str) else game.name
)
# With dice, with a common goal, with partners, and with simultaneous choices.
games_of_each_kind = pytest.mark.parametrize("game", ["pig", "four_piles", "spades", "goofspiel"])

KNOWN = [
    # PettingZoo's tests warn about each environment with masks, except its own environments.
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
    # Nobody has legal actions once the game is over.
    "ignore:Action mask numpy array is all zeros:UserWarning",
]


def known_warnings(test: Callable[..., None]) -> Callable[..., None]:
    """Allow the warnings of PettingZoo's tests that cannot be avoided; others are errors."""
    for warning in KNOWN:
        test = pytest.mark.filterwarnings(warning)(test)
    return test


def play(made: Any, seed: int | None, most: int = 10_000) -> list[tuple[str, int, str]]:
    """Play deterministic legal actions; return agents, actions and observations before them."""
    made.reset(seed=seed)
    rng, course = Random(0), []
    for agent in made.agent_iter(most):
        seen, _, terminated, truncated, _ = made.last()
        over = terminated or truncated
        action = None if over else rng.choice(seen["action_mask"].nonzero()[0].tolist())
        course.append((agent, -1 if action is None else action, str(seen["observation"].tobytes())))
        made.step(action)
    return course


@known_warnings
@every_game
def test_pettingzoos_own_test_of_the_interface_passes(game: str | Game[Any]) -> None:
    """Spaces, rewards, removal of agents, results of `last`."""
    api_test(env(game), num_cycles=20)


@games_of_each_kind
def test_pettingzoos_own_test_of_seeds_passes(game: str) -> None:
    """Two environments with one seed go the same way."""
    layout = raw_env(game).layout
    seed_test(lambda: CardhubEnv(layout), num_cycles=15)


@games_of_each_kind
def test_pettingzoos_own_test_of_rendering_passes(game: str) -> None:
    """It asks with `human` which modes there are, and tries all of them."""
    layout = raw_env(game).layout
    render_test(lambda render_mode: CardhubEnv(layout, render_mode=render_mode))


@games_of_each_kind
def test_whole_games_end_with_rewards_that_sum_to_zero_or_are_equal(game: str) -> None:
    """Rewards are 0 before the end; in a common cause all agents get the same."""
    made = raw_env(game)
    made.reset(seed=3)
    rng = np.random.default_rng(3)
    paid = dict.fromkeys(made.possible_agents, 0.0)
    for agent in made.agent_iter():
        seen, reward, terminated, truncated, _ = made.last()
        paid[agent] += reward
        assert not truncated
        assert reward == 0 or terminated
        legal = seen["action_mask"].nonzero()[0]
        made.step(None if terminated else rng.choice(legal))
    assert made.agents == []
    if made.layout.game.goal is Goal.COMMON:
        assert len(set(paid.values())) == 1
    else:
        assert sum(paid.values()) == pytest.approx(0)


def test_a_game_of_kuhn_poker_pays_chips() -> None:
    """Check, bet, call: two chips for the higher card."""
    made = env("kuhn")
    for seed in range(6):
        made.reset(seed=seed)
        for action in (CHECK, BET, CALL):
            made.step(action)
        cards = (
            set_up(Kuhn(), [Player("a", "x"), Player("b", "x")], {}, seed).observe(-1).state.face
        )
        won = 2.0 if cards[0] > cards[1] else -2.0
        assert made.rewards == {"player_0": won, "player_1": -won}
        assert made.terminations == {"player_0": True, "player_1": True}
        assert made.last()[1] == won


def test_rewards_are_of_the_requested_kind() -> None:
    """The goal, margins, places or scores; where the lowest score wins, it is the best."""
    rewards = {}
    for returns in ("goal", "margins", "places", "scores"):
        made = raw_env("hearts", returns=returns)
        play(made, 4)  # agents are taken out in the end, so look one step earlier
        made.reset(seed=4)
        while made.agents and not any(made.terminations.values()):
            made.step(int(made.last()[0]["action_mask"].argmax()))
        rewards[returns] = list(made.rewards.values())
    scores = rewards["scores"]
    assert sum(scores) in (-26, -78)
    assert rewards["margins"] == [score - sum(scores) / 4 for score in scores]
    best = max(range(4), key=scores.__getitem__)
    assert rewards["places"][best] == max(rewards["places"]) > 0
    assert rewards["goal"][best] == max(rewards["goal"]) > 0, "of Hearts: winning"
    assert len(set(rewards["goal"])) == 2


def test_a_seed_deals_the_cards_that_it_deals_at_any_table() -> None:
    """The same seed gives the same game in `cardhub play --seed`."""
    made = raw_env("gargon", 3)
    made.reset(seed=12)
    players = [Player(agent, "agent") for agent in made.possible_agents]
    referee = set_up(find_plugins().game("gargon"), players, {}, 12)
    for seat, agent in enumerate(made.possible_agents):
        expected = made.layout.encode(referee.observe(seat))
        assert np.array_equal(made.observe(agent)["observation"], expected)


def test_games_after_the_first_follow_from_its_seed() -> None:
    made = raw_env("pig", 3)
    first = [play(made, seed) for seed in (5, None, None)]
    again = [play(made, seed) for seed in (5, None, None)]
    assert first == again
    assert first[0] != first[1] != first[2]


def test_without_a_seed_games_differ() -> None:
    first = raw_env("hearts")
    other = CardhubEnv(first.layout)
    assert play(first, None, most=1) != play(other, None, most=1)


def test_options_and_players_are_the_games_own() -> None:
    made = raw_env("goofspiel", 3, {"cards": 4, "order": "descending"})
    course = play(made, 1)
    assert made.possible_agents == ["player_0", "player_1", "player_2"]
    assert len(course) == 4 * 3 + 3
    made.reset(options={"cards": 13})  # PettingZoo's own; the game's are chosen when it is made
    assert made.layout.settings["cards"] == 4


def test_a_game_is_cut_off_when_it_was_to_be() -> None:
    """It is truncated, not terminated, and all rewards are 0."""
    made = env("gargon", max_actions=7)
    course = play(made, 2)
    assert [action for _, action, _ in course].count(-1) == 4
    assert len(course) == 7 + 4
    made.reset(seed=2)
    for _, action, _ in course[:7]:
        assert not any(made.truncations.values())
        made.step(action)
    assert all(made.truncations.values())
    assert not any(made.terminations.values())
    assert not any(made.rewards.values())


def test_an_end_that_comes_with_the_last_action_allowed_is_an_end() -> None:
    made = env("kuhn", max_actions=2)
    made.reset(seed=0)
    made.step(BET)
    made.step(FOLD)
    assert all(made.terminations.values())
    assert not any(made.truncations.values())
    assert made.rewards["player_0"] == 1


def test_illegal_actions_are_refused_and_name_the_legal_ones() -> None:
    """Illegal actions are not repaired; PettingZoo has a wrapper for penalties."""
    made = env("kuhn")
    made.reset(seed=0)
    with pytest.raises(IllegalActionError, match=r"3 \(call\) is not legal.*Legal: 0 \(check\)"):
        made.step(CALL)
    for nonsense in (17, -1, 10**9999, None, "bet", 0.5, True, np.array([0]), object()):
        with pytest.raises(IllegalActionError, match=r"Legal: 0 \(check\), 1 \(bet\)"):
            made.step(nonsense)
    made.step(np.int64(BET))
    assert made.agent_selection == "player_1"


def test_a_card_that_is_not_in_the_deal_is_no_action() -> None:
    """Goofspiel for two has fewer cards than it has actions."""
    made = env("goofspiel", players=2)
    made.reset(seed=0)
    for action in range(made.action_space("player_0").n):
        if not made.observe("player_0")["action_mask"][action]:
            with pytest.raises(IllegalActionError, match="is not legal for this agent"):
                made.step(action)


def test_pettingzoos_wrapper_against_illegal_actions_fits() -> None:
    EnvLogger.suppress_output()
    wrapped = TerminateIllegalWrapper(raw_env("kuhn"), illegal_reward=-5)
    wrapped.reset(seed=0)
    wrapped.step(FOLD)
    assert wrapped.rewards["player_0"] == -5


@known_warnings
def test_masks_can_be_in_the_info_of_each_agent() -> None:
    made = env("leduc", mask_in_observation=False)
    api_test(made, num_cycles=30)
    made.reset(seed=1)
    while not any(made.terminations.values()):
        seen, _, _, _, info = made.last()
        agent = made.agent_selection
        assert made.observation_space(agent).contains(seen)
        assert info["action_mask"].tolist() == made.unwrapped.action_mask(agent).tolist()
        made.step(info["action_mask"].argmax())
    assert not any(made.infos[agent]["action_mask"].any() for agent in made.agents)


@pytest.mark.filterwarnings("ignore")  # what SuperSuit's dependencies warn of
def test_supersuits_wrappers_fit_with_masks_in_the_info() -> None:
    """The wrappers stack frames, add an agent indicator, and convert types."""
    supersuit = pytest.importorskip("supersuit")
    made = env("leduc", mask_in_observation=False)
    size = made.unwrapped.layout.size
    made = supersuit.agent_indicator_v0(supersuit.frame_stack_v2(made, 3))
    made = supersuit.flatten_v0(supersuit.pad_action_space_v0(made))
    made = supersuit.dtype_v0(made, "float16")
    made.reset(seed=1)
    for _ in made.agent_iter():
        seen, _, terminated, _, info = made.last()
        assert (seen.shape, seen.dtype) == ((3 * size + 2,), np.float16)
        made.step(None if terminated else info["action_mask"].argmax())


def test_only_who_is_to_act_has_legal_actions() -> None:
    """Masks are as long as the game has actions."""
    made = raw_env("kuhn")
    made.reset(seed=1)
    assert made.observe("player_0")["action_mask"].tolist() == [1, 1, 0, 0]
    assert made.observe("player_1")["action_mask"].tolist() == [0, 0, 0, 0]
    assert made.action_spaces["player_1"].n == ACTIONS.size


def test_the_state_is_all_there_is_and_observations_are_not() -> None:
    made = raw_env("kuhn")
    made.reset(seed=1)
    state, seen = made.state(), made.observe("player_0")["observation"]
    assert made.state_space.contains(state)
    assert made.layout.read(state, "unseen").sum() == 0
    assert made.layout.read(seen, "unseen").sum() == pytest.approx(2 / 3)


def test_the_table_as_text_is_that_of_the_agent_to_act() -> None:
    """Other agents' cards are backs; without a render mode there is no text."""
    made = env("kuhn", render_mode="ansi")
    made.reset(seed=1)
    card = Kuhn.cards.faces[int(made.unwrapped.layout.read(made.state(), "known")[0].argmax())]
    assert made.render() == (
        "Kuhn poker\n\n"
        "  player_1, staked 1\n    hand (1): a card\n\n"
        f"> player_0, staked 1\n    hand (1): {card.name}\n\n"
        "1. check  2. bet\n"
    )
    made.step(BET)
    assert "> player_1" in made.render()
    made.step(FOLD)
    assert ">" not in made.render()
    quiet = env("kuhn")
    quiet.reset()
    assert quiet.render() is None


def test_people_see_the_table_after_each_action(capsys: pytest.CaptureFixture[str]) -> None:
    """The view of the agent to act is printed, and `render` returns nothing."""
    made = env("kuhn", render_mode="human")
    made.reset(seed=1)
    made.step(BET)
    shown = capsys.readouterr().out
    assert shown.count("Kuhn poker") == 2
    assert "> player_0" in shown.partition("> player_1")[0]
    assert made.render() is None


@pytest.mark.parametrize(
    ("error", "words", "make"),
    [
        (PluginError, r"unknown game 'gargn'.*gargon", lambda: env("gargn")),
        (OptionError, "for 2 players, not for 3", lambda: env("kuhn", 3)),
        (OptionError, "unknown option 'card'", lambda: env("goofspiel", options={"card": 1})),
        (OptionError, r"returns cannot be 'place'.*places", lambda: env("kuhn", returns="place")),
        (OptionError, "render_mode cannot be 'rgb'", lambda: env("kuhn", render_mode="rgb")),
        (OptionError, "max_actions cannot be 0", lambda: env("kuhn", max_actions=0)),
    ],
)
def test_invalid_parameters_are_refused_by_the_constructor(
    error: type[Exception], words: str, make: Callable[[], object]
) -> None:
    with pytest.raises(error, match=words):
        make()


def test_without_pettingzoo_the_error_names_the_extra() -> None:
    """The library is none of cardhub's own dependencies."""
    code = """
import sys
sys.modules["pettingzoo"] = None
from cardhub.base.errors import CardhubError
try:
    import cardhub.learning.adapters.pettingzoo
except CardhubError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert "pip install '.[pettingzoo]' in the checkout of cardhub" in run.stdout
