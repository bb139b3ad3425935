"""The session of a viewer at a table of this process: commands go in, messages come out."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cardhub.base.errors import IllegalActionError
from cardhub.base.errors.quoting import folded
from cardhub.model.game.display_values import as_text
from cardhub.model.game.scene import Grid, Summary
from cardhub.model.hidden.observation import NamedStep, Observation
from cardhub.model.table.actions import site_label
from cardhub.play.announcing.announcer import count_events, follow, past_events, present_observation
from cardhub.play.announcing.events import Event
from cardhub.play.announcing.recent_beats import RecentBeats
from cardhub.play.host.replays.replay import referee_at, view_of_step
from cardhub.play.host.replays.replay_log import (
    OwnEvents,
    UnreadSummaries,
    is_person,
    log_lines,
    origins_in,
)
from cardhub.play.host.replays.viewpoints import is_opened
from cardhub.play.host.retaken_decision import Practice
from cardhub.play.host.running_table import NO_HELPS, WATCHES, RunningTable
from cardhub.play.host.shown_choices import with_choices
from cardhub.play.host.turns.hint_requests import HintRequests
from cardhub.play.host.turns.move_reviews import LONGEST_REVIEW, NOT_OVER, TOO_LONG
from cardhub.play.referee import Referee
from cardhub.play.seating import bots_by_seat, names_by_seat
from cardhub.play.seeds import seed_in_words
from cardhub.play.table_commands import (
    Act,
    AskConsequence,
    AskExplain,
    AskHint,
    AskPast,
    AskRetry,
    AskReview,
    AskWhy,
    PaceChange,
    PaceCommand,
    PlayForced,
    Question,
    SetPace,
    TableCommand,
    Undo,
)
from cardhub.play.table_messages import (
    AnswerMessage,
    HintMessage,
    OnReply,
    PastView,
    Refused,
    ReviewMessage,
    TableMessage,
    TableStatus,
)
from cardhub.play.view_matching import NOT_YOUR_TURN
from cardhub.view.action_spots import spots_of
from cardhub.view.area_views import AreaViews, ShownTokens, shown_tokens
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.equal_cards import equals_of
from cardhub.view.explain.card_texts import as_sentence
from cardhub.view.explain.explanations import Explainer, rules_with_options
from cardhub.view.explain.reasons import Reasons
from cardhub.view.explain.unseen_cards import UnseenLines
from cardhub.view.log import LineJoiner, joined, like_lines, line_joiner, with_cards
from cardhub.view.view import CardCatalogue, LogLine, ResultView, Spot, View

if TYPE_CHECKING:
    from cardhub.play.review import RatedDecision

NOT_REVIEWED = "This decision is not part of a review. Ask for your costliest moves again."
NOT_LEGAL_THEN = "This action was not legal at the decision. Choose another one."
GONE = "This is no longer on the table, which has changed."


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
        with NamedStep(observation):
            names = observation.labels(self._players)
            text = game.display.consequence(observation.state, action, names)
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
        return f"You can do that: {name}."

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
        scene = seen.scene()
        spots = spots_of(seen.game, scene, self._legal, seen.seat, equals_of(seen, scene))
        return [action for action in self._legal if spot in spots[action]]

    def refusal(self, action: int) -> str:
        """Return why an action is not legal now."""
        return Reasons(self._observation, self._players).of(action)


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

    def tail(self, first: int, new: int) -> tuple[Sequence[LogLine], int]:
        """Return the lines from number `first` on, and how many lines will not change any more.

        The time depends only on the new events.
        """
        self._settle(new)
        old = self._old_lines
        lines = [*self._lines[first:old], *self._fresh[max(first - old, 0) :]]
        # New lines become old lines, and the last line may get longer.
        return lines, max(min(old, len(self._lines) - 1), 0)

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


def change_pace(table: RunningTable, command: PaceCommand | SetPace) -> None:
    """Change the pace of a table, or decide about a bot that failed or is slow."""
    if isinstance(command, PaceCommand):
        table.request(command.command)
    else:
        table.turns.set_pace(command.seconds)
        table.notify()


class ViewerSession:
    """The session of a viewer: a seat, a spectator (the number of seats) or EVERYTHING.

    It carries out the viewer's commands, and builds the messages of the game for this viewer.
    """

    def __init__(
        self, table: RunningTable, referee: Referee[Any], hints: HintRequests, viewer: int
    ) -> None:
        self.viewer = viewer
        self._table = table
        self._hints = hints
        self._referee = referee
        self._look_round()
        self._events = past_events(referee, viewer)
        self._beats = RecentBeats(viewer)
        follow(referee, viewer, self._on_event)
        self._log = GrowingLog(self._events, referee.names, referee.game.cards.labels)
        self._areas, self._unseen = AreaViews(), UnseenLines()
        self._own_events = OwnEvents(self._events, viewer, len(referee.players))
        self._revision = -1
        self._has_fault = False
        # The observation just after the viewer's last action, and what was shown of it.
        self._acted_at: Observation[Any] | None = None
        self._acted: ShownTokens | None = None
        self._observation: Observation[Any] | None = None
        # Summaries of a resumed game were read before it was left.
        self._summaries = UnreadSummaries(self._events, count_events(referee))
        self._result: ResultView | None = None

    def _look_round(self) -> None:
        players = self._referee.players
        self._names, self._bots = names_by_seat(players), bots_by_seat(players)
        self._is_person = is_person(self.viewer, self._bots)  # not while a bot stands in
        self._view: View | None = None  # with other names, but of the same revision

    @property
    def catalogue(self) -> CardCatalogue:
        """All faces and backs of the game."""
        return build_catalogue(self._referee.game)

    def rules(self) -> str:
        """Return the rules of the game and the options in use, in Markdown."""
        referee = self._referee
        return rules_with_options(referee.game, referee.settings, len(referee.players))

    def table_message(self) -> TableMessage:
        """Return the view with everything that depends on it; the result names the record."""
        table, viewer, referee = self._table, self.viewer, self._referee
        is_open = is_opened(referee.game, is_over=referee.is_over)
        return TableMessage(
            view=self.view(),
            status=table.status(),
            why_no_undo=table.why_no_undo(viewer),
            can_take_back=not table.why_no_takeback(viewer),
            is_forced=viewer in table.only_choice_seats,
            summaries=tuple(self.unread_summaries()),
            unseen=tuple(self._unseen.of(self._observe())),
            result=self._find_result(),
            seed=seed_in_words(referee.seed, is_open=is_open),
            beats=self._beats.views(self._observe(), self._revision, table.turns.pace),
        )

    def view(self) -> View:
        """Return the current view, built once for each revision."""
        observation = self._observe()
        if self._view is None:
            view = build_view(
                observation,
                self._names,
                revision=self._revision,
                bots=self._bots,
                origins=self._origins(),
                earlier=self._earlier(observation),
                has_choices=self._is_person or self.viewer not in self._table.people,
                can_undo=self._is_person and not self._table.why_no_undo(self.viewer),
                areas=self._areas,
            )
            self._view = with_choices(view, self._table)
            acted = self._acted_at
            if acted is not None and len(acted.history) == len(observation.history):
                self._acted = shown_tokens(self._view)
        return self._view

    def status(self) -> TableStatus:
        """Return the current status of the game."""
        return self._table.status()

    def log(self, since: int = 0) -> Sequence[LogLine]:
        """Return the lines of the log of the steps after `since`; by default all lines."""
        return self._log.since(since) if since else self._log.lines(len(self._news()))

    def log_tail(self, first: int) -> tuple[Sequence[LogLine], int]:
        """Return the lines from number `first` on, and how many lines will not change any more."""
        return self._log.tail(first, len(self._news()))

    def unread_summaries(self) -> Sequence[Summary]:
        """Return the summaries since the last request `read`; bots wait until they are read."""
        return self._summaries.unread

    def send(self, command: TableCommand, on_reply: OnReply) -> None:
        """Carry out a command; `on_reply` gets its answer or refusal before this returns.

        A hint comes later, by the scheduler.
        """
        if not isinstance(command, Act):
            self._carry_out(command, on_reply)
            return
        try:
            self._table.act(self.viewer, command.action, command.rev)
        except IllegalActionError as error:
            # Without a change of the revision, the table has refused the action.
            is_refused = not self._table.why_no_action(self.viewer, command.rev)
            why = self._answers().refusal(command.action) if is_refused else str(error)
            on_reply(Refused(why=why, id=command.id))

    def _carry_out(
        self, command: Undo | AskHint | AskReview | Question | PaceChange, on_reply: OnReply
    ) -> None:
        match command:
            case Undo():
                try:
                    self._table.undo(self.viewer)
                except IllegalActionError as error:
                    on_reply(Refused(why=str(error), id=command.id))
            case AskHint():
                self._request_hint(command.request, on_reply)
            case AskReview():
                self._request_review(command.request, on_reply)
            case AskExplain() | AskWhy() | AskConsequence():
                on_reply(AnswerMessage(id=command.id, text=self._answer(command)))
            case AskPast():
                on_reply(PastView(id=command.id, view=self._past(command.step)))
            case AskRetry():
                on_reply(self._retry(command))
            case _:
                self._change_pace(command)

    def _request_hint(self, request: str, on_reply: OnReply) -> None:
        if request == "ask":
            if not self._referee.helps:
                on_reply(HintMessage(why_none=NO_HELPS))
            elif self._observe().is_to_act:
                self._hints.ask(self._observe(), on_reply)
            else:
                on_reply(HintMessage(why_none=NOT_YOUR_TURN))
        elif request == "hurry":
            self._hints.hurry(self.viewer)
        else:
            self._hints.cancel(self.viewer)

    def _request_review(self, request: str, on_reply: OnReply) -> None:
        if request == "cancel":
            self._hints.reviews.cancel(self.viewer)
        elif not self._referee.is_over:
            on_reply(ReviewMessage(why_none=NOT_OVER))
        elif not self._is_person:
            on_reply(ReviewMessage(why_none=WATCHES))
        elif count_events(self._referee) > LONGEST_REVIEW:
            on_reply(ReviewMessage(why_none=TOO_LONG))
        else:
            self._hints.reviews.ask(self._referee, self.viewer, on_reply)

    def _answer(self, question: AskExplain | AskWhy | AskConsequence) -> str:
        match question:
            case AskConsequence(action=action):
                return self._answers().consequence(action)
            case AskExplain(spot=spot):
                # A front end may ask about the view before.
                return self._answers().explain(spot) if self._has(spot) else GONE
            case AskWhy(subject=subject):
                is_gone = isinstance(subject, Spot) and not self._has(subject)
                return GONE if is_gone else self._answers().why_not(subject)

    def _has(self, spot: Spot) -> bool:
        return spot in self.view().spots()

    def _past(self, step: int) -> View | None:
        if step > count_events(self._referee):
            return None
        revision = self._table.revision_of(self.viewer)
        return view_of_step(self._referee, step, self.viewer, revision)

    def find_costly(self, step: int) -> "RatedDecision | None":
        """Return the decision at a step that the viewer's review has named so far, or None."""
        return self._hints.reviews.find_costly(self.viewer, step)

    def _retry(self, command: AskRetry) -> PastView | AnswerMessage:
        """Return the view of a decision of the review, or the verdict on another choice."""
        step, action = command.step, command.action
        decision = self.find_costly(step)
        if action is None:
            revision = self._table.revision_of(self.viewer)
            view = None
            if decision is not None:
                view = view_of_step(self._referee, step, self.viewer, revision, has_choices=True)
            return PastView(id=command.id, view=view)
        if decision is None:
            return AnswerMessage(id=command.id, text=NOT_REVIEWED)
        practice = Practice(referee_at(self._referee, step), self.viewer, decision)
        text = practice.verdict_on(action) if practice.is_legal(action) else NOT_LEGAL_THEN
        return AnswerMessage(id=command.id, text=text)

    def _change_pace(self, command: PaceChange) -> None:
        table, seats = self._table, self._table.only_choice_seats
        if isinstance(command, PlayForced):
            (seats.add if command.is_on else seats.discard)(self.viewer)
            table.notify()
            table.go_on()
            return
        if isinstance(command, PaceCommand) and command.command == "read":
            self._summaries.read(count_events(self._referee))
        change_pace(table, command)

    def _on_event(self, event: Event) -> None:
        self._events.append(event)
        self._summaries.note_event()
        self._beats.note(self._referee, event)
        self._result = None
        if event.kind == "seating":
            self._look_round()
        if self._own_events.note_event() and self._is_person:
            # The view is built only when a front end asks for it: bots may act immediately.
            self._acted_at, self._acted = present_observation(self._referee, self.viewer), None

    def _find_result(self) -> ResultView | None:
        if not self._referee.is_over:
            return None
        if self._result is None:
            self._result = self._table.results.of(self._referee, self.viewer, self._events)
        return self._result

    def _earlier(self, observation: Observation[Any]) -> ShownTokens | None:
        """Return what was shown after the viewer's last action, None if no action followed it."""
        acted = self._acted_at
        if acted is None or len(acted.history) >= len(observation.history):
            return None
        if self._acted is None:
            self._acted = shown_tokens(build_view(acted, self._names))
        return self._acted

    def _observe(self) -> Observation[Any]:
        revision = self._table.revision_of(self.viewer)
        has_fault = self._table.activity.fault is not None
        if has_fault != self._has_fault:
            self._view, self._has_fault = None, has_fault
        if self._observation is None or self._revision != revision:
            self._observation = present_observation(self._referee, self.viewer)
            self._revision, self._view = revision, None
        return self._observation

    def _origins(self) -> dict[int, str]:
        return origins_in(self._news(), len(self._names))

    def _answers(self) -> ViewerAnswers:
        return ViewerAnswers(self._observe(), self._names, self.view().actions(), self._origins())

    def _news(self) -> Sequence[Event]:
        return self._own_events.news(is_person=self._is_person)
