"""A table of a server in plain text: events as they happen, lines typed at any time."""

import sys

from typing_extensions import override

from cardhub.cli.console import echo
from cardhub.cli.online.room_commands import RoomCommands, explain_room
from cardhub.cli.online.typed_lines import TypedLines
from cardhub.cli.session.painter import Painter
from cardhub.cli.session.plain_commands import read_line
from cardhub.cli.session.plain_table import PlainTable
from cardhub.host.scheduler import BlockingScheduler
from cardhub.remote.joined_table import JoinedTable
from cardhub.remote.remote_session import RemoteSession
from cardhub.remote.remote_table import RemoteTable
from cardhub.remote.table_address import TableAddress
from cardhub.remote.table_texts import must_agree, seat_lines, table_facts, takeback_text
from cardhub.text.glyphs import Glyphs

# Seconds for which messages that belong together may arrive.
SETTLE = 0.05
# Seconds for which a line of a pipe waits for the answer to the line before.
ANSWER_WITHIN = 1.0
ROOM_HELP = "Type `sit NAME` to take a seat, `start` to start, `help` for all commands."
OVER_HELP = "`rematch` plays again, `save` saves the replay as a page, `quit` leaves."


class OnlineTable(PlainTable):
    """One game of a table at a server, for one viewer."""

    def __init__(self, host: RemoteTable, scheduler: BlockingScheduler, painter: Painter) -> None:
        super().__init__(host, scheduler, painter)
        self._shown = -1
        self._is_end_shown = False
        self._fault: str | None = None
        host.begin()

    @property
    def is_own_turn(self) -> bool:
        """Whether the person is to act."""
        return bool(self._session.view().choices)

    def tell_all(self) -> None:
        """Tell the log from its beginning, in a game that was awaited."""
        self._told[self._session.viewer] = 0

    def show_news(self) -> None:
        """Print new events, and the table where the person is to act or the game is over."""
        self._tell()
        view, fault = self._session.view(), self._session.course().fault
        if fault is not None and fault != self._fault:
            self._painter.say(f"{fault}. The owner of the table can `retry`.")
        self._fault = fault
        if view.is_over and not self._is_end_shown:
            self._is_end_shown = True
            self._show_end()
            self._painter.say(OVER_HELP)
        elif view.choices and view.revision != self._shown:
            self._shown = view.revision
            self._painter.show_view(view, self._session.catalogue)

    def obey(self, text: str) -> bool:
        """Carry out a typed line; return False if the person leaves."""
        typed = read_line(text or "help", self._session)
        if typed.command == "quit":
            return False
        self._carry_out(typed, self._session)
        if typed.command == "help":
            self._painter.say(*explain_room())
        self._wait_for_answer()
        return True

    @override
    def _stands_still(self) -> bool:
        return self._host.is_over  # faults are for the owner of the table


class OnlineText:
    """A terminal at a table of a server, from its waiting room to rematches."""

    def __init__(
        self,
        client: JoinedTable,
        address: TableAddress,
        scheduler: BlockingScheduler,
        glyphs: Glyphs,
        *,
        plays_forced: bool = False,
    ) -> None:
        self._client = client
        self._plays_forced = plays_forced
        self._scheduler = scheduler
        self._painter = Painter(glyphs)
        self._lines = TypedLines(scheduler)
        self._commands = RoomCommands(client, address, self._painter.say)
        self._table: OnlineTable | None = None
        self._session: RemoteSession | None = None
        self._has_changed = self._is_due = False
        self._was_in_room = self._awaits_game = self._is_asking = False
        self._room: list[str] = []
        self._banner = self._takeback = self._prompt = ""
        self._chatted = 0
        client.told = self._tell_refusal
        client.subscribe(self._change)

    def play(self) -> None:
        """Show the table until it is left; raises RemoteError if the connection ends for good."""
        self._lines.begin()
        while True:
            self._scheduler.run_until(self._has_work)
            self._show_news()
            if self._client.failure is not None:
                raise self._client.failure
            if self._can_take_line():
                self._prompt = ""
                if not self._obey(self._lines.take()):
                    return
            elif self._lines.is_over and not self._lines:
                return
            self._ask()

    def _tell_refusal(self, text: str) -> None:
        self._awaits_game = False
        self._painter.say(text)

    def _change(self) -> None:
        # A view and its log are two messages: they are shown together.
        if not self._is_due:
            self._is_due = True
            self._scheduler.call_later(SETTLE, self._mark_change)

    def _mark_change(self) -> None:
        self._is_due, self._has_changed = False, True
        self._is_asking = False

    def _await_answer(self) -> None:
        """Let lines of a pipe wait until the server has answered, or had the time to."""
        self._is_asking = True

        def stop() -> None:
            self._is_asking = False

        self._scheduler.call_later(ANSWER_WITHIN, stop)

    def _has_work(self) -> bool:
        is_known = self._client.state is not None and not self._client.is_sitting_down
        is_left = self._lines.is_over and not self._lines and is_known
        return self._has_changed or self._can_take_line() or is_left

    def _can_take_line(self) -> bool:
        """Return whether a line may be taken; those of a pipe wait until they are asked for."""
        if not self._lines or self._client.state is None:
            return False
        if sys.stdin.isatty():
            return True
        if self._is_asking or self._is_due or self._has_changed or self._client.is_sitting_down:
            return False
        if self._table is None:
            return not self._awaits_game
        if self._lines_are_late:
            return True
        return self._table.is_own_turn

    @property
    def _lines_are_late(self) -> bool:
        state = self._client.state
        return state is not None and state.stage == "over" and not self._awaits_game

    def _obey(self, text: str) -> bool:
        if not sys.stdin.isatty():
            echo(text)
        session = self._client.session
        names = [each.name.casefold() for each in session.view().choices] if session else []
        self._awaits_game = text.casefold() in ("start", "rematch")
        if text.casefold() not in names and self._commands.carry_out(text):
            if self._commands.has_asked:
                self._await_answer()
            return True
        if self._table is not None:
            return self._table.obey(text)
        word = text.casefold()
        if word in ("quit", "q", "exit"):
            return False
        is_help = word in ("", "help", "?")
        self._painter.say(*(explain_room() if is_help else [f"{text!r} is unknown here: `help`"]))
        return True

    def _show_news(self) -> None:
        self._has_changed = False
        self._tell_banner()
        self._tell_chat()
        state, session = self._client.state, self._client.session
        if state is None:
            return
        if session is not self._session:
            self._open(session)
        if self._table is not None:
            self._table.show_news()
        elif state.stage == "open":
            self._show_room()
        self._tell_takeback()

    def _open(self, session: RemoteSession | None) -> None:
        """Show another game, or the own new seat in it."""
        self._session, self._table = session, None
        if session is None:
            return
        self._table = OnlineTable(
            RemoteTable(self._client, session), self._scheduler, self._painter
        )
        if self._plays_forced and self._client.is_seated:
            session.plays_forced(True)
        view = session.view()
        players = ", ".join(f"{p.name} ({p.bot})" if p.bot else p.name for p in view.players)
        self._painter.say("", f"{view.title}, {session.seed()}", f"At the table: {players}", "")
        if self._was_in_room:
            self._table.tell_all()
        self._was_in_room = True

    def _show_room(self) -> None:
        state = self._client.state
        assert state is not None
        self._was_in_room = True
        lines = [*seat_lines(state, self._client.viewer), *table_facts(state)]
        if lines != self._room:
            is_first = not self._room
            self._room = lines
            self._painter.say("", f"{state.title}: waiting for players", *lines)
            self._painter.say(*[ROOM_HELP] * is_first)

    def _tell_banner(self) -> None:
        if self._client.banner != self._banner:
            self._banner = self._client.banner
            self._painter.say(self._banner or "Connected again.")

    def _tell_chat(self) -> None:
        chat = self._client.chat
        self._painter.say(*(f"{each.name}: {each.text}" for each in chat.since(self._chatted)))
        self._chatted = chat.count

    def _tell_takeback(self) -> None:
        state = self._client.state
        text = takeback_text(state) if state is not None else ""
        if text and text != self._takeback:
            is_asked = must_agree(state, self._client.viewer)
            self._painter.say(text, *["`agree` or `refuse`"] * is_asked)
        self._takeback = text

    def _ask(self) -> None:
        """Print the prompt once for each turn at a terminal."""
        name = self._client.name or "watching"
        prompt = f"{name}> "
        is_due = self._table is None or self._table.is_own_turn or self._lines_are_late
        if is_due and self._prompt != prompt and sys.stdin.isatty():
            self._prompt = prompt
            echo(prompt, nl=False)
