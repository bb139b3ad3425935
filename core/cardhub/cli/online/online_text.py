"""A table of a server in plain text: prints events, and reads commands at any time."""

import sys
from pathlib import Path

from cardhub.base.errors import RemoteError
from cardhub.cli.console import echo
from cardhub.cli.online.line_reader import LineGate, LineReader
from cardhub.cli.session.painter import Painter
from cardhub.cli.session.text_table import TextTable, read_line
from cardhub.online.remote.remote_client import RemoteClient
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_client import save_replay_page
from cardhub.online.remote.table_texts import (
    pending_answer,
    readers_text,
    request_text,
    seat_lines,
    setting_change,
    table_facts,
)
from cardhub.online.wire.client_messages import (
    LONGEST_CHAT,
    AnswerTakeback,
    AnyClientMessage,
    AskTakeback,
    Rematch,
    Replace,
    Say,
    SetUp,
    Sit,
    Stand,
    Start,
)
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.table_commands import PaceCommand, PlayForced
from cardhub.play.table_model import TableModel
from cardhub.view.explain.card_texts import as_notice
from cardhub.view.text.glyphs import Glyphs

ROOM_COMMANDS = {
    "who": "list the seats, the options and who is there",
    "sit [N] NAME": "take a seat, with or without its number: `sit 2 Anna`",
    "stand": "give up your seat",
    "bot N LEVEL": "put a bot into a seat, or free the seat if the level is left out (owner)",
    "back": "play again yourself, if a bot plays for you",
    "set NAME VALUE": "change a setting or an option: `set chat off`, `set clock 5+10` (owner)",
    "link": "show the link to the table, and the link to your seat for another device",
    "start": "start the game; bots take the free seats (owner)",
    "say TEXT": "write in the chat",
    "takeback": "ask the others to take back your last action",
    "agree": "agree to a takeback or a visitor; `refuse` refuses the request",
    "pause": "pause the bots (owner); `resume` lets them continue",
    "rematch": "play again, one seat further; type it twice to start without absent players",
    "save": "save the replay of the finished game as a page",
    "retry": "retry the turn of a bot that failed (owner)",
    "quit": "leave; your seat stays yours",
}


class RoomCommands:
    """Executes the commands about a table; the answers to sent ones open the gate."""

    def __init__(
        self, client: RemoteClient, address: TableAddress, painter: Painter, gate: LineGate
    ) -> None:
        self._client = client
        self._address = address
        self._say = painter.say
        self._gate = gate

    def carry_out(self, text: str) -> bool:
        """Execute a line if it is a command about the table; return whether it is one."""
        word, _, rest = text.partition(" ")
        rest = rest.strip()
        match word.casefold():
            case "who":
                self._list()
            case "sit":
                self._sit(rest)
            case "set":
                self._set(rest)
            case "link" if not rest:
                self._print_links()
            case "bot":
                self._place_bot(rest)
            case "say":
                self._send(Say(text=rest[:LONGEST_CHAT]))
            case "back" if not rest:
                self._send(Replace(seat=max(self._client.viewer, 0)))
            case "save":
                self._save()
            case name:
                message = self._message(name) if not rest else None
                if message is None:
                    return False
                self._send(message)
        return True

    def _send(self, message: AnyClientMessage) -> None:
        if not self._client.is_connected:
            self._say(
                "Your line was not sent, because the connection is lost. Try again when it is back."
            )
            return
        self._gate.on_command(asks_for_game=isinstance(message, Start | Rematch))
        self._client.send(message)

    def _message(self, name: str) -> AnyClientMessage | None:
        """Return the message of a command without arguments, or None if there is no such one."""
        state, viewer = self._client.state, self._client.viewer
        if name == "rematch" and self._client.is_seated and state is not None:
            return Rematch(without_absent=state.seats[viewer].wants_rematch)
        if name not in ("agree", "refuse"):
            return _PLAIN.get(name)
        agrees, client = name == "agree", self._client
        # Without a request the server says that it has expired.
        answer = pending_answer(client.state, client.viewer, agrees=agrees)
        return answer or AnswerTakeback(agrees=agrees)

    def _list(self) -> None:
        state = self._client.state
        if state is not None:
            self._say(*seat_lines(state, self._client.viewer), *table_facts(state))

    def _sit(self, rest: str) -> None:
        first, _, name = rest.partition(" ")
        is_numbered = first.isdecimal() and bool(name.strip())
        seat = int(first) - 1 if is_numbered else None
        name = name.strip() if is_numbered else rest
        if not name or (seat is not None and not 0 <= seat < self._client.seats):
            self._say(
                f"Type a name, or a seat from 1 to {self._client.seats} and a name: sit 2 Anna"
            )
            return
        self._send(Sit(name=name, seat=seat))

    def _place_bot(self, rest: str) -> None:
        number, _, level = rest.partition(" ")
        state = self._client.state
        if state is None or not number.isdecimal() or not 0 < int(number) <= len(state.seats):
            self._say(f"Type a seat from 1 to {self._client.seats} and a level: bot 2 easy")
            return
        seat = int(number) - 1
        if state.stage == "open":
            bots = [chair.bot for chair in state.seats]
            bots[seat] = level.strip()
            self._send(SetUp(bots=bots))
        else:
            self._send(Replace(seat=seat, bot=level.strip()))

    def _set(self, rest: str) -> None:
        state = self._client.state
        if state is None:
            return
        name, _, value = rest.partition(" ")
        change = setting_change(state, name, value)
        if isinstance(change, str):
            self._say(change)
        else:
            self._send(change)

    def _print_links(self) -> None:
        self._say(f"The table: {self._address.page}")
        if self._client.is_seated and self._client.token:
            link = self._address.seat_link(self._client.token)
            self._say(f"Your seat on another device (keep this link secret): {link}")

    def _save(self) -> None:
        game = self._client.game
        if game is None:
            self._say("There is no finished game at this table.")
            return
        try:
            path = save_replay_page(self._address, game.number, Path.cwd())
        except RemoteError as error:
            self._say(str(error))
        else:
            self._say(f"Written to {path}")


_PLAIN: dict[str, AnyClientMessage] = {
    "stand": Stand(),
    "start": Start(),
    "takeback": AskTakeback(),
    "pause": PaceCommand(command="pause"),
    "resume": PaceCommand(command="resume"),
    "rematch": Rematch(),
    "retry": PaceCommand(command="retry"),
}


def explain_room() -> list[str]:
    """Return the help on commands about the table, one line each."""
    width = max(map(len, ROOM_COMMANDS))
    return [f"  {name:{width}}  {text}" for name, text in ROOM_COMMANDS.items()]


OVER_HELP = "`rematch` plays again, `save` saves the replay as a page, `quit` leaves."


class OnlineTable:
    """One game at a table of a server, for one viewer."""

    def __init__(
        self,
        client: RemoteClient,
        model: TableModel,
        scheduler: BlockingScheduler,
        painter: Painter,
    ) -> None:
        self._client = client
        self._model = model
        self._painter = painter.for_game(model.catalogue)
        self._text = TextTable(scheduler, self._painter, self._has_ended)
        self._text.skip_news(model)
        self._shown = -1
        self._is_end_shown = False
        self._fault: str | None = None

    @property
    def is_own_turn(self) -> bool:
        """Whether it is the person's turn."""
        return bool(self._model.view().choices)

    def print_whole_log(self) -> None:
        """Print the log from its beginning with the next news, for a game that starts now."""
        self._text.print_from_start(self._model)

    def show_news(self) -> None:
        """Print new events, and the table if the person is to act or the game is over."""
        model = self._model
        if model.unread_summaries():
            model.request("read")  # printed with the log, which stays readable
        self._text.print_news(model)
        view, fault = model.view(), model.status().fault
        if fault is not None and fault != self._fault:
            self._painter.say(f"{fault}. The owner of the table can type `retry`.")
        self._fault = fault
        if view.is_over and not self._is_end_shown:
            self._is_end_shown = True
            self._text.show_end(model)
            self._painter.say(OVER_HELP)
        elif view.choices and view.revision != self._shown:
            self._shown = view.revision
            self._text.show_view(model)

    def show_last(self) -> None:
        """Print the table, unless its current state is already printed."""
        view = self._model.view()
        if view.revision != self._shown and not view.is_over:
            self._text.show_view(self._model)

    def obey(self, text: str) -> bool:
        """Execute a typed line; return False if the person leaves."""
        typed = read_line(text or "help", self._model.view())
        if typed.command == "quit":
            return False
        self._text.carry_out(typed, self._model)
        if typed.command == "help":
            self._painter.say(*explain_room())
        return True

    def _has_ended(self) -> bool:
        """Return whether the game or the connection has ended, or another game has begun."""
        client = self._client
        is_gone = client.failure is not None or client.model is not self._model
        return is_gone or self._model.view().is_over


ROOM_HELP = "Type `sit NAME` to take a seat, `start` to start, `help` for all commands."
NOT_WATCHED = "A game is in progress, and spectators cannot watch at this table."


class OnlineText:
    """A table of a server in plain text, from its waiting room to rematches."""

    def __init__(
        self,
        client: RemoteClient,
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
        self._lines = LineReader(scheduler)
        self._gate = LineGate(scheduler)
        self._commands = RoomCommands(client, address, self._painter, self._gate)
        self._table: OnlineTable | None = None
        self._model: TableModel | None = None
        self._has_shown_table = False
        self._room: list[str] = []
        self._banner = self._request = self._prompt = ""
        self._printed_chat = 0
        client.on_notice = self._print_refusal
        client.subscribe(self._gate.on_change)

    def play(self) -> None:
        """Run until the person leaves; raises RemoteError if the connection cannot be restored."""
        self._lines.begin()
        while True:
            self._scheduler.run_until(
                lambda: self._gate.news == "complete" or self._can_read_line() or self._is_left
            )
            self._show_news()
            if self._client.failure is not None:
                raise self._client.failure
            if self._can_read_line():
                self._prompt = ""
                if not self._obey(self._lines.pop()):
                    return
            elif self._is_left:
                self._show_last()
                return
            self._ask()

    @property
    def _is_left(self) -> bool:
        """Whether the input has ended, and the first messages of the server are printed."""
        is_pending = self._gate.news == "arriving" or self._gate.is_asking
        if not self._lines.is_over or self._lines or is_pending:
            return False
        state, client = self._client.state, self._client
        if state is None or client.is_sitting_down:
            return False
        return state.stage == "open" or client.model is not None or not self._may_watch

    @property
    def _may_watch(self) -> bool:
        state = self._client.state
        return self._client.is_seated or (state is not None and state.shows_spectators)

    def _show_last(self) -> None:
        """Show the last state of the table."""
        state = self._client.state
        if self._table is not None:
            self._table.show_last()
        elif state is not None and state.stage != "open" and not self._may_watch:
            self._painter.say(NOT_WATCHED)

    def _print_refusal(self, text: str) -> None:
        self._gate.on_refusal()
        self._painter.say(as_notice(text))

    def _can_read_line(self) -> bool:
        """Return whether a line may be read; piped lines wait for a prompt."""
        if not self._lines or self._client.state is None:
            return False
        if sys.stdin.isatty():
            return True
        if not self._gate.is_quiet or self._client.is_sitting_down:
            return False
        if self._table is None:
            return self._gate.wait == "nothing"
        if self._lines_are_late:
            return True
        return self._table.is_own_turn

    @property
    def _lines_are_late(self) -> bool:
        state = self._client.state
        return state is not None and state.stage == "over" and self._gate.wait == "nothing"

    def _obey(self, text: str) -> bool:
        self._gate.on_line()
        if not sys.stdin.isatty():
            echo(text)
        model = self._client.model
        names = [choice.name.casefold() for choice in model.view().choices] if model else []
        if text.casefold() not in names and self._commands.carry_out(text):
            return True
        if self._table is not None:
            return self._table.obey(text)
        word = text.casefold()
        if word in ("quit", "q", "exit"):
            return False
        is_help = word in ("", "help", "?")
        self._painter.say(
            *(explain_room() if is_help else [f"There is no command {text!r} here. Type `help`."])
        )
        return True

    def _show_news(self) -> None:
        self._gate.on_shown()
        if self._client.banner != self._banner:
            self._banner = self._client.banner
            self._painter.say(self._banner or "Connected again.")
        chat = self._client.chat
        self._painter.say(*(f"{line.name}: {line.text}" for line in chat.since(self._printed_chat)))
        self._printed_chat = chat.count
        state, model = self._client.state, self._client.model
        if state is None:
            return
        if model is not self._model:
            self._open(model)
        if self._table is not None:
            self._table.show_news()
        elif state.stage == "open":
            self._show_room()
        self._print_request()

    def _open(self, model: TableModel | None) -> None:
        """Show another game, or the same game from another seat."""
        self._model, self._table = model, None
        if model is None:
            return
        self._gate.on_game()
        self._table = OnlineTable(self._client, model, self._scheduler, self._painter)
        if self._plays_forced and self._client.is_seated:
            model.send(PlayForced(is_on=True))
        view = model.view()
        players = ", ".join(f"{p.name} ({p.bot})" if p.bot else p.name for p in view.players)
        self._painter.say("", f"{view.title}, {model.seed()}", f"At the table: {players}", "")
        if self._has_shown_table:
            self._table.print_whole_log()
        self._has_shown_table = True

    def _show_room(self) -> None:
        state = self._client.state
        assert state is not None
        self._has_shown_table = True
        lines = [*seat_lines(state, self._client.viewer), *table_facts(state)]
        if lines != self._room:
            is_first = not self._room
            self._room = lines
            self._painter.say("", f"{state.title}: waiting for players", *lines)
            self._painter.say(*[ROOM_HELP] * is_first)

    def _print_request(self) -> None:
        """Print a request of a person, or else for whom the game waits, once."""
        state, viewer = self._client.state, self._client.viewer
        text = request_text(state, viewer)
        if not text and self._model is not None:
            text = readers_text(state, self._model.view(), viewer)
        if text and text != self._request:
            is_asked = pending_answer(state, viewer, agrees=True) is not None
            self._painter.say(text, *["Type `agree` or `refuse`."] * is_asked)
        self._request = text

    def _ask(self) -> None:
        """Print the prompt once per turn, if the input is a terminal."""
        name = self._client.name or "watching"
        prompt = f"{name}> "
        is_due = self._table is None or self._table.is_own_turn or self._lines_are_late
        if is_due and self._prompt != prompt and sys.stdin.isatty():
            self._prompt = prompt
            echo(prompt, nl=False)
