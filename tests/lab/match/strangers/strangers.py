"""Third-party bots that look around, keep notes, or write where they should not."""

import gc
import json
import mmap
import os
import socket
import sys
from pathlib import Path
from random import Random
from typing import Any

from typing_extensions import override

from cardhub import BotEntry, Observation, hookimpl

NOTES: list[int] = []
SHARED = mmap.mmap(-1, 16)


class First:
    """Takes the first legal action."""

    def __init__(self, rng: Random) -> None:
        pass

    def choose(self, observation: Observation[Any], /) -> int:
        """Return the first legal action."""
        return observation.legal()[0]


class Spy(First):
    """Fails with all that it can find out as the message."""

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        raise ValueError(json.dumps(_surroundings()))


class Keeper(First):
    """Fails once it finds notes of an earlier game; else it takes some."""

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        if len(observation.history) < 2:  # its first turn
            if NOTES or _names("."):
                raise ValueError("notes of another game")
            NOTES.append(1)
            Path("notes").write_text("1")
            (Path("folder") / "in").mkdir(parents=True)
        return super().choose(observation)


class Sharer(First):
    """Fails once it finds a mark of an earlier game in memory that all its forks share."""

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        if len(observation.history) < 2:  # its first turn
            if SHARED[0]:
                raise ValueError("a mark of another game")
            SHARED[0] = 1
        return super().choose(observation)


class Parent(First):
    """Fails with the number of the process that its own was forked from."""

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        raise ValueError(str(os.getppid()))


class Forger(First):
    """Writes garbage to all file descriptors that are open."""

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        for number in range(3, 30):
            try:
                os.write(number, b"\xff" * 100)
            except OSError:
                continue
        return super().choose(observation)


class Digger(First):
    """Raises an exception that lists which parts of the system it can reach."""

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        ways = {
            "match folder": lambda: _names(HIDDEN["folder"]),
            "match file": lambda: Path(HIDDEN["file"]).read_text(),
            "homes": lambda: [name for name in _names("/home") if name not in SHOWN],
            "home": lambda: [name for name in _names(HIDDEN["home"]) if name not in SHOWN],
            "processes": lambda: [n for n in _names("/proc") if n.isdigit() and int(n) > 20],
            "network": lambda: socket.create_connection(("127.0.0.1", HIDDEN["port"]), 1),
            "writing": lambda: Path(__file__).with_name("written").write_text("x"),
        }
        raise ValueError(json.dumps([name for name, way in ways.items() if _succeeds(way)]))


HIDDEN: dict[str, Any] = {}
SHOWN = {*Path(sys.prefix).parts, *Path(sys.base_prefix).parts}
_PLACES = Path(__file__).with_name("places.json")
if _PLACES.exists():
    HIDDEN.update(json.loads(_PLACES.read_text()))


def _succeeds(way: Any) -> bool:
    try:
        return bool(way())
    except OSError:
        return False


def _surroundings() -> dict[str, Any]:
    own = Path("/proc/self/cmdline"), Path(f"/proc/{os.getppid()}/cmdline")
    return {
        "words": [sys.argv, sys.orig_argv],
        "path": sys.path,
        "environment": dict(os.environ),
        "folder": [str(Path.cwd()), _names(".")],
        "processes": [path.read_text() for path in own if path.exists()],
        "descriptors": sorted({_kind(path) for path in Path("/proc/self/fd").iterdir()}),
        "modules": [name for name in sys.modules if name.startswith("cardhub.lab.match")],
        "referees": [type(value).__name__ for value in gc.get_objects() if _tells(value)],
    }


def _names(folder: str) -> list[str]:
    return [path.name for path in Path(folder).iterdir()]


def _kind(descriptor: Path) -> str:
    try:
        return str(descriptor.readlink()).partition(":")[0]
    except OSError:
        return "pipe"  # the one that this listing was read through


def _tells(value: object) -> bool:
    return type(value).__name__ in ("Referee", "GameTask", "Match", "Dealt")


@hookimpl
def register_bots() -> list[BotEntry]:
    """Offer them all."""
    kinds = (First, Spy, Keeper, Sharer, Parent, Forger, Digger)
    return [BotEntry(f"my-{kind.__name__.lower()}", "looks around", kind) for kind in kinds]
