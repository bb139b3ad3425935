"""The modules that a build compiles: the core's hot rooms, and the rules of games."""

from collections.abc import Iterator
from pathlib import Path

import cardhub

# The core's hot modules, relative to its package, without the ending: rules, search, and what a
# server does for each viewer of an action. Zones, declarations and card files are read once, so
# they stay interpreted.
CORE = (
    "model/table/state",
    "model/table/rounds",
    "model/table/faces",
    "model/table/seats",
    "model/table/bitboard",
    "model/table/scoring",
    "model/game/initial_state",
    "model/game/game",
    "model/hidden/chance",
    "model/hidden/determinize",
    "model/hidden/observation",
    "model/hidden/constraints/sampler",
    "model/hidden/constraints/face_masks",
    "model/hidden/shuffles/shuffle_filter",
    "model/hidden/shuffles/segments",
    "model/hidden/shuffles/urns",
    "bots/random_bot",
    "bots/search/search_bot",
    "bots/search/infosets",
    "bots/search/guided_tree",
    "bots/search/search_budget",
    "bots/search/search_tree",
    "bots/search/struct_tree",
    "bots/search/simulation",
    "view/action_spots",
    "view/area_views",
    "view/building",
    "view/log",
    "view/origins",
    "view/explain/card_texts",
    "view/explain/unseen_cards",
    "model/game/scene_faults",
    "model/table/actions",
    "model/hidden/labels",
    "play/announcing/announcer",
    "view/explain/action_texts",
    "play/host/viewer_session",
    "play/host/replays/replay_log",
    "play/history",
    "play/referee",
    "play/host/running_table",
    "online/wire/session_messages",
    "online/server/tables/broadcasting/broadcasts",
    "online/server/tables/broadcasting/game_feeds",
)
# The modules that decide what is compiled in place of a source.
GENERATOR = (
    "compiling/mypyc_run",
    "compiling/native_source",
    "model/table/state_declaration",
    "model/table/state_source",
    "model/hidden/outcomes",
)
# The folder of what decides how rules are translated to C.
RULES = "compiling/rules"
# Folders and modules of a game that stay interpreted.
_LEFT_OUT = frozenset({"__init__", "__main__", "tests"})


def core_folder() -> Path:
    """Return the folder of the package cardhub."""
    return Path(cardhub.__file__).parent


def core_modules() -> Iterator[tuple[str, Path]]:
    """Yield the name and the file of each hot module of the core."""
    folder = core_folder()
    for path in CORE:
        yield f"cardhub.{path.replace('/', '.')}", folder / f"{path}.py"


def generator_sources() -> Iterator[Path]:
    """Yield the files that decide what is compiled in place of a source."""
    for path in GENERATOR:
        yield core_folder() / f"{path}.py"
    for pattern in ("*.py", "*.h"):
        yield from sorted((core_folder() / RULES).rglob(pattern))


def package_modules(name: str, source: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and the file of each module of a game that is compiled.

    `source` is the file of the module `name`: its rules if it is a single file, else the
    `__init__.py` of its package.
    """
    if source.name != "__init__.py":
        yield name, source
        return
    for path in sorted(source.parent.rglob("*.py")):
        parts = path.relative_to(source.parent).with_suffix("").parts
        if not _LEFT_OUT & {*parts}:
            yield ".".join((name, *parts)), path
