"""Evaluations have the same bits on every supported Python, because bots compare them."""

import sys
from hashlib import blake2b
from pathlib import Path

import pytest
import yaml

from cardhub.plugins.registry import find_plugins
from cardhub.testing.random_play import play, trials

# The digests of the evaluations after every step of so many random games.
GAMES = 2
DIGESTS = yaml.safe_load(Path(__file__).with_name("evaluations.yaml").read_text("utf-8"))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems round exp and pow differently")
@pytest.mark.parametrize("name", sorted(DIGESTS))
def test_evaluations_have_the_bits_they_had_before(name: str) -> None:
    game = find_plugins().game(name)
    digest = blake2b(digest_size=12)
    for trial in trials(game, GAMES, 0):
        for position in play(game, trial):
            if position.state.seat != -2:
                values = [float(value).hex() for value in game.heuristics.evaluate(position.state)]
                digest.update(" ".join(values).encode())
    assert digest.hexdigest() == DIGESTS[name]
