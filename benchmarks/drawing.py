"""What a frame of the table takes: the view, its plan and the drawing, in milliseconds.

Positions are from the middle of random games; a frame has to take less than 10 ms at 200x50.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from timeit import timeit
from typing import Any

from cardhub import Game, Observation
from cardhub.play.referee import Referee
from cardhub.play.seating import seat_players
from cardhub.play.setup import set_up
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.layout.draw import draw
from cardhub.view.layout.plan import TerminalSize, plan_of
from cardhub.view.layout.shape import shape_of
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from cardhub_garner import Garner
from hearts import Hearts

GAMES = (Gargon, Gamon, Garner, Hearts)
SIZES = tuple(TerminalSize(*size) for size in ((60, 20), (80, 24), (120, 40), (200, 50)))
STEPS, REPEATS = 30, 40
NAMES = ("Anna", "Bob", "Chris", "David")


def position(game: Game[Any]) -> Observation[Any]:
    """Return what the seat to act observes in the middle of a random game."""
    seats = game.seats.default
    referee: Referee[Any] = set_up(game, seat_players([], seats, "random"), {}, 1)
    referee.proceed()
    rng = Random(1)
    for _ in range(STEPS):
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
        referee.proceed()
    return referee.observe(referee.seat)


def milliseconds(function: Callable[[], object]) -> float:
    """Return the mean time of a call."""
    return 1e3 * timeit(function, number=REPEATS) / REPEATS


def measure(game: Game[Any]) -> str:
    """Return the times of one game as a line of text."""
    observation, names = position(game), NAMES[: game.seats.default]
    view, catalogue = build_view(observation, names), build_catalogue(game)
    shape = shape_of(view, catalogue)
    plans = [plan_of(shape, size) for size in SIZES]
    cursor = view.choices[0].spots[0]
    times = [
        milliseconds(lambda: build_view(observation, names)),
        milliseconds(lambda: plan_of(shape_of(view, catalogue, shape), SIZES[-1])),
        *(milliseconds(partial(draw, view, catalogue, plan, cursor=cursor)) for plan in plans),
    ]
    return f"{game.name:10}" + "".join(f"{time:10.2f}" for time in times)


if __name__ == "__main__":
    print(" " * 10 + "".join(f"{head:>10}" for head in ("view", "plan")), end="")
    print("".join(f"{f'{size.width}x{size.height}':>10}" for size in SIZES))
    for kind in GAMES:
        print(measure(kind()))
