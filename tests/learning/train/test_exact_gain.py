"""The gain of a best response to a network, in the whole tree of a small game."""

from pathlib import Path

import numpy as np
import pytest

from cardhub.lab.analysis.exploit.exploit_run import ExploitPlan, ExploitTable, find_exploit
from cardhub.learning.arrays import Layout
from cardhub.learning.arrays.feature_spec import indices
from cardhub.learning.arrays.learner_slots import LearnerInputs
from cardhub.learning.learn.model_file import NETWORK, save
from cardhub.learning.train.exact_gain import BestPlayer, ExactGain
from cardhub.learning.train.network import Network, PlayerLayers, pack
from cardhub.plugins.registry import PluginRegistry, find_plugins

# The biases of check, bet, fold and call.
EVEN, BOLD = (0.0, 0.0, 0.0, 0.0), (0.0, 1.5, -0.5, 0.0)


@pytest.fixture(scope="module")
def registry() -> PluginRegistry:
    """Return the installed games and bots."""
    return find_plugins()


@pytest.fixture(scope="module")
def layout(registry: PluginRegistry) -> Layout:
    """Return the arrays of Kuhn poker."""
    return Layout(registry.game("kuhn"), 2)


@pytest.fixture(scope="module")
def exact(layout: Layout) -> ExactGain:
    """Return the tree of Kuhn poker."""
    exact = ExactGain.within_reach(layout)
    assert exact is not None
    return exact


def layers(layout: Layout, biases: tuple[float, ...]) -> PlayerLayers:
    """Return layers that rate actions, and seats, by these numbers alone."""
    weights = np.zeros((layout.size, len(biases)), np.float32)
    layer = weights, np.array(biases, np.float32)
    return PlayerLayers([layer], [layer])


def inputs_of(layout: Layout) -> LearnerInputs:
    """Return all slots."""
    return LearnerInputs(indices([*range(layout.size)]))


def test_the_gain_against_even_chances_is_known(layout: Layout, exact: ExactGain) -> None:
    even = Network(inputs_of(layout), *layers(layout, EVEN))
    assert exact.of(even) == pytest.approx(11 / 24)
    assert exact.values(even).tolist() == pytest.approx([0.125, -0.125])


def test_the_gain_is_the_one_of_the_bot_with_the_network(
    registry: PluginRegistry, layout: Layout, exact: ExactGain, tmp_path: Path
) -> None:
    inputs, path = inputs_of(layout), tmp_path / "kuhn.net"
    save(pack(inputs, layers(layout, BOLD)), layout, path, loader=NETWORK)
    table = ExploitTable.of(registry, f"net:{path}", "kuhn")
    gain = exact.of(Network(inputs, *layers(layout, BOLD)))
    assert gain == pytest.approx(find_exploit(table, ExploitPlan()).value)


def test_large_games_and_common_causes_are_not_measured(registry: PluginRegistry) -> None:
    assert ExactGain.within_reach(Layout(registry.game("gamon"), 2), most_nodes=100) is None
    assert ExactGain.within_reach(Layout(registry.game("four_piles"))) is None


def test_the_player_with_the_least_gain_is_kept(layout: Layout, exact: ExactGain) -> None:
    best = BestPlayer(inputs_of(layout), exact)
    last = layers(layout, EVEN)
    assert best.layers(last) is last
    for biases in (EVEN, BOLD, EVEN):
        best.offer(layers(layout, biases))
    assert best.gain is not None
    assert best.gain < 0.4  # of even chances: 0.46
    assert best.layers(last).policy[0][1].tolist() == [*BOLD]
    again = BestPlayer(inputs_of(layout), exact)
    again.restore(best.arrays())
    assert again.gain == best.gain
    layers_again = again.layers(last)
    for part in (layers_again.policy, layers_again.critic):
        assert part[0][1].tolist() == [*BOLD]


def test_the_last_player_of_a_large_game_is_kept(layout: Layout) -> None:
    best = BestPlayer(inputs_of(layout), None)
    best.offer(layers(layout, EVEN))
    last = layers(layout, BOLD)
    assert best.layers(last) is last
    again = BestPlayer(inputs_of(layout), None)
    again.restore(best.arrays())
    assert again.gain is None
    assert again.layers(last) is last
