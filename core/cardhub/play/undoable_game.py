"""The state of a game and its past actions, which can be taken back."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Generic

from typing_extensions import override

from cardhub.base.errors import IllegalActionError
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.observation import EVERYTHING, Observation, Step
from cardhub.model.table.faces import masked_log
from cardhub.model.table.state import OVER
from cardhub.play.game_history import GameHistory
from cardhub.play.history_entries import (
    Dealt,
    Entry,
    Noted,
    Seated,
    TakenBack,
    Undone,
    standing_entries,
)
from cardhub.play.seating import Player


class ObservableState(Generic[S]):
    """A position of a game, which can be observed as it was when the game has gone on."""

    __slots__ = ("_game", "_history", "_state")

    def __init__(self, game: Game[S], state: S, history: Sequence[Step]) -> None:
        self._game = game
        self._state = state
        self._history = tuple(history)

    def observe(self, viewer: int) -> Observation[S]:
        """Return the observation of a viewer, as `UndoableGame.observe`."""
        return Observation(self._game, self._state, viewer, self._history)

    def know_same(self, one: int, other: int, tokens: Iterable[int]) -> bool:
        """Return whether two viewers know the same faces among tokens, and of all past shuffles.

        Those who see everything know the same as nobody else.
        """
        if EVERYTHING in (one, other):
            return one == other
        seen, log = self._state.seen, self._state.shuffle_log
        for token in tokens:
            if (seen[token] >> one ^ seen[token] >> other) & 1:
                return False
        return not log or masked_log(log, one) == masked_log(log, other)


class UndoableGame(GameHistory, Generic[S]):
    """The true state and the actions so far, with undo by one seat and takebacks by consent.

    `answers` are the public answers that a redacted record has for the actions to come.
    """

    def __init__(
        self,
        game: Game[S],
        state: S,
        dealt: Dealt,
        players: Sequence[Player],
        answers: Sequence[bool],
    ) -> None:
        super().__init__(dealt, players)
        self.game = game
        self._state = state
        self._history: list[Step] = []  # without undone actions
        self._undoable: list[S] = []
        self._legal: list[int] | None = None  # in the current state, computed when asked for
        self._allowed: list[tuple[int, ...]] = []  # masks for the pending shuffles
        self._answers = tuple(answers)

    @property
    def seat(self) -> int:
        """The seat to act, CHANCE, or OVER once the game has ended."""
        return self._state.seat

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._state.seat == OVER

    @property
    def action_count(self) -> int:
        """Number of actions so far, chance included, without undone ones."""
        return len(self._history)

    def observe(self, viewer: int) -> Observation[S]:
        """Return the observation of a viewer: a seat, or the number of seats for a spectator."""
        return Observation(self.game, self._state, viewer, self._history)

    def observable(self) -> ObservableState[S]:
        """Return the present position; the game goes on without changing it."""
        return ObservableState(self.game, self._state, self._history)

    def can_undo(self, seat: int) -> bool:
        """Return whether a seat can undo: until a seat learns a face or another seat acts."""
        if not self._undoable or self._undoable[-1].seat != seat:
            return False
        before, now = self._undoable[-1], self._state
        if now.answers != before.answers:
            return False
        # Asked by every viewer after every action, of which most reveal no card.
        return now.seen == before.seen or not any(
            new & ~old for old, new in zip(before.seen, now.seen, strict=True)
        )

    def undo(self, seat: int) -> None:
        """Undo a seat's last action; raises IllegalActionError if it cannot be undone."""
        if not self.can_undo(seat):
            raise IllegalActionError(
                f"{self._who(seat)} cannot take anything back: a card has been seen or another "
                "player has acted since, or there is no action yet"
            )
        self._state, self._legal = self._undoable.pop(), None
        self._history.pop()
        self._publish(Undone(seat))

    def why_no_takeback(self, seat: int) -> str:
        """Return why the game cannot go back to before a seat's last action; empty if it can."""
        if self.is_over:
            return "the game is over"
        if self._state.pending_shuffles:
            return "cards are to be shuffled first"
        if not _actions_since(self._history, seat):
            return f"{self._who(seat)} has not acted yet"
        return ""

    def take_back(self, seat: int, agreed: Sequence[int]) -> None:
        """Go back to before a seat's last action, as other seats, by number, agreed to.

        All actions since are gone, chance's included; chance repeats its outcomes. Raises
        IllegalActionError.
        """
        self._take_back(TakenBack(seat, _actions_since(self._history, seat), tuple(agreed)))

    @abstractmethod
    def restarted(self) -> "UndoableGame[S]":
        """Return the same game before its first action."""

    @abstractmethod
    def apply_entry(self, entry: Entry) -> None:
        """Apply one entry of a record; raises IllegalActionError if it is illegal here."""

    def _repeat(self, entry: Undone | TakenBack | Seated | Noted) -> None:
        match entry:
            case Undone(seat):
                self.undo(seat)
            case TakenBack():
                self._take_back(entry)
            case Seated(seat, player):
                self._check_goes_on(seat)
                self._replace(seat, player)
            case Noted(seat, note):
                self.note(seat, note)

    def _take_back(self, entry: TakenBack) -> None:
        if why := self.why_no_takeback(entry.seat):
            raise IllegalActionError(f"no takeback: {why}")
        _check_agreed(entry.agreed, entry.seat, len(self.players))
        count = _actions_since(self._history, entry.seat)
        if entry.count != count:
            raise IllegalActionError(f"a takeback of {count} actions here, not of {entry.count}")
        # Replayed, so that no table need keep states of the past.
        again = self.restarted()
        again._state.recorded_answers = self._answers
        for past in chain(*standing_entries(self.entries[1:])[:-count]):
            again.apply_entry(past)
        self._state, self._legal, self._allowed = again._state, None, []
        self._history, self._undoable = again._history, again._undoable
        self._answers = self._state.recorded_answers = entry.answers
        self._publish(entry)

    def _keep_undo(self, before: S, after: S) -> None:
        # The last action of a game cannot be undone either: the scores are recorded.
        is_final = after.pending_shuffles or before.seat < 0 or after.seat < 0
        is_same_turn = self._undoable and self._undoable[-1].seat == before.seat
        earlier = self._undoable if is_same_turn else []
        self._undoable = [] if is_final else [*earlier, before]

    @override
    def _check_goes_on(self, seat: int) -> None:
        if not 0 <= seat < len(self.players):
            raise IllegalActionError(f"there is no seat {seat} at this table")
        if self.is_over:
            raise IllegalActionError("the game is over")
        if self._state.pending_shuffles:
            raise IllegalActionError("cards are to be shuffled first")

    def _who(self, seat: int) -> str:
        return self.players[seat].name if 0 <= seat < len(self.players) else f"seat {seat}"


def _actions_since(history: Sequence[Step], seat: int) -> int:
    """Return the number of actions from the last one of a seat on; 0 if it has not acted."""
    own = (number for number, step in enumerate(reversed(history), 1) if step.seat == seat)
    return next(own, 0)


def _check_agreed(agreed: Sequence[int], seat: int, seats: int) -> None:
    """Raise IllegalActionError unless these are other seats of the table, in order."""
    others = [other for other in range(seats) if other != seat and other in agreed]
    if list(agreed) != others:
        raise IllegalActionError(
            f"those who agree are other seats of this table in order, not {list(agreed)}"
        )
