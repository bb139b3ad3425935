"""The session of a person, or of a spectator, at a table of this process."""

from collections.abc import Callable, Sequence
from typing import Any

from typing_extensions import override

from cardhub.base.errors import IllegalActionError
from cardhub.model.hidden.observation import Observation
from cardhub.play.announcing.announcer import count_events, follow, past_events, present_observation
from cardhub.play.announcing.events import Event
from cardhub.play.host.changing_table import ChangingTable
from cardhub.play.host.growing_log import GrowingLog, LogTail
from cardhub.play.host.replays.replay_log import (
    OwnEvents,
    UnreadSummaries,
    is_person,
    origins_in,
)
from cardhub.play.host.replays.replay_steps import view_of_step
from cardhub.play.host.running_table import NO_HELPS
from cardhub.play.host.session import Course, Hint, Session, Tell, Wish
from cardhub.play.host.turns.hint_desk import HintDesk
from cardhub.play.host.viewer_answers import GONE, NOT_YOUR_TURN, ViewerAnswers
from cardhub.play.referee import Referee
from cardhub.play.seating import bots_by_seat, names_by_seat
from cardhub.play.seeds import seed_in_words
from cardhub.view.area_views import AreaViews, ShownTokens, shown_tokens
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import catalogue_of
from cardhub.view.log import summary_view
from cardhub.view.result_view import ResultView
from cardhub.view.spots import Spot
from cardhub.view.texts.rules_text import rules_with_options
from cardhub.view.texts.unseen_cards import UnseenLines
from cardhub.view.view import CardCatalogue, LogLine, SummaryView, View


class LocalSession(Session):
    """The session of a viewer: a seat, a spectator (the number of seats) or EVERYTHING."""

    def __init__(
        self, table: ChangingTable, referee: Referee[Any], hints: HintDesk, viewer: int
    ) -> None:
        self.viewer = viewer
        self._table = table
        self._hints = hints
        self._referee = referee
        self._look_round()
        self._events = past_events(referee, viewer)
        follow(referee, viewer, self._hear)
        self._log = GrowingLog(self._events, referee.names, referee.game.cards.labels)
        self._areas, self._unseen = AreaViews(), UnseenLines()
        self._own_events = OwnEvents(self._events, viewer, len(referee.players))
        self._revision = -1
        # The observation just after the viewer's last action, and what was shown of it.
        self._acted_at: Observation[Any] | None = None
        self._acted: ShownTokens | None = None
        self._observation: Observation[Any] | None = None
        # Summaries of a resumed game were read before it was left.
        self._summaries = UnreadSummaries(self._events, count_events(referee))
        self._endings: list[Callable[[], None]] = []
        self._result: ResultView | None = None

    def _hear(self, event: Event) -> None:
        self._events.append(event)
        self._result = None
        if event.kind == "seating":
            self._look_round()
        if self._own_events.heard() and self._is_person:
            # Its view is built only where one is drawn: bots may act at once.
            self._acted_at, self._acted = present_observation(self._referee, self.viewer), None

    def _look_round(self) -> None:
        players = self._referee.players
        self._names, self._bots = names_by_seat(players), bots_by_seat(players)
        self._is_person = is_person(self.viewer, self._bots)  # not while a bot stands in
        self._view: View | None = None  # with other names, but of the same revision

    @property
    @override
    def catalogue(self) -> CardCatalogue:
        return catalogue_of(self._referee.game)

    @override
    def view(self) -> View:
        observation = self._observe()
        if self._view is None:
            self._view = build_view(
                observation,
                self._names,
                revision=self._table.revision,
                bots=self._bots,
                origins=self._origins(),
                earlier=self._earlier(observation),
                has_choices=self._is_person or self.viewer not in self._table.people,
                can_undo=self._is_person and not self._table.why_no_undo(self.viewer),
                areas=self._areas,
            )
            acted = self._acted_at
            if acted is not None and len(acted.history) == len(observation.history):
                self._acted = shown_tokens(self._view)
        return self._view

    @override
    def view_at(self, step: int, tell: Callable[[View], None]) -> None:
        tell(view_of_step(self._referee, step, self.viewer, self._table.revision))

    @override
    def log(self, since: int = 0) -> Sequence[LogLine]:
        return self._log.since(since) if since else self._log.lines(len(self._news()))

    def log_tail(self, first: int) -> LogTail:
        """Return the lines from number `first` on, and how many lines will not change any more."""
        return self._log.tail(first, len(self._news()))

    @override
    def course(self) -> Course:
        return self._table.course()

    @override
    def subscribe(self, listener: Callable[[], None]) -> None:
        self._endings.append(self._table.subscribe(listener))

    @override
    def act(self, action: int, revision: int, refused: Tell) -> None:
        try:
            self._table.act(self.viewer, action, revision)
        except IllegalActionError as error:
            # An action that is refused has changed nothing.
            is_refused = self._table.is_current(self.viewer, revision)
            refused(self._answers().refusal(action) if is_refused else str(error))

    @override
    def undo(self, refused: Tell) -> None:
        try:
            self._table.undo(self.viewer)
        except IllegalActionError as error:
            refused(str(error))

    @override
    def why_no_undo(self) -> str:
        return self._table.why_no_undo(self.viewer)

    @override
    def why_no_takeback(self) -> str:
        return self._table.can_take_back(self.viewer)

    @override
    def hint(self, answer: Callable[[Hint | str], None]) -> None:
        if not self._referee.helps:
            answer(NO_HELPS)
        elif self._observe().is_to_act:
            self._hints.ask(self._observe(), answer)
        else:
            answer(NOT_YOUR_TURN)

    @override
    def cancel_hint(self) -> None:
        self._hints.cancel()

    @override
    def hurry_hint(self) -> None:
        self._hints.hurry()

    @override
    def explain(self, spot: Spot, tell: Tell) -> None:
        tell(self._answers().explain(spot) if self._has(spot) else GONE)

    @override
    def says(self, action: int, tell: Tell) -> None:
        tell(self._answers().says(action))

    @override
    def why_not(self, asked: Spot | str, tell: Tell) -> None:
        is_gone = not isinstance(asked, str) and not self._has(asked)
        tell(GONE if is_gone else self._answers().why_not(asked))

    @override
    def read(self, text: str) -> int | str:
        return self._answers().read(text)

    @override
    def unseen(self) -> Sequence[str]:
        return self._unseen.of(self._observe())

    @override
    def unread_summaries(self) -> Sequence[SummaryView]:
        return [summary_view(summary) for summary in self._summaries.summaries()]

    @override
    def wish(self, wish: Wish) -> None:
        if wish == "read":
            self._summaries.read(count_events(self._referee))
        self._table.wish(wish)

    @override
    def set_pace(self, seconds: float) -> None:
        self._table.turns.set_pace(seconds)
        self._table.notify()

    @override
    def plays_forced(self, is_on: bool) -> None:
        if is_on:
            self._table.forced.add(self.viewer)
        else:
            self._table.forced.discard(self.viewer)
        self._table.go_on()

    @override
    def result(self) -> ResultView | None:
        if not self._referee.is_over:
            return None
        if self._result is None:
            self._result = self._table.results.of(self._referee, self.viewer, self._events)
        return self._result

    @override
    def rules(self) -> str:
        referee = self._referee
        return rules_with_options(referee.game, referee.settings, len(referee.players))

    @override
    def seed(self) -> str:
        return seed_in_words(self._referee.seed, is_over=self._referee.is_over)

    @override
    def leave(self) -> None:
        for end in self._endings:
            end()
        self._endings.clear()

    def _earlier(self, observation: Observation[Any]) -> ShownTokens | None:
        """Return what was shown after the viewer's last action, None if no action followed it."""
        acted = self._acted_at
        if acted is None or len(acted.history) >= len(observation.history):
            return None
        if self._acted is None:
            self._acted = shown_tokens(build_view(acted, self._names))
        return self._acted

    def _observe(self) -> Observation[Any]:
        if self._observation is None or self._revision != self._table.revision:
            self._observation = present_observation(self._referee, self.viewer)
            self._revision, self._view = self._table.revision, None
        return self._observation

    def _has(self, spot: Spot) -> bool:  # a front end may ask about the view before
        return spot in self.view().spots()

    def _origins(self) -> dict[int, str]:
        return origins_in(self._news(), len(self._names))

    def _answers(self) -> ViewerAnswers:
        legal = [choice.action for choice in self.view().choices]
        return ViewerAnswers(self._observe(), self._names, legal, self._origins())

    def _news(self) -> Sequence[Event]:
        return self._own_events.news(is_person=self._is_person)
