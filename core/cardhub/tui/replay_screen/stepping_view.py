"""The table of a replay with its timeline: steps, chapters, viewpoints, automatic playing."""

from collections.abc import Callable

from textual import events, on
from typing_extensions import override

from cardhub.play.host.opening import PACE
from cardhub.play.host.replays.replay import Replay
from cardhub.play.host.replays.stepping.replay_session import ReplaySession
from cardhub.play.host.replays.stepping.step_notes import StepNotes
from cardhub.tui.replay_screen.autoplay import Autoplay
from cardhub.tui.replay_screen.replay_rows import (
    coming_text,
    news_text,
    replay_tag,
    replay_view,
    timeline_of,
    viewpoints_of,
)
from cardhub.tui.replay_screen.replay_table import ControlClicked, ReplayTable
from cardhub.tui.replay_screen.timeline import TIMELINE_ROWS
from cardhub.tui.table_screen.table_messages import SpotPointed
from cardhub.tui.table_screen.table_view import CardSizes, TableView
from cardhub.view.layout.table_glyphs import TableGlyphs
from cardhub.view.spots import Spot
from cardhub.view.view import View

# The argument of `action_view` for a spectator, whose number depends on the game.
SPECTATOR = -2


class SteppingView(TableView):
    """Shows a replay at one step; the cursor follows the coming action."""

    def __init__(
        self,
        replay: Replay,
        glyphs: TableGlyphs,
        *,
        step: int = 0,
        viewer: int | None = None,
        card_size: CardSizes = "auto",
    ) -> None:
        super().__init__(glyphs, card_size)
        self.replay = replay
        self.notes = StepNotes(replay.path)
        self._session = ReplaySession(replay, step, viewer)
        self._session.pace = PACE
        self.autoplay = Autoplay(self, self._session, self.show_replay, self.reach_end)
        self._followed: Spot | None = None

    @override
    def make_table(self) -> ReplayTable:
        return ReplayTable(self.glyphs, id="table")

    @property
    @override
    def session(self) -> ReplaySession:
        return self._session

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

    def show_replay(self) -> None:
        """Draw the table at the present step."""
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
        self.tell_coming()

    def tag(self) -> str:
        """Return the tag of the prompt bar."""
        return replay_tag(self._session)

    def tell_coming(self) -> None:
        """Show the note on the step, and the coming action, as the detail."""
        self.say(coming_text(self._session, self.notes.at(self._session.step)))

    def stop_and(self, go: Callable[[], object]) -> None:
        """Stop playing, then go to another step."""
        self.autoplay.stop()
        go()

    def reach_end(self) -> None:
        """Go on after the last step was reached by playing; a record ends there."""

    def action_step(self, by: int) -> None:
        """Go on, or back, by steps."""
        self.stop_and(lambda: self._session.move(by))

    def action_chapter(self, by: int) -> None:
        """Go to the next part of the game, or to the beginning of the one before."""
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
        """Look from a seat; -1 sees all cards, SPECTATOR those that all see."""
        seats = len(self.replay.players)
        viewer = seats if viewer == SPECTATOR else viewer
        if viewer in self.replay.viewers:
            self._session.look(viewer)
        elif viewer <= seats:
            self.say("This view is not permitted: the game is not over, or the record has no more.")

    @override
    def show_step(self, step: int) -> None:
        self.action_go(step)

    @on(SpotPointed)
    def follow_cursor(self, message: SpotPointed) -> None:
        """Tell of the coming action where the cursor followed it, else of the spot."""
        if message.spot == self._followed and not message.is_hovered:
            message.prevent_default()
            self.tell_coming()

    @on(ControlClicked)
    def click_control(self, message: ControlClicked) -> None:
        """Go to the step of a click on the timeline, or to the viewer of one on the viewpoints."""
        width = self._control_width()
        if message.row < TIMELINE_ROWS - 1:
            line = timeline_of(self._session, self.notes.steps)
            self.action_go(line.step_at(message.column, width))
            return
        viewer = viewpoints_of(self._session).viewer_at(message.column, width, self.glyphs)
        if viewer is not None:
            self._session.look(viewer)

    def _control_width(self) -> int:
        box = self.table.plan.regions.get("actions") if self.table.plan else None
        return box.width if box else self.app.size.width
