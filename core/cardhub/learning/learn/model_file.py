"""Files of trained models: the weights of a framework, and what is needed to play with them.

A file is a zip archive. Stable-Baselines3's own archives get one more entry, so that its `load`
still reads them.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from cardhub.base.errors import BotError, CardhubError, OptionError
from cardhub.base.files import replace_bytes
from cardhub.model.game.game import Game

# numpy takes long to load, and the plugin of the bot is imported at every start.
if TYPE_CHECKING:
    from cardhub.learning.arrays import Layout

# The version of the format.
FORMAT = 1
# The entries of an archive: the description, and weights that are not Stable-Baselines3's.
DESCRIPTION, WEIGHTS = "cardhub.json", "weights"
# The loader of Stable-Baselines3's archives.
SB3 = "cardhub.learning.learn.sb3_policy:load"
# What its algorithms note of the time that they took, which `learn` makes anew.
TIMES = ("start_time", "ep_info_buffer", "ep_success_buffer")
# Its entry with parameters as JSON, in which descriptions of objects, which nothing reads, have
# addresses that differ from run to run.
SB3_DATA, ADDRESS = "data", re.compile(rb" at 0x[0-9a-f]+(?=>)")


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The description of a model: its game, the parameters of its layout, and its loader.

    `loader` is a function as `module:name`; see `save`. `algorithm` is a class of
    Stable-Baselines3 in the same form, else empty.
    """

    game: str
    version: str
    layout: dict[str, Any]
    fingerprint: str
    loader: str
    algorithm: str = ""
    format: int = FORMAT

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
                "fix: train it anew"
            ) from error
        return layout


def save(model: Any, layout: Any, path: Path | str, *, loader: str = "") -> None:
    """Save a trained model as a file for the bot `model:FILE`, which replaces an older one.

    `model` is an algorithm of Stable-Baselines3 or sb3-contrib, whose `load` reads the file, too.
    With a `loader` it is the model's weights as bytes, in any form: the loader is a function, given
    as `module:name`, that gets these bytes and returns a Policy. `layout` is the Layout of the
    observations, or the environment that made them. Raises OptionError or OSError.
    """
    found = layout_of(layout)
    if loader and not isinstance(model, bytes):
        raise OptionError(f"with a loader the model is bytes, not {type(model).__name__}")
    parts = {WEIGHTS: model} if loader else _parts_of_sb3(model)
    kind = type(model)
    described = ModelFile(
        game=found.game.name,
        version=found.game.version,
        layout=found.parameters,
        fingerprint=found.fingerprint,
        loader=loader or SB3,
        algorithm="" if loader else f"{kind.__module__}:{kind.__qualname__}",
    )
    parts[DESCRIPTION] = json.dumps(asdict(described), indent=1).encode()
    replace_bytes(Path(path), _archive(parts))


def layout_of(thing: Any) -> "Layout":
    """Return a layout, or that of an environment of games; raises OptionError."""
    from cardhub.learning.arrays import Layout

    if hasattr(thing, "get_attr"):  # a vector environment of Stable-Baselines3
        thing = thing.get_attr("unwrapped")[0]
    found = thing if isinstance(thing, Layout) else _attribute(thing, "layout")
    if not isinstance(found, Layout):
        raise OptionError(f"{type(thing).__name__} has no layout. fix: pass a Layout")
    return found


def wrong_game(path: Path, described: ModelFile, game: str) -> str:
    """Return the message for a model of another game."""
    return f"{path} is a model for {described.game}, not {game}"


def read_description(path: Path) -> ModelFile:
    """Return the description in a model's file; raises BotError."""
    return _described(path, *stamp(path))


def stamp(path: Path) -> tuple[int, int]:
    """Return the time of a file's last change and its size; raises BotError."""
    try:
        found = path.stat()
    except OSError as error:
        raise BotError(f"{path} cannot be read: {error.strerror}") from error
    return found.st_mtime_ns, found.st_size


@lru_cache  # read whenever a spec is
def _described(path: Path, changed: int, size: int) -> ModelFile:
    with opened(path) as file:
        if DESCRIPTION not in file.namelist():
            raise BotError(
                f"{path} does not say which game it is for. "
                "fix: save it with cardhub.learning.learn.save"
            )
        try:
            found = ModelFile(**json.loads(file.read(DESCRIPTION)))
        except (TypeError, ValueError) as error:
            raise BotError(f"{path} is damaged: {DESCRIPTION}: {error}") from error
    if found.format != FORMAT:
        raise BotError(f"{path} has format {found.format}; this version reads {FORMAT}")
    return found


def read_weights(path: Path) -> bytes:
    """Return the weights that were saved with a loader; raises BotError."""
    with opened(path) as file:
        return file.read(WEIGHTS)


@contextmanager
def opened(path: Path) -> Iterator[ZipFile]:
    """Open a model's file for reading; raises BotError if that fails, also within the block."""
    try:
        with ZipFile(path) as file:
            yield file
    except OSError as error:
        raise BotError(f"{path} cannot be read: {error.strerror}") from error
    except (BadZipFile, KeyError) as error:
        raise BotError(f"{path} is no model: {error}") from error


def _parts_of_sb3(model: Any) -> dict[str, bytes]:
    """Return the entries of the archive of an algorithm of Stable-Baselines3."""
    kind, archive = type(model), BytesIO()
    if not any(base.__module__.startswith("stable_baselines3.") for base in kind.__mro__):
        raise OptionError(
            f"{kind.__name__} is no algorithm of Stable-Baselines3. fix: pass its weights as bytes "
            "and `loader`"
        )
    model.save(archive, exclude=TIMES)
    with ZipFile(archive) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    return parts | {SB3_DATA: ADDRESS.sub(b"", parts[SB3_DATA])}


def _archive(parts: Mapping[str, bytes]) -> bytes:
    """Return an archive that has the same bytes whenever it is made."""
    archive = BytesIO()
    with ZipFile(archive, "w") as file:
        for name, data in parts.items():
            file.writestr(ZipInfo(name), data)  # with the time of a ZipInfo, not the present one
    return archive.getvalue()


def _attribute(thing: Any, name: str) -> Any:
    # Wrappers of Gymnasium and PettingZoo pass on only a few attributes.
    return getattr(getattr(thing, "unwrapped", thing), name, None)
