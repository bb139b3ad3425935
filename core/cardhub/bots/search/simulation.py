"""The two ends of an iteration: the sampled determinization, and the playout below the tree."""

from random import Random
from typing import Generic

from cardhub.bots.bot import Bot
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.chance import resolve_shuffles, sample_action
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.state import CHANCE, OVER

# The number of determinizations that estimate the largest likelihood before the first is used.
BURN_IN = 50
# The maximum number of rejections; then the last determinization is used.
TRIES = 1000


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
            # Without this the first determinization would be its own bound and never be rejected.
            for _ in range(BURN_IN):
                self._weighed()
        # Rejection sampling with the largest likelihood so far, because the bound is unknown.
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


class Playout(Generic[S]):
    """Plays determinizations to the end or to the game's playout depth.

    Actions are the game's `playout_action`, or with a `bot` its choices for all seats; the bot gets
    only observations.
    """

    def __init__(self, game: Game[S], rng: Random, bot: Bot | None = None) -> None:
        self._game = game
        self._rng = rng
        self._random = rng.random
        self._bot = bot
        self._depth = game.playout_depth
        # Avoid the calls for games that do not define these methods.
        kind = type(game)
        self._may_end = kind.ends_playout is not Game.ends_playout
        self._is_uniform = (
            kind.playout_action is Game.playout_action and kind.random_action is Game.random_action
        )

    def mean_values(self, state: S, count: int) -> list[float]:
        """Return the mean values of all seats after `count` playouts of copies of a state.

        The value of a seat is its score at the end of the game, or the game's evaluation at the
        playout depth.
        """
        scores, evaluations = [0] * state.seats, [0.0] * state.seats
        for _ in range(count):
            copy = state.clone()
            self.play(copy)
            if copy.seat == OVER:
                for seat, score in enumerate(self._game.scores(copy)):
                    scores[seat] += score
            else:
                for seat, value in enumerate(self._game.evaluate(copy)):
                    evaluations[seat] += value
        totals = zip(scores, evaluations, strict=True)
        return [(score + evaluation) / count for score, evaluation in totals]

    def play(self, state: S) -> None:
        """Play a state to the end or to the playout depth, in place."""
        game, rng, bot, random = self._game, self._rng, self._bot, self._random
        turns, seat, is_alone = 0, state.seat, state.seats == 1
        while seat != OVER:
            if seat == CHANCE:
                action = sample_action(game, state, rng)
            elif bot is not None:
                action = bot.choose(Observation(game, state, seat))
            elif self._is_uniform:
                legal = game.legal(state)  # inlined `random_action`
                action = legal[int(random() * len(legal))]
            else:
                action = game.playout_action(state, rng)
            game.apply(state, action)
            if state.pending_shuffles:
                resolve_shuffles(game, state, rng)
            # The depth counts changes of the seat to act, because a turn may consist of several
            # actions; with one seat it counts actions.
            if state.seat != seat or is_alone:
                seat = state.seat
                turns += 1
                if turns == self._depth or (self._may_end and game.ends_playout(state)):
                    return
