"""The bots `model` and `net`: trained policies from files."""

from math import fsum
from pathlib import Path
from random import Random
from typing import Any

from typing_extensions import override

from cardhub.base.errors import BotError
from cardhub.base.writing import amount, listed
from cardhub.bots import Bot, BotEntry, File, MixedBot
from cardhub.learning.learn.model_file import (
    NETWORK,
    TrainedPolicy,
    load,
    read_description,
    wrong_game,
)
from cardhub.learning.learn.policy_bot import POLICY
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Flag, Settings, format_value
from cardhub.plugins.hookspecs import hookimpl


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
        self._trained = self._trained or load(self._file, observation.game)
        layout, policy = self._trained
        rows, masks = layout.encode(observation)[None], layout.mask(observation)[None]
        row = policy(rows, masks)[0]
        legal = masks[0].nonzero()[0].tolist()
        weights = _certain(int(row), legal) if row.ndim == 0 else _shares(row.tolist(), legal)
        if self._is_greedy:
            weights = {max(weights, key=weights.__getitem__): 1.0}
        return {layout.action_of(observation, number): w for number, w in weights.items()}


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
    trained, table = _table(layout.seats, layout.settings), _table(seats, options)
    if trained != table:
        raise BotError(f"{path} was trained for {trained}, and cannot play with {table}")


def _table(seats: int, options: Settings) -> str:
    """Return the players and the options of a table in words."""
    values = [f"{name}={format_value(value)}" for name, value in options.items()]
    return listed([amount(seats, "player"), *values])


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
    ModelBot,
    options={"file": File("The file of the network.")},
    refusal=network_refusal,
    warm_up=warm_up,
)


@hookimpl
def register_bots() -> list[BotEntry]:
    """Register the bots `model`, `net` and `policy`."""
    return [MODEL, NET, POLICY]
