"""A replay as a session: the same table as in play, at a step and from a viewpoint of choice."""

from collections.abc import Callable, Sequence

from typing_extensions import override

from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.host.replays.chapters import Chapter
from cardhub.play.host.replays.replay import Replay
from cardhub.play.host.replays.replay_log import is_person
from cardhub.play.host.replays.results.game_result import build_result
from cardhub.play.host.replays.stepping.coming_action import (
    ComingAction,
    coming_action,
    consequence,
)
from cardhub.play.host.replays.stepping.replay_views import ReplayViews
from cardhub.play.host.session import Course, Hint, Session, Tell, Wish
from cardhub.play.seating import bots_by_seat
from cardhub.play.seeds import seed_in_words
from cardhub.view.card_catalogue import catalogue_of
from cardhub.view.result_view import ResultView
from cardhub.view.spots import Spot
from cardhub.view.texts.rules_text import rules_with_options
from cardhub.view.texts.unseen_cards import unseen_lines
from cardhub.view.view import CardCatalogue, LogLine, SummaryView, View

READ_ONLY = "This is a replay: o plays on from here."


class ReplaySession(Session):
    """Shows a replay at one step to one viewer; both can be changed at any time.

    No action is possible: `act` and `undo` refuse. `has_choices`: views have those of the time.
    """

    def __init__(self, replay: Replay, step: int = 0, viewer: int | None = None) -> None:
        self.replay = replay
        self.viewer = replay.viewer if viewer is None else viewer
        self.step = replay.stop_near(step)
        self.is_paused, self.pace = True, 0.0
        self.has_choices = True
        self._views = ReplayViews(replay)
        self._listeners: list[Callable[[], None]] = []

    @property
    def chapters(self) -> Sequence[Chapter]:
        """The parts of the game."""
        return self.replay.chapters(self.viewer)

    @property
    def is_person(self) -> bool:
        """Whether the viewer is a person who played."""
        return is_person(self.viewer, bots_by_seat(self.replay.players_at(self.step)))

    def go(self, step: int) -> None:
        """Show the last stop up to a step."""
        self.step = self.replay.stop_near(min(max(step, 0), self.replay.last))
        self._notify()

    def move(self, by: int) -> None:
        """Go on, or back, by some stops."""
        self.step = self.replay.stop_near(self.step, by)
        self._notify()

    def move_chapter(self, by: int) -> None:
        """Go to the beginning of a later chapter, or back: first to that of the present one."""
        firsts = [chapter.first for chapter in self.chapters]
        later = [first for first in firsts if first > self.step]
        earlier = [first for first in firsts if first < self.step]
        if by > 0:
            self.go(later[0] if later else self.replay.last)
        else:
            self.go(earlier[-1] if earlier else 0)

    def look(self, viewer: int) -> None:
        """Show the table to another permitted viewer; raises ValueError."""
        self.replay.observe(self.step, viewer)
        self.viewer = viewer
        self._notify()

    def find(self, text: str) -> bool:
        """Go to the next stop whose log has a text; return False if none has."""
        found = self.replay.find(text, self.viewer, self.step)
        if found is not None:
            self.go(found)
        return found is not None

    def coming(self) -> ComingAction | None:
        """Return the action that was taken next, None at the end and before shuffles alone."""
        scene = self._views.observed(self.step, self.viewer)[1]
        return coming_action(self.replay, self.step, self.viewer, scene)

    @property
    @override
    def catalogue(self) -> CardCatalogue:
        return catalogue_of(self.replay.game)

    @override
    def view(self) -> View:
        return self._views.view(self.step, self.viewer, has_choices=self.has_choices)

    @override
    def view_at(self, step: int, tell: Callable[[View], None]) -> None:
        tell(self._views.view(step, self.viewer, has_choices=self.has_choices))

    @override
    def log(self, since: int = 0) -> Sequence[LogLine]:
        return self._views.log(self.step, self.viewer, since)

    @override
    def course(self) -> Course:
        return Course(self.is_paused, False, self.pace, None, False, False, None, None)

    @override
    def subscribe(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    @override
    def act(self, action: int, revision: int, refused: Tell) -> None:
        refused(READ_ONLY)

    @override
    def undo(self, refused: Tell) -> None:
        refused(READ_ONLY)

    @override
    def why_no_undo(self) -> str:
        return READ_ONLY

    @override
    def why_no_takeback(self) -> str:
        return READ_ONLY

    @override
    def hint(self, answer: Callable[[Hint | str], None]) -> None:
        answer("no bot is at hand")

    @override
    def cancel_hint(self) -> None:
        pass

    @override
    def hurry_hint(self) -> None:
        pass

    @override
    def explain(self, spot: Spot, tell: Tell) -> None:
        tell(self._views.explainer(self.step, self.viewer).explain(spot))

    @override
    def says(self, action: int, tell: Tell) -> None:
        tell(consequence(self.replay, self.step, self.viewer, action))

    @override
    def why_not(self, asked: Spot | str, tell: Tell) -> None:
        tell(READ_ONLY)

    @override
    def read(self, text: str) -> int | str:
        return READ_ONLY

    @override
    def unseen(self) -> Sequence[str]:
        return unseen_lines(self.replay.observe(self.step, self.viewer))

    @override
    def result(self) -> ResultView | None:
        return build_result(self.replay, self.viewer) if self.replay.is_over else None

    @override
    def unread_summaries(self) -> Sequence[SummaryView]:
        return ()

    @override
    def wish(self, wish: Wish) -> None:
        if wish in ("pause", "resume"):
            self.is_paused = wish == "pause"
        elif wish in ("step", "skip"):
            self.move(1)
        self._notify()

    @override
    def set_pace(self, seconds: float) -> None:
        self.pace = seconds
        self._notify()

    @override
    def plays_forced(self, is_on: bool) -> None:
        pass

    @override
    def rules(self) -> str:
        referee = self.replay.referee
        return rules_with_options(referee.game, referee.settings, len(referee.players))

    @override
    def seed(self) -> str:
        # The deal could be computed from the seed.
        if EVERYTHING not in self.replay.viewers:
            return ""
        return seed_in_words(self.replay.referee.seed, is_over=True)

    @override
    def leave(self) -> None:
        self._listeners.clear()

    def _notify(self) -> None:
        for listener in tuple(self._listeners):
            listener()
