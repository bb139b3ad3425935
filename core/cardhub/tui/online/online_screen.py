"""The screen of a game at a server, with chat, takeback requests, clocks and presence."""

from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import ClassVar

from msgspec.structs import replace
from textual import on
from textual.binding import BindingType
from typing_extensions import override

from cardhub.online.remote.remote_client import RemoteClient
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_texts import (
    another_bot,
    clock_text,
    pending_answer,
    readers_text,
    request_text,
    seat_lines,
    table_facts,
)
from cardhub.online.wire.client_messages import AnswerNewcomer, AnswerTakeback, AskTakeback, Replace
from cardhub.online.wire.server_messages import SeatState
from cardhub.play.host.saved.preferences import DEFAULTS, Preferences
from cardhub.play.table_messages import TableStatus
from cardhub.play.table_model import TableModel
from cardhub.tui.dialogs.dialog import MessageDialog
from cardhub.tui.keys import Key, bindings
from cardhub.tui.online.chat_dialog import ChatDialog
from cardhub.tui.online.online_keys import CHAT, ONLINE_KEYS
from cardhub.tui.online.online_result import OnlineResult
from cardhub.tui.table.play_screen import PlayScreen
from cardhub.tui.table.status_dialogs import OWNED_TABLE, BotReplaced, StatusDialogs
from cardhub.tui.table.table_widget import SpotPointed, TableWidget
from cardhub.view.layout.canvas import TableGlyphs
from cardhub.view.view import PlayerView, View

# Seconds for which a notice of the server stays, whatever happens at the table.
NOTICE_SECONDS = 8.0
# Keys for the owner of the table only.
OWNERS = ("table.pause", "table.faster", "table.slower", "table.skip")


class OnlineScreen(PlayScreen):
    """Shows one game at a table of a server, to play or to watch."""

    KEYS: ClassVar[Sequence[Key]] = ONLINE_KEYS
    BINDINGS: ClassVar[list[BindingType]] = bindings(ONLINE_KEYS)

    def __init__(
        self,
        client: RemoteClient,
        model: TableModel,
        address: TableAddress,
        glyphs: TableGlyphs,
        *,
        preferences: Preferences = DEFAULTS,
    ) -> None:
        super().__init__(
            glyphs, says_you=model.viewer < len(model.view().players), preferences=preferences
        )
        self._client = client
        self._model = model
        self._status_dialogs = StatusDialogs(self, OWNED_TABLE)
        self._status_dialogs.is_on = client.is_owner
        self._address = address
        self._read_lines = self._client.chat.count
        # The request whose question is shown or was closed, as the answer that agrees to it.
        self._asked: AnswerTakeback | AnswerNewcomer | None = None
        self._question: MessageDialog | None = None
        self._state_at = monotonic()
        self._clocks = ""
        self._endings: Sequence[Callable[[], None]] = ()
        self._report, self._reported_at = "", -NOTICE_SECONDS

    @property
    @override
    def session(self) -> TableModel:
        return self._model

    @on(BotReplaced)
    def replace_bot(self, message: BotReplaced) -> None:
        """Put another bot into the seat of a bot that failed."""
        self._put_another_bot(message.seat)

    @override
    def on_mount(self) -> None:
        client = self._client
        self._endings = [client.subscribe(self.on_change), client.subscribe(self._follow)]
        super().on_mount()
        self._follow()

    def report(self, text: str) -> None:
        """Show a notice of the server until it has been read; the cursor's text comes after it."""
        self._report, self._reported_at = text, monotonic()
        if self.query(TableWidget):
            self.notice = text
            self.say(text)

    def on_unmount(self) -> None:
        """Unsubscribe from the table."""
        for unsubscribe in self._endings:
            unsubscribe()

    @override
    def works(self, key: Key) -> bool:
        view, client = self.session.view(), self._client
        if key.id in OWNERS and not client.is_owner:
            # Every player may end a pause.
            is_paused = self.session.status().is_paused
            return key.id == "table.pause" and client.is_seated and is_paused
        works = {
            "table.undo": view.can_undo or self.session.table.can_take_back,
            "online.chat": client.state is not None and client.state.has_chat,
            "online.back": self._is_replaced,
        }
        return works[key.id] if key.id in works else super().works(key)

    @override
    def action_undo(self) -> None:
        if self.session.view().can_undo or not self.session.table.can_take_back:
            super().action_undo()
            return
        text = "The others must agree, because they may have seen a card or acted since."
        dialog = MessageDialog("Take your last action back?", text, {"ask": "Ask", "no": "No"})
        self.app.push_screen(dialog, self._ask_takeback)

    def action_chat(self) -> None:
        """Open the chat."""
        if self._client.state is not None and self._client.state.has_chat:
            self.app.push_screen(ChatDialog(self._client, self.glyphs.texts), self._leave_chat)

    def action_people(self) -> None:
        """Show the seats, the options and the people, with buttons to replace absent people."""
        state, client = self._client.state, self._client
        if state is None:
            return
        lines = [*seat_lines(state, client.viewer), "", *table_facts(state), self._address.page]
        buttons = {"close": "Back"}
        # The server checks the permission: the owner may, and others after two minutes.
        if client.is_seated and state.stage == "playing":
            for number, seat in enumerate(state.seats):
                if seat.name and not seat.bot and number != client.viewer and not seat.is_here:
                    buttons[f"bot-{number}"] = self.glyphs.texts.text(f"Bot for {seat.name}")
                elif seat.replaced_person:
                    label = f"{seat.replaced_person} back"
                    buttons[f"back-{number}"] = self.glyphs.texts.text(label)
        shown = "\n".join(self.glyphs.texts.text(line) for line in lines)
        title = self.glyphs.texts.text(state.title)
        self.app.push_screen(MessageDialog(title, shown, buttons), self._change_people)

    def action_come_back(self) -> None:
        """Take the seat back from the bot."""
        if self._is_replaced:
            self._client.send(Replace(seat=self._client.viewer))

    def action_result(self) -> None:
        """Show the result again."""
        self._show_result()

    @override
    def _show_result(self) -> None:
        result = self.session.result()
        if result is not None:
            screen = OnlineResult(result, self.session, self.glyphs, self._client, self._address)
            self.app.push_screen(screen, self._leave_result)

    @override
    def _turn_tag(self, status: TableStatus) -> str:
        tag = super()._turn_tag(status)
        if self._client.banner:
            self.notice = self._client.banner
            return "OFFLINE"
        if status.fault is not None and not self._client.is_owner:
            self.notice = "The owner of the table decides how to continue."
        elif self._is_replaced:
            self.notice = "A bot is playing for you. Press b to play yourself."
        elif request := request_text(self._client.state, self._client.viewer):
            self.notice = request
        elif text := readers_text(self._client.state, self.session.view(), self._client.viewer):
            self.notice = text
        elif not self.notice and monotonic() - self._reported_at < NOTICE_SECONDS:
            self.notice = self._report
        return tag

    @override
    def _show_present(self, status: TableStatus) -> None:
        before = self.notice
        super()._show_present(status)
        if before and not self.notice and self._text == before:
            # The notice is obsolete, although the view is the same.
            self.say("")
            if self.table.cursor is not None:
                self.describe(SpotPointed(self.table.cursor))

    @override
    def draw(self, view: View, *, turn: str, until: int | None = None) -> None:
        super().draw(self._with_people(view), turn=turn, until=until)

    @override
    def _tick(self) -> None:
        super()._tick()
        state = self._client.state
        clocks = " ".join(map(self._clock, state.seats)) if state is not None else ""
        if clocks != self._clocks and self._past is None:
            self._clocks = clocks
            self.refresh_table()

    @property
    def _is_replaced(self) -> bool:
        state, viewer = self._client.state, self._client.viewer
        return (
            state is not None
            and self._client.is_seated
            and bool(state.seats[viewer].replaced_person)
        )

    def _follow(self) -> None:
        """Show changes outside the game: chat, takeback requests, presence."""
        if not self.query(TableWidget):
            return  # being opened or closed
        self._state_at = monotonic()
        self._status_dialogs.is_on = self._client.is_owner
        unread = self._client.chat.count - self._read_lines
        label = CHAT._replace(label=f"chat ({unread} new)", rank=2) if unread > 0 else CHAT
        keys = [label if key.id == CHAT.id else key for key in self.KEYS]
        self.table.set_keys(keys, self.works)
        self.table.outdate()
        self._ask_to_agree()

    def _leave_chat(self, _: object) -> None:
        self._read_lines = self._client.chat.count
        self._follow()

    def _ask_to_agree(self) -> None:
        """Show or close the question about another person's request."""
        state, viewer = self._client.state, self._client.viewer
        answer = pending_answer(state, viewer, agrees=True)
        if answer == self._asked:
            return
        self._asked = answer
        question, self._question = self._question, None
        if question is not None and question.is_current:
            question.dismiss(None)
        if answer is None:
            return
        title, buttons = "Take an action back?", {"agree": "Agree", "refuse": "Refuse"}
        if isinstance(answer, AnswerNewcomer):
            # The key that was meant for the table must not show a hand.
            title, buttons = "Let a visitor sit down?", {"refuse": "Refuse", "agree": "Agree"}
        text = self.glyphs.texts.text(request_text(state, viewer))
        self._question = MessageDialog(title, text, buttons)
        self.app.push_screen(self._question, partial(self._answer_request, answer))

    def _answer_request(self, asked: AnswerTakeback | AnswerNewcomer, button: str | None) -> None:
        """Answer a request, unless it has ended since or another one has followed."""
        if asked != self._asked:
            return
        self._question = None
        if button is not None:
            self._client.send(replace(asked, agrees=button == "agree"))

    def _ask_takeback(self, button: str | None) -> None:
        if button == "ask":
            self._client.send(AskTakeback())

    def _put_another_bot(self, seat: int) -> None:
        state = self._client.state
        if state is not None:
            self._client.send(Replace(seat=seat, bot=another_bot(state, seat)))

    def _change_people(self, button: str | None) -> None:
        kind, _, seat = (button or "").partition("-")
        state = self._client.state
        if kind == "bot" and state is not None:
            self._put_another_bot(int(seat))
        elif kind == "back":
            self._client.send(Replace(seat=int(seat)))

    def _leave_result(self, request: object) -> None:
        if request == "leave":
            self.action_leave()
        elif isinstance(request, int):
            self.show_step(request)

    def _with_people(self, view: View) -> View:
        """Return the view with clocks and the badges of absent people."""
        state = self._client.state
        if state is None or len(state.seats) != len(view.players):
            return view
        pairs = zip(view.players, state.seats, strict=True)
        return replace(view, players=tuple(self._with_notes(*pair) for pair in pairs))

    def _with_notes(self, player: PlayerView, seat: SeatState) -> PlayerView:
        notes = [self._clock(seat)] if seat.clock else []
        notes += ["away"] if not player.bot and seat.name and not seat.is_here else []
        # They go first, because a narrow table leaves out the last badges.
        return replace(player, badges=(*notes, *player.badges)) if notes else player

    def _clock(self, seat: SeatState) -> str:
        return clock_text(seat.clock, monotonic() - self._state_at) if seat.clock else ""
