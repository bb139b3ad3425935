"""OpenSpiel's policies as bots: `policy` reads a file, `OpenSpielBot` holds an object."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from cardhub.base.errors import BotError, BotRefusalError
from cardhub.bots import BotEntry, File
from cardhub.bots.solved_bot import PolicyBot
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Settings, Value

# Imported late, because numpy and OpenSpiel take long to load and this plugin is imported at every
# start.
if TYPE_CHECKING:
    from cardhub.learning.arrays import Layout
    from cardhub_openspiel.exported.pyspiel_game import CardhubGame
    from cardhub_openspiel.exported.pyspiel_state import CardhubState

# `pyspiel.TabularPolicy.serialize` writes the head, then alternately a name and probabilities.
HEAD, SEPARATOR = "TabularPolicy:", "<~>"


class TabularPolicyBot(PolicyBot):
    """A bot that plays a tabular policy from a file, for a game that `load` returned.

    OpenSpiel need not be installed.
    """

    def __init__(self, rng: Random, file: Path) -> None:
        super().__init__(rng)
        self._file = file

    @override
    def policy(self, observation: Observation[Any], /) -> Mapping[int, float]:
        state, path = observation.state, self._file
        text = observation.information_text()
        chances = _read(path, path.stat().st_mtime_ns).get(text)
        if chances is None:
            raise BotRefusalError(
                f"{path} has no information state {text!r}\n"
                "fix: solve the game with the same options, by cardhub_openspiel.load"
            )
        layout = _layout(observation.game, state.seats, tuple(state.settings.items()))
        return {layout.action_of(observation, number): p for number, p in chances.items()}


class OpenSpielBot(PolicyBot):
    """A bot that plays a policy of OpenSpiel, for example a network, for a game from `load`.

    `policy`: an object with a method `action_probabilities(state)`, which OpenSpiel's policies in
    Python and C++ have.
    """

    def __init__(self, rng: Random, game: "CardhubGame", policy: Any) -> None:
        super().__init__(rng)
        self._game = game
        self._policy = policy

    @override
    def policy(self, observation: Observation[Any], /) -> Mapping[int, float]:
        state = self._state(observation)
        chances: Mapping[int, float] = self._policy.action_probabilities(state)
        return {state.meant(number): chance for number, chance in chances.items() if chance > 0}

    def _state(self, observation: Observation[Any]) -> "CardhubState":
        # Imported late: see above.
        from cardhub.bots.solving.game_tree import node_after

        # Use any state of the information state: the policy's probabilities are equal in all.
        whole = observation.determinize_whole(Random(0))
        state = self._game.new_initial_state()
        for step in node_after(self._game.tree, whole, observation.history).path():
            state.apply_step(step)
        return state


def refusal(game: str, settings: Settings) -> str:
    """Return why a file is not a policy, or an empty text."""
    path = Path(settings.word("file"))
    try:
        with path.open(encoding="utf-8") as file:
            is_policy = file.read(len(HEAD)) == HEAD
    except (OSError, UnicodeDecodeError) as error:
        return f"{path} cannot be read: {error}"
    return "" if is_policy else f"{path} was not written by pyspiel.TabularPolicy.serialize"


def warm_up(game: Game[Any], settings: Settings, seats: int, options: Settings) -> None:
    """Read a policy, and build the layout of its actions at a table; raises BotError."""
    path = Path(settings.word("file")).absolute()
    _read(path, path.stat().st_mtime_ns)
    _layout(game, seats, tuple(options.items()))


@lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> dict[str, dict[int, float]]:
    parts = path.read_text("utf-8").removeprefix(HEAD).split(SEPARATOR)
    if len(parts) % 2:
        raise BotError(f"{path} is damaged: a name has no probabilities")
    try:
        return {name: _chances(text) for name, text in zip(parts[::2], parts[1::2], strict=True)}
    except ValueError as error:
        raise BotError(f"{path} is damaged: {error}") from error


def _chances(text: str) -> dict[int, float]:
    pairs = (entry.split("=") for entry in text.split(","))
    return {int(number): float.fromhex(chance) for number, chance in pairs}


@lru_cache(maxsize=8)
def _layout(game: Game[Any], seats: int, values: tuple[tuple[str, Value], ...]) -> "Layout":
    from cardhub.learning.arrays import Layout

    return Layout(game, seats, Settings(dict(values)))


OPENSPIEL_POLICY = BotEntry(
    "policy",
    "a tabular policy of OpenSpiel, as its serialize() writes it",
    TabularPolicyBot,
    options={"file": File("The file of the policy.")},
    refusal=refusal,
    warm_up=warm_up,
)
