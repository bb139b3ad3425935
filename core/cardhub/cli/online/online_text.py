"""A table of a server in plain text: events as they happen, lines typed at any time."""

import sys

from cardhub.cli.console import echo
from cardhub.cli.online.online_table import OnlineTable
from cardhub.cli.online.room_commands import RoomCommands, explain_room
from cardhub.cli.online.typed_lines import TypedLines
from cardhub.cli.session.painter import Painter
from cardhub.online.remote.joined_table import JoinedTable
from cardhub.online.remote.remote_session import RemoteSession
from cardhub.online.remote.remote_table import RemoteTable
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_texts import must_agree, seat_lines, table_facts, takeback_text
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.view.text.glyphs import Glyphs

# Seconds for which messages that belong together may arrive.
SETTLE = 0.05
# Seconds for which a line of a pipe waits for the answer to the line before.
ANSWER_WITHIN = 1.0
ROOM_HELP = "Type `sit NAME` to take a seat, `start` to start, `help` for all commands."
NOT_WATCHED = "A game runs here, and this table may not be watched."


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
            elif self._is_left:
                self._show_last()
                return
            self._ask()

    @property
    def _is_left(self) -> bool:
        """Whether no line follows, and all that the server tells a newcomer has been shown."""
        if not self._lines.is_over or self._lines or self._is_due or self._is_asking:
            return False
        state, client = self._client.state, self._client
        if state is None or client.is_sitting_down:
            return False
        return state.stage == "open" or client.session is not None or not self._may_watch

    @property
    def _may_watch(self) -> bool:
        state = self._client.state
        return self._client.is_seated or (state is not None and state.shows_spectators)

    def _show_last(self) -> None:
        """Show the table as it is left."""
        state = self._client.state
        if self._table is not None:
            self._table.show_last()
        elif state is not None and state.stage != "open" and not self._may_watch:
            self._painter.say(NOT_WATCHED)

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
        return self._has_changed or self._can_take_line() or self._is_left

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
