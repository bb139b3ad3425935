"""Matches between a model with probabilities and `random`."""

from pathlib import Path

from tests.kit.model_server import ModelServer, likelihoods

from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.plugins.registry import find_plugins


def likely(name: str) -> float:
    """Return the probability of a name in the last line of a prompt."""
    return 0.03 if name.endswith(" bet") else 0.01


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
