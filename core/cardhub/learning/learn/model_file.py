"""Files of trained models: a framework's weights, and the description that bots need to play.

A file is a zip archive. Archives of Stable-Baselines3 get an additional entry; its `load` still
reads them.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from zipfile import BadZipFile, ZipFile, ZipInfo

from cardhub.base.errors import BotError, CardhubError, OptionError
from cardhub.base.errors.quoting import describe_exception
from cardhub.base.files import replace_bytes
from cardhub.model.game.game import Game

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardhub.learning.arrays import Layout, Mask, Slots


# Imported late, because numpy takes long to load and the bot's plugin is imported at every start.

# The version of the format.
FORMAT = 1
# The entries of an archive: the description, and the weights of other frameworks.
DESCRIPTION, WEIGHTS = "cardhub.json", "weights"
# The loader of Stable-Baselines3's archives.
SB3 = "cardhub.learning.learn.sb3_policy:load"
# The loader of networks that `cardhub train` wrote.
NETWORK = "cardhub.learning.train.network:load"
# Attributes of its algorithms that depend on the time; `learn` sets them again.
TIMES = ("start_time", "ep_info_buffer", "ep_success_buffer")
# Its entry with parameters as JSON. Object descriptions in it contain addresses, which differ from
# run to run and are never read.
SB3_DATA, ADDRESS = "data", re.compile(rb" at 0x[0-9a-f]+(?=>)")


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The description of a model: its game, the parameters of its layout, and its loader.

    `loader`: a function as `module:name`; see `save`. `algorithm`: a class of Stable-Baselines3 in
    the same form, or empty. `training`: how the model was trained, or empty.
    """

    game: str
    version: str
    layout: dict[str, Any]
    fingerprint: str
    loader: str
    algorithm: str = ""
    format: int = FORMAT
    training: dict[str, Any] = field(default_factory=dict)

    def layout_for(self, game: Game[Any], path: Path) -> "Layout":
        """Return the layout of the model; raises BotError for another game or version."""
        from cardhub.learning.arrays import Layout

        if game.name != self.game:
            raise BotError(wrong_game(path, self, game.name))
        try:
            layout = Layout(game, **self.layout)
            layout.require(self.fingerprint)
        except (CardhubError, TypeError, ValueError) as error:
            raise BotError(
                f"{path} was trained with {self.game} {self.version} and another layout: {error}. "
                "fix: train the model again"
            ) from error
        return layout


def save(
    model: Any,
    layout: Any,
    path: Path | str,
    *,
    loader: str = "",
    training: Mapping[str, Any] | None = None,
) -> None:
    """Save a trained model as a file for the bot `model:FILE`; an existing file is replaced.

    `model`: an algorithm of Stable-Baselines3 or sb3-contrib, whose `load` also reads the file; or,
    with a `loader`, the model's weights as bytes in any format. `layout`: the Layout of the
    observations, or the environment that created them. `loader`: a function, given as
    `module:name`, that gets the bytes and returns a Policy. `training`: how the model was trained,
    as JSON values. Raises OptionError or OSError.
    """
    layout = layout_of(layout)
    if loader and not isinstance(model, bytes):
        raise OptionError(f"with a loader the model is bytes, not {type(model).__name__}")
    parts = {WEIGHTS: model} if loader else _parts_of_sb3(model)
    kind = type(model)
    description = ModelFile(
        game=layout.game.name,
        version=layout.game.version,
        layout=layout.parameters,
        fingerprint=layout.fingerprint,
        loader=loader or SB3,
        algorithm="" if loader else f"{kind.__module__}:{kind.__qualname__}",
        training=dict(training or {}),
    )
    parts[DESCRIPTION] = json.dumps(asdict(description), indent=1).encode()
    replace_bytes(Path(path), _archive(parts))


def layout_of(thing: Any) -> "Layout":
    """Return the layout itself, or the layout of an environment; raises OptionError."""
    from cardhub.learning.arrays import Layout

    if hasattr(thing, "get_attr"):  # a vector environment of Stable-Baselines3
        thing = thing.get_attr("unwrapped")[0]
    # Wrappers of Gymnasium and PettingZoo forward only a few attributes.
    bare = getattr(thing, "unwrapped", thing)
    layout = thing if isinstance(thing, Layout) else getattr(bare, "layout", None)
    if not isinstance(layout, Layout):
        raise OptionError(f"{type(thing).__name__} has no layout. fix: pass a Layout")
    return layout


def wrong_game(path: Path, description: ModelFile, game: str) -> str:
    """Return the message for a model of another game."""
    return f"{path} is a model for {description.game}, not {game}"


def read_description(path: Path) -> ModelFile:
    """Return the description in a model's file; raises BotError."""
    return _cached_description(path, *stamp(path))


def stamp(path: Path) -> tuple[int, int]:
    """Return the time of a file's last change and its size; raises BotError."""
    try:
        status = path.stat()
    except OSError as error:
        raise BotError(f"{path} cannot be read: {error.strerror}") from error
    return status.st_mtime_ns, status.st_size


@lru_cache  # descriptions are needed whenever a spec is read
def _cached_description(path: Path, changed: int, size: int) -> ModelFile:
    with open_model(path) as file:
        if DESCRIPTION not in file.namelist():
            raise BotError(
                f"{path} does not say which game it is for. fix: save it with cardhub.learning.save"
            )
        try:
            description = ModelFile(**json.loads(file.read(DESCRIPTION)))
        except (TypeError, ValueError) as error:
            raise BotError(f"{path} is damaged: {DESCRIPTION}: {error}") from error
    if description.format != FORMAT:
        raise BotError(f"{path} has format {description.format}; this version reads {FORMAT}")
    return description


def read_weights(path: Path) -> bytes:
    """Return the weights that were saved with a loader; raises BotError."""
    with open_model(path) as file:
        return file.read(WEIGHTS)


@contextmanager
def open_model(path: Path) -> Iterator[ZipFile]:
    """Open a model's file for reading; raises BotError if opening or reading fails."""
    try:
        with ZipFile(path) as file:
            yield file
    except OSError as error:
        raise BotError(f"{path} cannot be read: {error.strerror}") from error
    except (BadZipFile, KeyError) as error:
        raise BotError(f"{path} is not a model: {error}") from error


def _parts_of_sb3(model: Any) -> dict[str, bytes]:
    """Return the archive entries of an algorithm of Stable-Baselines3."""
    kind, archive = type(model), BytesIO()
    if not any(base.__module__.startswith("stable_baselines3.") for base in kind.__mro__):
        raise OptionError(
            f"{kind.__name__} is not an algorithm of Stable-Baselines3. fix: pass the model's "
            "weights as bytes, and `loader`"
        )
    model.save(archive, exclude=TIMES)
    with ZipFile(archive) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    return parts | {SB3_DATA: ADDRESS.sub(b"", parts[SB3_DATA])}


def _archive(parts: Mapping[str, bytes]) -> bytes:
    """Return an archive whose bytes depend only on its parts."""
    archive = BytesIO()
    with ZipFile(archive, "w") as file:
        for name, data in parts.items():
            file.writestr(ZipInfo(name), data)  # a ZipInfo has a constant time
    return archive.getvalue()


# Imported late, because numpy takes long to load and the bot's plugin is imported at every start.

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


class ValuingPolicy(Policy, Protocol):
    """A policy that also estimates the utilities of states."""

    def priors(self, observations: "Slots", masks: "Mask", /) -> "NDArray[np.float32]":
        """Return rows of probabilities with which a search begins; it plays fewer actions."""
        ...

    def utilities(self, states: "Slots", /) -> "NDArray[np.float32]":
        """Return a row of all seats' utilities for each state, in which all faces are known.

        Raises BotError for a policy that was trained without values.
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
