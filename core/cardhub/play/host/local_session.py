"""The session of a person, or of a spectator, at a table of this process."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from typing_extensions import override

from cardhub.base.errors import IllegalActionError
from cardhub.base.errors.quoting import folded
from cardhub.model.game.display_values import as_text
from cardhub.model.game.scene import Grid
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.actions import site_label
from cardhub.play.announcing.announcer import count_events, follow, past_events, present_observation
from cardhub.play.announcing.events import Event
from cardhub.play.host.replays.replay import view_of_step
from cardhub.play.host.replays.replay_log import (
    OwnEvents,
    UnreadSummaries,
    is_person,
    log_lines,
    origins_in,
)
from cardhub.play.host.running_table import NO_HELPS, RunningTable
from cardhub.play.host.turns.hint_requests import HintRequests
from cardhub.play.referee import Referee
from cardhub.play.seating import bots_by_seat, names_by_seat
from cardhub.play.seeds import seed_in_words
from cardhub.play.session import Hint, OnReply, Session
from cardhub.play.table_commands import PaceRequest
from cardhub.play.table_messages import TableStatus
from cardhub.view.action_spots import spots_of
from cardhub.view.area_views import AreaViews, ShownTokens, shown_tokens
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.explain.card_texts import as_sentence
from cardhub.view.explain.explanations import Explainer, rules_with_options
from cardhub.view.explain.reasons import Reasons
from cardhub.view.explain.unseen_cards import UnseenLines
from cardhub.view.log import LineJoiner, joined, like_lines, line_joiner, summary_view, with_cards
from cardhub.view.result_view import ResultView
from cardhub.view.view import CardCatalogue, LogLine, Spot, SummaryView, View

NOT_YOUR_TURN = "It is not your turn."
GONE = "The table has changed since."


class ViewerAnswers:
    """Describes spots, actions and reasons as the observation's viewer knows them.

    `players` are names by seat; `legal` are the legal actions in reading order, empty unless the
    viewer is to act; `origins` has the origin of each new card by token.
    """

    def __init__(
        self,
        observation: Observation[Any],
        players: Sequence[str],
        legal: Sequence[int],
        origins: Mapping[int, str],
    ) -> None:
        self._observation = observation
        self._players = players
        self._legal = legal
        self._origins = origins

    def explain(self, spot: Spot) -> str:
        """Return the description of a spot."""
        return Explainer(self._observation, self._players, self._origins).explain(spot)

    def consequence(self, action: int) -> str:
        """Return the consequence of a legal action, empty if the game does not describe it."""
        observation = self._observation
        if action not in self._legal:
            return ""
        game: Any = observation.game  # compiled code would check the text, with another error
        with observation.named_step():
            names = observation.labels(self._players)
            text = game.consequence(observation.state, action, names)
        return as_sentence(as_text(game, "consequence", text))

    def why_not(self, asked: Spot | str) -> str:
        """Return why a spot or typed text is not legal, or the actions that it has."""
        if not self._legal:
            return NOT_YOUR_TURN
        if isinstance(asked, Spot):
            return Reasons(self._observation, self._players).here(asked)
        meant = self.read(asked)
        if isinstance(meant, str):
            return meant
        names = self._observation.labels(self._players).choices(self._legal)
        name = next(name for name, action in names.items() if action == meant)
        return f"Possible: {name}."

    def read(self, text: str) -> int | str:
        """Return the legal action that a text means, or why it does not mean a legal action.

        The label of a site alone, `a1`, means the site, even if a card has this name.
        """
        if not self._legal:
            return NOT_YOUR_TURN
        site = self._site(text)
        here = self._actions_at(site) if site is not None else []
        if site is not None and len(here) < 2:
            return here[0] if here else Reasons(self._observation, self._players).here(site)
        try:
            return self._observation.labels(self._players).parse(text, self._legal)
        except IllegalActionError as error:
            return Reasons(self._observation, self._players).typed(text) or str(error)

    def _site(self, text: str) -> Spot | None:
        """Return the site with a label, or None."""
        for number, area in enumerate(self._observation.scene().areas):
            if isinstance(area, Grid):
                sites = range(area.rows * area.columns)
                labels = {site_label(*divmod(site, area.columns)): site for site in sites}
                if (site := labels.get(folded(text))) is not None:
                    return Spot("site", site, number)
        return None

    def _actions_at(self, spot: Spot) -> list[int]:
        seen = self._observation
        spots = spots_of(seen.game, seen.scene(), self._legal, seen.seat)
        return [action for action in self._legal if spot in spots[action]]

    def refusal(self, action: int) -> str:
        """Return why an action is not legal now."""
        return Reasons(self._observation, self._players).of(action)


class LogTail(NamedTuple):
    """The last lines of a log, and how many lines of it will not change any more."""

    lines: Sequence[LogLine]
    settled: int


class GrowingLog:
    """The joined lines of events; `events` may grow, `names` has all names by seat.

    `labels` has the label of each face; a line has parts if it mentions cards. Lines are cached, so
    the time for an update depends only on the new events.
    """

    def __init__(
        self,
        events: Sequence[Event],
        names: Sequence[tuple[str, ...]],
        labels: Sequence[str] = (),
    ) -> None:
        self._events = events
        self._names = names
        self._labels = labels
        # The numbers of events with lines, of old events among them, and of their lines. Old events
        # do not become new again.
        self._count = self._old = self._old_lines = 0
        # All lines without marks of news, and the last lines again with these marks.
        self._lines: list[LogLine] = []
        self._fresh: list[LogLine] = []
        # The parts of the last line, because the next events may extend it.
        self._group: list[LogLine] = []
        self._whole: tuple[tuple[int, int], list[LogLine]] | None = None
        self._join: LineJoiner = line_joiner(labels, names)
        self._joined_names = [*names]

    def lines(self, new: int) -> list[LogLine]:
        """Return all lines; the last `new` events are new."""
        key = len(self._events), self._settle(new)
        # Cached until the next event, because all listeners of a viewer ask for the same lines.
        if self._whole is None or self._whole[0] != key:
            self._whole = key, [*self._lines[: self._old_lines], *self._fresh]
        return self._whole[1]

    def tail(self, first: int, new: int) -> LogTail:
        """Return the lines from number `first` on, and how many lines will not change any more.

        The time depends only on the new events.
        """
        self._settle(new)
        old = self._old_lines
        lines = [*self._lines[first:old], *self._fresh[max(first - old, 0) :]]
        # New lines become old lines, and the last line may get longer.
        return LogTail(lines, max(min(old, len(self._lines) - 1), 0))

    def _settle(self, new: int) -> int:
        """Add the lines of all events; return the number of old events."""
        self._old = max(self._old, len(self._events) - new)
        self._extend()
        old = len(self._lines)
        if self._old < len(self._events):
            # A joined line has the number of its last step, and is new if that step is new.
            first = self._events[self._old].number + 1
            old = bisect_left(self._lines, first, key=lambda line: line.step)
        del self._fresh[: len(self._fresh) - (len(self._lines) - old)]
        self._old_lines = old
        return self._old

    def since(self, step: int) -> list[LogLine]:
        """Return the lines after a step, joined without the lines before it."""
        first = bisect_left(self._events, step, key=lambda event: event.number)
        lines = joined(log_lines(self._events[first:]), self._names)
        return with_cards(lines, self._labels, self._names)

    def _extend(self) -> None:
        """Add the lines of the events since the last call."""
        recent = log_lines(self._events[self._count :])
        self._count = len(self._events)
        if not recent:
            return
        if self._joined_names != self._names:
            self._joined_names = [*self._names]
            self._join = line_joiner(self._labels, self._names)
        groups = like_lines([*self._group, *recent], self._names)
        # The last line is built again, because it may have got longer.
        del self._lines[-1:], self._fresh[-1:]
        for group in groups:
            line, fresh = self._join(tuple(group))
            self._lines.append(line)
            self._fresh.append(fresh)
        self._group = groups[-1]


class LocalSession(Session):
    """The session of a viewer: a seat, a spectator (the number of seats) or EVERYTHING."""

    def __init__(
        self, table: RunningTable, referee: Referee[Any], hints: HintRequests, viewer: int
    ) -> None:
        self.viewer = viewer
        self._table = table
        self._hints = hints
        self._referee = referee
        self._look_round()
        self._events = past_events(referee, viewer)
        follow(referee, viewer, self._on_event)
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

    def _on_event(self, event: Event) -> None:
        self._events.append(event)
        self._result = None
        if event.kind == "seating":
            self._look_round()
        if self._own_events.note_event() and self._is_person:
            # The view is built only when a front end asks for it: bots may act immediately.
            self._acted_at, self._acted = present_observation(self._referee, self.viewer), None

    def _look_round(self) -> None:
        players = self._referee.players
        self._names, self._bots = names_by_seat(players), bots_by_seat(players)
        self._is_person = is_person(self.viewer, self._bots)  # not while a bot stands in
        self._view: View | None = None  # with other names, but of the same revision

    @property
    @override
    def catalogue(self) -> CardCatalogue:
        return build_catalogue(self._referee.game)

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
    def view_at(self, step: int, on_view: Callable[[View], None]) -> None:
        on_view(view_of_step(self._referee, step, self.viewer, self._table.revision))

    @override
    def log(self, since: int = 0) -> Sequence[LogLine]:
        return self._log.since(since) if since else self._log.lines(len(self._news()))

    def log_tail(self, first: int) -> LogTail:
        """Return the lines from number `first` on, and how many lines will not change any more."""
        return self._log.tail(first, len(self._news()))

    @override
    def status(self) -> TableStatus:
        return self._table.status()

    @override
    def subscribe(self, listener: Callable[[], None]) -> None:
        self._endings.append(self._table.subscribe(listener))

    @override
    def act(self, action: int, revision: int, on_refusal: OnReply) -> None:
        try:
            self._table.act(self.viewer, action, revision)
        except IllegalActionError as error:
            # Without a change of the revision, the table has refused the action.
            is_refused = self._table.is_current(self.viewer, revision)
            on_refusal(self._answers().refusal(action) if is_refused else str(error))

    @override
    def undo(self, on_refusal: OnReply) -> None:
        try:
            self._table.undo(self.viewer)
        except IllegalActionError as error:
            on_refusal(str(error))

    @override
    def why_no_undo(self) -> str:
        return self._table.why_no_undo(self.viewer)

    @override
    def why_no_takeback(self) -> str:
        return self._table.why_no_takeback(self.viewer)

    @override
    def hint(self, on_answer: Callable[[Hint | str], None]) -> None:
        if not self._referee.helps:
            on_answer(NO_HELPS)
        elif self._observe().is_to_act:
            self._hints.ask(self._observe(), on_answer)
        else:
            on_answer(NOT_YOUR_TURN)

    @override
    def cancel_hint(self) -> None:
        self._hints.cancel()

    @override
    def hurry_hint(self) -> None:
        self._hints.hurry()

    @override
    def explain(self, spot: Spot, on_reply: OnReply) -> None:
        on_reply(self._answers().explain(spot) if self._has(spot) else GONE)

    @override
    def consequence(self, action: int, on_reply: OnReply) -> None:
        on_reply(self._answers().consequence(action))

    @override
    def why_not(self, asked: Spot | str, on_reply: OnReply) -> None:
        is_gone = not isinstance(asked, str) and not self._has(asked)
        on_reply(GONE if is_gone else self._answers().why_not(asked))

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
    def request(self, request: PaceRequest) -> None:
        if request == "read":
            self._summaries.read(count_events(self._referee))
        self._table.request(request)

    @override
    def set_pace(self, seconds: float) -> None:
        self._table.turns.set_pace(seconds)
        self._table.notify()

    @override
    def play_only_choices(self, is_on: bool) -> None:
        if is_on:
            self._table.only_choice_seats.add(self.viewer)
        else:
            self._table.only_choice_seats.discard(self.viewer)
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
