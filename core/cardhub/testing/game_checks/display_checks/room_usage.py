"""The check of `room`: regions are as large as their cards need in nearly all positions."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from random import Random
from typing import Any

from cardhub.game.game import Game
from cardhub.game.scene import Area
from cardhub.hidden.observation import Observation
from cardhub.table.state import CHANCE, State
from cardhub.testing.random_play import Trial, choose, default_trial, play

# Random games, and the step between the positions that are looked at.
ROOM_GAMES, ROOM_STEP = 12, 3
# Of so many positions one may exceed the room of an area.
TOLERATED = 100


def check_room(game: Game[Any], trial: Trial, games: int = ROOM_GAMES) -> None:
    """Check that no area has more cards than its room in a hundredth of the positions.

    Plays games with every number of players in turn, from the seed of `trial` on. Their actions are
    those of `playout_action`: with random ones, hands grow larger than people let them.
    """
    looked, exceeded, most = 0, Counter[str](), Counter[str]()
    for areas in _looked_at(game, trial, games):
        looked += 1
        full = {a.caption: len(a.tokens) for a in areas if 0 < a.room < len(a.tokens)}
        exceeded.update(full.keys())
        for caption, count in full.items():
            most[caption] = max(most[caption], count)
    for caption, count in exceeded.items():
        if count * TOLERATED >= looked:
            what = f"area {caption!r} exceeds its room in {count} of {looked} positions"
            trial.fail(game, "room", f"{what}, with up to {most[caption]} cards")


def _looked_at(game: Game[Any], trial: Trial, games: int) -> Iterator[list[Area]]:
    seats = range(game.seats.low, game.seats.high + 1)
    for number in range(games):
        each = default_trial(game, seats[number % len(seats)], trial.seed + number)
        for position in islice(play(game, each, partial(_choose, game)), None, None, ROOM_STEP):
            viewer = position.number % (each.seats + 1)
            scene = Observation(game, position.state, viewer).scene()
            yield [area for area in scene.areas if isinstance(area, Area)]


def _choose(game: Game[Any], state: State, rng: Random) -> int:
    return choose(game, state, rng) if state.seat == CHANCE else game.playout_action(state, rng)
