"""The proof that the rules in the memory of this process are the rules with which it loaded a game.

Before any bot of a game is created, a snapshot is taken of the game's modules and of cardhub's own
modules that decide a game. After the game they must be the same. If plugins with only bots were
imported here before, the snapshot is first compared with the rules in a new process that imports
none of them.
"""

import os
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from threading import Lock
from types import ModuleType
from typing import Any, NoReturn

from msgspec import Struct, msgpack

from cardhub.base.errors import RulesError
from cardhub.base.errors.quoting import describe_exception
from cardhub.bots.deadline import get_within
from cardhub.bots.processes.child_process import ChildProcess, FrameError
from cardhub.bots.processes.python_process import Channel, frame_codec, start_python
from cardhub.lab.match.provenance import game_version
from cardhub.lab.match.run.rules_snapshot import MODULE, RulesSnapshot, is_within
from cardhub.model.game.game import Game
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.plugins.discovery import PREFIX, Declaration
from cardhub.plugins.registry import find_plugins
from cardhub.plugins.third_party import IMPORTED_GUESTS

# The modules of cardhub that decide a game, also with their submodules.
WITH_DATA = (
    "cardhub.model.cards.cards",
    "cardhub.model.game.game",
    "cardhub.model.game.initial_state",
    "cardhub.model.hidden.chance",
    "cardhub.model.hidden.labels",
    "cardhub.model.hidden.observation",
    "cardhub.model.table",
)
# Modules with data that change during a game, such as the list of registries.
WITHOUT_DATA = (
    "cardhub.lab.match.log.transcript",
    "cardhub.lab.match.log.transcript",
    "cardhub.lab.match.run.playing",
    "cardhub.lab.match.seat_scores",
    "cardhub.play.history_entries",
    "cardhub.play.redrawing",
    "cardhub.play.referee",
    "cardhub.play.seating",
    "cardhub.play.seeds",
    "cardhub.play.setup",
)
# Modules of Python that rules use: the objects of their names must stay the same.
OF_PYTHON = ("builtins", "math", "random")
# Time limit in seconds for a new process that loads the rules.
SECONDS = 60.0
LONGEST = 1 << 26
# Actions of the game that shows which variables are caches.
MOST_STEPS = 300
# Number of changes that a message lists.
MOST_CHANGES = 3


class Described(Struct):
    """The texts of the values of rules by name, and their modules; or the error at loading them.

    `caches`: the names of the variables that have no value yet, and of those that the rules change
    in a game without bots.
    """

    texts: dict[str, str] = {}
    modules: tuple[str, ...] = ()
    caches: frozenset[str] = frozenset()
    error: str = ""


class RulesProof:
    """The rules of a game in this process, as they were before bots of the game were created.

    `directories`: the folders of plugins. Raises RulesError if a plugin that was imported before
    has changed the rules.
    """

    def __init__(self, game: Game[Any], directories: Sequence[Path]) -> None:
        self._game = game
        self._directories = tuple(directories)
        self._version = game_version(game)
        modules = list(modules_of(game))
        self._snapshot = snapshot_of(game, modules)
        self._modules = tuple(module.__name__ for module in modules)
        own = {module.partition(".")[0] for module in self._modules}
        guests = {guest.name: _top_module(guest) for guest in IMPORTED_GUESTS}
        self._needed = tuple(name for name, module in guests.items() if module in own)
        if any(module not in own for module in guests.values()) and (
            changes := list(differences(self._snapshot, self._clean()))
        ):
            raise RulesError(changed_rules(game.name, changes, ()))

    def require_version(self, version: str) -> None:
        """Raise RulesError if the game's sources were not of this version when it was loaded.

        An empty version is not compared.
        """
        if version and version != self._version:
            raise RulesError(
                f"the sources of {self._game.name} have changed since the match began: this "
                f"process has loaded {self._version}, and the match began with {version}\n"
                "fix: restore the sources, and start the match again to continue it; if nobody has "
                "edited them, a bot has: use the sandbox"
            )

    def check(self, bots: Collection[str] = ()) -> None:
        """Raise RulesError if the rules have changed; `bots` of others run in this process."""
        if not (changes := self._snapshot.changes()):
            return
        # Games change caches, which are filled at loading or in earlier games of this process.
        caches = self._clean().caches
        if changes := [change for change in changes if not is_within(change.name, caches)]:
            raise RulesError(changed_rules(self._game.name, list(map(str, changes)), bots))
        self._snapshot.leave_out(caches)

    def _clean(self) -> Described:
        """Return the rules as a new process loads them."""
        return described_elsewhere(self._game.name, self._directories, self._needed, self._modules)


_PROOFS: dict[int, RulesProof] = {}
_LOCK = Lock()


def proof_of(game: Game[Any], directories: Sequence[Path]) -> RulesProof:
    """Return the proof of a game in this process, made at the first call; raises RulesError."""
    with _LOCK:
        if id(game) not in _PROOFS:  # a proof keeps its game, so the number stays unique
            _PROOFS[id(game)] = RulesProof(game, directories)
        return _PROOFS[id(game)]


def modules_of(game: Game[Any]) -> Iterator[ModuleType]:
    """Yield the loaded modules of the packages of a game and of its base classes."""
    kinds = [kind for kind in type(game).__mro__ if issubclass(kind, Game) and kind is not Game]
    homes = [kind.__module__.rpartition(".")[0] or kind.__module__ for kind in kinds]
    for name, module in sorted(sys.modules.items()):
        if is_within(name, homes) and isinstance(module, ModuleType):
            yield module


def snapshot_of(game: Game[Any], modules: Sequence[ModuleType]) -> RulesSnapshot:
    """Return a snapshot of a game, of its modules and of cardhub's modules that decide a game."""
    own = [module for name, module in sorted(sys.modules.items()) if is_within(name, WITH_DATA)]
    others = [sys.modules[name] for name in WITHOUT_DATA if name in sys.modules]
    libraries = [import_module(name) for name in OF_PYTHON]
    return RulesSnapshot([*modules, *own], others, libraries, {f"the game {game.name}": game})


def changed_rules(game: str, changes: Sequence[str], bots: Collection[str]) -> str:
    """Return the message for rules that have changed."""
    more = len(changes) - MOST_CHANGES
    listed = [*changes[:MOST_CHANGES], *([f"and {more} more changes"] if more > 0 else [])]
    if bots:
        running = f"bots of others run in this process (`isolate: no`): {', '.join(sorted(bots))}"
    else:
        running = (
            "code that does not belong to the rules has run in this process, or the sources have "
            "changed since it started"
        )
    return (
        f"the rules of {game} have changed in memory, so the game does not count: "
        f"{'; '.join(listed)}\n"
        f"{running}\n"
        "fix: leave out `isolate: no`, so that bots run in processes of their own, or leave out "
        "the bot or plugin that changes the rules"
    )


def differences(snapshot: RulesSnapshot, clean: Described) -> Iterator[str]:
    """Yield what differs between the rules of this process and those of a new one."""
    if clean.error:
        yield f"they cannot be compared with the rules in a new process: {clean.error}"
        return
    here, there = (
        {name: text for name, text in texts.items() if not is_within(name, clean.caches)}
        for texts in (snapshot.description(), clean.texts)
    )
    for name in sorted(here.keys() & there.keys()):
        # Empty texts stand for values that are filled in one of the processes only.
        if here[name] and there[name] and here[name] != there[name]:
            yield f"{name} differs from the one in a new process"
    # A new attribute of a class can hide the one of a base class.
    holders = {name.rpartition(".")[0] for name in there}
    classes = snapshot.class_names() & holders
    for name in sorted(here.keys() - there.keys()):
        if name.rpartition(".")[0] in classes:
            yield f"{name} has been added"
    for name in sorted(there.keys() - here.keys()):
        # A package has a submodule as an attribute only if it was the first to import it.
        is_lost = there[name] and not there[name].startswith(MODULE)
        if is_lost and name.rpartition(".")[0] in (*clean.modules, *classes):
            yield f"{name} is missing"


@cache  # starting a process takes long, and a process may make several objects of a game
def described_elsewhere(
    game: str, directories: tuple[Path, ...], plugins: tuple[str, ...], modules: tuple[str, ...]
) -> Described:
    """Return what a new process describes; it imports only the game and the modules.

    `plugins`: the names of the plugins that bring the game.
    """
    replies: SimpleQueue[Described] = SimpleQueue()

    def on_exit(_child: object, code: int, error: FrameError | None) -> None:
        replies.put(Described(error=f"it sent {error}" if error else f"it ended with code {code}"))

    try:
        child: ChildProcess[Described, Described] = start_python(
            f"{__name__}:{describe_rules.__name__}",
            [game, list(map(os.fspath, directories)), list(plugins), list(modules)],
            frame_codec(msgpack.Decoder(Described), LONGEST),
            lambda _, reply: replies.put(reply),
            on_exit,
        )
    except OSError as error:
        return Described(error=f"it cannot be started: {error.strerror}")
    try:
        return get_within(replies, SECONDS)
    except Empty:
        child.kill()
        return Described(error=f"no answer within {SECONDS:g} seconds")
    finally:
        child.end()


def describe_rules(
    game: str, directories: Sequence[str], plugins: Sequence[str], modules: Sequence[str]
) -> NoReturn:
    """Send the description of a game's rules to the parent process, and exit."""
    channel = Channel(msgpack.Decoder(Described))
    try:
        registry = find_plugins(map(Path, directories), third_party=plugins)
        rules = registry.game(game)
        for name in (*modules, *WITHOUT_DATA):
            with suppress(ImportError):  # a module that only the other process has
                import_module(name)
        loaded = [sys.modules[name] for name in modules if name in sys.modules]
        snapshot = snapshot_of(rules, loaded)
        texts = snapshot.description()
        _play_at_random(rules)
        unset = {name for name, text in texts.items() if not text}
        caches = frozenset(unset | snapshot.changed_variables())
        described = Described(texts, tuple(module.__name__ for module in loaded), caches)
    except Exception as error:  # noqa: BLE001  # a game may raise anything at its import
        described = Described(error=describe_exception(error))
    channel.send(described)
    os._exit(0)


def _play_at_random(game: Game[Any]) -> None:
    """Play some steps of a game at random, so that the rules fill their caches."""
    rng, names = Random(1), NAMES[: game.seats.default]
    referee = set_up(game, [Player(name, "random") for name in names], {}, seed=1)
    referee.proceed()
    for _ in range(MOST_STEPS):
        if referee.is_over:
            break
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))


def _top_module(declared: Declaration) -> str:
    # In a folder of plugins, the value is the path of a file.
    return declared.value.partition(".")[0] if declared.version else f"{PREFIX}{declared.name}"
