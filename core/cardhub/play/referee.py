"""The referee: sole holder of the true state."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from random import Random
from typing import Any, Generic

from typing_extensions import override

from cardhub.base.errors import HiddenFaceError, IllegalActionError
from cardhub.base.errors.quoting import as_int
from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import Seed, game_scoring, initial_state
from cardhub.model.hidden.chance import (
    Outcome,
    apply_outcome,
    masks_at_shuffles,
    sample_action,
    sample_outcome,
)
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import EVERYTHING, Observation, Step
from cardhub.model.table.faces import Faces, blanked, masked_log
from cardhub.model.table.settings import Settings
from cardhub.model.table.state import CHANCE, OVER
from cardhub.play.history_entries import (
    Dealt,
    Ended,
    Entry,
    Hinted,
    Note,
    Noted,
    Seated,
    Shuffled,
    Taken,
    TakenBack,
    Undone,
    standing_entries,
)
from cardhub.play.records.header import PlayedOn
from cardhub.play.records.notation import fits, read_action
from cardhub.play.seating import Player, check_distinct, check_player_name


class GameHistory(ABC):
    """The entries from the deal on, and the players, who may change in the middle of the game.

    `players` are those of now, `first_players` those of the deal; `names` has by seat all names
    that its players have had.
    """

    def __init__(self, dealt: Dealt, players: Sequence[Player]) -> None:
        self.dealt = dealt
        self.entries: list[Entry] = [dealt]
        self.players = self.first_players = tuple(players)
        self.names: list[tuple[str, ...]] = [(player.name,) for player in players]
        self._listeners: list[Callable[[Entry], object]] = []
        # What turns entries into events, made for the first listener that follows a viewer.
        self.announcer: Any = None

    def subscribe(self, listener: Callable[[Entry], object]) -> None:
        """Call `listener` with every further entry."""
        self._listeners.append(listener)

    def forget_listeners(self) -> None:
        """Call no listener any more; so this history is freed as soon as nobody uses it."""
        self._listeners.clear()
        self.announcer = None

    def seat_player(self, seat: int, player: Player) -> None:
        """Give a seat to another player, or to the same one under another name.

        Raises SeatingError for an invalid name or one that looks like another seat's, and
        IllegalActionError if the game is over or there is no such seat.
        """
        self._check_goes_on(seat)
        check_player_name(player.name)
        self._replace(seat, player)

    def note(self, seat: int, note: Note) -> None:
        """Note that the person of a seat left, came back or ran out of time.

        Raises IllegalActionError if the game is over or there is no such seat.
        """
        self._check_goes_on(seat)
        self._publish(Noted(seat, note))

    @abstractmethod
    def _check_goes_on(self, seat: int) -> None:
        """Raise IllegalActionError unless the game goes on, without a pending shuffle."""

    def _replace(self, seat: int, player: Player) -> None:
        """Seat a player whose name may be one of a record."""
        before, after = self.players[:seat], self.players[seat + 1 :]
        for other in (*before, *after):
            check_distinct((other.name, player.name))
        self.players = (*before, player, *after)
        if player.name not in self.names[seat]:
            self.names[seat] = (*self.names[seat], player.name)
        self._publish(Seated(seat, player))

    def _publish(self, entry: Entry) -> None:
        self.entries.append(entry)
        # In order: the record subscribes first, so a line is on disk before a viewer is told of it.
        for listener in self._listeners:
            listener(entry)


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


class Referee(UndoableGame[S]):
    """Runs a game: checks actions, draws chance outcomes, keeps the history.

    `faces` is the deal in token order (`backs` and `answers` are needed where faces are blank),
    `seed` determines the chance outcomes after it, `commitment` is the commitment to a drawn seed
    for the record, and `played_on` the game that this one continues. Call `proceed` first.
    `entries` reveal all cards: players get observations and events (`follow`) only.
    """

    def __init__(
        self,
        game: Game[S],
        players: Sequence[Player],
        settings: Settings,
        seed: Seed,
        faces: Faces,
        backs: Sequence[int] | None = None,
        answers: Sequence[bool] = (),
        commitment: str | None = None,
        played_on: PlayedOn | None = None,
    ) -> None:
        state = initial_state(game, settings, len(players), faces, backs, answers)
        # The deal before any shuffle, as far as it is known: a redacted record has blank faces.
        dealt = Dealt(Outcome(tuple(blanked(state.face)), state.back))
        super().__init__(game, state, dealt, players, answers)
        self.settings = settings
        self.scoring = game_scoring(game, settings, len(players))
        self.seed = seed
        self.commitment = commitment
        self.played_on = played_on
        self.helps = True  # whether a table gives hints and takes actions back; set before a record
        cards = (faces, backs, answers)
        self._arguments = (game, players, settings, seed, *cards, commitment, played_on)
        self._named: tuple[Faces, Sequence[Player], Labels] | None = None

    def read_action(self, text: str) -> int:
        """Parse an action in the notation of records; raises IllegalActionError."""
        return read_action(self.game, self._state, text, self._labels(self._state))

    @override
    def restarted(self) -> "Referee[S]":
        return Referee(*self._arguments)

    def proceed(self) -> None:
        """Draw chance outcomes until a seat is to act or the game ends."""
        while self._state.pending_shuffles or self._state.seat == CHANCE:
            rng = self._chance_rng()
            if self._state.pending_shuffles:
                self._lay(sample_outcome(self.game, self._state, rng))
            else:
                self._apply(self.check(sample_action(self.game, self._state, rng)))
        # The last entry is Ended already if a whole record has been replayed.
        if self.is_over and not isinstance(self.entries[-1], Ended):
            self._publish(self.result())

    def apply(self, action: object) -> None:
        """Apply an action of the seat to act, then draw chance outcomes; raises as `check`."""
        self._apply(self.check(action))
        self.proceed()

    @override
    def apply_entry(self, entry: Entry) -> None:
        """Apply one entry of a record, chance outcomes included, without drawing any.

        Scores are computed, not taken from an Ended. Raises IllegalActionError if the entry is
        illegal here.
        """
        # Between an action and the outcomes of its shuffles, no other entry is possible.
        is_settled = not self._state.pending_shuffles
        match entry:
            case Undone() | TakenBack() | Seated() | Noted():
                self._repeat(entry)
            case Hinted(seat, bot) if seat == self.seat and is_settled:
                self.note_hint(bot)
            case Shuffled(outcome) if not is_settled:
                self._lay(outcome)
            case Taken(seat, action) if seat == self.seat and is_settled:
                self._apply(self.check(action))
            case Ended() if self.is_over and is_settled:
                self._publish(self.result())
            case Taken(seat) | Hinted(seat):
                raise IllegalActionError(f"{self._who(seat)} is not to act here")
            case Shuffled():
                raise IllegalActionError("nothing was to be shuffled here")
            case _:
                raise IllegalActionError(f"{type(entry).__name__} is not possible here")

    def note_hint(self, bot: str) -> None:
        """Note that the seat to act got a hint from a bot (a spec); raises IllegalActionError."""
        if self.seat < 0:
            raise IllegalActionError("no seat is to act, so there is no hint")
        self._publish(Hinted(self.seat, bot))

    def scores(self) -> list[int]:
        """Return every seat's current score."""
        return self.game.scores(self._state)

    def places(self) -> list[int]:
        """Return the place of every seat's team, 1 for the best; equal scores share a place."""
        return list(self.result().places)

    def result(self) -> Ended:
        """Return the scores in the current state, and the places and returns by them."""
        scores, scoring = self.scores(), self.scoring
        places, returns = scoring.places(scores), scoring.returns(scores)
        return Ended(tuple(scores), tuple(places), tuple(returns))

    def check(self, action: object) -> int:
        """Return a legal action as an int; raises IllegalActionError if it is not legal now.

        The message is public. The action and the legal ones depend on cards that others may not
        know: `Observation.refusal` describes them for the seat.
        """
        if self._state.seat == OVER:
            raise IllegalActionError("the game is over: there is nothing left to do", action)
        number = action if type(action) is int else as_int(action)  # a match checks every step
        try:
            is_legal = number in self._legal_now()
        except HiddenFaceError:
            # In a redacted record the legal actions may depend on blank faces. Then any action is
            # accepted: it cannot be checked.
            is_legal = True
        if number is None or not is_legal:
            raise IllegalActionError(
                f"that is not a legal action of {self._who(self.seat)}", action
            )
        return number

    def _apply(self, action: int) -> None:
        # Not applied in place: undo restores the state before.
        before, legal = self._state, self._legal or ()
        after = before.clone()
        self.game.apply(after, action)
        allowed = masks_at_shuffles(self.game, before, after)
        notation = self._labels(before).notation(action, legal)
        # From here on no code of the game runs: after an exception of it, nothing has changed.
        self._state, self._legal, self._allowed = after, None, allowed
        self._history.append(Step(before.seat, action))
        self._keep_undo(before, after)
        self._publish(Taken(before.seat, action, notation))

    def _lay(self, outcome: Outcome) -> None:
        tokens, _ = self._state.pending_shuffles[0]
        known = blanked(self._state.face)
        if not fits(outcome.faces, [known[token] for token in tokens]):
            raise IllegalActionError("these are not the cards that were shuffled")
        # As in `_apply`, the state before stays as it was.
        after = self._state.clone()
        apply_outcome(after, outcome, self._allowed.pop(0) if self._allowed else ())
        self._state, self._legal = after, None
        self._publish(Shuffled(outcome))

    def _legal_now(self) -> list[int]:
        if self._legal is None:
            self._legal = self.game.legal(self._state)
        return self._legal

    def _chance_rng(self) -> Random:
        # A generator for each outcome, which does not depend on the players' actions: a game that
        # is resumed, or in which actions were undone, draws the same outcomes.
        before = sum(step.seat == CHANCE for step in self._history)
        return Random(f"{self.seed} chance {before} {len(self._state.shuffle_log)}")

    def _labels(self, state: S) -> Labels:
        players = self.players
        # Faces are replaced by a shuffle only, players by a Seated.
        known = self._named
        if known is None or known[0] is not state.face or known[1] is not players:
            names = [player.name for player in players]
            known = state.face, players, Labels(self.game, state.face, state.back, names)
            self._named = known
        return known[2]
