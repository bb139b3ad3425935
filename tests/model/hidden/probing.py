"""Determinizing many positions of a game with mixed hands, for tests and for longer attacks."""

from collections.abc import Iterator
from itertools import count
from random import Random

from tests.games.pockets import BigPockets, Pockets, Table

from cardhub.model.game.initial_state import resolve_options
from cardhub.model.hidden.observation import Observation, observed_state
from cardhub.testing.random_play import Position, Trial, play

STEPS = 40


def positions(game: Pockets, steps: int, first: int = 0) -> Iterator[Position[Table]]:
    """Yield random positions of random games at tables of all sizes, without end."""
    for seed in count(first):
        seats = game.seats.low + seed % (game.seats.high - game.seats.low + 1)
        rng = Random(f"{seed} positions")
        settings = resolve_options(game, {"steps": steps}, seats)
        for position in play(game, Trial(seats, settings, seed)):
            if rng.random() < 0.25:
                yield position


def probe(number: int, first: int = 0) -> int:
    """Return the number of random positions with shuffles, each determinized for a random viewer.

    Raises DeterminizationError, or AssertionError if a determinization looks different to the
    viewer.
    """
    game, rng, shuffled = BigPockets(), Random(f"{first} viewers"), 0
    for position, _ in zip(positions(game, STEPS, first), range(number), strict=False):
        viewer = rng.randrange(position.state.seats + 1)
        seen = Observation(game, position.state, viewer, position.history)
        drawn = seen.determinize(rng)
        assert observed_state(drawn, viewer) == seen.state, position.failure(
            game, "probe", "another view"
        )
        shuffled += bool(position.state.shuffle_log)
    return shuffled
