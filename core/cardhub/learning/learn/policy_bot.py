"""The bot `policy`, which stands apart from bots of trained models because it needs no arrays."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from typing_extensions import override

from cardhub.base.errors import BotError, BotRefusalError
from cardhub.bots import BotEntry, File
from cardhub.bots.solved_bot import PolicyBot
from cardhub.learning.learn.policy_file import check_policy, read_policy
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Settings


class TabularPolicyBot(PolicyBot):
    """A bot that plays a tabular policy from a file; see `policy_file` for its formats."""

    def __init__(self, rng: Random, file: Path) -> None:
        super().__init__(rng)
        self._file = file

    @override
    def policy(self, observation: Observation[Any], /) -> Mapping[int, float]:
        policy = read_policy(self._file)
        chances = policy.chances(observation)
        if chances is None:
            raise BotRefusalError(
                f"{self._file} has no information state {observation.information_text()!r}\n"
                "fix: solve the game with the same players and options"
            )
        return {policy.action_of(observation, key): chance for key, chance in chances.items()}


def refusal(game: str, settings: Settings) -> str:
    """Return why a file is not a policy, or an empty text."""
    try:
        read_policy(Path(settings.word("file")))
    except BotError as error:
        return str(error)
    return ""


def warm_up(game: Game[Any], settings: Settings, seats: int, options: Settings) -> None:
    """Read a policy and compare it with a table; raises BotError."""
    path = Path(settings.word("file")).absolute()
    read_policy(path)
    check_policy(path, game, seats, options)


POLICY = BotEntry(
    "policy",
    "a policy from a table, as cardhub solve or OpenSpiel's serialize() writes it: policy:FILE",
    TabularPolicyBot,
    options={"file": File("The file of the policy.")},
    refusal=refusal,
    warm_up=warm_up,
)
