"""A replay as a session: the same table as in play, at a step and from a viewpoint of choice."""

import json
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cardhub.base.errors import RecordError
from cardhub.base.errors.quoting import in_json
from cardhub.base.files import LimitError, read_within, record_access, replace_text
from cardhub.model.game.display_values import as_text
from cardhub.model.game.scene import Scene
from cardhub.model.hidden.observation import EVERYTHING, NamedStep, Observation, is_secret
from cardhub.model.table.beats import Beat
from cardhub.play.announcing.events import Event
from cardhub.play.announcing.recent_beats import marked_cards, view_of_beat
from cardhub.play.host.replays.replay import Chapter, Replay
from cardhub.play.host.replays.replay_log import is_own, is_person, log_lines, news_of, origins_in
from cardhub.play.host.replays.results.game_result import build_result
from cardhub.play.seating import Player, bots_by_seat, names_by_seat
from cardhub.play.seeds import seed_in_words
from cardhub.view.action_spots import spots_of
from cardhub.view.area_views import ShownTokens, shown_tokens
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.equal_cards import equals_of
from cardhub.view.explain.card_texts import as_sentence
from cardhub.view.explain.explanations import Explainer, rules_with_options
from cardhub.view.log import joined, with_cards
from cardhub.view.view import CardCatalogue, LogLine, ResultView, Spot, View


class ComingAction(NamedTuple):
    """The action that was taken next, in the words for the viewer.

    `spots` are the spots of the viewer's view that it refers to. `consequence` is empty unless the
    viewer knows all that the seat knew, and while another step comes before the action.
    """

    seat: int
    lines: Sequence[str]
    spots: Sequence[Spot]
    consequence: str

    @property
    def text(self) -> str:
        """All sentences about it."""
        return "; ".join(self.lines)


def coming_action(
    replay: Replay, step: int, viewer: int, scene: Scene | None = None
) -> ComingAction | None:
    """Return the action after a step, or None at the end and before a shuffle without action.

    `scene`: the viewer's scene at the step, or None to build it here.
    """
    taken = replay.action_after(step)
    if taken is None or taken.seat != replay.steps[step].full.state.seat:
        return None
    observation = replay.observe(step, viewer)
    scene = observation.scene() if scene is None else scene
    spots: Sequence[Spot] = ()
    if not is_secret(replay.game, taken.seat, taken.action, viewer):
        equals = equals_of(observation, scene)
        spots = spots_of(replay.game, scene, [taken.action], taken.seat, equals)[taken.action]
    lines = [
        line for line in replay.log_between(viewer, step, replay.stop_near(step, 1)) if line.text
    ]
    # Another step may come first, such as a hint that the player asks for.
    is_next = replay.steps[step + 1].entry is taken
    consequence_text = consequence(replay, step, viewer, taken.action) if is_next else ""
    return ComingAction(taken.seat, [line.text for line in lines], spots, consequence_text)


def consequence(replay: Replay, step: int, viewer: int, action: int) -> str:
    """Return the consequence of an action, empty unless the viewer knows all the seat knew."""
    seat = replay.steps[step].full.state.seat
    if seat < 0 or viewer not in (seat, EVERYTHING):
        return ""
    seen = replay.steps[step].observe(seat)
    with NamedStep(seen):
        labels = seen.labels(names_by_seat(replay.players_at(step)))
        text = seen.game.display.consequence(seen.state, action, labels)
    return as_sentence(as_text(seen.game, "consequence", text))


def own_seat(players: Sequence[Player], viewer: int) -> int | None:
    """Return the seat of the only person, who is at the bottom for viewers without a seat, too."""
    people = [seat for seat, bot in enumerate(bots_by_seat(players)) if not bot]
    is_seat = 0 <= viewer < len(players)
    return None if is_seat or len(people) != 1 else people[0]


class ReplayViews:
    """Builds views of a replay for permitted viewers, with the players of each step."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        # The last observation with its scene, and the tokens shown after the viewer's last action.
        self._seen: tuple[tuple[int, int], Observation[Any], Scene] | None = None
        self._own: tuple[tuple[int, int], ShownTokens] | None = None

    def view(self, step: int, viewer: int, *, has_choices: bool) -> View:
        """Return the view after a step; with `has_choices` it has the choices of that step."""
        players = self._replay.players_at(step)
        names, bots = names_by_seat(players), bots_by_seat(players)
        observation, scene = self.observed(step, viewer)
        return build_view(
            observation,
            names,
            revision=step,
            bots=bots,
            origins=self._origins(step, viewer),
            earlier=self._acted(step, viewer),
            own=own_seat(players, viewer),
            scene=scene,
            has_choices=has_choices,
        )

    def beat_view(self, step: int, viewer: int, beat: Beat, number: int) -> View:
        """Return the view at a beat of step `number`, which leads to the stop `step`."""
        events = self._events(number, viewer)
        origins = events[-1].origins if events and events[-1].number == number - 1 else {}
        players = self._replay.players_at(number)
        return view_of_beat(
            self._at_beat(step, viewer, beat),
            beat,
            names_by_seat(players),
            revision=step,
            bots=bots_by_seat(players),
            origins=marked_cards(beat, origins, number),
            own=own_seat(players, viewer),
        )

    def log(self, step: int, viewer: int, since: int = 0) -> list[LogLine]:
        """Return the joined lines of the log after step `since`, up to a step."""
        later = [event for event in self._events(step, viewer) if event.number >= since]
        new = len(self._news(step, viewer))
        names = self._replay.referee.names
        lines = joined(log_lines(later, min(new, len(later))), names)
        return with_cards(lines, self._replay.game.cards.labels, names)

    def explainer(self, step: int, viewer: int, beat: Beat | None) -> Explainer:
        """Return what describes the spots of a view."""
        names = names_by_seat(self._replay.players_at(step))
        observation = self._replay.observe(step, viewer)
        if beat is not None:
            observation = self._at_beat(step, viewer, beat)
        return Explainer(observation, names, self._origins(step, viewer))

    def observed(self, step: int, viewer: int) -> tuple[Observation[Any], Scene]:
        """Return the observation after a step, and its scene."""
        # Kept: the view and the coming action of a step need the same scene.
        key = step, viewer
        if self._seen is None or self._seen[0] != key:
            observation = self._replay.observe(step, viewer)
            self._seen = key, observation, observation.scene()
        return self._seen[1:]

    def _at_beat(self, step: int, viewer: int, beat: Beat) -> Observation[Any]:
        seen = self._replay.observe(step, viewer)
        return Observation(seen.game, beat.state, viewer, seen.history)

    def _events(self, step: int, viewer: int) -> Sequence[Event]:
        events = self._replay.events(viewer)
        return events[: bisect_left(events, step, key=lambda event: event.number)]

    def _is_person(self, step: int, viewer: int) -> bool:
        return is_person(viewer, bots_by_seat(self._replay.players_at(step)))

    def _news(self, step: int, viewer: int) -> Sequence[Event]:
        is_person = self._is_person(step, viewer)
        return news_of(self._events(step, viewer), viewer, is_person=is_person)

    def _acted(self, step: int, viewer: int) -> ShownTokens | None:
        if not self._is_person(step, viewer):
            return None
        events = reversed(self._events(step, viewer))
        own = next((event.number for event in events if is_own(event, viewer)), None)
        if own is None:
            return None
        if self._own is None or self._own[0] != (own, viewer):
            # An event's number counts from 0: after it the replay is one step further.
            observation = self._replay.observe(own + 1, viewer)
            names = names_by_seat(self._replay.players_at(own + 1))
            acted = build_view(observation, names, has_choices=False)
            self._own = (own, viewer), shown_tokens(acted)
        return self._own[1]

    def _origins(self, step: int, viewer: int) -> dict[int, str]:
        return origins_in(self._news(step, viewer), len(self._replay.players))


class ReplaySession:
    """Shows a replay at one step to one viewer; both can be changed at any time.

    `has_choices`: views have the choices of their step, which cannot be taken. `beat`: the number
    of the beat that is shown on the way to `step`, or None for the table after the step.
    """

    def __init__(self, replay: Replay, step: int = 0, viewer: int | None = None) -> None:
        self.replay = replay
        self.viewer = replay.viewer if viewer is None else viewer
        self.step = replay.stop_near(step)
        self.beat: int | None = None
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
        self.step, self.beat = self.replay.stop_near(min(max(step, 0), self.replay.last)), None
        self._notify()

    @property
    def is_at_end(self) -> bool:
        """Whether the table after the last step is shown."""
        return self.beat is None and self.step >= self.replay.stop_near(self.replay.last)

    def move(self, by: int) -> None:
        """Go on, or back, by some stops; a single move goes beat by beat."""
        if by == 1:
            self._move_on()
        elif by == -1:
            self._move_back()
        else:
            self.step, self.beat = self.replay.stop_near(self.step, by), None
        self._notify()

    def _move_on(self) -> None:
        following = 0 if self.beat is None else self.beat + 1
        if self.beat is None:
            stop = self.replay.stop_near(self.step, 1)
            if stop == self.step:
                return
            self.step = stop
        is_beat = following < len(self.replay.beats_before(self.step))
        self.beat = following if is_beat else None

    def _move_back(self) -> None:
        beats = len(self.replay.beats_before(self.step)) if self.beat is None else self.beat
        if beats:
            self.beat = beats - 1
        else:
            self.step, self.beat = self.replay.stop_near(self.step, -1), None

    def shown_beat(self) -> Beat | None:
        """Return the beat that is shown, None for the table after a step."""
        return None if self.beat is None else self.replay.beats_before(self.step)[self.beat][1]

    def move_chapter(self, by: int) -> None:
        """Go forward by chapters, or back, first to the beginning of the current chapter."""
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
        """Go to the next stop whose log contains a text; return whether a stop contains it."""
        stop = self.replay.find(text, self.viewer, self.step)
        if stop is not None:
            self.go(stop)
        return stop is not None

    def coming(self) -> ComingAction | None:
        """Return the next action; None at a beat, at the end, and before an isolated shuffle."""
        if self.beat is not None:
            return None
        scene = self._views.observed(self.step, self.viewer)[1]
        return coming_action(self.replay, self.step, self.viewer, scene)

    @property
    def catalogue(self) -> CardCatalogue:
        """All faces and backs of the game."""
        return build_catalogue(self.replay.game)

    def view(self) -> View:
        """Return the view at the step, or at the beat on the way to it."""
        if self.beat is not None:
            number, beat = self.replay.beats_before(self.step)[self.beat]
            return self._views.beat_view(self.step, self.viewer, beat, number)
        return self._views.view(self.step, self.viewer, has_choices=self.has_choices)

    def beat_views(self) -> list[View]:
        """Return the views at all beats on the way to the step."""
        beats = self.replay.beats_before(self.step)
        return [self._views.beat_view(self.step, self.viewer, beat, n) for n, beat in beats]

    def log(self, since: int = 0) -> Sequence[LogLine]:
        """Return the joined lines of the log after step `since`, up to the step."""
        return self._views.log(self.step, self.viewer, since)

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Call `listener` after every change of step, viewer or pace."""
        self._listeners.append(listener)

    def explain(self, spot: Spot, on_text: Callable[[str], None]) -> None:
        """Describe a spot: its title, and for a card a second line with text, faces and place."""
        explainer = self._views.explainer(self.step, self.viewer, self.shown_beat())
        on_text(explainer.explain(spot))

    def consequence(self, action: int, on_text: Callable[[str], None]) -> None:
        """Describe the consequence of an action, empty unless the viewer knows all that counts."""
        on_text(consequence(self.replay, self.step, self.viewer, action))

    def result(self) -> ResultView | None:
        """Return the result, or None before the end of the game."""
        return build_result(self.replay, self.viewer) if self.replay.is_over else None

    def rules(self) -> str:
        """Return the rules of the game and the options in use, in Markdown."""
        referee = self.replay.referee
        return rules_with_options(referee.game, referee.settings, len(referee.players))

    def seed(self) -> str:
        """Return the seed as text, empty unless all viewers may see it."""
        # The deal could be computed from the seed.
        if EVERYTHING not in self.replay.viewers:
            return ""
        return seed_in_words(self.replay.referee.seed, is_open=True)

    def set_pace(self, seconds: float) -> None:
        """Set the number of seconds of each step of a replay that plays."""
        self.pace = seconds
        self._notify()

    def _notify(self) -> None:
        for listener in tuple(self._listeners):
            listener()


# The version of the file's format, and the greatest length of a note in characters.
NOTES_FORMAT, LONGEST_NOTE = 1, 500
MOST_BYTES = 1_000_000
# The greatest number of digits of a step.
MOST_DIGITS = 9


def notes_path(record: Path) -> Path:
    """Return the path of the notes on a record: `NAME.notes.json`."""
    return record.with_name(f"{record.stem}.notes.json")


class StepNotes:
    """The notes on one record, by step; the file is replaced as a whole with each change.

    Without a path they last as long as the object.
    """

    def __init__(self, record: Path | None) -> None:
        self._path = None if record is None else notes_path(record)
        self._notes = dict(_read(self._path)) if self._path and self._path.exists() else {}

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps with a note, in order."""
        return tuple(sorted(self._notes))

    def at(self, step: int) -> str:
        """Return the note on a step, empty if there is none."""
        return self._notes.get(step, "")

    def write(self, step: int, text: str) -> None:
        """Set the note on a step, or remove it with an empty text; raises RecordError."""
        line = " ".join(text.split())
        if len(line) > LONGEST_NOTE:
            raise RecordError(
                f"the note has {len(line)} characters. fix: at most {LONGEST_NOTE}, on one line"
            )
        notes = {**self._notes, step: line}
        kept = {number: note for number, note in sorted(notes.items()) if note}
        if self._path is not None:
            with record_access(self._path, "written"):
                replace_text(self._path, _encoded(kept))
        self._notes = kept


def _read(path: Path) -> Mapping[int, str]:
    try:
        with record_access(path, "read"):
            data = json.loads(read_within(path, MOST_BYTES))
    except LimitError as error:
        raise RecordError(f"{path}: {error}") from error
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}: not JSON: {error}") from error
    if not isinstance(data, dict) or data.get("cardhub_notes") != NOTES_FORMAT:
        raise RecordError(f"{path}: not notes in format {NOTES_FORMAT}")
    notes = data.get("notes")
    if not isinstance(notes, dict) or not all(map(_is_note, notes, notes.values())):
        raise RecordError(f"{path}: 'notes' has texts by the numbers of steps")
    return {int(step): text for step, text in notes.items()}


def _is_note(step: str, text: object) -> bool:
    is_step = step.isascii() and step.isdigit() and len(step) <= MOST_DIGITS
    return is_step and isinstance(text, str) and text.isprintable()


def _encoded(notes: Mapping[int, str]) -> str:
    data = {
        "cardhub_notes": NOTES_FORMAT,
        "notes": {str(step): text for step, text in notes.items()},
    }
    return in_json(json.dumps(data, ensure_ascii=False, indent=1)) + "\n"
