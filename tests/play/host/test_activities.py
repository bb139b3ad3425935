"""The activities of a table under random commands, faults, full disks and blockers."""

from contextlib import nullcontext
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, get_args

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.kit.full_disks import full_disk
from tests.kit.soaking import count_examples
from tests.play.host.conftest import FakeClient, Table

from cardhub.base.errors import BotCrashError, IllegalActionError, RecordError, SeatingError
from cardhub.bots.bot import Rated
from cardhub.play.history_entries import Entry
from cardhub.play.host.running_table import TRANSITIONS, Activity, CurrentActivity
from cardhub.play.host.table_host import Host
from cardhub.play.host.turns.clock import Clock, TimeControl
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import as_record
from cardhub.play.records.replaying import open_record, replayed, resume
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.table_commands import Act, PaceRequest, PlayForced, Undo
from cardhub.play.table_messages import Reply
from cardhub_gargon import Gargon

SEATS = range(3)
EXAMPLES = count_examples(12)
ANY_SEAT = st.sampled_from(SEATS)
SECONDS = st.sampled_from((0.0, 0.3, 0.7, 2.0, 70.0))
RARELY = st.sampled_from((False, False, False, False, False, True))


class RandomTable(RuleBasedStateMachine):
    """A table of two people and a bot, at which anything may happen in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.path = Path(self.folder.name) / "game.jsonl"
        self.is_disk_full = False
        self.is_blocked = False
        self.at = Table(Gargon(), people=(0, 1), seats=3, path=self.path)
        self.host, self.referee = self.at.host, self.at.referee
        self.host.blockers.append(lambda: self.is_blocked)
        append = self.referee._history.listeners[0]

        def append_if_possible(entry: Entry) -> None:
            # The line is begun, but not completed.
            with full_disk(self.path.stat().st_size + 5) if self.is_disk_full else nullcontext():
                append(entry)

        self.referee._history.listeners[0] = append_if_possible
        self.expired: list[int] = []
        control = TimeControl.parse("1+5")
        self.host.clock = Clock(control, len(SEATS), self.at.clock, self.expired.append)
        self.statuses: list[tuple[Activity, bool]] = []
        self.host.subscribe(self.on_change)

    def on_change(self) -> None:
        """Note what a listener sees at a change."""
        status = self.host.status()
        self.statuses.append((self.host.activity.name, status.fault is not None))

    @initialize(is_halted=RARELY, pace=st.sampled_from((0.0, 0.6)))
    def begin(self, pace: float, *, is_halted: bool) -> None:
        """Begin the game, or stop it at once."""
        self.host.turns.set_pace(pace)
        self.host.begin("The code of this game failed." if is_halted else "")
        self.at.clock.wait()

    @rule(number=st.integers(0, 20), is_stale=st.booleans())
    def act(self, number: int, *, is_stale: bool) -> None:
        """Act for the person to act, or with an old view."""
        seat = self.referee.seat
        if seat < 0 or self.host.is_bots_turn:
            return
        if self.host.activity.name == "failed":
            with pytest.raises(IllegalActionError, match="has stopped"):
                self.host.act(seat, number, self.host.revision)
            return
        session, before = self.host.session(seat), self.host.revision
        choices = session.view().choices
        action, replies = choices[number % len(choices)].action, list[Reply]()
        session.send(Act(action=action, rev=before + is_stale), replies.append)
        assert bool(replies) == is_stale == (self.host.revision == before)
        self.at.clock.wait()

    @rule(seat=ANY_SEAT)
    def undo(self, seat: int) -> None:
        """Undo an action if it is possible."""
        seat, replies = seat % 2, list[Reply]()
        is_refused = bool(self.host.why_no_undo(seat)) or self.host.activity.name == "failed"
        self.host.session(seat).send(Undo(), replies.append)
        assert bool(replies) == is_refused
        self.at.clock.wait()

    @rule(seat=ANY_SEAT)
    def take_back(self, seat: int) -> None:
        """Go back by consent of the other people."""
        try:
            self.host.take_back(seat, [other for other in SEATS if other != seat])
        except IllegalActionError:
            assert self.host.why_no_takeback(seat) or self.host.activity.name == "failed"
        self.at.clock.wait()

    @rule(request=st.sampled_from(get_args(PaceRequest)), seat=st.sampled_from((0, 1)))
    def request(self, request: PaceRequest, seat: int) -> None:
        """Request another pace, or decide about a bot."""
        self.host.model(seat).request(request)
        self.at.clock.wait()

    @rule(seconds=SECONDS)
    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.at.clock.wait(seconds)

    @rule(is_full=RARELY)
    def let_a_bot_act(self, *, is_full: bool) -> None:
        """Play until a bot is asked, and have it act, perhaps on a full disk."""
        self.reach_bot()
        if self.at.bots.question is not None:
            self.is_disk_full |= is_full
            self.at.answer()

    @rule(answer=st.sampled_from((10**6, -7, BotCrashError("it is gone"))), seconds=SECONDS)
    def let_a_bot_fail(self, answer: object, seconds: float) -> None:
        """Play until a bot is asked, and have it fail."""
        self.reach_bot()
        if self.at.bots.question is not None:
            self.at.answer(answer, seconds)

    def reach_bot(self) -> None:
        """Act for people until a bot is asked."""
        self.request("read", 0)
        self.request("read", 1)
        while self.host.activity.name == "person" and not self.is_disk_full:
            self.at.act(self.referee.seat)
            self.request("read", 0)
            self.request("read", 1)

    @rule(is_on=st.booleans(), seat=st.sampled_from((0, 1)))
    def play_only_choices(self, seat: int, *, is_on: bool) -> None:
        """Set whether single choices are played automatically."""
        self.host.session(seat).send(PlayForced(is_on=is_on), list[Reply]().append)
        self.at.clock.wait()

    @rule(seat=ANY_SEAT, kind=st.sampled_from(("human", "random")))
    def replace(self, seat: int, kind: str) -> None:
        """Give a seat to a bot, or to a person."""
        name = self.referee.players[seat].name
        try:
            self.host.replace(seat, Player(name, kind))
        except IllegalActionError:
            assert self.referee.is_over or self.referee._state.pending_shuffles
        except SeatingError as error:
            raise AssertionError(name) from error
        self.at.clock.wait()

    @rule(seat=ANY_SEAT)
    def note(self, seat: int) -> None:
        """Note that a person has left."""
        if not self.referee._state.pending_shuffles:
            self.host.note(seat, "left")

    @rule(is_list=st.booleans())
    def hint(self, *, is_list: bool) -> None:
        """Ask for a hint, and have it answered."""
        seat = self.referee.seat
        if seat < 0 or self.host.is_bots_turn or self.host.activity.name == "failed":
            return
        answers: list[object] = []
        self.host.model(seat).hint(answers.append)
        legal = self.referee.observe(seat).legal()
        self.at.adviser.answer([Rated(legal[0], 1, 0.5)] if is_list else BotCrashError("gone"))
        self.at.clock.wait()
        assert len(answers) == (not is_list or not self.is_disk_full)

    @rule(is_full=RARELY)
    def fill_disk(self, *, is_full: bool) -> None:
        """Let the disk be full for the next entries, or free it."""
        self.is_disk_full = is_full

    @rule(has_failed=RARELY)
    def fail(self, *, has_failed: bool) -> None:
        """Report from outside that the record could not be written to disk."""
        if has_failed:
            self.host.fail(RecordError("the disk is gone"))

    @rule(is_blocked=RARELY)
    def block(self, *, is_blocked: bool) -> None:
        """Block the bots, or let them go on."""
        self.is_blocked = is_blocked
        self.host.go_on()
        self.at.clock.wait()

    @invariant()
    def is_in_one_activity(self) -> None:
        """Compare the activity with everything that it implies."""
        check_activity(self.host, self.at.bots, self.referee)
        is_blocked = any(blocks() for blocks in self.host.blockers)
        assert self.host.activity.name != "blocked" or is_blocked
        for name, has_fault in self.statuses:
            assert has_fault == (name in ("fault", "halted"))
        self.statuses.clear()

    @invariant()
    def has_a_complete_record(self) -> None:
        """Compare the record with the history of the game."""
        text, whole = self.path.read_text("utf-8"), as_record(self.referee)
        is_failed = self.host.activity.name == "failed"
        assert whole.startswith(text) if is_failed else whole == text

    def teardown(self) -> None:
        """Play the game to its end, in another table if the record could not be written."""
        try:
            self.is_disk_full = self.is_blocked = False
            at, referee = self.at, self.referee
            if self.host.activity.name == "failed":
                referee = resume(Gargon(), read_record(self.path))
                at = Table(resumed=referee, path=self.path).begin()
            play_to_the_end(at)
            assert self.path.read_text("utf-8") == as_record(referee)
            record = read_record(self.path)
            assert replayed(record, open_record(Gargon(), record)).is_over
            at.host.close()
            assert at.host.activity.name == "closed"
            check_activity(at.host, at.bots, referee)
        finally:
            self.folder.cleanup()


def check_activity(host: Host, bots: FakeClient, referee: Referee[Any]) -> None:
    """Compare the activity of a table with its bots, its players, its clock and its status."""
    name, status = host.activity.name, host.status()
    is_bots_turn = referee.seat >= 0 and not referee.players[referee.seat].is_human
    # Both last only until the callbacks that are due have been called.
    assert name not in ("new", "between", "only_choice")
    assert (host.turns._turn is not None) == (name == "bot")
    assert status.thinking is None or name == "bot"
    assert bots.question is not None or status.thinking is None
    assert (host.activity.fault is not None) == (name == "fault")
    assert bool(host.activity.halted_by) == (name == "halted")
    assert (status.fault is not None) == (name in ("fault", "halted"))
    assert (status.failure is not None) == (name == "failed") or name == "closed"
    assert name != "person" or (referee.seat >= 0 and not is_bots_turn)
    assert name not in ("bot", "fault") or is_bots_turn
    assert referee.is_over == (name == "over") or name in ("failed", "closed")
    assert host.is_waiting_for_people == (
        name != "bot" and not (name == "blocked" and is_bots_turn)
    )
    runs = referee.seat >= 0 and not is_bots_turn and name not in ("failed", "closed")
    if host.clock is not None and not status.is_paused and host.clock.left(referee.seat) > 0:
        assert host.clock.running == ((referee.seat,) if runs else ())


def play_to_the_end(at: Table) -> None:
    """Play random actions until the game is over."""
    host, rng = at.host, Random(0)
    host.stops_at_summaries = False
    host.request("resume")
    for _ in range(1000):
        at.clock.wait(10)
        seat = at.referee.seat
        match host.activity.name:
            case "over":
                return
            case "person":
                host.act(seat, rng.choice(at.referee.observe(seat).legal()), host.revision)
            case "bot":
                at.answer()
            case "fault" | "halted":
                host.request("retry")
            case other:
                raise AssertionError(other)
    raise AssertionError("the game does not end")


TestRandomTables = RandomTable.TestCase
TestRandomTables.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    database=None,
    # A failure is reported with all its commands: to find fewer ones takes minutes.
    phases=(Phase.generate,),
)


def test_each_activity_can_end_with_the_table() -> None:
    assert set(TRANSITIONS) == set(get_args(Activity))
    assert all("closed" in following for following in TRANSITIONS.values())
    reached, following = set[str](), {"new"}
    while following - reached:
        reached |= following
        following = {name for start in following for name in TRANSITIONS[start]}  # type: ignore[index]  # all names are activities
    assert reached == set(TRANSITIONS)


def test_an_activity_that_cannot_follow_is_an_error() -> None:
    activity = CurrentActivity("over")
    with pytest.raises(ValueError, match="from 'over' to 'bot'"):
        activity.change("bot")
    assert activity.name == "over"
