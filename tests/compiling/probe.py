"""What a program sees of compiled modules, as JSON: run with and without a build."""

import copy
import inspect
import json
import pickle
import sys
import traceback
from pathlib import Path
from random import Random
from typing import Any

from cardhub.base.errors import HiddenFaceError
from cardhub.base.errors.source_lines import noting_lines
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.state import State, fields_of
from cardhub.plugins.registry import PluginRegistry, find_plugins
from cardhub.testing.random_play import play, trials
from kuhn.game import Kuhn

GAMES = ("kuhn", "magpie", "wren")
ROUNDS, ITERATIONS = 20, 50


class Deeper(Kuhn):
    """An interpreted subclass of a compiled game."""

    def legal(self, state: Any) -> list[int]:
        """Return the same actions in another order."""
        return [*reversed(super().legal(state))]


def main() -> None:
    """Write the facts about the games in the folder of plugins."""
    registry = find_plugins([Path(sys.argv[1])])
    by_game = {name: facts(registry, name) for name in GAMES}
    sys.stdout.write(json.dumps({"compiled": compiled(registry), "found": by_game}))


def compiled(registry: PluginRegistry) -> list[str]:
    """Return the names of the compiled games, and `core` if the core's states are compiled."""
    kinds = {name: type(registry.game(name)) for name in GAMES} | {"core": State}
    return [name for name, kind in kinds.items() if "__mypyc_attrs__" in vars(kind)]


def facts(registry: PluginRegistry, name: str) -> dict[str, Any]:
    """Return all facts about a game that must not depend on its build."""
    game = registry.game(name)
    played = (state.state for trial in trials(game, ROUNDS, 1) for state in play(game, trial))
    states = [state.clone() for state in played]
    return {
        "games": [repr(fields_of(state) | {"settings": dict(state.settings)}) for state in states],
        "hidden": hidden_face(game, states[1]),
        "copies": [fields_of(state) == fields_of(states[2]) for state in copies(states[2])],
        "search": search(registry, name, states[1]),
        "doc": inspect.getdoc(type(game)),
        "file": inspect.getfile(type(game)),
        "error": failure(type(game).__module__),
        "subclass": [Deeper().legal(state) for state in states[:4] if name == "kuhn"],
        "areas": [str(area.line) for area in areas(game, states[1])],
    }


def areas(game: Any, state: Any) -> Any:
    """Return the areas of a scene, with the lines that made them."""
    with noting_lines():
        return game.display.scene(Observation(game, state, 0).state, 0).areas


def hidden_face(game: Any, state: Any) -> str:
    """Return the error of rules that read the face of another seat's card."""
    masked = Observation(game, state, 0).state
    face_of = vars(sys.modules[type(game).__module__]).get("face_of")
    try:
        return str(face_of(masked, masked.hand[1][0])) if face_of else ""
    except HiddenFaceError as error:
        return f"{error}: {error.token}"


def copies(state: Any) -> list[Any]:
    """Return copies of a state in all ways that programs use."""
    pickled = pickle.loads(pickle.dumps(state))  # our own
    return [state.clone(), copy.copy(state), copy.deepcopy(state), pickled]


def search(registry: PluginRegistry, name: str, state: Any) -> str:
    """Return the ratings of a search."""
    bot: Any = registry.make_bot(f"ismcts:{ITERATIONS}", name, Random(5))
    return repr(bot.advise(Observation(registry.game(name), state, state.seat)))


def failure(module: str) -> list[str]:
    """Return the end of the traceback of an error in the rules."""
    try:
        vars(sys.modules[module]).get("share", int)(0)
    except ZeroDivisionError as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return [last.filename, last.name, last.line or ""]
    return []


if __name__ == "__main__":
    main()
