"""Trained policies, loaded from files once in each process."""

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cardhub.base.errors import BotError, CardhubError
from cardhub.base.errors.quoting import describe_exception
from cardhub.learning.learn.model_file import SB3, ModelFile, read_description, read_weights, stamp
from cardhub.model.game.game import Game

# numpy takes long to load, and the plugin of the bot is imported at every start.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardhub.learning.arrays import Layout, Mask, Slots

# Number of models that a process keeps.
MOST_MODELS = 64


class Policy(Protocol):
    """A function from observations to actions, both as arrays with a row for each decision."""

    def __call__(self, observations: "Slots", masks: "Mask", /) -> "NDArray[np.generic]":
        """Return an action for each row, or a row of probabilities of the actions.

        The actions are those of the layout; `masks` has 1 for the legal ones. Probabilities of
        illegal actions are ignored.
        """
        ...


class TrainedPolicy(NamedTuple):
    """A policy with the layout of its observations and actions."""

    layout: "Layout"
    policy: Policy


def load(path: Path, game: Game[Any]) -> TrainedPolicy:
    """Return the policy of a model's file for a game.

    It is kept in this process until the file changes. Raises BotError if the file is damaged, or
    was trained for another game or version of it, and MissingLibraryError.
    """
    return _kept(path, *stamp(path), game)


@lru_cache(MOST_MODELS)
def _kept(path: Path, changed: int, size: int, game: Game[Any]) -> TrainedPolicy:
    described = read_description(path)
    # The layout first: loading a framework for a model of another game would take seconds.
    layout = described.layout_for(game, path)
    return TrainedPolicy(layout, _loaded(path, described))


def _loaded(path: Path, described: ModelFile) -> Policy:
    try:
        loader = found_function(described.loader)
        if described.loader == SB3:
            return loader(path, found_function(described.algorithm))  # type: ignore[no-any-return]  # by its name
        return loader(read_weights(path))  # type: ignore[no-any-return]  # third-party code
    except CardhubError:
        raise
    except Exception as error:  # third-party code may raise any exception
        why = describe_exception(error)
        raise BotError(f"{path} cannot be loaded by {described.loader}: {why}") from error


def found_function(name: str) -> Callable[..., Any]:
    """Import a function or class by its name `module:name`; raises BotError."""
    module, _, inner = name.partition(":")
    try:
        found: Any = import_module(module)
        for part in inner.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise BotError(f"{name} cannot be imported: {describe_exception(error)}") from error
    if not callable(found):
        raise BotError(f"{name} is not a function")
    return found  # type: ignore[no-any-return]  # callable(Any)
