"""The two ends of an iteration: the sampled determinization, and the playout beyond the tree."""

from collections.abc import Callable
from random import Random
from typing import Generic

from cardhub.bots.bot import Bot
from cardhub.game.game import Game, S
from cardhub.hidden.chance import resolve_shuffles, sample_action
from cardhub.hidden.observation import Observation
from cardhub.table.state import CHANCE, OVER

# Number of determinizations that estimate the largest likelihood before the first is used.
BURN_IN = 50
# Maximum number of rejections; then the last determinization is used.
TRIES = 1000

# Plays a determinization on, in place: to the end or to the game's playout depth.
Playout = Callable[[S], None]


class DeterminizationSampler(Generic[S]):
    """Draws determinizations of one seat's observation, in proportion to the game's likelihood."""

    def __init__(self, observation: Observation[S], rng: Random) -> None:
        self._observation = observation
        self._rng = rng
        self._is_weighted = type(observation.game).likelihood is not Game.likelihood
        self._top = 0.0

    def draw(self) -> S:
        """Return a determinization of the observation."""
        if not self._is_weighted:
            return self._observation.determinize(self._rng)
        if not self._top:
            # Otherwise the first determinization would be its own bound, and never be rejected.
            for _ in range(BURN_IN):
                self._weighed()
        # Rejection sampling: the bound is unknown, so the largest likelihood seen stands for it.
        for _ in range(TRIES):
            state, likelihood = self._weighed()
            if self._rng.random() * self._top <= likelihood:
                break
        return state

    def _weighed(self) -> tuple[S, float]:
        state = self._observation.determinize(self._rng)
        likelihood = self._observation.game.likelihood(state)
        self._top = max(self._top, likelihood)
        return state, likelihood


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
    # None for most games, so that they do not pay for the calls.
    has_end = type(game).ends_playout is not Game.ends_playout
    ends = game.ends_playout if has_end else None

    def play(state: S) -> None:
        turns, seat, is_alone = 0, state.seat, state.seats == 1
        while seat != OVER:
            if seat == CHANCE:
                apply(state, sample_action(game, state, rng))
            else:
                apply(state, choose(state, rng))
            if state.pending_shuffles:
                resolve_shuffles(game, state, rng)
            # The depth counts changes of the seat to act, as one turn may consist of several
            # actions; alone at a table, every action.
            if state.seat != seat or is_alone:
                seat = state.seat
                turns += 1
                if turns == playout_depth or (ends is not None and ends(state)):
                    return

    return play
