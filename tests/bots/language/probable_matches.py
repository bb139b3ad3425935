"""A decision of Kuhn poker, and matches between a model with probabilities and `random`."""

from pathlib import Path
from typing import Any

from tests.kit.model_server import ModelServer, likelihoods

from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.model.hidden.observation import Observation
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from kuhn import Kuhn


def likely(name: str) -> float:
    """Return the probability of a name in the last line of a prompt."""
    return 0.03 if name.endswith(" bet") else 0.01


def first_turn() -> Observation[Any]:
    """Return the observation of the first seat of Kuhn poker."""
    referee = set_up(Kuhn(), [Player("Anna", "random"), Player("Bob", "random")], {}, 1)
    referee.proceed()
    return referee.observe(0)


def probable_match(folder: Path, models: ModelServer, variance: str = "none") -> Match:
    """Return a match of Kuhn poker whose model bets in three of four decisions."""
    models.model = likelihoods(likely)
    cup = folder / "cup.yaml"
    use = f"llm:m,url={models.url},form=likelihood"
    cup.write_text(
        f'{{games: [kuhn], bots: [{{use: "{use}"}}, random], blocks: 3, variance: {variance},'
        " seed: 5, salt: none}"
    )
    return read_match(cup, find_plugins())
