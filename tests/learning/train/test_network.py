"""Networks as files for the bot `net`: played without PyTorch, refused where they do not fit."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

from cardhub.base.errors import BotError, OptionError
from cardhub.bots.asking import ask
from cardhub.learning.arrays import Layout
from cardhub.learning.arrays.feature_spec import indices
from cardhub.learning.arrays.learner_slots import LearnerInputs, learner_slots
from cardhub.learning.learn.model_file import DESCRIPTION, NETWORK, save
from cardhub.learning.train.network import (
    CRITIC_WIDTH,
    LARGE_LEAST_SHARE,
    LEAST_SHARE,
    MOST_BYTES,
    SMALL_ARRAY,
    WIDTHS,
    Layer,
    Network,
    PlayerLayers,
    hidden_width,
    load,
    pack,
)
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.bot_files import warm_up
from cardhub.plugins.registry import PluginRegistry, find_plugins
from cardhub.testing import check_spec


@pytest.fixture(scope="module")
def registry() -> PluginRegistry:
    """Return the installed games and bots."""
    return find_plugins()


def layers_with_biases(inputs: int, biases: list[float]) -> list[Layer]:
    """Return a hidden layer and an output layer that rate actions by these numbers alone."""
    outputs = np.zeros((2, len(biases)), np.float32), np.array(biases, np.float32)
    return [(np.ones((inputs, 2), np.float32), np.zeros(2, np.float32)), outputs]


def save_network(layout: Layout, path: Path, biases: list[float]) -> Path:
    """Save a network that rates actions by these numbers alone, and expects no utilities."""
    inputs = LearnerInputs(learner_slots(layout))
    policy, critic = (
        layers_with_biases(len(inputs.slots), rated) for rated in (biases, [0.0] * layout.seats)
    )
    save(pack(inputs, PlayerLayers(policy, critic)), layout, path, loader=NETWORK)
    return path


@pytest.fixture
def kuhn(registry: PluginRegistry, tmp_path: Path) -> Path:
    """Return the file of a network for Kuhn poker that bets with a probability of three quarters.

    Its actions are check, bet, fold and call.
    """
    bet = float(np.log(3))
    return save_network(Layout(registry.game("kuhn")), tmp_path / "kuhn.net", [0, bet, 0, -9])


def test_a_network_is_read_as_it_was_written() -> None:
    layers = [(np.eye(3, dtype=np.float32), np.array([0, -1, 0], np.float32))]
    inputs = LearnerInputs(indices([0, 2, 5]))
    observations = np.array([[1, 9, 2, 9, 9, 1]], np.float32)
    network = load(pack(inputs, PlayerLayers(layers, layers)))
    shares = network(observations, np.ones((1, 3), np.int8))
    expected = np.exp([1, 1, 1]) / np.exp([1, 1, 1]).sum()
    assert np.allclose(shares, [expected])
    assert network.utilities(observations).tolist() == [[1, 1, 1]]


def test_a_network_of_an_older_file_has_no_values() -> None:
    layers = [(np.eye(3, dtype=np.float32), np.zeros(3, np.float32))]
    network = load(pack(LearnerInputs(indices([0, 1, 2])), PlayerLayers(layers)))
    with pytest.raises(BotError, match="trained without values"):
        network.utilities(np.zeros((1, 3), np.float32))


def test_illegal_actions_have_no_probability() -> None:
    network = Network(
        LearnerInputs(indices([0])), [(np.zeros((1, 3), np.float32), np.zeros(3, np.float32))]
    )
    shares = network(np.ones((1, 1), np.float32), np.array([[1, 0, 1]], np.int8))
    assert shares.tolist() == [[0.5, 0, 0.5]]


def test_actions_that_are_hardly_ever_taken_are_left_out() -> None:
    biases = np.log(np.array([1, LEAST_SHARE / 2, 1], np.float32))
    network = Network(LearnerInputs(indices([0])), [(np.zeros((1, 3), np.float32), biases)])
    shares = network(np.ones((1, 1), np.float32), np.ones((1, 3), np.int8))
    assert shares.tolist() == [[0.5, 0, 0.5]]


def test_in_large_games_a_search_looks_at_actions_that_are_not_played() -> None:
    biases = np.log(np.array([1, LARGE_LEAST_SHARE / 2, LEAST_SHARE / 2], np.float32))
    inputs = LearnerInputs(indices([*range(SMALL_ARRAY + 1)]))
    weights = np.zeros((SMALL_ARRAY + 1, 3), np.float32)
    network = Network(inputs, [(weights, biases)])
    arrays = np.ones((1, SMALL_ARRAY + 1), np.float32), np.ones((1, 3), np.int8)
    assert network(*arrays).tolist() == [[1, 0, 0]]
    ((first, second, last),) = network.priors(*arrays).tolist()
    assert second / first == pytest.approx(LARGE_LEAST_SHARE / 2)
    assert last == 0


@pytest.mark.parametrize("slots", [30, 600, 1600, 2400, 9000])
def test_a_file_has_less_than_a_megabyte(slots: int) -> None:
    width = hidden_width(LearnerInputs(indices([*range(slots)])), 250)
    critic = CRITIC_WIDTH * (slots + CRITIC_WIDTH)
    assert 2 * (width * (slots + width + 250) + critic) < MOST_BYTES or width == WIDTHS[-1]


def test_a_network_passes_the_checks_of_bots(registry: PluginRegistry, kuhn: Path) -> None:
    report = check_spec(registry, f"net:{kuhn}", "kuhn", positions=20)
    assert report.passed, report.findings


def test_actions_are_drawn_with_the_probabilities_of_the_network(
    registry: PluginRegistry, kuhn: Path
) -> None:
    players = [Player("Anna", "random"), Player("Bob", "random")]
    deal = set_up(registry.game("kuhn"), players, {}, seed=1)
    deal.proceed()
    bot = registry.make_bot(f"net:{kuhn}", "kuhn", Random(1))
    counts = Counter(ask(bot, deal.observe(0)).chosen() for _ in range(400))
    assert counts.keys() == {0, 1}
    assert 270 <= counts[1] <= 330  # 300 are expected; the seed is fixed


def test_a_network_is_refused_in_another_game(registry: PluginRegistry, kuhn: Path) -> None:
    with pytest.raises(OptionError, match="is a model for kuhn, not leduc"):
        registry.settings_of(f"net:{kuhn}", "leduc")


def test_a_network_is_refused_in_another_version(registry: PluginRegistry, kuhn: Path) -> None:
    with ZipFile(kuhn) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    description = json.loads(parts[DESCRIPTION])
    description["fingerprint"] = description["fingerprint"].replace("version ", "version 0.")
    parts[DESCRIPTION] = json.dumps(description).encode()
    with ZipFile(kuhn, "w") as file:
        for name, data in parts.items():
            file.writestr(name, data)
    with pytest.raises(BotError, match=r"was trained with kuhn .* and another layout: .*version"):
        warm_up(registry, f"net:{kuhn}", "kuhn")


@pytest.mark.parametrize(("seats", "options"), [(3, {}), (4, {"open_winnings": True})])
def test_a_network_is_refused_at_another_table(
    registry: PluginRegistry, tmp_path: Path, seats: int, options: Any
) -> None:
    layout = Layout(registry.game("gargon"), 4)
    path = save_network(layout, tmp_path / "gargon.net", [0.0] * layout.action_count)
    warm_up(registry, f"net:{path}", "gargon", 4)
    with pytest.raises(BotError, match=r"was trained for 4 players.*, and cannot play with \d pl"):
        warm_up(registry, f"net:{path}", "gargon", seats, options)


def test_a_model_that_may_run_code_is_no_network(registry: PluginRegistry, tmp_path: Path) -> None:
    path = tmp_path / "model.zip"
    save(b"", Layout(registry.game("kuhn")), path, loader="tests.learning.learn.loaders:last")
    with pytest.raises(OptionError, match=r"was not written by cardhub train\. fix: model:"):
        registry.settings_of(f"net:{path}", "kuhn")


def test_pickles_in_a_network_are_refused(registry: PluginRegistry, tmp_path: Path) -> None:
    layout, path = Layout(registry.game("kuhn")), tmp_path / "kuhn.net"
    unsafe = np.array([object()], object)
    np.savez(tmp_path / "unsafe.npz", slots=unsafe)
    save((tmp_path / "unsafe.npz").read_bytes(), layout, path, loader=NETWORK)
    with pytest.raises(BotError, match="cannot be loaded"):
        warm_up(registry, f"net:{path}", "kuhn")
