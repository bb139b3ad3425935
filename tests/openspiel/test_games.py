"""cardhub games in OpenSpiel: every installed one, its parameters, its texts and copies."""

import os
import pickle
import subprocess
import sys
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.rl_environment import Environment, ObservationType
from tests.games.moles import Moles
from tests.kit.installed_games import names_for_arrays
from tests.openspiel.steps import played

from cardhub import Goal, Observation
from cardhub.base.errors import IllegalActionError, OptionError, PluginError, SolvingError
from cardhub.learning.adapters.utilities import utility_sum
from cardhub.learning.arrays import Layout
from cardhub.model.table.scoring import Scoring
from cardhub.model.table.settings import Settings
from cardhub_openspiel import load
from cardhub_openspiel.exported.pyspiel_game import Utility
from hearts import Hearts

GAMES = names_for_arrays()
# Games of many steps, whose own checks take seconds each.
LONG = ("gamon", "garner", "gin_rummy", "holdem", "roses", "spades")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.soak("the same checks as of a short game"))
        if name in LONG
        else name
        for name in GAMES
    ],
)
def test_every_installed_game_passes_openspiels_own_checks(name: str) -> None:
    """OpenSpiel's C++ tests play at random with copies, masks and serialization."""
    pyspiel.random_sim_test(pyspiel.load_game(f"cardhub_{name}"), 1, True, False)


@pytest.mark.parametrize("players", [3, 4])
def test_a_game_has_as_many_players_as_its_parameter_says(players: int) -> None:
    """`players` goes to the table, and comes back in the game's text."""
    game = pyspiel.load_game(f"cardhub_pig(players={players})")
    assert (game.num_players(), len(game.new_initial_state().returns())) == (players, players)
    assert f"players={players}" in str(game)
    pyspiel.random_sim_test(game, 1, False, False)


def test_the_options_of_a_game_are_its_parameters() -> None:
    """They have their names and defaults, and the rules obey them."""
    game = load("goofspiel", cards=4)
    assert game.get_parameters()["cards"] == 4
    cards = [zone for zone in str(played(game, 1)).split(" | ") if zone.startswith("hand")]
    assert cards[0].count("-") <= 8
    # Three suits of four cards and their backs.
    assert game.num_distinct_actions() == 3 * 4 + 3


def test_errors_of_loading_are_those_of_cardhub() -> None:
    """Errors of unknown games, players, options and returns name valid ones."""
    with pytest.raises(PluginError, match="Did you mean 'gargon'"):
        load("gragon")
    with pytest.raises(OptionError, match="3 to 5 players, not for 6"):
        load("gargon", players=6)
    with pytest.raises(OptionError, match=r"unknown option 'hnds'.*hands"):
        load("hearts", hnds=2)
    with pytest.raises(OptionError, match="margins, places, scores"):
        load("hearts", returns="margin")


def test_returns_are_margins_places_or_scores_as_the_player_of_the_game_wants_it() -> None:
    """The same end of a game of Hearts, in which the lowest score is the best."""
    worths = ("margins", "places", "scores")
    ends = {worth: played(load("hearts", returns=worth), 5, 1000) for worth in worths}
    scores = ends["scores"].returns()
    mean = sum(scores) / 4
    assert ends["scores"].node.scores == [-score for score in scores]
    assert sum(scores) == -26
    assert ends["margins"].returns() == [score - mean for score in scores]
    best = max(range(4), key=scores.__getitem__)
    assert ends["places"].returns()[best] == max(ends["places"].returns()) <= 1
    assert sum(ends["places"].returns()) == pytest.approx(0)


def test_by_default_returns_follow_the_goal() -> None:
    scores = played(load("hearts", returns="scores"), 5, 1000).returns()
    won = [score == max(scores) for score in scores]
    assert sum(won) == 2
    assert played(load("hearts"), 5, 1000).returns() == pytest.approx(
        [1 / 3 if is_winner else -1 / 3 for is_winner in won]
    )
    leduc = played(load("leduc"), 5, 1000)
    assert leduc.returns() == leduc.node.scores


UTILITY = pyspiel.GameType.Utility


@pytest.mark.parametrize(
    ("name", "returns", "utility", "total"),
    [
        ("hearts", "goal", UTILITY.ZERO_SUM, 0.0),  # WIN
        ("leduc", "goal", UTILITY.ZERO_SUM, 0.0),  # SCORE, and chips change hands only
        ("four_piles", "goal", UTILITY.IDENTICAL, None),  # COMMON
        ("four_piles", "scores", UTILITY.IDENTICAL, None),
        ("spades", "places", UTILITY.ZERO_SUM, 0.0),  # partners
        ("hearts", "scores", UTILITY.GENERAL_SUM, None),
    ],
)
def test_openspiel_is_told_the_type_of_utility(
    name: str, returns: str, utility: Any, total: float | None
) -> None:
    game = load(name, returns=returns)
    assert game.get_type().utility == utility
    assert game.utility_sum() == total
    bound = 1 if returns == "places" or (name == "hearts" and returns == "goal") else inf
    assert (game.min_utility(), game.max_utility()) == (-bound, bound)


def test_teams_of_unequal_size_have_no_constant_sum() -> None:
    """A team of two plays against one: both members get the opponent's loss."""
    utility = Utility("goal", Scoring((0, 1, 1), Goal.WIN), None)
    assert utility.type == UTILITY.GENERAL_SUM
    one_against_two = utility_sum(Hearts(), "goal", utility.scoring, Settings({}))
    assert one_against_two is None


def test_a_sum_that_differs_from_that_of_random_games_is_an_error() -> None:
    """A solver would otherwise compute wrong values without a word."""
    game = load("leduc")
    with pytest.raises(OptionError, match="do not have the sum 0"):
        game.utilities([3, -2])
    assert load("leduc", returns="scores").utilities([3, -2]) == [3.0, -2.0]


def test_a_game_in_which_everything_lies_open_has_perfect_information() -> None:
    """OpenSpiel's algorithms rely on it; an unseen card is a later chance node."""
    information = pyspiel.GameType.Information
    names = ("garner", "pig", "gargon", "kuhn")
    kinds = {name: load(name).get_type().information for name in names}
    assert kinds["garner"] == kinds["pig"] == information.PERFECT_INFORMATION
    assert kinds["gargon"] == kinds["kuhn"] == information.IMPERFECT_INFORMATION


def test_actions_are_called_as_their_player_may_call_them() -> None:
    """The player who lays a card knows it; the other players see its back."""
    state = played(load("gargon"), 3)
    action = state.legal_actions()[0]
    label = state.action_to_string(0, action)
    assert label.startswith("lay ")
    assert state.action_to_string(1, action) != label
    assert state.string_to_action(label) == action
    assert len({state.action_to_string(a) for a in state.legal_actions()}) == len(
        state.legal_actions()
    )


@pytest.mark.parametrize("name", ["goofspiel", "roses", "gamon"])
def test_action_ids_are_those_of_learners(name: str) -> None:
    """The same in every deal, and the same as in PettingZoo."""
    game = load(name, **({"turn_based": True} if name == "goofspiel" else {}))
    state, rng = played(game, 3), Random(3)
    layout = Layout(game.tree.game, game.tree.seats)
    assert game.num_distinct_actions() == layout.action_count
    while not state.is_terminal():
        if not state.is_chance_node():
            node = state.node
            seen = Observation(game.tree.game, node.state, node.state.seat, node.history)
            assert state.legal_actions() == np.flatnonzero(layout.mask(seen)).tolist()
            action = rng.choice(state.legal_actions())
            copy = state.clone()
            copy.apply_action(action)
            assert copy.node.history[-1].action == layout.action_of(seen, action)
            if name == "goofspiel":
                notation = seen.labels().notation(layout.action_of(seen, action))
                assert state.action_to_string(action) == notation
        state.apply_action(rng.choice(state.legal_actions()))


def test_action_ids_can_be_the_games_own() -> None:
    """They follow the tokens, which are shuffled before the deal."""
    game = load("goofspiel", actions="tokens", turn_based=True)
    assert game.num_distinct_actions() == 52
    state = played(game, 3)
    assert state.legal_actions() == sorted(step for step, _ in state.node.odds)
    with pytest.raises(OptionError, match="actions cannot be 'cards'"):
        load("goofspiel", actions="cards")


def test_resampling_keeps_the_very_cards_that_were_played() -> None:
    game = load("roses")
    for seed in range(6):
        state = played(game, seed, 5)
        again = state.resample_from_infostate(state.current_player(), Random(seed).random)
        seat = state.current_player()
        assert again.information_state_string(seat) == state.information_state_string(seat)
        assert again.clone().legal_actions() == state.legal_actions()


def test_chance_says_which_card_it_deals() -> None:
    """The third queen, the first back: readable in histories and trees."""
    state = load("kuhn").new_initial_state()
    assert [state.action_to_string(a) for a in state.legal_actions()] == [
        "#0 is J",
        "#0 is Q",
        "#0 is K",
    ]
    state = load("gargon").new_initial_state()
    assert state.action_to_string(0).startswith("#0 has the back ")


def test_an_action_that_is_not_legal_is_refused() -> None:
    state = played(load("kuhn"), 1)
    with pytest.raises(IllegalActionError, match=r"Legal: 0 \(check\), 1 \(bet\)"):
        state.apply_action(3)


def test_openspiels_learning_environment_takes_a_game() -> None:
    """Steps and observations as its reinforcement learners want them."""
    environment = Environment(load("leduc"), observation_type=ObservationType.OBSERVATION)
    environment.seed(1)
    step = environment.reset()
    while not step.last():
        player = step.observations["current_player"]
        legal = step.observations["legal_actions"][player]
        assert len(step.observations["info_state"][player]) == load("leduc").layout.size
        step = environment.step([legal[0]])
    assert sum(step.rewards) == 0


@pytest.mark.parametrize("name", ["gargon", "gamon", "hearts"])
def test_a_state_is_the_same_after_pickling_and_cloning(name: str) -> None:
    """It is written as its history; a copy goes its own way."""
    state = played(load(name), 2, 12)
    again = pickle.loads(pickle.dumps(state))
    assert (again.history(), str(again)) == (state.history(), str(state))
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert str(again) == str(state) != str(copy)


def test_without_openspiel_the_error_names_the_extra(tmp_path: Path) -> None:
    """The extra is named, in an error of cardhub's own tree."""
    (tmp_path / "pyspiel.py").write_text("raise ModuleNotFoundError(name='pyspiel')", "utf-8")
    code = (
        "from cardhub.base.errors import CardhubError\n"
        "try:\n"
        "    from cardhub_openspiel import load\n"
        "except CardhubError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "pip install '.[openspiel]' in the checkout of cardhub" in done.stdout


def test_a_game_with_secrets_other_than_cards_is_refused() -> None:
    with pytest.raises(SolvingError, match=r"moles cannot be solved.*fix: use bots and matches"):
        load(Moles())
