"""Check that error texts do not reveal hidden cards: they are the same for determinizations."""

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from cardhub.base.errors import DeterminizationError
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.observation import Observation
from cardhub.testing.checking import first_difference
from cardhub.testing.deal_replay import retrace
from cardhub.testing.game_checks.error_checks.error_exits import EXITS, Exit
from cardhub.testing.random_play import Position, default_trial, play, trials

MOST_LEAKS = 12
# Positions of each random game in a probe.
SAMPLED_POSITIONS = 3


class Leak(NamedTuple):
    """An error string that differs between the true state and a determinization."""

    name: str
    here: str
    elsewhere: str

    def __str__(self) -> str:
        here, elsewhere = first_difference(self.here, self.elsewhere)
        return f"{self.name} (here {here}, elsewhere {elsewhere})"


class Probes(NamedTuple):
    """Number of compared strings, and messages on those that differ."""

    compared: int
    leaks: tuple[str, ...]


def check_same_errors(game: Game[S], position: Position[S], rng: Random) -> None:
    """Check the error texts for the seat to act, which gets most of them, and a random viewer."""
    for viewer in {max(position.state.seat, 0), rng.randrange(position.state.seats + 1)}:
        drawn = Observation(game, position.state, viewer).determinize_whole(rng)
        _, leaks = compare_texts(game, position, viewer, drawn, EXITS)
        if leaks:
            problem = f"an error reveals hidden cards to seat {viewer}: {leaks[0]}"
            position.fail(game, "same_errors", problem)


def probe_error_texts(
    game: Game[Any], probes: int, seed: int = 0, exits: Sequence[Exit] = EXITS
) -> Probes:
    """Compare at least `probes` texts at positions of random games.

    The games have all numbers of seats and options. Stops after a few leaks.
    """
    compared, leaks, rng = 0, list[str](), Random(f"{seed} probes")
    number = 0
    while compared < probes and len(leaks) < MOST_LEAKS:
        every = list(trials(game, 1, seed + number)) or [default_trial(game, game.seats.low, seed)]
        positions = list(play(game, rng.choice(every)))
        for position in rng.sample(positions, min(SAMPLED_POSITIONS, len(positions))):
            for viewer in range(position.state.seats + 1):
                with suppress(DeterminizationError):  # another check finds these
                    drawn = Observation(game, position.state, viewer).determinize_whole(rng)
                    count, errors = compare_texts(game, position, viewer, drawn, exits)
                    compared += count
                    leaks += [str(position.failure(game, "same_errors", str(e))) for e in errors]
        number += 1
    return Probes(compared, tuple(leaks))


def compare_texts(
    game: Game[S], position: Position[S], viewer: int, drawn: S, exits: Sequence[Exit]
) -> tuple[int, list[Leak]]:
    """Return the number of texts compared between truth and determinization, and the leaks."""
    here, elsewhere = (_texts(game, position, viewer, s, exits) for s in (position.state, drawn))
    both = [name for name in here if name in elsewhere]
    differing = [name for name in both if here[name] != elsewhere[name]]
    return len(both), [Leak(name, here[name], elsewhere[name]) for name in differing]


def _texts(
    game: Game[S], position: Position[S], viewer: int, state: S, exits: Sequence[Exit]
) -> dict[str, str]:
    """Return the texts of the game with the faces of `state` and the position's actions."""
    referee = retrace(game, position, state)
    leaks: dict[str, str] = {}
    for texts in exits:
        # The same samples in both games: by exit, viewer and position, not by the order of the
        # calls.
        rng = Random(f"{texts.__name__} {viewer} {position.number}")
        leaks.update(texts(referee, viewer, rng))
    return leaks
