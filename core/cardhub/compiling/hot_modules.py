"""The modules that a build compiles: the core's hot rooms, and the rules of games."""

from collections.abc import Iterator
from pathlib import Path

import cardhub

# The core's hot modules, relative to its package, without the ending: rules, search, and what a
# server does for each viewer of an action. Zones, declarations and card files are read once, so
# they stay interpreted.
CORE = (
    *(f"model/table/{name}" for name in ("state", "faces", "seats", "bitboard", "scoring")),
    "model/table/random_order",
    *(f"model/game/{name}" for name in ("game", "game_rules", "game_hints", "game_display")),
    *(f"model/game/{name}" for name in ("initial_state", "game_scoring")),
    *(f"model/hidden/{name}" for name in ("chance", "determinize", "observation", "unseen_faces")),
    *(
        f"model/hidden/constraints/{name}"
        for name in ("counting", "face_draws", "face_masks", "sampler")
    ),
    *(
        f"model/hidden/shuffles/{name}"
        for name in ("component_draws", "segments", "shuffle_filter")
    ),
    *(f"model/hidden/shuffles/{name}" for name in ("snapshots", "urns")),
    "bots/random_bot",
    *(f"bots/search/{name}" for name in ("garbage", "infosets", "principal_line", "search_bot")),
    *(f"bots/search/{name}" for name in ("search_budget", "search_tree", "seat_values")),
    *(f"bots/search/{name}" for name in ("selection", "simulation")),
    *(f"view/{name}" for name in ("action_spots", "area_views", "building", "log", "origins")),
    *(f"view/texts/{name}" for name in ("card_texts", "unseen_cards")),
    "model/game/scene_faults",
    "model/table/actions",
    *(f"model/hidden/{name}" for name in ("known_faces", "labels", "pile_numbers")),
    *(f"play/announcing/{name}" for name in ("announcer", "event_texts", "told_step")),
    *(f"play/host/{name}" for name in ("growing_log", "viewer_answers", "replays/replay_log")),
    *(f"play/{name}" for name in ("game_history", "referee", "undoable_game")),
    *(f"play/host/{name}" for name in ("running_table", "changing_table", "local_session")),
    "online/wire/session_messages",
    *(f"online/server/tables/broadcasting/{name}" for name in ("broadcasts", "game_feeds")),
)
# The modules that decide what is compiled in place of a source.
GENERATOR = (
    *(f"compiling/{name}" for name in ("c_source", "constants", "face_reads", "mypyc_run")),
    *(f"compiling/{name}" for name in ("native_idioms", "native_source", "scene_parts")),
    "compiling/state_class",
    *(
        f"model/table/{name}"
        for name in ("state_declaration", "state_fields", "state_source", "zones")
    ),
)
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
