"""A served table at which anything may happen in any order, and what must hold after each step."""

import traceback
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.kit.full_disks import full_disk
from tests.online.server.tables.conftest import REGISTRY, FakeClient, FakeServer

from cardhub.base.errors import BotCrashError
from cardhub.bots.bot import Bot
from cardhub.model.hidden.observation import Observation
from cardhub.online.server.credentials import hash_token
from cardhub.online.server.table_interface import DiskError
from cardhub.online.server.tables.broadcasting.game_feeds import REPLACED
from cardhub.online.server.tables.served_table import LOG, ServedTable
from cardhub.online.server.tables.storage.table_store import TableStore
from cardhub.online.server.tables.table_context import TableContext
from cardhub.online.server.tables.table_game import RETRY_AFTER
from cardhub.online.server.tables.table_stage import derive_stage, stored_game
from cardhub.online.wire import client_messages as m
from cardhub.play import table_commands as c
from cardhub.play import table_messages as t
from cardhub.play.host import opening
from cardhub.play.records.reading import read_record
from cardhub.play.records.replaying import open_record, replayed
from cardhub.view.view import Spot

OWNER, GUEST, SPECTATOR = "Anna", "Bob", "Chris"
PEOPLE = st.sampled_from((OWNER, GUEST, SPECTATOR))
SEATED = st.sampled_from((OWNER, GUEST))
SEATS = st.sampled_from((0, 1))
RARELY = st.sampled_from((False, False, False, True))
# The size that no file may exceed: some hold the file of the table but not the record.
FREE_BYTES = st.sampled_from((0, 200, 400, 600, 800, 1200, 2500))
SECONDS = st.sampled_from((1.0, RETRY_AFTER, 70.0, 130.0, 400.0))
QUESTIONS = (
    c.AskPast(id=1, step=1),
    c.AskExplain(id=2, spot=Spot("area", 0, 0)),
    c.AskWhy(id=3, subject="bet"),
    c.Undo(id=4),
    c.PaceCommand(command="read"),
)
MOST_ACTIONS = 2000


class Faults:
    """Full disks and broken bots, which a test plants, and the exceptions that the server logs."""

    def __init__(self, stack: ExitStack) -> None:
        self.are_bots_broken = self.is_disk_full = False
        self.logged: list[str] = []
        self._rng = Random(1)
        self._disk = stack.enter_context(ExitStack())
        stack.enter_context(patch.object(opening, "choose", self._choose))
        stack.enter_context(patch.object(LOG, "exception", self._note))

    def fill_disk(self, free: int) -> None:
        """Let files grow up to a size only."""
        self.free_disk()
        self._disk.enter_context(full_disk(free))
        self.is_disk_full = True

    def free_disk(self) -> None:
        """Let files grow again."""
        self._disk.close()
        self.is_disk_full = False

    def _choose(self, bot: Bot, observation: Observation[Any]) -> int:
        """Return the action of a bot, which may be broken; it plays at random, to save time."""
        if self.are_bots_broken:
            raise BotCrashError("planted")
        return self._rng.choice(observation.legal())

    def _note(self, text: str, *values: object, **_: object) -> None:
        """Note a logged exception with its traceback."""
        self.logged.append(f"{text % values}\n{traceback.format_exc()}")


class AnyOrder(RuleBasedStateMachine):
    """A table of an owner, a guest and a spectator. `clients`: the connected one of each person."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        folder = self.stack.enter_context(TemporaryDirectory())
        self.faults = Faults(self.stack)
        self.server = FakeServer(Path(folder) / "tables")
        self.tokens = dict.fromkeys((OWNER, GUEST, SPECTATOR), "")
        self.clients: dict[str, FakeClient] = {}
        self.table = ""

    @initialize(
        game=st.sampled_from(("kuhn", "goofspiel", "gamon")),
        clock=st.sampled_from(("", "", "1+5", "1d")),
        has_guest=st.sampled_from((True, True, False)),
    )
    def begin(self, game: str, clock: str, *, has_guest: bool) -> None:
        """Make a table and start a game, of two people or of a person and a bot."""
        options = {"cards": 4} if game == "goofspiel" else {}
        owner = self.server.create(game, name=OWNER, clock=clock, options=options)
        self.table = owner.table
        self.clients[OWNER] = owner
        if has_guest:
            self.clients[GUEST] = self.server.visit(owner)
            self.clients[GUEST].tell(m.Sit(name=GUEST))
        self.keep_tokens()
        owner.tell(m.Start())

    @rule(person=PEOPLE, number=st.integers(0, 5))
    def act(self, person: str, number: int) -> None:
        """Act, or read the summary before the next action."""
        client = self.clients.get(person)
        if client is not None and not client.closed and client.count(t.TableMessage):
            choices = client.table_message.view.choices
            if choices:
                client.act(number % len(choices))
            else:
                client.tell(c.PaceCommand(command="read"))

    @rule(number=st.integers(0, 5))
    def act_twice(self, number: int) -> None:
        """Let both people act, because games must also end."""
        for person in (OWNER, GUEST):
            self.act(person, number)

    @rule(person=PEOPLE)
    def enter(self, person: str) -> None:
        """Connect an absent person."""
        if person not in self.clients:
            client = FakeClient(self.server, self.table, self.tokens[person])
            try:
                client.enter()
            except DiskError:
                assert self.faults.is_disk_full
                return
            assert not client.closed
            self.clients[person] = client

    @rule(person=PEOPLE)
    def leave(self, person: str) -> None:
        """Disconnect a person."""
        if (client := self.clients.pop(person, None)) is not None:
            client.leave()

    @rule(person=SEATED, is_certain=RARELY)
    def sit_or_stand(self, person: str, *, is_certain: bool) -> None:
        """Take a seat under the own name, or give it up."""
        client = self.clients.get(person)
        if client is None:
            return
        if client.viewer == len(client.state.seats):
            client.tell(m.Sit(name=person))
        elif is_certain:
            client.tell(m.Stand())

    @rule(person=PEOPLE, message=st.sampled_from((m.Start(), m.Rematch(), m.AskTakeback())))
    def ask(self, person: str, message: m.AnyClientMessage) -> None:
        """Ask for a game or for a takeback."""
        self.tell(person, message)

    @rule()
    def rematch(self) -> None:
        """Let all people ask for another game."""
        for person in (OWNER, GUEST):
            self.tell(person, m.Rematch())

    @rule(person=SEATED, agrees=st.booleans())
    def answer(self, person: str, *, agrees: bool) -> None:
        """Answer the request for a takeback."""
        self.tell(person, m.AnswerTakeback(agrees=agrees))

    @rule(person=SEATED, name=PEOPLE, agrees=st.booleans())
    def admit(self, person: str, name: str, *, agrees: bool) -> None:
        """Answer a visitor who asks for a seat."""
        self.tell(person, m.AnswerNewcomer(name=name, agrees=agrees))

    @rule(person=PEOPLE, seat=SEATS, bot=st.sampled_from(("random", "random", "")))
    def replace(self, person: str, seat: int, bot: str) -> None:
        """Give a seat to a bot, or back to its person."""
        self.tell(person, m.Replace(seat=seat, bot=bot))

    @rule(person=SEATED)
    def take_seat_back(self, person: str) -> None:
        """Take the own seat back from a bot."""
        client = self.clients.get(person)
        if client is not None and client.viewer < len(client.state.seats):
            client.tell(m.Replace(seat=client.viewer))

    @rule(bot=st.sampled_from(("random", "easy")))
    def set_up(self, bot: str) -> None:
        """Give free seats to a bot, which drops a finished game."""
        if OWNER in self.clients:
            chairs = self.clients[OWNER].served.context.chairs
            self.tell(OWNER, m.SetUp(bots=["" if chair.token else bot for chair in chairs]))

    @rule(person=PEOPLE, question=st.sampled_from(QUESTIONS))
    def ask_about_the_game(self, person: str, question: Any) -> None:
        """Ask about a part of the table, or to undo an action."""
        self.tell(person, question)

    @rule(person=PEOPLE)
    def look_into_the_lobby(self, person: str) -> None:
        """Find the table among the own ones."""
        if token := self.tokens[person]:
            offer = self.server.lobby.own_offer(self.table, token)
            assert offer is not None
            assert offer.table == self.table

    @rule(command=st.sampled_from(("retry", "skip", "read", "pause", "resume")))
    def decide(self, command: Any) -> None:
        """Set the pace as the owner, or decide about a bot or a game that does not go on."""
        self.tell(OWNER, c.PaceCommand(command=command))

    @rule(person=SEATED, is_on=st.booleans())
    def play_forced(self, person: str, *, is_on: bool) -> None:
        """Set whether single choices are played automatically."""
        self.tell(person, c.PlayForced(is_on=is_on))

    @rule(seconds=SECONDS)
    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.server.wait(seconds)

    @rule(free=FREE_BYTES)
    def fill_disk(self, free: int) -> None:
        """Let files grow up to a size only."""
        self.faults.fill_disk(free)

    @rule()
    def free_disk(self) -> None:
        """Let files grow again."""
        self.faults.free_disk()

    @rule(are_broken=RARELY)
    def break_bots(self, *, are_broken: bool) -> None:
        """Let bots fail, or work again."""
        self.faults.are_bots_broken = are_broken

    @rule(is_certain=RARELY)
    def restart(self, *, is_certain: bool) -> None:
        """Kill the server and start another one in its folder; all clients connect again."""
        if is_certain:
            self.faults.free_disk()
            self.server.start()
            for person in [*self.clients]:
                del self.clients[person]
                self.enter(person)

    def tell(self, person: str, message: m.AnyClientMessage) -> None:
        """Send a message of a person who is connected."""
        if person in self.clients and not self.clients[person].closed:
            self.clients[person].tell(message)

    def drop_closed(self) -> None:
        """Forget the clients that the server has closed."""
        self.clients = {person: x for person, x in self.clients.items() if not x.closed}

    def keep_tokens(self) -> None:
        """Keep the token of each person with a seat; people who have none lose their token."""
        hashes = {chair.token for chair in self.file.chairs} | {self.file.owner}
        for person, client in self.clients.items():
            self.tokens[person] = client.token
        for person, token in self.tokens.items():
            if token and hash_token(token) not in hashes:
                self.tokens[person] = ""
                if person in self.clients:
                    self.clients[person].token = ""

    @property
    def file(self) -> Any:
        """The file of the table on disk."""
        return TableStore(self.server.folder).load(self.table)

    @property
    def loaded(self) -> ServedTable | None:
        """The table if it is in memory."""
        return self.server.lobby.loaded.get(self.table)

    @invariant()
    def nothing_fails(self) -> None:
        """Require that the server has logged no exception."""
        assert not self.faults.logged, self.faults.logged[0]

    @invariant()
    def everybody_has_a_view_or_a_reason(self) -> None:
        """Compare what clients have with what their seats may see."""
        if not self.table:
            return
        self.drop_closed()
        self.keep_tokens()
        if self.loaded is None:
            assert not self.clients
            return
        context = self.loaded.context
        for client in self.clients.values():
            assert client.viewer == context.viewer_of(context.file.holder_of(client.token))
            assert client.state.stage == context.stage
            check_view(client, context)

    @invariant()
    def the_table_is_what_its_files_say(self) -> None:
        """Compare the table in memory with its file and with the record of its last game."""
        if self.loaded is None:
            return
        context, store = self.loaded.context, TableStore(self.server.folder)
        assert context.file == self.file
        stage = derive_stage(self.file, stored_game(store, self.file)).stage
        assert context.stage == stage
        if context.host is not None:
            record = read_record(store.record(self.table, self.file.number))
            game = REGISTRY.game(record.header.game)
            again = replayed(record, open_record(game, record))
            assert again.entries == context.host._referee.entries

    @invariant()
    def only_other_seats_are_asked_for_a_takeback(self) -> None:
        """Check that a takeback request concerns the game in progress, and asks somebody."""
        if self.loaded is None or (request := self.loaded._takebacks.state) is None:
            return
        assert self.loaded.context.stage == "playing"
        seats = range(len(self.loaded.context.chairs))
        assert set(request.missing) <= {*seats} - {request.seat}
        assert request.missing

    def teardown(self) -> None:
        """Play the game to its end and another one, after the host has mended everything."""
        try:
            if self.table:
                self.faults.free_disk()
                self.faults.are_bots_broken = False
                self.drop_closed()
                self.play_on()
        finally:
            self.stack.close()

    def play_on(self) -> None:
        """Let both people come back and play: the table must not be stuck."""
        self.server.wait(RETRY_AFTER + 1)
        for person in (OWNER, GUEST):
            self.enter(person)
        owner = self.clients[OWNER]
        if owner.state.stage == "playing":
            self.play_to_the_end()
        number = owner.state.number
        self.seat_everybody()
        self.rematch()
        if owner.state.stage != "playing":
            self.tell(OWNER, m.Start())
        assert (owner.state.stage, owner.state.number) == ("playing", number + 1), owner.refusal
        self.everybody_has_a_view_or_a_reason()
        assert all(self.clients[person].table_message for person in (OWNER, GUEST))
        self.play_to_the_end()
        self.the_table_is_what_its_files_say()

    def seat_everybody(self) -> None:
        """Give a seat to both people, after bots have left theirs."""
        if any(seat.bot for seat in self.clients[OWNER].state.seats):
            self.set_up("")
        for person in (OWNER, GUEST):
            if self.clients[person].viewer == len(self.clients[person].state.seats):
                self.tell(person, m.Sit(name=person))

    def play_to_the_end(self) -> None:
        """Act for all people until the game is over."""
        self.tell(OWNER, c.PaceCommand(command="resume"))
        for _ in range(MOST_ACTIONS):
            if self.clients[OWNER].state.stage == "over":
                return
            self.tell(OWNER, c.PaceCommand(command="retry"))
            self.act_twice(0)
            if self.clients[OWNER].count(t.TableMessage) == 0:
                self.take_seat_back(OWNER)
            self.server.wait(1)
        raise AssertionError("the game does not end")


def check_view(client: FakeClient, context: TableContext) -> None:
    """Compare the view and the log of a client with the game, or require a reason."""
    host = context.host
    if host is None:
        assert context.stage == "open"
    elif client.viewer in host.viewers:
        session = host.session(client.viewer)
        assert client.table_message.view == session.view()
        assert client.log == list(session.log())
    else:
        assert REPLACED in reasons(client)


def reasons(client: FakeClient) -> list[str]:
    """Return the refusals since the client got the rules of the current game."""
    numbers = [n for n, message in enumerate(client.messages) if isinstance(message, t.GameInfo)]
    return [x.why for x in client.messages[numbers[-1] :] if isinstance(x, t.Refused)]
