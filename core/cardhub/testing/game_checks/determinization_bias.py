"""Checks that determinizations vary, and match the true hidden cards no better than by chance."""

from collections.abc import Callable, Iterator
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Generic

from cardhub.model.game.game import Game, S
from cardhub.model.hidden.observation import Observation, observed_state
from cardhub.model.table.faces import BLANK, Faces, blanked
from cardhub.model.table.state import State
from cardhub.testing.deal_replay import Start, UnreachableError, find_shuffles, replay
from cardhub.testing.random_play import Position, Trial, default_trial, play

# If both arrangements of two cards are equally likely, all draws are alike once in 2**60.
DRAWS = 60
# Determinizations of each position.
GUESSES = 8
MOST_PAIRS = 10
# With fewer games the mean gain says nothing.
LEAST_GAMES = 30
# Threshold of the mean gain in standard errors.
SIGMAS = 5


def check_variety(game: Game[S], position: Position[S], rng: Random) -> None:
    """Check that determinizations have both arrangements of two exchangeable unseen cards."""
    for viewer in range(position.state.seats + 1):
        view = _View(game, position, viewer)
        drawn = view.observation.determinize_whole(rng)
        for one, other in view.twins(drawn, 2, rng):
            first = (drawn.face[one], drawn.face[other])
            draws = (view.observation.determinize(rng).face for _ in range(DRAWS))
            if all((faces[one], faces[other]) == first for faces in draws):
                problem = (
                    f"for seat {viewer} tokens {one} and {other} are always the same two cards"
                )
                position.fail(game, "variety", problem)


def check_guesses(
    game: Game[S],
    trial: Trial,
    games: int = 150,
    ends_early: Callable[[], bool] = lambda: False,
) -> None:
    """Check that determinizations do not prefer the true arrangement of exchangeable cards.

    Samples a position of each of `games` random games, or of fewer if `ends_early` returns True.
    """
    gains: list[float] = []
    for number in range(games):
        if number >= LEAST_GAMES and ends_early():
            break
        gains.append(_gain(game, trial.seats, trial.seed + number))
    if fmean(gains) > SIGMAS * stdev(gains) / sqrt(len(gains)):
        problem = f"hidden cards are guessed too often: the mean gain is {fmean(gains):.2f}, not 0"
        trial.fail(game, "guesses", problem)


def random_position(game: Game[S], seats: int, seed: int, rng: Random) -> Position[S]:
    """Return a uniformly chosen position of a random game."""
    chosen = None
    # Reservoir sampling: the length of the game is not known, and no position needs to be kept.
    for number, position in enumerate(play(game, default_trial(game, seats, seed))):
        if chosen is None or rng.random() * (number + 1) < 1:
            chosen = position
    assert chosen is not None  # a game has a first position
    return chosen


class _View(Generic[S]):
    def __init__(self, game: Game[S], position: Position[S], viewer: int) -> None:
        self.observation = Observation(game, position.state, viewer, position.history)
        self._game = game
        self._position = position

    def twins(self, state: S, most: int, rng: Random) -> Iterator[tuple[int, int]]:
        """Yield disjoint pairs of unseen tokens whose faces in `state` could be exchanged."""
        seen = blanked(self.observation.state.face)
        hidden = [token for token, face in enumerate(seen) if face == BLANK]
        rng.shuffle(hidden)
        pairs, position = 0, self._position
        try:
            starts = find_shuffles(self._game, position.trial, state, position.history)
        except UnreachableError:  # reported by the check `reachable`
            return
        while hidden and pairs < most:
            one = hidden.pop()
            other = next((o for o in hidden if _are_exchangeable(state, one, o)), None)
            if other is None:
                continue
            hidden.remove(other)
            shuffle = _last_shuffle(state, one)
            # A game of many deals is the same until then, so most of it is not replayed.
            start = starts[shuffle] if shuffle >= 0 else None
            if self._is_possible(_exchanged(state, one, other), start):
                pairs += 1
                yield one, other

    def _is_possible(self, state: S, start: Start[S] | None) -> bool:
        game, position = self._game, self._position
        try:
            after = replay(game, position.trial, state, position.history, start).after
        except UnreachableError:
            return False
        known = observed_state(state, self.observation.seat)
        return after == state and known == self.observation.state


def _gain(game: Game[S], seats: int, seed: int) -> float:
    """Return the mean number of pairs as in the true state minus those exchanged."""
    rng = Random(f"{seed} guesses")
    position = random_position(game, seats, seed, rng)
    view = _View(game, position, rng.randrange(seats + 1))
    truth = position.state.face
    pairs = list(view.twins(position.state, MOST_PAIRS, rng))
    guesses = [view.observation.determinize(rng).face for _ in range(GUESSES)]
    return fmean(_score(guess, truth, pairs) for guess in guesses)


def _score(guess: Faces, truth: Faces, pairs: list[tuple[int, int]]) -> int:
    return sum(
        (guess[one] == truth[one])
        + (guess[other] == truth[other])
        - (guess[one] == truth[other])
        - (guess[other] == truth[one])
        for one, other in pairs
    )


def _are_exchangeable(state: State, one: int, other: int) -> bool:
    """Return whether the same shuffle, or the deal, gave two tokens different faces."""
    return (
        state.face[one] != state.face[other]
        and state.back[one] == state.back[other]
        and _last_shuffle(state, one) == _last_shuffle(state, other)
    )


def _last_shuffle(state: State, token: int) -> int:
    shuffles = (n for n, shuffle in enumerate(state.shuffle_log) if token in shuffle.tokens)
    return max(shuffles, default=-1)


def _exchanged(state: S, one: int, other: int) -> S:
    exchanged = state.clone()
    faces = blanked(state.face)
    faces[one], faces[other] = faces[other], faces[one]
    exchanged.face = faces
    return exchanged
