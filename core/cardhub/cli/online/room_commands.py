"""Commands of a table at a server in plain text: seats, chat, takebacks and rematches."""

from collections.abc import Callable
from pathlib import Path

from cardhub.base.errors import RemoteError
from cardhub.online.remote.joined_table import JoinedTable
from cardhub.online.remote.joining import save_replay_page
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_texts import seat_lines, setting_change, table_facts
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
    WishFor,
)

ROOM_COMMANDS = {
    "who": "list the seats, the options and who is there",
    "sit [N] NAME": "take a seat, in a number of your choice: `sit 2 Anna`",
    "stand": "give your seat up",
    "bot N LEVEL": "put a bot into a seat, or with no level let it wait for a person (owner)",
    "back": "play again yourself, if a bot plays for you",
    "set NAME VALUE": "change a setting or an option: `set chat off`, `set clock 5+10` (owner)",
    "link": "show the link to the table, and that to your seat for another device",
    "start": "start the game; bots take the free seats (owner)",
    "say TEXT": "write into the chat",
    "takeback": "ask the others to take your last action back",
    "agree": "agree to a takeback; `refuse` refuses it",
    "rematch": "play again, each one seat further",
    "save": "save the replay of the finished game as a page",
    "retry": "ask a bot again that failed (owner)",
    "quit": "leave; your seat stays yours",
}


class RoomCommands:
    """Carries out the commands about a table; `say` prints sentences."""

    def __init__(
        self, client: JoinedTable, address: TableAddress, say: Callable[..., None]
    ) -> None:
        self._client = client
        self._address = address
        self._say = say
        self.has_asked = False

    def carry_out(self, text: str) -> bool:
        """Carry a line out if it is a command about the table; return whether it was.

        `has_asked` tells whether it was sent to the server.
        """
        self.has_asked = False
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
                self._tell_links()
            case "bot":
                self._place_bot(rest)
            case "say":
                self._send(Say(text=rest[:LONGEST_CHAT]))
            case "back" if not rest:
                self._send(Replace(seat=max(self._client.viewer, 0)))
            case "save":
                self._save()
            case name:
                message = _PLAIN.get(name) if not rest else None
                if message is None:
                    return False
                self._send(message)
        return True

    def _send(self, message: AnyClientMessage) -> None:
        if not self._client.is_connected:
            self._say("Not sent: the connection is lost. fix: try again when it is back.")
            return
        self.has_asked = True
        self._client.send(message)

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
            self._say(f"Type a name, perhaps after a seat from 1 to {self._client.seats}: sit Anna")
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
            bots = [each.bot for each in state.seats]
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

    def _tell_links(self) -> None:
        self._say(f"The table: {self._address.page}")
        if self._client.is_seated and self._client.token:
            link = self._address.seat_link(self._client.token)
            self._say(f"Your seat, for another device of yours alone: {link}")

    def _save(self) -> None:
        game = self._client.game
        if game is None:
            self._say("No game has been played.")
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
    "agree": AnswerTakeback(agrees=True),
    "refuse": AnswerTakeback(agrees=False),
    "rematch": Rematch(),
    "retry": WishFor(wish="retry"),
}


def explain_room() -> list[str]:
    """Return the lines of the help on commands about the table."""
    width = max(map(len, ROOM_COMMANDS))
    return [f"  {name:{width}}  {text}" for name, text in ROOM_COMMANDS.items()]
