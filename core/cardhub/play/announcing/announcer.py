"""The announcer of a game: it turns each entry into events and sends them to viewers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from cardhub.base.writing import amount, listed
from cardhub.model.game.scene import Summary
from cardhub.model.game.sides import with_sides
from cardhub.model.hidden.observation import EVERYTHING, Observation, known_action
from cardhub.model.table.actions import UNSEEN_ACTION
from cardhub.model.table.beats import Moments
from cardhub.model.table.faces import MaskedFaces, NotedFaces
from cardhub.model.table.scoring import Scoring
from cardhub.model.table.state import CHANCE
from cardhub.play.announcing.events import Event, Kind
from cardhub.play.history_entries import (
    NOTE_TEXTS,
    Dealt,
    EditionChanged,
    Ended,
    Entry,
    Hinted,
    Noted,
    Seated,
    Shuffled,
    Taken,
    TakenBack,
    Undone,
)
from cardhub.play.records.edition import shortened
from cardhub.play.referee import ObservableState, Referee
from cardhub.play.result_text import result_line
from cardhub.play.seating import Player, names_by_seat
from cardhub.view.explain.action_texts import (
    describe,
    knew,
    logged,
    narration,
    shuffle_lines,
    summary,
)
from cardhub.view.origins import StepOrigins

_NONE: Mapping[int, str] = MappingProxyType({})


class _StepText(NamedTuple):
    """The event of an action for one viewer, without origins; `has_narration`: the game wrote it.

    `before` and `after` are the tokens whose faces were read for them, None if all may have been.
    All other inputs are public, so viewers who know the same of these faces share the texts.
    """

    bare: Event
    viewer: int
    has_narration: bool
    before: set[int] | None
    after: set[int] | None


class StepEvents:
    """The events of history entry `number` (1-based).

    `players`: seating before the entry. `moments`: the beats and sentences of an action.
    `is_shared`: cache texts for other viewers. Events are made from observations only, and from
    sentences filled with what the viewer knew; both lack what the viewer must not know.
    """

    def __init__(
        self,
        entry: Entry,
        number: int,
        before: ObservableState[Any],
        after: ObservableState[Any],
        players: Sequence[Player],
        scoring: Scoring,
        moments: Moments,
        *,
        is_shared: bool,
    ) -> None:
        self._moments = moments
        self._entry, self._number, self._is_shared = entry, number, is_shared
        self._before, self._after = before, after
        self._players, self._names = players, names_by_seat(players)
        self._scoring = scoring
        self._origins: StepOrigins | None = None
        self._actions: list[_StepText] = []
        self._others: dict[bool, tuple[Event, dict[int, str] | None]] = {}
        self._events: dict[tuple[int, int], Event] = {}

    def event(self, viewer: int, narrated: set[int]) -> Event | None:
        """Return the event of a viewer, or None if the entry is hidden from the viewer.

        `narrated`: the viewers for whom the game narrated the last action.
        """
        match self._entry:
            case Taken(seat) if self._after.has_secret_choices:
                # The round's last choice describes all of them.
                narrated.discard(viewer)
                return self._bare("action", seat)
            case Taken() as entry:
                bare, origins = self._action(entry, viewer, narrated), None
            case Hinted(seat) if viewer not in (seat, EVERYTHING):
                return None
            case Dealt():
                return None
            case _:
                if isinstance(self._entry, Undone | TakenBack):
                    narrated.discard(viewer)  # what chance draws then belongs to no action
                bare, origins = self._other(viewer, has_narration=viewer in narrated)
        return self._with_origins(bare, self._origins_of(viewer) if origins is None else origins)

    def _bare(
        self,
        kind: Kind,
        seat: int,
        *lines: str,
        action: int | None = None,
        ended: Summary | None = None,
        undone: int = 0,
    ) -> Event:
        return Event(self._number - 1, kind, seat, action, lines, _NONE, ended, undone)

    def _with_origins(self, bare: Event, origins: Mapping[int, str]) -> Event:
        # Past events are kept without origins, which need most of an event's memory.
        if not origins:
            return bare
        # Both live as long as this step, so their ids identify them.
        key = id(bare), id(origins)
        if key not in self._events:
            kind, lines, ended, undone = bare.kind, bare.lines, bare.summary, bare.undone
            self._events[key] = Event(
                bare.number, kind, bare.seat, bare.action, lines, origins, ended, undone, bare
            )
        return self._events[key]

    def _origins_of(self, viewer: int) -> dict[int, str]:
        if self._origins is None:
            before, after = self._before.observe(viewer), self._after.observe(viewer)
            self._origins = StepOrigins(before, after, self._names, self._number)
        return self._origins.of(viewer)

    def _action(self, entry: Taken, viewer: int, narrated: set[int]) -> Event:
        step_text = next((text for text in self._actions if self._is_same(text, viewer)), None)
        if step_text is None:
            step_text = self._describe(entry, viewer)
            self._actions.append(step_text)
        if step_text.has_narration:
            narrated.add(viewer)
        else:
            narrated.discard(viewer)
        return step_text.bare

    def _is_same(self, step_text: _StepText, viewer: int) -> bool:
        if step_text.before is None or step_text.after is None:
            return False
        before, after, first = self._before, self._after, step_text.viewer
        if not all(knew(seen, first) == knew(seen, viewer) for seen in self._seen_then()):
            return False
        return before.know_same(first, viewer, step_text.before) and after.know_same(
            first, viewer, step_text.after
        )

    def _seen_then(self) -> Iterator[int]:
        """Yield as bits the viewers who knew each card of the action's sentences and beats then."""
        for sentence in self._moments.sentences:
            yield from (card.seen for card in sentence.cards)
        for beat in self._moments.beats:
            yield from (beat.state.seen[token] for token in beat.cards)

    def _describe(self, entry: Taken, viewer: int) -> _StepText:
        """Return the bare event of an action for a viewer, with what was read for it."""
        before, after = self._before.observe_step(viewer, entry.action, self._after)
        action = known_action(before.game, entry.seat, entry.action, viewer)
        faces, noted = (before.state.face, after.state.face), list[NotedFaces]()
        if self._is_shared:
            noted = [NotedFaces(face) for face in faces if isinstance(face, MaskedFaces)]
        if noted:
            before.state.face, after.state.face = noted
        try:
            names = after.labels_since(before, self._names)
            lines = narrated = narration(before, action, after, names)
            if lines is None:
                lines = describe(before, entry.seat, action, after, names, self._moments)
            lines = [*lines, *logged(after, names, self._moments)]
            ended = summary(before, action, after, names)
        finally:
            before.state.face, after.state.face = faces
        number = None if action == UNSEEN_ACTION else action
        bare = self._bare("action", entry.seat, *lines, action=number, ended=ended)
        read = [noted_faces.read for noted_faces in noted] or [None, None]
        has_narration = narrated is not None or bool(self._moments.sentences)
        return _StepText(bare, viewer, has_narration, *read)

    def _other(self, viewer: int, *, has_narration: bool) -> tuple[Event, dict[int, str] | None]:
        """Return the bare event of any other entry, and the origins of a shuffle."""
        if has_narration not in self._others:
            origins = None
            if isinstance(self._entry, Shuffled):
                tokens, keeper = self._before.observe(viewer).state.pending_shuffles[0]
                # A narration covers all effects of its action; a default text would repeat it.
                lines = [] if has_narration else shuffle_lines(len(tokens), keeper, self._names)
                bare = self._bare("shuffle", CHANCE, *lines)
                origins = dict.fromkeys(tokens, f"shuffled, step {self._number}")
            else:
                bare = self._public(self._entry)
            self._others[has_narration] = bare, origins
        return self._others[has_narration]

    def _public(self, entry: Entry) -> Event:
        """Return the bare event of an entry that is the same for all of its viewers."""
        names = self._names
        match entry:
            case Undone(seat):
                return self._bare(
                    "undo", seat, f"{names[seat]} takes back the last action", undone=1
                )
            case TakenBack(seat, count):
                return self._bare("undo", seat, _takeback_line(entry, names), undone=count)
            case Seated(seat):
                line = _seating_line(entry, self._players[seat], names)
                return self._bare("seating", seat, line)
            case Noted(seat, note):
                return self._bare("seating", seat, NOTE_TEXTS[note].format(player=names[seat]))
            case EditionChanged(_, changes):
                text = f"The game continues with changed cards or rules: {shortened(changes)}"
                return self._bare("seating", CHANCE, text)
            case Hinted(seat):
                return self._bare("hint", seat, f"{names[seat]} asks for a hint")
            case Ended(scores, sides=sides):
                scoring = with_sides(self._scoring, sides)
                return self._bare("over", CHANCE, result_line(names, scores, scoring))
            case _:
                raise TypeError(f"{type(entry).__name__} is not a public entry")


Listener = Callable[[Event], object]


def follow(referee: Referee[Any], viewer: int, listener: Listener) -> None:
    """Call `listener` with every further event, as `viewer` may know it."""
    if referee.announcer is None:
        referee.announcer = Announcer(referee)
    referee.announcer.follow(viewer, listener)


def present_observation(referee: Referee[Any], viewer: int) -> Observation[Any]:
    """Return the current observation of a viewer; it is cached if the game has an announcer."""
    announcer = referee.announcer
    return referee.observe(viewer) if announcer is None else announcer.observe(viewer)


def past_events(referee: Referee[Any], viewer: int) -> list[Event]:
    """Return all past events with the contents that a viewer may know."""
    events: list[Event] = []
    again = referee.restarted()  # because past observations are not kept
    follow(again, viewer, events.append)
    for entry in referee.entries[1:]:
        again.apply_entry(entry)
    again.forget_listeners()
    return events


def count_events(referee: Referee[Any]) -> int:
    """Return the number of past events, including events hidden from part of the viewers."""
    return len(referee.entries) - 1  # all but the deal


class Announcer:
    """Sends the events of a game to the listeners of each viewer."""

    def __init__(self, referee: Referee[Any]) -> None:
        self._referee = referee
        self._listeners: dict[int, list[Listener]] = {}
        self._players = referee.players
        # The viewers for whom the game narrated the last action.
        self._narrated: set[int] = set()
        self._position, self._entry_count = referee.observable(), len(referee.entries)
        referee.subscribe(self._on_entry)

    def follow(self, viewer: int, listener: Listener) -> None:
        """Call `listener` with every further event, as `viewer` may know it."""
        self._listeners.setdefault(viewer, []).append(listener)

    def observe(self, viewer: int) -> Observation[Any]:
        """Return the current observation of a viewer."""
        # Between an entry and the call of `_on_entry` for it, the position is still the old one.
        if self._entry_count != len(self._referee.entries):
            return self._referee.observe(viewer)
        return self._position.observe(viewer)

    def _on_entry(self, entry: Entry) -> None:
        referee, before = self._referee, self._position
        self._position, self._entry_count = referee.observable(), len(referee.entries)
        players, self._players = self._players, referee.players
        number = count_events(referee)
        is_shared = len(self._listeners) > 1
        step = StepEvents(
            entry,
            number,
            before,
            self._position,
            players,
            referee.scoring,
            referee.moments,
            is_shared=is_shared,
        )
        for viewer, listeners in [*self._listeners.items()]:
            event = step.event(viewer, self._narrated)
            if event is not None:
                for listener in listeners:
                    listener(event)


def _takeback_line(entry: TakenBack, names: Sequence[str]) -> str:
    """Return the sentence on a takeback; without other people, no seat has agreed."""
    sentence = _TAKEBACKS[entry.is_anew, bool(entry.agreed)]
    return sentence.format(
        player=names[entry.seat],
        actions=amount(entry.count, "action"),
        others=_listed(names, entry.agreed),
    )


def _seating_line(entry: Seated, before: Player, names: Sequence[str]) -> str:
    """Return the sentence on another player in a seat, with who agreed or who asked for it."""
    by = "" if entry.by is None else names[entry.by]
    origin = "requested" if by else "agreed" if entry.agreed else "alone"
    now = entry.player
    change = "seat" if now.name != before.name else "person" if now.is_human else "bot"
    return _SEATINGS[change, origin].format(
        now=now,
        name=now.name,
        bot=now.kind,
        before=before.name,
        by=by,
        others=_listed(names, entry.agreed),
    )


def _listed(names: Sequence[str], seats: Sequence[int]) -> str:
    return listed([names[seat] for seat in seats]) if seats else ""


# Whole sentences, because other languages order their parts in another way.
# By whether chance decides again after a takeback, and whether others had to agree.
_TAKEBACKS = {
    (False, False): "{player} takes back {actions}",
    (False, True): "{player} takes back {actions} with the consent of {others}",
    (True, False): "{player} takes back {actions}, and chance decides again",
    (True, True): "{player} takes back {actions} with the consent of {others}, and chance decides"
    " again",
}
# By what changes in a seat, and who wanted it.
_SEATINGS = {
    ("seat", "alone"): "{now} takes {before}'s seat",
    ("seat", "agreed"): "{now} takes {before}'s seat with the consent of {others}",
    ("seat", "requested"): "{now} takes {before}'s seat at the request of {by}",
    ("bot", "alone"): "A bot ({bot}) plays for {name}",
    ("bot", "agreed"): "A bot ({bot}) plays for {name} with the consent of {others}",
    ("bot", "requested"): "A bot ({bot}) plays for {name} at the request of {by}",
    ("person", "alone"): "{name} plays again",
    ("person", "agreed"): "{name} plays again with the consent of {others}",
    ("person", "requested"): "{name} plays again at the request of {by}",
}
