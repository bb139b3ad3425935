"""The bots `model`, `net` and `trained`: trained policies from files."""

import sys
from collections.abc import Iterator, Mapping
from math import fsum
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, cast

from typing_extensions import override

from cardhub.base.errors import BotError, NoNetworkError
from cardhub.base.writing import amount, listed
from cardhub.bots import Bot, BotEntry, File, MixedBot
from cardhub.bots.bot import Guide
from cardhub.learning.learn.model_file import (
    NETWORK,
    Policy,
    TrainedPolicy,
    ValuingPolicy,
    load,
    read_description,
    wrong_game,
)
from cardhub.learning.learn.policy_bot import POLICY
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Flag, Settings, Value, format_value
from cardhub.plugins.hookspecs import hookimpl

if TYPE_CHECKING:  # arrays load numpy
    from cardhub.learning.arrays import Layout


class ModelBot(Bot, MixedBot):
    """A bot that chooses actions with a trained policy's probabilities."""

    def __init__(self, rng: Random, file: Path, greedy: bool = False) -> None:
        self._rng = rng
        self._file = file
        self._is_greedy = greedy
        self._trained: TrainedPolicy | None = None

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        weights = self.policy(observation)
        return self._rng.choices([*weights], [*weights.values()])[0]

    @override
    def policy(self, observation: Observation[Any], /) -> dict[int, float]:
        layout, policy = self.trained_for(observation)
        weights = _weights(layout, policy, observation)
        if self._is_greedy:
            weights = {max(weights, key=weights.__getitem__): 1.0}
        return {layout.action_of(observation, number): w for number, w in weights.items()}

    def trained_for(self, observation: Observation[Any]) -> TrainedPolicy:
        """Return the policy and its layout; raises as `load`."""
        if self._trained is None:
            self._trained = load(self.file_for(observation), observation.game)
        return self._trained

    def file_for(self, observation: Observation[Any]) -> Path:
        """Return the file of the model."""
        return self._file


class NetworkBot(ModelBot, Guide):
    """A bot with a network from self-play, which can also guide a search."""

    @override
    def prior(self, observation: Observation[Any], /) -> dict[int, float]:
        layout, policy = self.trained_for(observation)
        weights = _weights(layout, cast("ValuingPolicy", policy).priors, observation)
        return {layout.action_of(observation, number): w for number, w in weights.items()}

    @override
    def utilities(self, observation: Observation[Any], /) -> list[float]:
        layout, policy = self.trained_for(observation)
        network = cast("ValuingPolicy", policy)  # `network_refusal` refuses other files
        values: list[float] = network.utilities(layout.encode(observation)[None])[0].tolist()
        return values


class ShippedBot(NetworkBot):
    """A bot with the network that the game ships for the table."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng, Path())

    @override
    def file_for(self, observation: Observation[Any]) -> Path:
        state = observation.state
        return shipped_network(observation.game, state.seats, state.settings)


def _weights(layout: "Layout", policy: Policy, observation: Observation[Any]) -> dict[int, float]:
    """Return the probabilities of a learner's actions."""
    rows, masks = layout.encode(observation)[None], layout.mask(observation)[None]
    row = policy(rows, masks)[0]
    legal = masks[0].nonzero()[0].tolist()
    return _certain(int(row), legal) if row.ndim == 0 else _shares(row.tolist(), legal)


def _shares(row: list[float], legal: list[int]) -> dict[int, float]:
    """Return the probabilities of the legal actions, normalized to the sum 1."""
    weights = [row[number] for number in legal]
    total = fsum(weights)
    if not total > 0:  # also true for NaN: the policy does not rate these actions
        return dict.fromkeys(legal, 1 / len(legal))
    return {number: weight / total for number, weight in zip(legal, weights, strict=True)}


def _certain(action: int, legal: list[int]) -> dict[int, float]:
    if action not in legal:
        raise BotError(f"the policy chose action {action}, which is not legal: {legal}")
    return {action: 1.0}


def refusal(game: str, settings: Settings) -> str:
    """Return why a file is not a model for a game, or an empty text."""
    path = Path(settings.word("file"))
    try:
        description = read_description(path)
    except BotError as error:
        return str(error)
    return "" if description.game == game else wrong_game(path, description, game)


def network_refusal(game: str, settings: Settings) -> str:
    """Return why a file is not a network for a game, or an empty text."""
    path = Path(settings.word("file"))
    if reason := refusal(game, settings):
        return reason
    # A network is read as numbers, while the loader of another model may run code of the file.
    if read_description(path).loader == NETWORK:
        return ""
    return f"{path} was not written by cardhub train. fix: model:{path}"


def warm_up(game: Game[Any], settings: Settings, seats: int, options: Settings) -> None:
    """Load a model into the calling process; raises BotError, also for another table."""
    path = Path(settings.word("file"))
    layout = load(path.absolute(), game).layout
    trained = table_text(layout.seats, layout.settings)
    table = table_text(seats, options)
    if trained != table:
        raise BotError(f"{path} was trained for {trained}, and cannot play with {table}")


def shipped_network(game: Game[Any], seats: int, options: Settings) -> Path:
    """Return the file of the network that a game ships for a table.

    Raises NoNetworkError, and BotError if a file of the game cannot be read.
    """
    tables = []
    for path in network_files(game):
        layout = read_description(path).layout
        if (layout["seats"], layout["options"]) == (seats, dict(options)):
            return path
        tables.append(table_text(layout["seats"], layout["options"]))
    has = f"only for {'; for '.join(tables)}" if tables else "none"
    raise NoNetworkError(
        f"{game.name} ships no network for {table_text(seats, options)}, {has}. "
        f"fix: cardhub train {game.name}, and net:FILE"
    )


def network_files(game: Game[Any]) -> Iterator[Path]:
    """Yield the files that a game declares in `networks`."""
    # The class that declares the files may be a base of the game's class.
    for kind in type(game).__mro__:
        if "networks" in vars(kind):
            file = getattr(sys.modules.get(kind.__module__), "__file__", None)
            yield from (Path(file or "").parent / name for name in game.networks)
            return


def table_text(seats: int, options: Mapping[str, Value]) -> str:
    """Return the players and the options of a table in words."""
    values = [f"{name}={format_value(value)}" for name, value in options.items()]
    return listed([amount(seats, "player"), *values])


def warm_up_shipped(game: Game[Any], settings: Settings, seats: int, options: Settings) -> None:
    """Load the network that a game ships for a table; raises BotError if there is none."""
    load(shipped_network(game, seats, options), game)


MODEL = BotEntry(
    "model",
    "a trained policy, saved with cardhub.learning.save: model:FILE",
    ModelBot,
    options={
        "file": File("The file of the model."),
        "greedy": Flag(False, "Whether it always takes the most probable action."),
    },
    refusal=refusal,
    warm_up=warm_up,
)


NET = BotEntry(
    "net",
    "a network from self-play, written by cardhub train: net:FILE",
    NetworkBot,
    options={"file": File("The file of the network.")},
    refusal=network_refusal,
    warm_up=warm_up,
)


TRAINED = BotEntry(
    "trained",
    "the network that the game ships, trained by self-play",
    ShippedBot,
    warm_up=warm_up_shipped,
    needs_networks=True,
)


@hookimpl
def register_bots() -> list[BotEntry]:
    """Register the bots `model`, `net`, `trained` and `policy`."""
    return [MODEL, NET, TRAINED, POLICY]
