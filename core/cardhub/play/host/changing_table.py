"""A table whose players may change in the middle of a game, and which goes back by consent."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from typing_extensions import override

from cardhub.base.errors import IllegalActionError, RecordError
from cardhub.play.advice import public_fault
from cardhub.play.bot_process.client import BotClient
from cardhub.play.history_entries import Entry, Note, Noted, Seated, Taken, TakenBack, Undone
from cardhub.play.host.replays.results.final_results import FinalResults
from cardhub.play.host.running_table import RunningTable
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.host.session import Course
from cardhub.play.host.turns.clock import Clock
from cardhub.play.referee import Referee
from cardhub.play.seating import Player


class ChangingTable(RunningTable):
    """Seats other players, notes who left or came back, and takes actions back by consent.

    `clock` runs for the person to act, unless the table is paused; set it before `begin`.
    """

    def __init__(
        self,
        referee: Referee[Any],
        bots: BotClient,
        scheduler: Scheduler,
        pace: float,
        path: Path | None = None,
    ) -> None:
        super().__init__(referee, bots, scheduler, pace, path)
        self.clock: Clock | None = None
        self.results = FinalResults(scheduler, path)
        referee.subscribe(self._count_time)
        # Seats of people who play or have played: their owners may see them, also while a bot
        # stands in.
        self._seats_of_people = {
            *(seat for seat, player in enumerate(referee.first_players) if player.is_human),
            *(e.seat for e in referee.entries if isinstance(e, Seated) and e.player.is_human),
        }

    @override
    def begin(self) -> None:
        super().begin()
        self._set_clock()

    @override
    def halt(self) -> None:
        super().halt()
        self._set_clock()

    @override
    def notify(self) -> None:
        # First, so that listeners see the clock of now.
        self._set_clock()
        super().notify()

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people, with those in which a bot stands in for a person."""
        return tuple(sorted(self._seats_of_people))

    @property
    def left(self) -> frozenset[int]:
        """The seats whose people have left or ran out of time, and are not back yet."""
        notes = {e.seat: e.note for e in self._referee.entries if isinstance(e, Noted)}
        return frozenset(seat for seat, note in notes.items() if note != "back")

    def course(self) -> Course:
        """Return how the game is going on."""
        turns = self.turns
        fault = self.halted_by or None
        if self.fault is not None:
            fault = public_fault(self._referee.players[self._referee.seat], self.fault)
        return Course(
            turns.is_paused,
            turns.is_waiting,
            turns.pace,
            turns.thinking,
            turns.is_slow,
            turns.is_unresponsive,
            fault,
            None if self.failure is None else str(self.failure),
        )

    def replace(self, seat: int, player: Player) -> None:
        """Give a seat to another player: to a bot, back to its person, or to another person.

        A bot that is thinking there is cancelled. Raises SeatingError for the name, PluginError or
        OptionError for an unknown bot, and IllegalActionError if the game is over or a person would
        sit down in a game of bots whose hands have been shown.
        """
        self._check_player(player)
        self._note(lambda: self._referee.seat_player(seat, player))
        if player.is_human:
            self._seats_of_people.add(seat)
        if seat == self.seat:
            # An action that was chosen for the player before must not count.
            self.revision += 1
            if self.clock is not None:
                self.clock.end_turn()
        if seat == self.seat or self._is_asked:
            # Also where another bot is thinking: its client may have dropped the question.
            self._end_turn()
        self._reseat()
        self.notify()
        self.go_on()

    def note(self, seat: int, note: Note) -> None:
        """Note that the person of a seat left, came back or ran out of time.

        Once the game is over nothing is noted.
        """
        if self._referee.is_over:
            return
        self._note(lambda: self._referee.note(seat, note))
        self.notify()

    def note_hint(self, bot: str) -> None:
        """Record that the seat to act got a hint, and tell the listeners."""
        self._note(lambda: self._referee.note_hint(bot))
        self.notify()

    def can_take_back(self, seat: int) -> str:
        """Return why the game cannot go back to before a seat's last action; empty if it can."""
        return self.why_no_change(seat) or self._referee.why_no_takeback(seat)

    def take_back(self, seat: int, agreed: Sequence[int]) -> None:
        """Go back to before a seat's last action, as other seats agreed.

        Who must agree is the caller's rule. Raises IllegalActionError.
        """
        if why := self.can_take_back(seat):
            raise IllegalActionError(why)
        self._carry_out(lambda: self._referee.take_back(seat, agreed))
        self._is_undone = True
        self.go_on()

    def _set_clock(self) -> None:
        """Let the clock run for the person to act, if the game goes on."""
        if self.clock is None:
            return
        stands = self.failure is not None or self.turns.is_paused or not self._is_running
        is_persons_turn = self.seat >= 0 and not self.is_bots_turn
        self.clock.run(self.seat if is_persons_turn and not stands else None)

    def _count_time(self, entry: Entry) -> None:
        if self.clock is None:
            return
        match entry:
            case Taken(seat) if seat >= 0:
                self.clock.acted(seat)
            case Undone(seat):
                self.clock.undid(seat)
            case TakenBack():
                self.clock.end_turn()

    def _check_player(self, player: Player) -> None:
        """Raise as `replace` unless a player can sit down here."""

    def _reseat(self) -> None:
        """Tell the clients of the bots who sits where."""

    def _note(self, step: Callable[[], None]) -> None:
        """Call `step`, which leaves the state as it is; keep a RecordError."""
        try:
            step()
        except RecordError as error:
            self.failure = error
            self._end_turn()
