"""Playouts: simulations beyond the search tree."""

from collections.abc import Callable
from random import Random

from cardhub.bots.bot import Bot
from cardhub.game.game import Game, S
from cardhub.hidden.chance import resolve_shuffles, sample_action
from cardhub.hidden.observation import Observation
from cardhub.table.state import CHANCE, OVER

Playout = Callable[[S], None]
"""Plays a world on, in place: to the end or to the game's playout depth."""


def quick_playout(game: Game[S], rng: Random) -> Playout[S]:
    """Return a playout by the game's own `playout_action`."""
    return _playout(game, rng, game.playout_action)


def bot_playout(game: Game[S], rng: Random, make: Callable[[Random], Bot]) -> Playout[S]:
    """Return a playout in which every seat is played by a bot, which gets only observations."""
    bot = make(rng)

    def choose(state: S, rng: Random) -> int:
        return bot.choose(Observation(game, state, state.seat))

    return _playout(game, rng, choose)


def _playout(game: Game[S], rng: Random, choose: Callable[[S, Random], int]) -> Playout[S]:
    apply, playout_depth = game.apply, game.playout_depth

    def play(state: S) -> None:
        turns, seat = 0, state.seat
        while seat != OVER:
            if seat == CHANCE:
                apply(state, sample_action(game, state, rng))
            else:
                apply(state, choose(state, rng))
            if state.pending_shuffles:
                resolve_shuffles(game, state, rng)
            if state.seat != seat:
                seat = state.seat
                turns += 1
                if turns == playout_depth:
                    return

    return play
