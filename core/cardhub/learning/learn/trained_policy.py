"""Trained policies, loaded from files and cached in each process."""

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cardhub.base.errors import BotError, CardhubError
from cardhub.base.errors.quoting import describe_exception
from cardhub.learning.learn.model_file import SB3, ModelFile, read_description, read_weights, stamp
from cardhub.model.game.game import Game

# Imported late, because numpy takes long to load and the bot's plugin is imported at every start.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardhub.learning.arrays import Layout, Mask, Slots

# The number of models in a process's cache.
MOST_MODELS = 64


class Policy(Protocol):
    """A function from observations to actions, both as arrays with a row for each decision."""

    def __call__(self, observations: "Slots", masks: "Mask", /) -> "NDArray[np.generic]":
        """Return an action for each row, or for each row the probabilities of all actions.

        Actions have the layout's numbers; `masks` is 1 for legal actions. Probabilities of illegal
        actions are ignored.
        """
        ...


class TrainedPolicy(NamedTuple):
    """A policy with the layout of its observations and actions."""

    layout: "Layout"
    policy: Policy


def load(path: Path, game: Game[Any]) -> TrainedPolicy:
    """Return the policy of a model's file for a game.

    The process caches it until the file changes. Raises BotError if the file is damaged or was
    trained for another game or another version of the game, and MissingLibraryError.
    """
    return _cached_policy(path, *stamp(path), game)


@lru_cache(MOST_MODELS)
def _cached_policy(path: Path, changed: int, size: int, game: Game[Any]) -> TrainedPolicy:
    description = read_description(path)
    # Check the layout first: loading a framework for a model of another game would take seconds.
    layout = description.layout_for(game, path)
    return TrainedPolicy(layout, _load_policy(path, description))


def _load_policy(path: Path, description: ModelFile) -> Policy:
    try:
        loader = import_function(description.loader)
        if description.loader == SB3:
            return loader(path, import_function(description.algorithm))  # type: ignore[no-any-return]  # by its name
        return loader(read_weights(path))  # type: ignore[no-any-return]  # third-party code
    except CardhubError:
        raise
    except Exception as error:  # third-party code may raise any exception
        reason = describe_exception(error)
        raise BotError(f"{path} cannot be loaded by {description.loader}: {reason}") from error


def import_function(name: str) -> Callable[..., Any]:
    """Import a function or class by its name `module:name`; raises BotError."""
    module, _, inner = name.partition(":")
    try:
        function: Any = import_module(module)
        for part in inner.split("."):
            function = getattr(function, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise BotError(f"{name} cannot be imported: {describe_exception(error)}") from error
    if not callable(function):
        raise BotError(f"{name} is not a function")
    return function  # type: ignore[no-any-return]  # callable(Any)
