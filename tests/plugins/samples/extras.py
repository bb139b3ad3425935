"""Bots, good and bad, and a command."""

from random import Random
from typing import Any

import click
from typing_extensions import override

from cardhub import BotEntry, Observation, hookimpl


class Shower:
    """Takes the first legal action."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, observation: Observation[Any]) -> int:
        """Return the first legal action."""
        return observation.legal()[0]


class Cheat(Shower):
    """Answers with an illegal action."""

    @override
    def choose(self, observation: Observation[Any]) -> int:
        return -7


class Fool(Shower):
    """Divides by zero."""

    @override
    def choose(self, observation: Observation[Any]) -> int:
        return 1 // 0


@hookimpl
def register_bots() -> list[BotEntry]:
    """Offer them all."""
    return [
        BotEntry("shower", "shows its card", Shower),
        BotEntry("picky", "plays few games", Shower, ("bridge",)),
        BotEntry("cheat", "breaks the rules", Cheat),
        BotEntry("fool", "fails", Fool),
    ]


@hookimpl
def register_commands(cli: click.Group) -> None:
    """Add one command of our own, and one whose name is taken."""

    @cli.command()
    @click.pass_obj
    def count(registry: Any) -> None:
        """Count the games."""
        click.echo(f"{len(registry.game_names())} games")

    @cli.command()
    def play() -> None:
        """Never run: cardhub has a command of this name."""
