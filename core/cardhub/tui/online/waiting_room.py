"""The screen of a table before a game: seats, options and the link."""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from typing_extensions import override

from cardhub.model.table.settings import Value, format_value
from cardhub.online.remote.remote_client import RemoteClient
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_texts import (
    OFF,
    ON,
    seat_text,
    setting_change,
    table_facts,
    table_settings,
    typed_value,
)
from cardhub.online.wire.client_messages import SetUp, Sit, Stand, Start
from cardhub.online.wire.server_messages import OptionState, TableState
from cardhub.tui.dialogs.dialog import MessageDialog
from cardhub.tui.home.menu.menu_drawing import MenuPage, MenuRow, MenuSection
from cardhub.tui.home.menu.menu_screen import MenuScreen
from cardhub.tui.online.chat_dialog import ChatDialog
from cardhub.view.text.glyphs import Glyphs

# The value of a seat without a bot.
NO_BOT = ""


class WaitingRoom(MenuScreen):
    """Shows the people. A person can take a seat; the owner can change settings and start."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "start", show=False, id="room.start"),
        Binding("c", "chat", show=False, id="room.chat"),
        Binding("x,delete", "stand", show=False, id="room.stand"),
    ]

    def __init__(
        self, client: RemoteClient, address: TableAddress, glyphs: Glyphs, name: str
    ) -> None:
        super().__init__(glyphs)
        self._client = client
        self._address = address
        self._own_name = name
        self._unsubscribe: Callable[[], None] | None = None
        self._read_lines = 0

    def on_mount(self) -> None:
        """Follow the table."""
        self._unsubscribe = self._client.subscribe(self._follow)

    def on_unmount(self) -> None:
        """Unsubscribe from the table."""
        if self._unsubscribe is not None:
            self._unsubscribe()

    @override
    def build(self) -> MenuPage:
        state = self._client.state
        if state is None:
            rows = [MenuRow("wait", "", f"Connecting to {self._address.server}…", is_stop=False)]
            return MenuPage("cardhub  a table", "", [MenuSection("", rows)], (("q", "leave"),))
        right = self._client.banner or ("you own this table" if self._client.is_owner else "")
        settings = table_settings(state) if self._client.is_owner else []
        sections = [
            MenuSection("seats", self._seat_rows(state)),
            MenuSection("table", self._fact_rows(state)),
            MenuSection("options", self._option_rows("option", state.options)),
            MenuSection("settings", self._option_rows("setting", settings)),
        ]
        shown = [section for section in sections if section.rows]
        return MenuPage(f"cardhub  {state.title}  waiting", right, shown, self._footer())

    @override
    def open_row(self, row: MenuRow) -> None:
        kind, _, name = row.id.partition(":")
        if kind == "seat":
            self._take_seat(int(name))
        elif kind == "chat":
            self.action_chat()
        elif kind == "number":
            self.change_row(row, 1)
        elif kind == "option":
            self._type_option(name)
        elif kind == "setting":
            self._type_setting(name)
        elif kind == "link":
            self._show_own_link()

    @override
    def change_row(self, row: MenuRow, by: int) -> None:
        state = self._client.state
        if state is None:
            return
        if not self._client.is_owner:
            self.say("Only the owner of the table can change this.")
            return
        kind, _, name = row.id.partition(":")
        if kind == "seat":
            self._change_seat(state, int(name), by)
        elif kind == "number":
            seats = min(max(len(state.seats) + by, state.fewest), state.most)
            self._client.send(SetUp(seats=seats))
        elif kind == "option":
            option = next(option for option in state.options if option.name == name)
            self._client.send(SetUp(options={name: _next_value(option, by)}))
        elif kind == "setting":
            self._type_setting(name)

    def action_start(self) -> None:
        """Start the game."""
        if self._client.is_owner:
            self._client.send(Start())
        elif self._client.state is not None:
            self.say("Only the owner of the table can start.")

    def action_stand(self) -> None:
        """Give up the seat."""
        if self._client.is_seated:
            self._client.send(Stand())

    def action_chat(self) -> None:
        """Open the chat."""
        if self._client.state is not None and self._client.state.has_chat:
            self.app.push_screen(ChatDialog(self._client, self.glyphs), self._leave_chat)

    def _follow(self) -> None:
        if not self.is_attached:
            return
        self.rebuild()

    def _leave_chat(self, _: object) -> None:
        self._read_lines = self._client.chat.count
        self._follow()

    def _footer(self) -> Sequence[tuple[str, str]]:
        take = (("enter", "change seat" if self._client.is_seated else "take seat"),)
        owner = (("s", "start"), ("←→", "change")) if self._client.is_owner else ()
        stand = (("x", "stand up"),) if self._client.is_seated else ()
        return (*take, *owner, *stand, ("c", "chat"), ("q", "leave"), ("?", "help"))

    def _seat_rows(self, state: TableState) -> list[MenuRow]:
        rows, game = [], self._client.game
        opponents = game.opponents if game is not None else {}
        for number, seat in enumerate(state.seats):
            is_own = number == self._client.viewer
            notes = [
                "you" if is_own else "",
                "owner" if number == state.owner else "",
                opponents.get(seat.bot, ""),
            ]
            text = self.glyphs.text(", ".join(filter(None, notes)))
            shown = self.glyphs.text(seat_text(seat))
            rows.append(MenuRow(f"seat:{number}", f"seat {number + 1}", text, value=shown))
        if state.fewest < state.most and self._client.is_owner:
            numbers = f"{len(state.seats)} of {state.fewest} to {state.most}"
            rows.append(MenuRow("number", "seats", value=numbers))
        return rows

    def _option_rows(self, kind: str, options: Iterable[OptionState]) -> list[MenuRow]:
        text = self.glyphs.text
        return [
            MenuRow(
                f"{kind}:{option.name}",
                option.name,
                value=text(format_value(option.value)),
                detail=text(option.help),
            )
            for option in options
        ]

    def _fact_rows(self, state: TableState) -> list[MenuRow]:
        facts = [] if self._client.is_owner else table_facts(state)[bool(state.options) :]
        rows = [
            MenuRow(f"fact{number}", "", self.glyphs.text(text), is_stop=False)
            for number, text in enumerate(facts)
        ]
        rows.append(MenuRow("page", "link:", self._address.page, is_stop=False))
        if self._client.is_seated and self._client.token:
            rows.append(MenuRow("link", "my seat", "on another device"))
        if state.has_chat:
            unread = self._client.chat.count - self._read_lines
            last = next(reversed(self._client.chat.lines), None)
            text = self.glyphs.text(f"{last.name}: {last.text}") if last else ""
            label = f"chat ({unread} new)" if unread > 0 else "chat"
            rows.append(MenuRow("chat", label, text))
        return rows

    def _take_seat(self, seat: int) -> None:
        client = self._client
        if client.state is None or client.viewer == seat:
            return
        if client.is_seated:
            client.send(Sit(name=client.name, seat=seat))
            return
        self.ask_text(
            "your name: ", self._own_name, lambda name: client.send(Sit(name=name, seat=seat))
        )

    def _change_seat(self, state: TableState, seat: int, by: int) -> None:
        """Put the next level into a seat, or free the seat after the last level."""
        kinds = [NO_BOT, *state.levels]
        bots = [chair.bot for chair in state.seats]
        at = kinds.index(bots[seat]) if bots[seat] in kinds else 0
        bots[seat] = kinds[(at + by) % len(kinds)]
        self._client.send(SetUp(bots=bots))

    def _type_option(self, name: str) -> None:
        state = self._client.state
        if state is None or not self._client.is_owner:
            return
        option = next(option for option in state.options if option.name == name)
        self.ask_text(
            f"{name}: ", format_value(option.value), lambda text: self._set_option(option, text)
        )

    def _set_option(self, option: OptionState, text: str) -> None:
        self._client.send(SetUp(options={option.name: typed_value(option, text.strip())}))

    def _type_setting(self, name: str) -> None:
        """Turn a switch, or open the input for a clock or the address of a webhook."""
        state = self._client.state
        if state is None or not self._client.is_owner:
            return
        setting = next(entry for entry in table_settings(state) if entry.name == name)
        if setting.choices:
            self._set_value(name, format_value(_next_value(setting, 1)))
        else:
            start = "" if setting.value in (ON, OFF) else format_value(setting.value)
            self.ask_text(f"{name}: ", start, lambda text: self._set_value(name, text))

    def _show_own_link(self) -> None:
        link = self._address.seat_link(self._client.token)
        text = f"Open this link there. Keep it secret: with it others can play for you.\n\n{link}"
        self.app.push_screen(MessageDialog("My seat on another device", text, {"close": "Back"}))

    def _set_value(self, name: str, text: str) -> None:
        state = self._client.state
        if state is None:
            return
        change = setting_change(state, name, text)
        if isinstance(change, str):
            self.say(change)
        else:
            self._client.send(change)


def _next_value(option: OptionState, by: int) -> Value:
    if isinstance(option.value, bool):
        return not option.value
    if option.choices:
        at = option.choices.index(option.value) if option.value in option.choices else 0
        return option.choices[(at + by) % len(option.choices)]
    if isinstance(option.value, int):
        low = option.least if option.least is not None else option.value
        high = option.most if option.most is not None else option.value
        return min(max(option.value + by, low), high)
    return option.value
