"""Determinizations of games with secrets: whole games in which a viewer would have seen the same.

Faces that the viewer has not seen are drawn from the deal and the shuffles, others' secret actions
from their legal ones. The game is replayed from the deal on, and drawn again unless the viewer's
view is equal before every action, and every known action was legal. So each game is as likely as
the deal, the shuffles and these actions make it, under the condition of all that was seen.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import fsum
from random import Random
from typing import Generic, NamedTuple

from cardhub.base.errors import DeterminizationError
from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import initial_state
from cardhub.model.hidden.determinize import FaceSampler, few_deals
from cardhub.model.hidden.outcomes import Outcome, apply_outcome
from cardhub.model.hidden.shuffles.segments import back_snapshots, face_snapshots
from cardhub.model.table.actions import UNSEEN_ACTION
from cardhub.model.table.rounds import turn_to
from cardhub.model.table.secrets import NOT_KEPT, note_views, view_number
from cardhub.model.table.state import CHANCE, State

# The allowed number of games drawn per game that fits, over the whole observation.
TRIES = 5_000
# From this number of draws on, all games that fit are listed, unless there are too many deals or
# too many actions to try. A search draws hundreds of games, all others draw one.
BEFORE_LISTING, MOST_DEALS, MOST_ACTIONS = 30, 300, 20_000


class WholeGame(NamedTuple):
    """A game that fits: its faces and backs before and after every shuffle, and its actions."""

    faces: Sequence[Sequence[int]]
    backs: Sequence[Sequence[int]]
    actions: Sequence[int]


def past_game(state: State, actions: Sequence[int]) -> WholeGame:
    """Return the game that led to a state by these actions."""
    return WholeGame(face_snapshots(state), back_snapshots(state), actions)


class GameSampler(Generic[S]):
    """A sampler of whole games that agree with all that one viewer has seen.

    Raises DeterminizationError if the position has no past, because it was not reached by play.
    """

    __slots__ = ("_faces", "_listed", "_replay", "accepted", "drawn")

    def __init__(self, replay: "Replay[S]", faces: FaceSampler[S]) -> None:
        self._replay, self._faces = replay, faces
        self._listed: _Listed[S] | None = None
        self.drawn = self.accepted = 0

    def determinization(self, rng: Random) -> S:
        """Return a determinization without the views of others; see `draw`."""
        return self.draw(rng, is_whole=False)[0]

    def whole_determinization(self, rng: Random) -> S:
        """Return a determinization that others can observe; see `draw`."""
        return self.draw(rng, is_whole=True)[0]

    def draw(self, rng: Random, *, is_whole: bool) -> tuple[S, Sequence[int]]:
        """Return the state after a game that fits, and the actions of this game.

        If it `is_whole`, it has the views of all viewers, so others can observe it.
        """
        if self.drawn >= BEFORE_LISTING and self._listed is None:
            self._listed = _Listed(self._replay)
        if self._listed and self._listed.games:
            game, state = self._listed.draw(rng)
            if not is_whole:
                return state.clone(), game.actions
        else:
            game = self._drawn(rng)
        return self._replay.state_after(game, is_whole=is_whole), game.actions

    def _drawn(self, rng: Random) -> WholeGame:
        while True:
            self.drawn += 1
            drawn = self._faces.whole_determinization(rng)
            actions: list[int] = []
            game = past_game(drawn, actions)
            state = self._replay.dealt(game.faces[0])
            while choices := self._replay.choices(state, len(actions)):
                weights = [weight for _, weight in choices]
                action, _ = choices[0] if len(choices) == 1 else rng.choices(choices, weights)[0]
                actions.append(action)
                if not self._replay.apply(state, action, game):
                    break
            if self._replay.fits(state, len(actions)):
                self.accepted += 1
                return game
            if self.drawn >= TRIES * (self.accepted + 1):
                raise DeterminizationError(
                    f"{self._replay.game.name}: too few games agree with what this viewer has "
                    f"seen: {self.accepted} of {self.drawn} drawn. fix: rule out by possible() "
                    "what a card cannot be, or let fewer actions be secret"
                )


class Replay(Generic[S]):
    """Games replayed step by step, as long as one viewer sees the same as in its observation.

    `state`: the viewer's observation after the `steps`, pairs of a seat and an action.
    """

    def __init__(
        self, game: Game[S], state: S, viewer: int, steps: Sequence[tuple[int, int]]
    ) -> None:
        self.game, self.viewer, self.observed = game, viewer, state
        self._steps, self._log = steps, state.shuffle_log
        views = getattr(state, state.views_field)
        if views == NOT_KEPT or len(views) != len(self._steps):
            raise DeterminizationError(
                f"{self.game.name}: what the viewer saw before this position is not known, because "
                "it was not reached by play. fix: play from the deal, or observe a game's state"
            )
        self._views = (*views, view_number(state, self.viewer))

    def dealt(self, faces: Sequence[int], *, is_whole: bool = False) -> S:
        """Return the state after the deal with these faces by token."""
        state = initial_state(self.game, self.observed.settings, self.observed.seats, [*faces])
        if not is_whole:
            setattr(state, state.views_field, NOT_KEPT)
        return state

    def choices(self, state: S, number: int) -> list[tuple[int, float]]:
        """Return what action `number` can have been, with weights; empty if the view differs."""
        if number == len(self._steps):
            return []
        seat, _ = self._steps[number]
        turn_to(state, seat)
        if state.seat != seat or view_number(state, self.viewer) != self._views[number]:
            return []
        return self.possible(state, number)

    def possible(self, state: S, number: int) -> list[tuple[int, float]]:
        """Return the actions that a seat to act can take, and that look as action `number` did."""
        seat, action = self._steps[number]
        legal = self.game.legal(state)
        if action != UNSEEN_ACTION:
            return [(action, 1.0)] if action in legal else []
        weights = self.game.chance_weights(state) if seat == CHANCE else None
        secret = self.game.actions.secret
        pairs = zip(legal, weights or [1.0] * len(legal), strict=True)
        return [(number, weight) for number, weight in pairs if number in secret and weight]

    def apply(self, state: S, action: int, game: WholeGame) -> bool:
        """Apply an action and its shuffles; return False if other tokens were to be shuffled."""
        self.game.apply(state, action)
        while state.pending_shuffles:
            number = len(state.shuffle_log)
            if number == len(self._log) or self._log[number][:2] != state.pending_shuffles[0]:
                return False
            tokens = self._log[number].tokens
            faces, backs = game.faces[number + 1], game.backs[number + 1]
            outcome = Outcome(tuple(faces[t] for t in tokens), tuple(backs[t] for t in tokens))
            apply_outcome(state, outcome, self._log[number].allowed)
        return True

    def fits(self, state: S, number: int) -> bool:
        """Return whether a state after `number` actions is at the end, and looks as observed."""
        if number != len(self._steps) or state.pending_shuffles:
            return False
        turn_to(state, self.observed.seat)
        is_same: bool = view_number(state, self.viewer) == self._views[-1]
        return is_same

    def states(self, game: WholeGame) -> Iterator[S]:
        """Yield the state before each action of a game, and the last one; it is changed in place.

        The actions may be appended meanwhile. It ends early if other tokens were to be shuffled.
        """
        state = self.dealt(game.faces[0])
        for number, (seat, _) in enumerate(self._steps):
            turn_to(state, seat)
            yield state
            if not self.apply(state, game.actions[number], game):
                return
        yield state

    def state_after(self, game: WholeGame, *, is_whole: bool) -> S:
        """Return the state after a game that fits."""
        state = self.dealt(game.faces[0], is_whole=is_whole)
        for (seat, _), action in zip(self._steps, game.actions, strict=True):
            turn_to(state, seat)
            note_views(state)
            self.apply(state, action, game)
        turn_to(state, self.observed.seat)
        return state


class _Listed(Generic[S]):
    """All games that fit and their ends, with probabilities; none if they are too many to list."""

    def __init__(self, replay: Replay[S]) -> None:
        self.games: list[tuple[WholeGame, S]] = []
        self._sums: list[float] = []
        deals = few_deals(replay.game, replay.observed, MOST_DEALS)
        self._left = MOST_ACTIONS
        pairs = [pair for faces in deals for pair in self._continued(replay, faces)]
        if self._left > 0:
            self.games = [(game, state) for game, state, _ in pairs]
            self._sums = [*accumulate(share for *_, share in pairs)]

    def draw(self, rng: Random) -> tuple[WholeGame, S]:
        return rng.choices(self.games, cum_weights=self._sums)[0]

    def _continued(
        self, replay: Replay[S], faces: Sequence[int]
    ) -> Iterator[tuple[WholeGame, S, float]]:
        """Yield the games after a deal with their ends and the odds of their secret actions."""
        backs = [replay.observed.back]
        stack: list[tuple[S, list[int], float]] = [(replay.dealt(faces), [], 1.0)]
        while stack and self._left > 0:
            state, actions, share = stack.pop()
            choices = replay.choices(state, len(actions))
            total = fsum(weight for _, weight in choices)
            for action, weight in choices:
                self._left -= 1
                after, longer = state.clone(), [*actions, action]
                if replay.apply(after, action, WholeGame([faces], backs, longer)):
                    stack.append((after, longer, share * weight / total))
            if not choices and replay.fits(state, len(actions)):
                yield WholeGame([faces], backs, actions), state, share
