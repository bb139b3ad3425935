"""Models of Leduc poker and Kuhn poker whose policies need no framework."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cardhub.learning.arrays import Layout
from cardhub.learning.learn import save
from cardhub.plugins.registry import PluginRegistry, find_plugins

MakeModel = Callable[..., Path]


@pytest.fixture(scope="session")
def registry() -> PluginRegistry:
    """Return the installed games and bots."""
    return find_plugins()


@pytest.fixture(scope="session")
def kuhn(registry: PluginRegistry) -> Layout:
    """Return the layout of Kuhn poker, whose actions are check, bet, fold and call."""
    return Layout(registry.game("kuhn"))


@pytest.fixture
def model(tmp_path: Path, kuhn: Layout) -> MakeModel:
    """Return a function that saves a model, given its weights and the name of its loader."""

    def save_model(
        weights: bytes = b"", loader: str = "last", layout: Layout = kuhn, name: str = "model.zip"
    ) -> Path:
        save(weights, layout, tmp_path / name, loader=f"tests.learning.learn.loaders:{loader}")
        return tmp_path / name

    return save_model
