"""Tables with everything in any order: actions, bots at fault, undo, pause, hand-overs."""

import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from tests.attack.cases import Finding, Share
from tests.play.host.conftest import Table

from cardhub.base.errors import BotCrashError
from cardhub.play.history_entries import NOTES
from cardhub.play.host.terminal import SharedTerminal
from cardhub.play.records.reading import parse_record
from cardhub.play.records.recording import as_record
from cardhub.play.records.replaying import open_record, replayed
from cardhub.play.seating import Player
from cardhub.play.table_commands import PaceRequest, PlayForced, SetPace
from cardhub.play.table_model import TableModel
from cardhub.play.workers.client import OnAnswer
from cardhub.plugins.registry import find_plugins

DOOR = "tables"
REGISTRY = find_plugins()
WISHES: tuple[PaceRequest, ...] = (
    "pause",
    "resume",
    "step",
    "skip",
    "retry",
    "stop",
    "wait",
    "read",
)
OPERATIONS, TURNS = 80, 3000
# Seconds of the clock; the longest is that after which people are asked whether to wait.
WAITS = (0, 0.1, 1, 70)


def attack(share: Share) -> Iterator[list[Finding]]:
    """Play one game for each case: first in any order, then to its end."""
    for number in share.numbers:
        storm = Storm(Random(f"{share.seed} {DOOR} {number}"))
        try:
            storm.rage()
            storm.calm()
        except Exception as error:  # noqa: BLE001  # which one is the finding
            how = "".join(traceback.format_exception(error)[-3:])
            yield [Finding(DOOR, number, f"{type(error).__name__}: {error}", how)]
        else:
            yield []


class Storm:
    """A table of people and bots, with a clock and bots that this attack drives."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        game = REGISTRY.game(rng.choice(list(REGISTRY.game_names())))
        seats = rng.randint(game.seats.low, min(game.seats.high, 4))
        people = [seat for seat in range(seats) if rng.random() < 0.5]
        self._at = Table(game, people=people, seats=seats, pace=rng.choice((0, 0.6))).begin()
        self._terminal = SharedTerminal(self._at.host)
        self._sessions = [*map(self._at.host.model, (*people, seats))]
        # Answers of bots to questions that have been dropped.
        self._late: list[tuple[OnAnswer, int]] = []

    def rage(self) -> None:
        """Act at random, and look at the whole table after each action."""
        doings: list[Callable[[TableModel], object]] = [
            *[self._act] * 4,
            *[self._answer] * 3,
            lambda session: session.undo(self._at.told.append),
            lambda session: session.request(self._rng.choice(WISHES)),
            lambda session: session.send(SetPace(seconds=self._rng.choice((0, 0.3, 5, -1)))),
            lambda session: session.send(PlayForced(is_on=self._rng.random() < 0.5)),
            self._hint,
            lambda _: self._at.clock.wait(self._rng.choice(WAITS)),
            lambda _: self._take(),
            lambda _: self._terminal.cover(),
            lambda _: self._answer_late(),
            lambda _: self._change(),
        ]
        for _ in range(OPERATIONS):
            session = self._rng.choice(self._sessions)
            self._rng.choice(doings)(session)
            if self._rng.random() < 0.5:
                self._at.clock.wait()
            for look in (session.view, session.status, session.log, session.unread_summaries):
                look()

    def calm(self) -> None:
        """Play to the end and answer every question; the game must come to its end."""
        host, clock = self._at.host, self._at.clock
        for _ in range(TURNS):
            if host.is_over:
                break
            self._sessions[0].request("retry" if host.activity.fault else "resume")
            for session in self._sessions:
                session.request("read")
            self._take()
            clock.wait(4)
            if self._at.bots.question:
                self._at.answer(self._rng.choice(self._at.bots.question[0].legal()), 4)
            elif not host.is_over and host.players[self._at.referee.seat].is_human:
                self._act(host.model(self._at.referee.seat), is_stale=False)
        assert host.is_over, f"the game does not come to its end: {self._sessions[0].status()}"
        record = parse_record(Path("game.jsonl"), as_record(self._at.referee).encode())
        again = replayed(record, open_record(self._at.referee.game, record))
        assert again.entries == self._at.referee.entries, "the record tells of another game"
        assert all(session.result() for session in self._sessions)

    def _act(self, session: TableModel, *, is_stale: bool | None = None) -> None:
        view = session.view()
        stale = self._rng.random() < 0.1 if is_stale is None else is_stale
        if view.choices:
            action = self._rng.choice(view.choices).action
            session.act(action, view.revision - stale, self._at.told.append)

    def _answer(self, _: TableModel) -> None:
        bots = self._at.bots
        if bots.question is None:
            return
        observation, on_answer = bots.question
        legal = observation.legal()
        odd = [None, -1, 10**9, "x", 1.5, True, [], legal, BotCrashError("tired")]
        how = self._rng.random()
        if how < 0.1:
            self._late.append((on_answer, self._rng.choice(legal)))
        else:
            bots.answer(self._rng.choice(odd if how < 0.3 else legal))

    def _answer_late(self) -> None:
        if self._late:
            on_answer, action = self._late.pop()
            on_answer(action)

    def _hint(self, session: TableModel) -> None:
        session.hint(lambda hint: self._at.told.append(hint.why_none))
        if self._at.adviser.question is not None and self._rng.random() < 0.5:
            self._at.adviser.answer(self._rng.choice(("no", BotCrashError("tired"))))

    def _change(self) -> None:
        """Replace a player, note that one left, or take actions back."""
        host, seat = self._at.host, self._rng.randrange(len(self._at.host.players))
        kind = self._rng.choice(("replace", "note", "takeback"))
        if kind == "note":
            host.note(seat, self._rng.choice(NOTES))
        elif kind == "takeback" and not host.why_no_takeback(seat):
            host.take_back(seat, [])
        elif kind == "replace" and not host.is_over:
            player = Player(host.players[seat].name, self._rng.choice(("human", "random")))
            host.replace(seat, player)
            if player.is_human:
                self._sessions.append(host.model(seat))

    def _take(self) -> None:
        seat = self._terminal.next_holder
        if seat is not None:
            self._terminal.take(seat)
