"""The screen of a replay: steps, viewpoints, search, notes, bots' choices, continued games."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import msgspec
from textual import events, on
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from typing_extensions import override

from cardhub.base.errors import CardhubError
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.host.opening import PACE, Opener
from cardhub.play.host.replays.replay import Replay
from cardhub.play.host.replays.results.replay_adviser import ReplayAdviser
from cardhub.play.host.replays.stepping.playing_on import why_not_play_on
from cardhub.play.host.replays.stepping.replay_session import LONGEST_NOTE, ReplaySession, StepNotes
from cardhub.play.host.saved.preferences import CardSize
from cardhub.play.host.table_host import Host
from cardhub.play.host.turns.hint_requests import hint_of
from cardhub.play.table_messages import HintMessage
from cardhub.tui.dialogs.dialog import TextBox
from cardhub.tui.keys import (
    ALL_KEY,
    CURSOR_KEYS,
    PUBLIC_KEY,
    REPLAY_KEYS,
    SEAT_KEYS,
    VIEW_KEYS,
    Key,
    bindings,
)
from cardhub.tui.replay.timeline import (
    TIMELINE_ROWS,
    Timeline,
    Viewpoint,
    ViewpointRow,
)
from cardhub.tui.table.table_view import TableView, changed_pace
from cardhub.tui.table.table_widget import SpotPointed, TableWidget
from cardhub.view.explain.card_texts import as_notice
from cardhub.view.layout.canvas import TableGlyphs
from cardhub.view.layout.plan import PlanOptions
from cardhub.view.view import Spot, View

# The keys of the cursor that do not move to another step in a replay.
CURSOR_IDS = ("board.up", "board.down", "board.region", "board.before", "board.inspect")
LOG_IDS = ("board.log_up", "board.log_down")
REPLAY_CURSOR_KEYS = tuple(key for key in CURSOR_KEYS if key.id in (*CURSOR_IDS, *LOG_IDS))


@dataclass
class ControlClicked(Message):
    """A click on one of the replay's rows: the number of the row from 0, and the column."""

    row: int
    column: int


class ReplayTable(TableWidget, inherit_bindings=False):
    """A table without actions, with the rows of the replay at its lower end."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(REPLAY_CURSOR_KEYS)

    @override
    def set_options(self, options: PlanOptions) -> None:
        super().set_options(options._replace(controls=TIMELINE_ROWS))

    def on_click(self, event: events.Click) -> None:
        """Post a message after a click on the rows of the replay."""
        offset = event.get_content_offset(self)
        box = self.plan.regions.get("actions") if self.plan else None
        if offset is not None and box is not None and box.y <= offset.y < box.y + box.height:
            self.post_message(ControlClicked(offset.y - box.y, offset.x - box.x))


# Seconds between two steps at the fastest pace.
MIN_PACE = 0.1
# The title of a chapter that has a number and nothing after it: `round 6`.
_NUMBERED = re.compile(r"\D+ \d+")


class Autoplay:
    """Plays a replay step by step, at the pace of the session, until the end.

    `on_change` is called when it starts or stops, `on_end` when it reaches the last step.
    """

    def __init__(
        self,
        screen: Screen[Any],
        session: ReplaySession,
        on_change: Callable[[], None],
        on_end: Callable[[], None] = lambda: None,
    ) -> None:
        self._screen = screen
        self._session = session
        self._on_change = on_change
        self._on_end = on_end
        self._timer: Timer | None = None

    @property
    def is_on(self) -> bool:
        """Whether the replay plays automatically."""
        return self._timer is not None

    def start(self) -> None:
        """Play, from the beginning if the replay is at its end."""
        if self._session.is_at_end:
            self._session.go(0)
        self._session.is_paused = False
        self._set_timer()
        self._on_change()

    def stop(self) -> None:
        """Stop at the current step."""
        self._session.is_paused = True
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            self._on_change()

    def change_pace(self, sign: int) -> None:
        """Change the pace by a step."""
        self._session.set_pace(changed_pace(self._session.pace, sign, MIN_PACE))
        self.keep_pace()

    def keep_pace(self) -> None:
        """Apply a changed pace of the session."""
        if self._timer is not None:
            self._timer.stop()
            self._set_timer()

    def _set_timer(self) -> None:
        pace, beat = self._session.pace, self._session.shown_beat()
        seconds = pace if beat is None else beat.seconds(pace)
        self._timer = self._screen.set_timer(max(seconds, MIN_PACE), self._go_on)

    def _go_on(self) -> None:
        self._session.move(1)
        if self._session.is_at_end:
            self.stop()
            self._on_end()
        else:
            self._set_timer()


# The argument of `action_view` for a spectator: the viewer's number depends on the game.
SPECTATOR = -2

READ_ONLY = "This is a replay. Press o to play on from here in a new game."

OpenTable = Callable[[Host], object]


class ReplayScreen(TableView):
    """Shows a replay at one step; the cursor follows the next action.

    `opener`: needed to ask bots and to continue the game; `open_table`: needed to continue the
    game, and called with its host before the game begins.
    """

    KEYS: ClassVar[Sequence[Key]] = REPLAY_KEYS
    BINDINGS: ClassVar[list[BindingType]] = bindings((*REPLAY_KEYS, *VIEW_KEYS))

    def __init__(
        self,
        replay: Replay,
        glyphs: TableGlyphs,
        opener: Opener | None = None,
        open_table: OpenTable | None = None,
        *,
        step: int = 0,
        viewer: int | None = None,
        card_size: CardSize = "auto",
    ) -> None:
        super().__init__(glyphs, card_size)
        self.replay = replay
        self.notes = StepNotes(replay.path)
        self._session = ReplaySession(replay, step, viewer)
        self._session.pace = PACE
        self.autoplay = Autoplay(self, self._session, self.show_replay, self.reach_end)
        self._followed: Spot | None = None
        self._opener = opener
        self._open_table = open_table
        self._bots = BotChoices(self, self._session, opener) if opener else None

    @override
    def make_table(self) -> ReplayTable:
        return ReplayTable(self.glyphs, id="table")

    @property
    @override
    def session(self) -> ReplaySession:
        return self._session

    @property
    @override
    def why_no_undo(self) -> str:
        return READ_ONLY

    @property
    @override
    def shown_view(self) -> View:
        return replay_view(self._session)

    def on_mount(self) -> None:
        """Show the first step."""
        self._session.subscribe(self.show_replay)
        self.call_after_refresh(self.show_replay)

    def on_resize(self, _: events.Resize) -> None:
        """Draw the rows of the replay for the new width."""
        self.call_after_refresh(self.show_replay)

    def on_unmount(self) -> None:
        """End the process of the bots that were asked."""
        if self._bots is not None:
            self._bots.close()

    @override
    def works(self, key: Key) -> bool:
        # Asked for each key of the footer: it takes time to find what comes next.
        match key.id:
            case "replay.back":
                return self.session.step > 0
            case "replay.forward":
                return not self.session.is_at_end
            case "replay.all":
                return EVERYTHING in self.replay.viewers
            case "replay.on":
                return not self._why_not_play_on()
            case "replay.bot":
                return self._bots is not None and self.session.coming() is not None
            case "replay.result":
                return self.replay.is_over
        return True

    def show_replay(self) -> None:
        """Draw the table at the current step."""
        if not self.is_attached:
            return
        session, width = self._session, self._control_width()
        rows = timeline_of(session, self.notes.steps).rows(width, self.glyphs)
        controls = [*rows, viewpoints_of(session).runs(width, self.glyphs)]
        self.table.change(
            turn=self.tag(), controls=controls, news=news_text(session), says_you=False
        )
        self.table.show_view(self.shown_view, session.catalogue, session.log())
        coming = session.coming()
        if coming is not None and coming.spots:
            self.table.point_at(coming.spots[0])
        self._followed = self.table.cursor
        self.show_next_action()
        if self._bots is not None:
            self._bots.drop_other_steps()

    def tag(self) -> str:
        """Return the tag of the prompt bar."""
        return replay_tag(self._session)

    def show_next_action(self) -> None:
        """Write the step's note and the next action into the detail."""
        self.say(coming_text(self._session, self.notes.at(self._session.step)))

    def stop_and(self, go: Callable[[], object]) -> None:
        """Stop playing, then go to another step."""
        self.autoplay.stop()
        go()

    def reach_end(self) -> None:
        """React to the last step when autoplay reaches it: a replay just ends there."""

    def action_step(self, by: int) -> None:
        """Go forward by `by` steps, or back if it is negative."""
        self.stop_and(lambda: self._session.move(by))

    def action_chapter(self, by: int) -> None:
        """Go to the next chapter of the game, or to the beginning of the previous one."""
        self.stop_and(lambda: self._session.move_chapter(by))

    def action_go(self, step: int) -> None:
        """Go to a step; -1 is the last one."""
        self.stop_and(lambda: self._session.go(step if step >= 0 else self.replay.last))

    def action_play(self) -> None:
        """Play automatically, or stop."""
        if self.autoplay.is_on:
            self.autoplay.stop()
        else:
            self.autoplay.start()

    def action_pace(self, sign: int) -> None:
        """Change the pace by a step."""
        self.autoplay.change_pace(sign)

    def action_view(self, viewer: int) -> None:
        """Look from a seat; -1 sees all cards, SPECTATOR only the cards that all players see."""
        seats = len(self.replay.players)
        viewer = seats if viewer == SPECTATOR else viewer
        if viewer in self.replay.viewers:
            self._session.look(viewer)
        elif viewer <= seats:
            self.say("This view is not permitted: its cards are secret, or not in the record.")

    @override
    def show_step(self, step: int) -> None:
        self.action_go(step)

    @on(SpotPointed)
    def follow_cursor(self, message: SpotPointed) -> None:
        """Describe the next action, not the spot, if the cursor moved there with the replay."""
        if message.spot == self._followed and not message.is_hovered:
            message.prevent_default()
            self.show_next_action()

    @on(ControlClicked)
    def click_control(self, message: ControlClicked) -> None:
        """Go to the clicked step of the timeline, or show the clicked viewpoint."""
        width = self._control_width()
        if message.row < TIMELINE_ROWS - 1:
            line = timeline_of(self._session, self.notes.steps)
            self.action_go(line.step_at(message.column, width))
            return
        viewer = viewpoints_of(self._session).viewer_at(message.column, width, self.glyphs)
        if viewer is not None:
            self._session.look(viewer)

    def action_find(self) -> None:
        """Find a text in the log, from this step on and then from the beginning."""
        self.autoplay.stop()
        self.app.push_screen(TextBox("Find in the log:"), self._find)

    def action_note(self) -> None:
        """Write a note on this step."""
        self.autoplay.stop()
        step = self.session.step
        question = f"Note on step {step} (leave it empty to remove it):"
        box = TextBox(question, self.notes.at(step), LONGEST_NOTE)
        self.app.push_screen(box, partial(self._note, step))

    def action_play_on(self) -> None:
        """Continue the game from this step as a new game, whose record refers to this one."""
        if reason := self._why_not_play_on():
            self.say(as_notice(reason))
        elif self._opener is not None and self._open_table is not None:
            self.autoplay.stop()
            try:
                host = self._opener.play_on(self.replay, self.session.step, self.session.viewer)
            except CardhubError as error:
                self.say(as_notice(str(error)))
            else:
                self._open_table(host)

    def action_ask_bot(self) -> None:
        """Ask the bot that gives hints for its choice at this step, or hide its answer."""
        if self._bots is not None:
            self.autoplay.stop()
            self._bots.ask()

    def action_ask_other(self) -> None:
        """Ask another bot for its choice at this step."""
        if self._bots is not None:
            self.autoplay.stop()
            self.app.push_screen(TextBox("Name of the bot:"), self._bots.ask_named)

    def action_page(self) -> None:
        """Write the replay as a page for browsers, into the folder of the record."""
        from cardhub.play.pages.replay_page import save_page

        self.autoplay.stop()
        try:
            path = save_page(self.replay, self.session.viewer)
        except OSError as error:
            self.say(f"The page cannot be saved: {error.strerror}.")
        else:
            self.say(f"The page is saved as {path}")

    def action_result(self) -> None:
        """Show the result."""
        from cardhub.tui.results.screen import ResultScreen

        result = self.session.result()
        if result is not None:
            self.autoplay.stop()
            screen = ResultScreen(result, self.session.catalogue, self.glyphs)
            self.app.push_screen(screen, self._leave_result)

    def action_back(self) -> None:
        """Hide the choice of a bot."""
        if self._bots is not None:
            self._bots.hide()

    @override
    def action_leave(self) -> None:
        self.autoplay.stop()
        super().action_leave()

    def _control_width(self) -> int:
        box = self.table.plan.regions.get("actions") if self.table.plan else None
        return box.width if box else self.app.size.width

    def _leave_result(self, step: object) -> None:
        if isinstance(step, int):
            self.action_go(step)

    def _why_not_play_on(self) -> str:
        if self._opener is None or self._open_table is None:
            return "You cannot play on from here."
        return why_not_play_on(self.replay, self.session.step)

    def _find(self, text: str | None) -> None:
        step = self.replay.find(text, self.session.viewer, self.session.step) if text else None
        if step is not None:
            self.action_go(step)
        elif text:
            self.say(f"The log does not contain {text!r}.")

    def _note(self, step: int, text: str | None) -> None:
        if text is None:
            return
        try:
            self.notes.write(step, text)
        except CardhubError as error:
            self.say(as_notice(str(error)))
        else:
            self.show_replay()


class BotChoices:
    """Asks bots for their choices at a step, and shows them with the action that was taken."""

    def __init__(self, screen: TableView, session: ReplaySession, opener: Opener) -> None:
        self._screen = screen
        self._session = session
        self._adviser = ReplayAdviser(session.replay, opener.registry, opener.scheduler)
        self._step = -1

    def ask(self) -> None:
        """Ask the bot that gives hints, or hide its answer."""
        if self._screen.hint_panel.is_open:
            self.hide()
        else:
            self.ask_named(self._adviser.default_bot)

    def ask_named(self, bot: str | None) -> None:
        """Ask a bot by its spec; do nothing if it is None or empty."""
        if not bot:
            return
        self.hide()
        self._step = self._session.step
        self._screen.hint_panel.wait()
        self._adviser.ask(
            self._step,
            self._session.viewer,
            bot.strip(),
            partial(self._show, bot.strip()),
            lambda reason: self._screen.hint_panel.show_hint(HintMessage(why_none=reason)),
        )

    def hide(self) -> None:
        """Hide the answer, and cancel a pending question."""
        if self._screen.hint_panel.is_open:
            self._adviser.cancel()
            self._screen.hint_panel.close()

    def drop_other_steps(self) -> None:
        """Hide an answer that is not about the current step."""
        if self._step != self._session.step:
            self.hide()

    def close(self) -> None:
        """End the process of the bots."""
        self._adviser.close()

    def _show(self, bot: str, observation: Any, rated: Sequence[Any]) -> None:
        players = [player.name for player in self._session.replay.players]
        hint = hint_of(bot, rated, observation, players, says_you=False)
        taken = self._session.replay.action_after(self._step)
        agrees = taken is not None and rated[0].action == taken.action
        coming = self._session.coming()
        action = f"Played: {coming.text}." if coming else ""
        why = " ".join(filter(None, (hint.why, "The player did the same." if agrees else action)))
        self._screen.hint_panel.show_hint(msgspec.structs.replace(hint, why=why))


def timeline_of(session: ReplaySession, noted: Sequence[int]) -> Timeline:
    """Return the timeline at the current step; `noted`: the steps with a note."""
    return Timeline(session.replay.last, session.step, session.chapters, noted)


def viewpoints_of(session: ReplaySession) -> ViewpointRow:
    """Return the permitted viewpoints, whether the replay plays, and its pace."""
    players, viewers = session.replay.players, session.replay.viewers
    seats = len(players)
    keys = {EVERYTHING: ALL_KEY, seats: PUBLIC_KEY} | dict(enumerate(SEAT_KEYS[:seats]))
    names = {EVERYTHING: "all", seats: "public"}
    points = [
        Viewpoint(keys.get(viewer, ""), names.get(viewer) or players[viewer].name, viewer)
        for viewer in (*range(seats), EVERYTHING, seats)
        if viewer in viewers
    ]
    status = "paused" if session.is_paused else "playing"
    return ViewpointRow(points, session.viewer, f"{status} · {session.pace} s")


def replay_tag(session: ReplaySession) -> str:
    """Return the tag of the prompt bar: `REPLAY 78 of 214`."""
    return f"REPLAY {session.step} of {session.replay.last}"


def replay_view(session: ReplaySession) -> View:
    """Return the view with the next action as the prompt and the chapter as the status."""
    view, coming = session.view(), session.coming()
    doing = coming.lines[0] if coming and coming.lines else view.prompt
    return msgspec.structs.replace(
        view,
        prompt=f"{view.title} · {'the game is over' if view.is_over else doing}",
        status=_chapter(session) or view.status,
        choices=(),
        phases=(),
    )


def coming_text(session: ReplaySession, note: str) -> str:
    """Return the note on the step, then the next action and its consequence."""
    coming = session.coming()
    action = f"Next: {coming.text}. {coming.consequence}".strip() if coming else ""
    return " ".join(filter(None, (f"Note: {note}." if note else "", action)))


def news_text(session: ReplaySession) -> str:
    """Return the log's sentences since the previous stop."""
    before = session.replay.stop_near(session.step - 1) if session.step else 0
    return " · ".join(line.text for line in session.log() if line.step > before)


def _chapter(session: ReplaySession) -> str:
    chapters = session.chapters
    begun = [chapter for chapter in chapters if chapter.first <= session.step]
    if not begun:
        return ""
    title = begun[-1].title
    name = f"round {title}" if title.isdigit() else title
    # The number of chapters is known only at the end, and says something only after a number.
    is_counted = session.replay.is_over and _NUMBERED.fullmatch(name)
    return f"{name} of {len(chapters)}" if is_counted else name
