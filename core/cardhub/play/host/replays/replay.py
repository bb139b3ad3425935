"""A replay: a recorded or running game, at any step and for any permitted viewer."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from typing_extensions import override

from cardhub.model.game.display_values import as_text
from cardhub.model.game.game import Display, Game
from cardhub.model.hidden.observation import EVERYTHING, NamedStep, Observation
from cardhub.model.table.beats import Beat
from cardhub.play.announcing.announcer import follow, past_events
from cardhub.play.announcing.events import Event, standing_summaries
from cardhub.play.history_entries import Entry, Taken, TakenBack, Undone
from cardhub.play.host.replays.replay_log import log_lines
from cardhub.play.host.replays.viewpoints import default_viewer, permitted_viewers, viewer_name
from cardhub.play.records.reading import Record
from cardhub.play.records.replaying import open_record, replay_to_end
from cardhub.play.referee import Referee
from cardhub.play.seating import Player, bots_by_seat, names_by_seat
from cardhub.view.building import build_view
from cardhub.view.log import with_cards
from cardhub.view.view import LogLine, View


class Chapter(msgspec.Struct, frozen=True):
    """A part of a game: its name ("round 6", or a number) and its first step."""

    title: str
    first: int

    @property
    def mark(self) -> str:
        """The number in its name, or else the name, for a timeline."""
        numbers = [word for word in self.title.split() if word.isdigit()]
        return numbers[0] if numbers else self.title


def has_chapters(game: Game[Any]) -> bool:
    """Return whether a game names its chapters."""
    return type(game.display).chapter is not Display.chapter


def named_chapters(positions: Iterable[tuple[int, Observation[Any]]]) -> Iterator[Chapter]:
    """Yield the chapters that a game names; `positions` are steps and one viewer's knowledge."""
    title = ""
    for number, seen in positions:
        with NamedStep(seen):
            now = as_text(seen.game, "chapter", seen.game.display.chapter(seen.state))
        if now and now != title:
            title = now
            yield Chapter(title, number)


def round_chapters(events: Iterable[Event], stops: Sequence[int]) -> Iterator[Chapter]:
    """Yield a chapter for each round with a summary, and one for an unfinished round."""
    first, number = 0, 0
    for number, event in enumerate(standing_summaries(events), 1):
        yield Chapter(str(number), first)
        # The summary belongs to the last step of its round, with the shuffles of that step.
        ends = [stop for stop in stops if stop > event.number]
        first = ends[1] if len(ends) > 1 else stops[-1] + 1
    # Scores without an action are not a round.
    if number and first < stops[-1]:
        yield Chapter(str(number + 1), first)


class ReplayStep(NamedTuple):
    """An entry of a game, the full state and the players after it.

    Step 0 is the deal. `is_stop`: no seat is asked between an action and the shuffles that it
    requires, so a replay stops after the last of them. `beats`: the beats within an action.
    """

    entry: Entry
    full: Observation[Any]
    is_stop: bool
    players: tuple[Player, ...]
    beats: tuple[Beat, ...] = ()

    def observe(self, viewer: int) -> Observation[Any]:
        """Return the observation of a viewer after this step."""
        full = self.full
        if viewer == EVERYTHING:
            return full
        return Observation(full.game, full.state, viewer, full.history)


def steps_of_record(record: Record, referee: Referee[Any]) -> list[ReplayStep]:
    """Replay a whole record with a referee in its initial state; raises RecordError."""
    return _collected(referee, lambda: replay_to_end(record, referee))


def steps_so_far(referee: Referee[Any]) -> tuple[Referee[Any], list[ReplayStep]]:
    """Return the steps of a running game, and a new referee in the position after them."""
    again = referee.restarted()
    # A copy, because the game may go on during the replay.
    entries = referee.entries[1:]
    return again, _collected(again, lambda: map(again.apply_entry, entries))


def referee_at(referee: Referee[Any], step: int) -> Referee[Any]:
    """Return another referee of a game after a past step, with the players of then."""
    again = referee.restarted()
    for entry in referee.entries[1 : max(step, 0) + 1]:
        again.apply_entry(entry)
    return again


def view_of_step(
    referee: Referee[Any], step: int, viewer: int, revision: int, *, has_choices: bool = False
) -> View:
    """Return the view after a past step of a game, with the players of then."""
    again = referee_at(referee, step)
    return build_view(
        again.observe(viewer),
        names_by_seat(again.players),
        revision=revision,
        bots=bots_by_seat(again.players),
        has_choices=has_choices,
    )


def _collected(referee: Referee[Any], advance: Callable[[], Iterable[object]]) -> list[ReplayStep]:
    referee.notes_moments = True
    steps = [step_after(referee, referee.dealt)]
    referee.subscribe(lambda entry: steps.append(step_after(referee, entry)))
    for _ in advance():
        pass
    referee.forget_listeners()
    return steps


def step_after(referee: Referee[Any], entry: Entry) -> ReplayStep:
    """Return the step of the entry that a referee has just applied."""
    full = referee.observe(EVERYTHING)
    beats = tuple(referee.moments.beats) if isinstance(entry, Taken) else ()
    return ReplayStep(entry, full, not full.state.pending_shuffles, referee.players, beats)


T = TypeVar("T")


class Replay:
    """The steps of a game, and its contents for each permitted viewer.

    `steps` are numbered from 0, the deal; `referee` holds the game after the last one. `viewers`
    are the permitted viewers, `viewer` is the one shown first; methods raise ValueError for any
    other. `path`: the path of the record, or None.
    """

    def __init__(
        self,
        referee: Referee[Any],
        steps: Sequence[ReplayStep],
        viewers: Sequence[int],
        viewer: int,
        path: Path | None = None,
    ) -> None:
        self.viewers = tuple(viewers)
        self.viewer = viewer
        self.path = path
        self._referee = referee
        self._steps = list(steps)
        # By viewer, computed on first use.
        self._events: dict[int, Sequence[Event]] = {}
        self._logs: dict[int, Sequence[LogLine]] = {}
        self._chapters: dict[int, Sequence[Chapter]] = {}
        self._facts: dict[Callable[[Replay], Any], Any] = {}

    def once(self, compute: Callable[["Replay"], T]) -> T:
        """Return the value of a function of this replay, which is called the first time only."""
        if compute not in self._facts:
            self._facts[compute] = compute(self)
        value: T = self._facts[compute]
        return value

    def keep_events(self, viewer: int, events: Sequence[Event]) -> None:
        """Use a table's list of all events of a viewer instead of replaying them."""
        self._permit(viewer)
        self._events[viewer] = events

    def limited(self, viewers: Sequence[int], viewer: int) -> "Replay":
        """Return the same game for some of the viewers, `viewer` first; raises ValueError."""
        for permitted in (*viewers, viewer):
            self._permit(permitted)
        return Replay(self._referee, self._steps, viewers, viewer, self.path)

    @property
    def game(self) -> Game[Any]:
        """The game."""
        return self._referee.game

    @property
    def players(self) -> Sequence[Player]:
        """The players by seat at the end."""
        return self._referee.players

    def players_at(self, step: int) -> Sequence[Player]:
        """Return the players by seat after a step: others may take seats during a game."""
        return self._steps[step].players

    @property
    def steps(self) -> Sequence[ReplayStep]:
        """The full states; a front end gets views instead."""
        return self._steps

    @property
    def referee(self) -> Referee[Any]:
        """The referee after the last step; a front end gets views instead."""
        return self._referee

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self._steps) - 1

    @property
    def is_over(self) -> bool:
        """Whether the game ended with the last step."""
        return self._referee.is_over

    @cached_property
    def stops(self) -> Sequence[int]:
        """The steps at which the table is shown, in order."""
        return tuple(number for number, step in enumerate(self._steps) if step.is_stop)

    def beats_before(self, stop: int) -> list[tuple[int, Beat]]:
        """Return the beats between the previous stop and a stop, each with its step."""
        first = self.stop_near(stop - 1) + 1 if stop else 0
        steps = range(first, stop + 1)
        return [(number, beat) for number in steps for beat in self._steps[number].beats]

    def sees_all(self, viewer: int) -> bool:
        """Return whether a viewer may see all cards at the end of the game."""
        is_opened = self.game.opens_at_end or viewer == EVERYTHING
        return self.is_over and is_opened and EVERYTHING in self.viewers

    def stop_near(self, step: int, by: int = 0) -> int:
        """Return the stop that is `by` stops after the last one up to a step, within the game."""
        at = bisect_right(self.stops, step) - 1 + by
        return self.stops[min(max(at, 0), len(self.stops) - 1)]

    def viewer_name(self, viewer: int) -> str:
        """Return the name of a viewer: a player's, `spectator` or `all`."""
        return viewer_name(self.players, viewer)

    def observe(self, step: int, viewer: int) -> Observation[Any]:
        """Return the knowledge of a viewer after a step."""
        self._permit(viewer)
        return self._steps[step].observe(viewer)

    def events(self, viewer: int) -> Sequence[Event]:
        """Return all events as a viewer saw them; the event of step n has the number n - 1."""
        self._permit(viewer)
        if viewer not in self._events:
            self._events[viewer] = past_events(self._referee, viewer)
        return self._events[viewer]

    def log(self, viewer: int, step: int | None = None) -> Sequence[LogLine]:
        """Return the log up to a step; by default all of it."""
        if viewer not in self._logs:
            lines = log_lines(self.events(viewer))
            self._logs[viewer] = with_cards(lines, self.game.cards.labels, self._referee.names)
        return self._logs[viewer] if step is None else self.log_between(viewer, -1, step)

    def log_between(self, viewer: int, after: int, step: int) -> Sequence[LogLine]:
        """Return the lines of the steps after a step, up to another one."""
        lines = self.log(viewer)
        first, end = (bisect_right(lines, n, key=lambda line: line.step) for n in (after, step))
        return lines[first:end]

    def news(self, viewer: int, step: int) -> Sequence[LogLine]:
        """Return the lines of the steps between the stop before a step and the step itself."""
        return self.log_between(viewer, self.stop_near(step - 1), step)

    def chapters(self, viewer: int) -> Sequence[Chapter]:
        """Return the parts of the game in order, none if it has neither chapters nor summaries."""
        self._permit(viewer)
        # All viewers have the same chapters, so one search serves all of them once they may see
        # all.
        finder = EVERYTHING if EVERYTHING in self.viewers else viewer
        if finder not in self._chapters:
            self._chapters[finder] = tuple(self._find_chapters(finder, viewer))
        return self._chapters[finder]

    def _find_chapters(self, finder: int, viewer: int) -> Iterable[Chapter]:
        if has_chapters(self.game):
            return named_chapters((stop, self.observe(stop, finder)) for stop in self.stops)
        # The events of the viewer who asks, because a table has kept them.
        return round_chapters(self.events(viewer), self.stops)

    def find(self, text: str, viewer: int, step: int) -> int | None:
        """Return the next stop after a step whose log has a text, from the beginning after the end.

        Case does not matter. Returns None if no line has it.
        """
        sought = text.casefold()
        steps = [line.step for line in self.log(viewer) if sought in line.text.casefold()]
        later = [number for number in steps if self._stop_of(number) > step]
        return self._stop_of((later or steps)[0]) if steps else None

    def action_after(self, step: int) -> Taken | None:
        """Return the action that was taken next; None if actions are taken back first."""
        later = (self._steps[number].entry for number in range(step + 1, len(self._steps)))
        changes = (entry for entry in later if isinstance(entry, Taken | Undone | TakenBack))
        following = next(changes, None)
        return following if isinstance(following, Taken) else None

    def decisions(self, seat: int) -> list[int]:
        """Return the steps before which a seat chose among several actions."""
        steps = []
        for number, (before, step) in enumerate(zip(self._steps, self._steps[1:], strict=False)):
            entry = step.entry
            is_own = isinstance(entry, Taken) and entry.seat == seat
            if is_own and len(before.observe(seat).legal()) > 1:
                steps.append(number)
        return steps

    def _stop_of(self, step: int) -> int:
        """Return the first stop that shows a step."""
        return next(number for number in range(step, len(self._steps)) if number in self._stop_set)

    @cached_property
    def _stop_set(self) -> frozenset[int]:
        # The last step is shown even where its shuffles are missing: the game was killed there.
        return frozenset((*self.stops, self.last))

    def _permit(self, viewer: int) -> None:
        if viewer not in self.viewers:
            raise ValueError(f"viewer {viewer} may not see this game")


def open_replay(game: Game[Any], record: Record) -> Replay:
    """Return the replay of a record; raises RecordError."""
    referee = open_record(game, record)
    steps = steps_of_record(record, referee)
    viewers = permitted_viewers(game, record)
    return Replay(referee, steps, viewers, default_viewer(game, record), record.path)


def replay_so_far(
    referee: Referee[Any], viewers: Sequence[int], path: Path | None = None
) -> Replay:
    """Return the replay of a running game, for viewers who may see it now."""
    again, steps = steps_so_far(referee)
    return Replay(again, steps, viewers, viewers[0], path)


class LiveReplay(Replay):
    """A replay that grows with every step of the game; `referee` is the game's referee.

    It is for all viewers, so no person may be playing.
    """

    def __init__(self, referee: Referee[Any], path: Path | None = None) -> None:
        seats = len(referee.players)
        viewers = (*range(seats), seats, EVERYTHING)
        super().__init__(referee, steps_so_far(referee)[1], viewers, seats, path)
        referee.notes_moments = True
        referee.subscribe(self._grow)

    @override
    def events(self, viewer: int) -> Sequence[Event]:
        if viewer not in self._events:
            events = list(super().events(viewer))
            follow(self._referee, viewer, events.append)
            self._events[viewer] = events
        return self._events[viewer]

    def _grow(self, entry: Entry) -> None:
        self._steps.append(step_after(self._referee, entry))
        self._logs.clear()
        self._chapters.clear()
        self._facts.clear()
        # Computed again on next use.
        for name in ("stops", "_stop_set"):
            self.__dict__.pop(name, None)
