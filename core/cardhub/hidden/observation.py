"""What one seat knows: the state with unseen faces blanked, and how it came about."""

from collections.abc import Sequence
from random import Random
from typing import Any, Generic, NamedTuple

from cardhub.errors import IllegalActionError
from cardhub.game.game import Game, S
from cardhub.game.scene import Scene
from cardhub.hidden.determinize import Unseen, determinize
from cardhub.hidden.labels import Labels, unknown_action
from cardhub.table.faces import BLANK, MaskedFaces, blanked, masked_log

EVERYTHING = -1
"""The viewer from whom nothing is hidden: whoever replays a finished game."""


class Step(NamedTuple):
    """One action of the past: who took it (a seat, or CHANCE) and which."""

    seat: int
    action: int


class Observation(Generic[S]):
    """All that a seat may know; bots, screens, logs and files get this and never a state.

    `state` is a copy of the true state with unseen faces blanked, `history` the public actions so
    far. `seat` is who looks: a seat, `state.seats` for a spectator, or EVERYTHING.
    """

    __slots__ = ("_unseen", "game", "history", "seat", "state")

    def __init__(self, game: Game[S], state: S, seat: int, history: Sequence[Step] = ()) -> None:
        self.game = game
        self.state = observed_state(state, seat)
        self.seat = seat
        self.history = tuple(history)
        self._unseen: Unseen[S] | None = None

    @property
    def is_to_act(self) -> bool:
        """Whether the next action is this seat's."""
        return self.state.seat == self.seat

    def legal(self) -> list[int]:
        """Return the legal actions; raises IllegalActionError if another seat is to act."""
        if not self.is_to_act:
            raise IllegalActionError(f"seat {self.seat} is not to act")
        return self.game.legal(self.state)

    def refusal(self, answer: object) -> str:
        """Return why the seat to act may not do something, in the words of who looks.

        Whoever looks should be the seat itself, or somebody who may see every card.
        """
        labels = self.labels()
        legal = ", ".join(labels.notations(self.game.legal(self.state)))
        is_named = type(answer) is int and labels.is_action(answer)
        words = repr(labels.label(answer)) if is_named else unknown_action(answer)  # type: ignore[arg-type]  # an int if named
        return f"{words} is not legal. Legal: {legal}"

    def determinize(self, rng: Random) -> S:
        """Return a state that could be the true one, as far as this seat can know.

        Each is as likely as chance makes it. Computed from this observation alone; its `past` stays
        masked, see `determinize_whole`. Raises DeterminizationError.
        """
        return determinize(self._prepared(), rng)

    def determinize_whole(self, rng: Random) -> S:
        """Return a determinization with its past: what lay where before each shuffle, and the deal.

        It takes longer, and only what replays the game or shows it to another seat needs it.
        """
        unseen = self._prepared()
        return unseen.whole(determinize(unseen, rng), rng)

    def _prepared(self) -> Unseen[S]:
        if self._unseen is None:  # a search draws thousands of times from one observation
            seed = f"{self.seat} {len(self.history)}"
            self._unseen = Unseen(self.game, self.state, seed)
        return self._unseen

    def scene(self) -> Scene:
        """Return the table as this seat sees it."""
        viewer = self.state.seats if self.seat == EVERYTHING else self.seat
        return self.game.scene(self.state, viewer)

    def labels(self, players: Sequence[str] = ()) -> Labels:
        """Return how this seat names cards and actions, and players by their names if given."""
        return Labels(self.game, self.state.face, self.state.back, players)

    def information_state(self) -> tuple[Any, ...]:
        """Return everything this seat has ever seen and done, hashable: its perfect recall."""
        past = tuple((s.tokens, s.faces) for s in self.state.shuffle_log)
        known = tuple(blanked(self.state.face))
        return (self.seat, self.history, past, known, self.state.answers)


def observed_state(state: S, seat: int) -> S:
    """Return a copy of the state with the faces blanked that `seat` has not seen."""
    copy = state.clone()
    if seat == EVERYTHING:
        copy.shuffle_log = tuple(state.shuffle_log)  # without its cache
        return copy
    # Faces are the only secret, so these two assignments are the whole of hiding: there is no other
    # field to strip, and none that could be forgotten.
    known = zip(blanked(state.face), state.seen, strict=True)
    copy.face = MaskedFaces([face if seen >> seat & 1 else BLANK for face, seen in known])
    copy.shuffle_log = masked_log(state.shuffle_log, seat)
    copy.recorded_answers = ()  # what a redacted record has in store has not happened yet
    return copy
