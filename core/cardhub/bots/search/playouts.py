"""How simulated games go on where a search knows nothing."""

from collections.abc import Callable
from random import Random

from cardhub.bots.bot import Bot
from cardhub.game.game import Game, S
from cardhub.hidden.chance import draw_outcome, settle
from cardhub.hidden.observation import Observation
from cardhub.table.state import CHANCE, OVER

Playout = Callable[[S], None]
"""Plays a world on, in place: to the end or as far as the game's horizon."""

ENDLESS = 1_000_000
"""More actions than any game has."""


def quick_playout(game: Game[S], rng: Random) -> Playout[S]:
    """Return a playout by the game's own `playout_action`."""
    apply, choose, horizon = game.apply, game.playout_action, game.horizon or ENDLESS

    def play(state: S) -> None:
        left = horizon
        while state.seat != OVER and left:
            if state.seat == CHANCE:
                apply(state, draw_outcome(game, state, rng))
            else:
                apply(state, choose(state, rng))
                left -= 1
            if state.unsettled:
                settle(game, state, rng)

    return play


def bot_playout(game: Game[S], rng: Random, make: Callable[[Random], Bot]) -> Playout[S]:
    """Return a playout in which every seat is played by a bot, which gets only observations."""
    bot, horizon = make(rng), game.horizon or ENDLESS

    def play(state: S) -> None:
        left = horizon
        while state.seat != OVER and left:
            if state.seat == CHANCE:
                action = draw_outcome(game, state, rng)
            else:
                action = bot.choose(Observation(game, state, state.seat))
                left -= 1
            game.apply(state, action)
            if state.unsettled:
                settle(game, state, rng)

    return play
