"""A table in play: the referee, turns of bots and people, faults, and listeners."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Literal

from cardhub.base.errors import (
    BotFaultError,
    BotIllegalError,
    IllegalActionError,
    RecordError,
)
from cardhub.play.advice import public_fault
from cardhub.play.history_entries import Entry, Seated
from cardhub.play.host.replays.results.game_result import FinalResults
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.host.turns.bot_turns import BotTurns
from cardhub.play.host.turns.choices import KeptChoices
from cardhub.play.host.turns.clock import Clock
from cardhub.play.host.turns.forced_pauses import ForcedPauses
from cardhub.play.referee import Referee, has_acted, legal_actions
from cardhub.play.seating import Player
from cardhub.play.table_commands import PaceRequest
from cardhub.play.table_messages import TableStatus
from cardhub.play.workers.client import BotClient

# Seconds until the bots' process starts: the table is drawn first.
PREPARE_BOTS_AFTER = 0.2
STALE = "the table has changed since"
STOPPED = "The game at this table has stopped."
STANDS_IN = "A bot plays for you now."
WATCHES = "You watch this game."
NO_UNDO = "You can take back your last action until a card is seen or another player acts."
NOT_ACTED = "You have not acted yet, so there is nothing to take back."
NO_HELPS = "Hints and undo are off at this table."

# What a table is doing: exactly one of these.
Activity = Literal[
    "new",  # the game has not begun
    "between",  # no turn has begun: `go_on` begins the next one
    "blocked",  # as `between`, but a blocker holds
    "person",  # a person is to act
    "bot",  # a bot has been asked, or its answer waits for the pace
    "only_choice",  # a person's only legal action is about to be played
    "fault",  # a bot has failed, and people decide about it
    "halted",  # the game has stopped until the request to retry, or an action
    "failed",  # the record could not be completed, so the game has stopped for good
    "over",  # the game has ended
    "closed",  # the table has been released
]
ENDS: tuple[Activity, ...] = ("failed", "over", "closed")
# By activity: the activities that can follow. People may act before the game has begun.
TRANSITIONS: Mapping[Activity, tuple[Activity, ...]] = {
    "new": ("new", "between", "halted", *ENDS),
    "between": ("between", "blocked", "person", "bot", "only_choice", *ENDS),
    "blocked": ("between", "blocked", "person", "bot", "only_choice", *ENDS),
    "person": ("between", "blocked", "person", "only_choice", *ENDS),
    "bot": ("between", "fault", *ENDS),
    "only_choice": ("between", *ENDS),
    "fault": ("between", "failed", "closed"),
    "halted": ("between", *ENDS),
    "failed": ("failed", "closed"),
    "over": ("between", "failed", "closed"),  # an end can be taken back in practice
    "closed": ("closed",),
}


class CurrentActivity:
    """The activity of a table with its cause: a bot's fault, a RecordError, or a public text."""

    def __init__(self, name: Activity) -> None:
        self.name: Activity = name
        self.cause: Exception | str = ""

    def change(self, name: Activity, cause: Exception | str = "") -> None:
        """Begin another activity; raises ValueError if it cannot follow the current one."""
        if name not in TRANSITIONS[self.name]:
            raise ValueError(f"a table cannot change from {self.name!r} to {name!r}")
        self.name, self.cause = name, cause

    @property
    def has_stopped(self) -> bool:
        """Whether nobody can act any more, although the game may not be over."""
        return self.name in ("failed", "closed")

    @property
    def fault(self) -> BotFaultError | None:
        """The fault of the bot to act, about which people decide."""
        return self.cause if isinstance(self.cause, BotFaultError) else None

    @property
    def failure(self) -> RecordError | None:
        """The error that stopped the table, because the state is ahead of the record."""
        return self.cause if isinstance(self.cause, RecordError) else None

    @property
    def halted_by(self) -> str:
        """The public text with which the game has stopped, or an empty text."""
        return self.cause if isinstance(self.cause, str) else ""


class _Recording:
    """A block that keeps a RecordError instead of raising it."""

    # No generator, because each action of a game enters it.
    def __init__(self) -> None:
        self.error: RecordError | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, traceback: object) -> bool:
        if not isinstance(error, RecordError):
            return False
        self.error = error
        return True


def find_only_choice(referee: Referee[Any], seat: int) -> int | None:
    """Return the only legal action of a seat to act, or None if it has several."""
    legal = legal_actions(referee, seat)
    # A secret action that is played at once would show that there is no other.
    is_secret = not referee.game.actions.secret.isdisjoint(legal)
    return legal[0] if len(legal) == 1 and not is_secret else None


class RunningTable:
    """Carries out the actions of people and bots, one after another, in the scheduler's thread.

    `revision` counts the changes of the state. `path`: the record's path, or None. `blockers`:
    conditions under which bots and single choices wait; call `go_on` after removing one.
    `only_choice_seats`: the seats whose turns with one legal action are played automatically.
    `clock` runs for the people to act, also in a pause of the bots; set it before `begin`.
    `activity`: what the table is doing; TRANSITIONS has what can follow. `choices`: of seats that
    choose at the same time. `bot_seat`: the seat of the bot that was asked last.

    Its only heir is `Host`, because this class is compiled, and a host with its resources is not.
    """

    def __init__(
        self,
        referee: Referee[Any],
        bots: BotClient,
        scheduler: Scheduler,
        pace: float,
        path: Path | None = None,
    ) -> None:
        self._referee = referee
        self.path = path
        self.scheduler = scheduler
        self.revision = 0
        self.had_fault = False
        self.blockers: list[Callable[[], bool]] = []
        self.only_choice_seats: set[int] = set()
        # From the seed, which is secret: nobody can compute a pause.
        self._pauses = ForcedPauses(scheduler, Random(f"{referee.seed} pauses"))
        self.choices, self.bot_seat = KeptChoices(referee), referee.seat
        self.turns = BotTurns(bots, scheduler, pace, self, self._pauses)
        self.clock: Clock | None = None
        self.results = FinalResults(scheduler, path)
        self._listeners: list[Callable[[], None]] = []
        self.activity = CurrentActivity("over" if referee.is_over else "new")
        self._recording = _Recording()
        # The revision after an undo: the person's only choice is then not played automatically.
        self._undone_at = -1
        # Seats of people who play or have played: their owners may see them, also while a bot
        # stands in.
        self._seats_of_people = {
            *(seat for seat, player in enumerate(referee.first_players) if player.is_human),
            *(e.seat for e in referee.entries if isinstance(e, Seated) and e.player.is_human),
        }
        referee.subscribe(self._on_entry)

    @property
    def players(self) -> Sequence[Player]:
        """The players by seat."""
        return self._referee.players

    @property
    def seat(self) -> int:
        """The seat to act, as in a state."""
        return self._referee.seat

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people, including seats in which a bot stands in for a person."""
        return tuple(sorted(self._seats_of_people))

    @property
    def is_bots_turn(self) -> bool:
        """Whether a bot is to act, and no person."""
        return bool(self.choices.missing) and not self.people_to_act

    @property
    def people_to_act(self) -> Sequence[int]:
        """The seats of the people to act: several if they have yet to choose at the same time."""
        players = self._referee.players
        return [seat for seat in self.choices.missing if players[seat].is_human]

    @property
    def is_waiting_for_people(self) -> bool:
        """Whether neither a bot's action nor a single choice is pending."""
        match self.activity.name:
            case "only_choice":
                return False
            case "bot":
                return bool(self.people_to_act)
            case "new" | "between" | "blocked" | "closed":
                return not self.is_bots_turn
        return True

    def status(self) -> TableStatus:
        """Return the progress of the game."""
        return _status_of(self)

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after every change; return the callback that ends the subscription."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def notify(self) -> None:
        """Set the clock and call all listeners."""
        _set_clock(self)  # first: listeners read it
        for listener in tuple(self._listeners):
            listener()

    def begin(self, halted_by: str = "") -> None:
        """Start the game; called once, in the thread of the scheduler.

        `halted_by`: a public text; the game then stops until the request to retry, or an action.
        """
        if self.activity.name == "new":
            self.activity.change("halted" if halted_by else "between", halted_by)
        self.scheduler.call_soon(self.go_on)
        if not all(player.is_human for player in self._referee.players):
            # The first turn of a bot then does not wait for its process.
            self.scheduler.call_later(PREPARE_BOTS_AFTER, self._prepare)
        _set_clock(self)

    def close(self) -> None:
        """Stop: nobody acts from now on."""
        self._end_turn("closed", self.activity.failure or "")
        _set_clock(self)

    def go_on(self) -> None:
        """Ask the bot to act, or play a single choice, unless a blocker holds."""
        if self.activity.name not in ("between", "blocked", "person"):
            return
        if any(is_blocked() for is_blocked in self.blockers):
            self.activity.change("blocked")
            return
        seats, players = self.choices.missing, self._referee.players
        bots = [seat for seat in seats if not players[seat].is_human]
        if bots:
            self.bot_seat = bots[0]
            self.activity.change("bot")
            seen, is_secret = self._referee.observe(bots[0]), len(seats) > 1
            self.turns.start(seen, hides_speed=bool(self.people), is_secret=is_secret)
            return
        self.turns.rest()
        _await_people(self, seats)

    def act(self, seat: int, action: object, revision: int | None) -> None:
        """Carry out an action, then go on; raises IllegalActionError.

        `revision`: at which a person chose it; None for a bot's action or a single choice. A choice
        is kept until all who choose at the same time have chosen; it can be made again.
        """
        if revision is not None:
            if why := self.why_no_action(seat, revision):
                raise IllegalActionError(why)
            self._pauses.end_turn(seat, has_choice=find_only_choice(self._referee, seat) is None)
        if self.choices.is_round:
            _keep_choice(self, seat, action)
        else:
            with self._recording:
                self._referee.apply(action)
            self._end_step()
        self.go_on()

    def why_no_action(self, seat: int, revision: int) -> str:
        """Return why the person of a seat can neither act nor choose again; empty if it can.

        `revision`: at which the person looked at the table.
        """
        if self.activity.has_stopped:
            return STOPPED
        is_asked = seat in self.choices.asked
        if is_asked and not self._referee.players[seat].is_human:
            return STANDS_IN
        is_present = self._since() <= revision <= self.revision_of(seat)
        return "" if is_asked and is_present else STALE

    def revision_of(self, viewer: int) -> int:
        """Return the revision with the changes that only a viewer sees."""
        return self.revision + self.choices.own_changes(viewer)

    def why_no_change(self, seat: int) -> str:
        """Return why a viewer cannot take back any action now; empty if it may."""
        if not self._referee.helps:
            return NO_HELPS
        if seat not in range(len(self.players)):
            return WATCHES
        return "" if self.players[seat].is_human else STANDS_IN

    def why_no_undo(self, seat: int) -> str:
        """Return why a seat cannot take back its last action; empty if it can."""
        if (why := self.why_no_change(seat)) or self.choices.can_undo(seat):
            return why
        return NO_UNDO if has_acted(self._referee, seat) else NOT_ACTED

    def undo(self, seat: int) -> None:
        """Take a person's last action back, and the single choices after it.

        Raises IllegalActionError.
        """
        if why := self.why_no_undo(seat):
            raise IllegalActionError(why)
        self._check_goes_on()
        if self.choices.withdraw(seat):
            self.revision += 1
            self._undone_at = self.revision
            self.notify()
            self.go_on()
            return
        with self._recording:
            _undo_recorded(self._referee, seat, with_only_choices=seat in self.only_choice_seats)
        self._go_back()

    def why_no_takeback(self, seat: int) -> str:
        """Return why the game cannot go back to before a seat's last action; empty if it can."""
        return self.why_no_change(seat) or self._referee.why_no_takeback(seat)

    def request(self, request: PaceRequest) -> None:
        """Change the pace of the game, or decide about a bot that failed or is slow."""
        if request in ("retry", "skip") and self.activity.name in ("fault", "halted"):
            self._end_turn("between")
        elif (fault := self.turns.request(request)) is not None:
            self._show_fault(fault)
        self.notify()
        self.go_on()

    def fail(self, error: RecordError) -> None:
        """Stop the game because the record could not be completed."""
        self._end_turn("failed", error)
        self.notify()

    def note_hint(self, seat: int, bot: str) -> None:
        """Record that a seat to act got a hint, and call the listeners."""
        with self._recording:
            self._referee.note_hint(bot, seat)
        self._check_record()
        self.notify()

    def on_answer(self, answer: object) -> None:
        """Carry out a bot's action, or show its fault."""
        if isinstance(answer, BotFaultError):
            self._show_fault(answer)
            return
        try:
            self.act(self.bot_seat, answer, None)
        except IllegalActionError:
            refusal = self._referee.observe(self.bot_seat).refusal(answer)
            self._show_fault(BotIllegalError(refusal, answer))

    def _go_back(self) -> None:
        """End a step back in the game."""
        self._undone_at = self.revision + 1
        self._end_step()
        self.go_on()

    def _end_step(self) -> None:
        """Find out what follows a change of the state, and call the listeners."""
        if self._recording.error is not None:
            self._end_turn("failed", self._recording.error)
        elif self._referee.is_over:
            self._end_turn("over")
        else:
            self._end_turn("new" if self.activity.name == "new" else "between")
        self.choices.end()
        self._outdate()
        self._pauses.start_turn()
        self.notify()

    def _interrupt(self) -> None:
        """End the turn of a bot or a person, whose player may have changed."""
        if "between" in TRANSITIONS[self.activity.name] and self.activity.name != "new":
            self._end_turn("between")

    def _check_record(self) -> None:
        """Stop the game if the last entry could not be recorded."""
        if self._recording.error is not None and self.activity.name != "closed":
            self._end_turn("failed", self._recording.error)

    def _check_goes_on(self) -> None:
        """Raise IllegalActionError if the table has stopped for good before the end."""
        if self.activity.has_stopped:
            raise IllegalActionError(STOPPED)

    def _prepare(self) -> None:
        if not self.activity.has_stopped:
            self.turns.prepare()

    def _on_entry(self, entry: Entry) -> None:
        self.turns.note_entry(entry, self._referee.moments.beats)
        if self.clock is not None:
            self.clock.on_entry(entry)

    def _since(self) -> int:
        """Return the first revision of the present turn, or round of choices at the same time."""
        return self.revision - self.choices.count

    def _outdate(self) -> None:
        """Refuse actions that were chosen before now."""
        self.revision += 1 + self.choices.restart_count()

    def _end_turn(self, activity: Activity, cause: Exception | str = "") -> None:
        # Answers to the state before must not count in the present one.
        self.turns.cancel()
        self.activity.change(activity, cause)

    def _show_fault(self, fault: BotFaultError) -> None:
        self._end_turn("fault", fault)
        self.had_fault = True
        self.notify()


def _status_of(table: RunningTable) -> TableStatus:
    turns, cause = table.turns, table.activity.cause
    fault = cause if isinstance(cause, str) and cause else None
    if isinstance(cause, BotFaultError):
        fault = public_fault(table.players[table.bot_seat], cause)
    thinking = turns.thinking
    if thinking is not None and table.choices.is_round and table.people_to_act:
        thinking = None  # while people choose, they cannot see whether a bot still does
    is_thinking = thinking is not None
    return TableStatus(
        is_paused=turns.is_paused,
        is_waiting=turns.is_waiting,
        pace=turns.pace,
        thinking=thinking,
        is_slow=is_thinking and turns.is_slow,
        is_unresponsive=is_thinking and turns.is_unresponsive,
        fault=fault,
        failure=str(cause) if isinstance(cause, RecordError) else None,
    )


def _keep_choice(table: RunningTable, seat: int, action: object) -> None:
    """Keep a choice, and carry out all of them in the order of seats after the last one."""
    before, choices = table.choices.count, table.choices
    choices.keep(seat, action)
    table.revision += choices.count - before
    if not choices.missing:
        with table._recording:
            for chosen in choices.end().values():
                table._referee.apply(chosen)
        table._end_step()
        return
    is_asked_bot = table.activity.name == "bot" and seat == table.bot_seat
    if is_asked_bot or table.activity.name == "halted":
        table._end_turn("between")
    table.notify()


def _undo_recorded(referee: Referee[Any], seat: int, *, with_only_choices: bool) -> None:
    """Take the last action of a seat back; `with_only_choices`: and the single choices before."""
    referee.undo(seat)
    while with_only_choices and referee.can_undo(seat):
        if find_only_choice(referee, seat) is None:
            return
        referee.undo(seat)


def _set_clock(table: RunningTable) -> None:
    """Run the clocks of the people to act, if the game goes on."""
    if table.clock is None:
        return
    # A pause holds bots back. It must not give the people to act more time.
    rests = table.activity.name == "new" or table.activity.has_stopped
    chosen = set(table.choices.asked) - set(table.choices.missing)
    table.clock.run(*() if rests else table.people_to_act, resting=chosen)


def _await_people(table: RunningTable, seats: Sequence[int]) -> None:
    """Wait for the people to act in these seats, or play the only legal action of one of them."""
    seat = _find_forced_seat(table, seats)
    table.activity.change("person" if seat is None else "only_choice")
    if seat is not None:
        play = partial(_play_only_choice, table, seat, table._since())
        if len(table.people) == 1:
            table.scheduler.call_later(table.turns.reading_seconds, play)
        else:
            table._pauses.call_later(play, seat, table.turns.spacing, table.clock)


def _find_forced_seat(table: RunningTable, seats: Sequence[int]) -> int | None:
    """Return one of these seats whose only legal action is played automatically now, or None."""
    if table.turns.is_paused or table._undone_at == table.revision:
        return None
    for seat in seats:
        if seat in table.only_choice_seats and find_only_choice(table._referee, seat) is not None:
            return seat
    return None


def _play_only_choice(table: RunningTable, seat: int, since: int) -> None:
    if table.activity.name != "only_choice" or since != table._since():
        return
    table._end_turn("between")
    if seat in table.choices.missing:
        table.act(seat, find_only_choice(table._referee, seat), None)
    else:
        table.go_on()
