"""The referee: sole holder of the true state."""

from collections.abc import Sequence
from random import Random

from typing_extensions import override

from cardhub.base.errors import HiddenFaceError, IllegalActionError
from cardhub.base.errors.quoting import as_int
from cardhub.model.game.game import Game, S
from cardhub.model.game.game_scoring import game_scoring
from cardhub.model.game.initial_state import Seed, initial_state
from cardhub.model.hidden.chance import (
    Outcome,
    apply_outcome,
    masks_at_shuffles,
    sample_action,
    sample_outcome,
)
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import Step
from cardhub.model.table.faces import Faces, blanked
from cardhub.model.table.settings import Settings
from cardhub.model.table.state import CHANCE, OVER
from cardhub.play.history_entries import (
    Dealt,
    Ended,
    Entry,
    Hinted,
    Noted,
    Seated,
    Shuffled,
    Taken,
    TakenBack,
    Undone,
)
from cardhub.play.records.header import PlayedOn
from cardhub.play.records.notation import fits, read_action
from cardhub.play.seating import Player
from cardhub.play.undoable_game import UndoableGame


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
