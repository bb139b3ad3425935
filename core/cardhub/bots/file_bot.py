"""The bot `file`: a class in a Python file, without registration, made anew for every game.

The file is executed as a module of its own, so two files may have classes of one name.
"""

import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from inspect import Parameter, isabstract, isclass, signature
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, TypeGuard

from typing_extensions import override

from cardhub.base.errors import BotExceptionError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.writing import listed
from cardhub.bots.bot import Bot, BotEntry
from cardhub.bots.spec import File, TextOption
from cardhub.model.game.game import Game
from cardhub.model.table.settings import Settings

# The number of versions of files whose modules a process keeps.
MOST_FILES = 256


class ClassName(TextOption):
    """An option that is the name of a class, or empty."""

    __slots__ = ()
    description = "the name of a class"

    @override
    def accepts(self, text: str) -> bool:
        return not text or text.isidentifier()


def load_class(file: Path, name: str = "") -> Callable[..., Bot]:
    """Return the class of a file that has a method `choose`; `name` is needed if several have.

    Raises BotExceptionError if there is no such class, and any exception of the file's own code.
    """
    try:
        source = file.read_bytes()
    except OSError as error:
        raise BotExceptionError(f"{file} cannot be read: {error.strerror}") from error
    classes = {kind.__name__: kind for kind in _bots_in(_module(file, source))}
    if name:
        if name not in classes:
            hint = did_you_mean(name, classes)
            raise BotExceptionError(f"{file} has no class {name!r} with a method choose.{hint}")
        return classes[name]
    if not classes:
        raise BotExceptionError(f"{file} has no class with a method choose(self, observation)")
    if len(classes) > 1:
        raise BotExceptionError(
            f"{file} has several bots: {listed(list(classes))}. "
            f"fix: name one of them: file:{file.name},name={next(iter(classes))}"
        )
    return next(iter(classes.values()))


# Keyed by the content, because a file that is written twice within a clock tick is two files.
@lru_cache(maxsize=MOST_FILES)
def _module(file: Path, source: bytes) -> ModuleType:
    digest = sha256(bytes(file) + b"\0" + source).hexdigest()
    name = f"cardhub_file_{digest[:16]}"
    loader = SourceFileLoader(name, str(file))
    spec = spec_from_loader(name, loader)
    if spec is None:
        raise AssertionError  # for mypy: a loader of files always gives a spec
    module = module_from_spec(spec)
    # Dataclasses and pickle look up the module of a class by its name.
    sys.modules[name] = module
    try:
        # Not by the loader, which could take the compiled code of an older content.
        exec(loader.source_to_code(source, str(file)), module.__dict__)  # noqa: S102  # the user has chosen this file as a bot
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _bots_in(module: ModuleType) -> Iterator[type[Bot]]:
    """Yield the classes of a module that are bots, without those that others derive from."""
    members = dict.fromkeys(value for value in vars(module).values() if isclass(value))
    bots = [kind for kind in members if kind.__module__ == module.__name__ and _is_bot(kind)]
    for kind in bots:
        if not any(kind in other.__mro__[1:] for other in bots):
            yield kind


def _is_bot(kind: type[Any]) -> TypeGuard[type[Bot]]:
    # The protocol Bot itself has a `choose` without content.
    choose = getattr(kind, "choose", None)
    return callable(choose) and choose is not Bot.choose and not isabstract(kind)


def make_file_bot(rng: Random, file: Path, name: str = "") -> Bot:
    """Return a new instance of the class, with the generator if it takes one."""
    kind = load_class(file, name)
    return kind(rng) if _takes_generator(kind) else kind()


def _takes_generator(kind: Callable[..., Bot]) -> bool:
    """Return whether the first parameter of a class has no default, or is called `rng`."""
    try:
        parameters = signature(kind).parameters.values()
    except ValueError:  # raised for classes that are not written in Python
        return False
    places = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    first = next((parameter for parameter in parameters if parameter.kind in places), None)
    return first is not None and (first.default is Parameter.empty or first.name == "rng")


def _load(_game: Game[Any], settings: Settings) -> None:
    load_class(Path(settings.word("file")).absolute(), settings.word("name"))


FILE = BotEntry(
    "file",
    "a class with a method `choose` in a Python file: file:my_bot.py",
    make_file_bot,
    options={
        "file": File("The Python file; may import installed packages."),
        "name": ClassName("The name of the class, if the file has several bots."),
    },
    warm_up=_load,
)
