"""Events of a game, as one viewer may know them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from cardhub.game.display_values import as_story, as_summary
from cardhub.game.scene import Summary
from cardhub.hidden.labels import Labels
from cardhub.hidden.observation import EVERYTHING, Observation
from cardhub.play.history_entries import (
    NOTE_TEXTS,
    Dealt,
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
from cardhub.play.referee import Referee
from cardhub.play.result_text import joined_names, result_line
from cardhub.play.seating import changed_player
from cardhub.table.state import CHANCE, State
from cardhub.view.origins import LastStep, positions

# `undo`: also a takeback; `seating`: another player, or a note on a person's presence.
Kind = Literal["action", "shuffle", "undo", "hint", "over", "seating"]


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a game, for one viewer only.

    `number` counts the events from 0, `seat` is the seat that acted (or CHANCE). `origins` has the
    tokens that moved or were revealed, with a text such as "from Bob's hand, step 141". `lines` are
    sentences with the players' names: none for a shuffle that the game's story has told of.
    `summary` is that of a round which ended here. `undone` is the number of actions taken back.
    """

    number: int
    kind: Kind
    seat: int
    action: int | None
    lines: tuple[str, ...]
    origins: Mapping[int, str]
    summary: Summary | None = None
    undone: int = 0

    @property
    def changed(self) -> frozenset[int]:
        """The tokens that moved or were revealed."""
        return frozenset(self.origins)


def follow(referee: Referee[Any], viewer: int, listener: Callable[[Event], object]) -> None:
    """Call `listener` with every further event, as `viewer` may know it.

    An event is made once for all listeners of a viewer.
    """
    teller = referee.tellers.get(viewer)
    if teller is None:
        teller = referee.tellers[viewer] = _Teller(referee, viewer)
        referee.subscribe(teller.hear)
    teller.listeners.append(listener)


def present_observation(referee: Referee[Any], viewer: int) -> Observation[Any]:
    """Return the present observation of a viewer, the one its last event was made from if any."""
    teller = referee.tellers.get(viewer)
    return referee.observe(viewer) if teller is None else teller.observation()


def past_events(referee: Referee[Any], viewer: int) -> list[Event]:
    """Return all events so far, as a viewer may know them."""
    events: list[Event] = []
    again = referee.restarted()  # as the observations between the entries are not kept
    follow(again, viewer, events.append)
    for entry in referee.entries[1:]:
        again.apply_entry(entry)
    again.forget_listeners()
    return events


def standing_summaries(events: Iterable[Event]) -> list[Event]:
    """Return the events with summaries of rounds, without those of undone actions.

    `events` are those of one viewer from the first one on.
    """
    taken: list[Event] = []
    for event in events:
        if event.kind == "action":
            taken.append(event)
        elif event.kind == "undo":
            del taken[-event.undone :]
    return [event for event in taken if event.summary is not None]


def count_events(referee: Referee[Any]) -> int:
    """Return the number of events so far, including those hidden from some viewers."""
    return len(referee.entries) - 1  # all but the deal


class _Teller:
    """Turns the entries of a game into events for one viewer."""

    def __init__(self, referee: Referee[Any], viewer: int) -> None:
        self.listeners: list[Callable[[Event], object]] = []
        self._referee = referee
        self._viewer = viewer
        self._players = referee.players
        self._names = [player.name for player in referee.players]
        # Events are made from observations alone, so that they cannot tell what the viewer must not
        # know.
        self._before = referee.observe(viewer)
        self._heard = len(referee.entries)
        self._has_story = False  # of the last action
        self.last_step = next((t.last_step for t in referee.tellers.values()), LastStep())

    def hear(self, entry: Entry) -> None:
        """Make the event of the referee's last entry, and call the listeners with it."""
        event = self.tell(entry)
        if event is not None:
            for listener in self.listeners:
                listener(event)

    def observation(self) -> Observation[Any]:
        """Return the present observation."""
        # Between an entry and the call of `hear` for it the kept one is that of before.
        if self._heard != len(self._referee.entries):
            return self._referee.observe(self._viewer)
        return self._before

    def tell(self, entry: Entry) -> Event | None:
        """Return the event of the referee's last entry, None if the viewer is not told of it."""
        before, after = self._before, self._referee.observe(self._viewer)
        self._before, self._heard = after, len(self._referee.entries)
        number = count_events(self._referee) - 1
        last, names, step = self.last_step, self._names, number + 1
        origins = last.origins(before, after, names, step)
        match entry:
            case Taken(seat, action):
                told = _story(before, action, after, names)
                self._has_story = told is not None
                lines = _described(before, seat, action, after, names) if told is None else told
                summary = last.summary(summarize(before, action, after, names))
                return Event(number, "action", seat, action, last.lines(lines), origins, summary)
            case Shuffled():
                tokens, keeper = before.state.pending_shuffles[0]
                # A story tells of all that its action does; a default text would repeat it.
                lines = [] if self._has_story else _shuffled(len(tokens), keeper, names)
                origins = dict.fromkeys(tokens, f"shuffled, step {step}")
                return Event(number, "shuffle", CHANCE, None, tuple(lines), origins)
            case Undone(seat):
                line = f"{names[seat]} takes that back"
                return Event(number, "undo", seat, None, (line,), origins, undone=1)
            case TakenBack(seat, count, agreed):
                line = _taken_back(names[seat], count, [names[other] for other in agreed])
                return Event(number, "undo", seat, None, (line,), origins, undone=count)
            case Seated(seat) | Noted(seat):
                return Event(number, "seating", seat, None, (self._presence(entry),), origins)
            case Hinted(seat, bot):
                line = f"{names[seat]} asked for a hint ({bot})"
                is_told = before.seat in (seat, EVERYTHING)
                event = Event(number, "hint", seat, None, (line,), origins)
                return event if is_told else None
            case Ended(scores):
                line = result_line(names, scores, self._referee.scoring)
                return Event(number, "over", CHANCE, None, (line,), origins)
            case Dealt():
                return None

    def _presence(self, entry: Seated | Noted) -> str:
        if isinstance(entry, Noted):
            return f"{self._names[entry.seat]} {NOTE_TEXTS[entry.note]}"
        line = changed_player(self._players[entry.seat], entry.player)
        self._players = self._referee.players
        self._names = [player.name for player in self._players]
        return line


def tell_action(
    before: Observation[Any],
    seat: int,
    action: int,
    after: Observation[Any],
    players: Sequence[str],
) -> tuple[str, ...]:
    """Describe an action by the game's `story`, or else by the core's description."""
    told = _story(before, action, after, players)
    return tuple(_described(before, seat, action, after, players) if told is None else told)


def summarize(
    before: Observation[Any], action: int, after: Observation[Any], players: Sequence[str]
) -> Summary | None:
    """Return the game's summary of a round that ended with an action, if any."""
    with after.named_step():
        game, names = before.game, after.labels(players)
        return as_summary(game, game.summary(before.state, action, after.state, names))


def _story(
    before: Observation[Any], action: int, after: Observation[Any], players: Sequence[str]
) -> Sequence[str] | None:
    with after.named_step():
        game, names = before.game, after.labels(players)
        return as_story(game, game.story(before.state, action, after.state, names))


def _described(
    before: Observation[Any],
    seat: int,
    action: int,
    after: Observation[Any],
    players: Sequence[str],
) -> list[str]:
    names = after.labels(players)
    return [_deed(seat, action, names), *_gains(before.state, action, after, names)]


def _shuffled(count: int, keeper: int, names: Sequence[str]) -> list[str]:
    if count < 2:  # the order of one card cannot change
        return []
    is_kept = keeper >= 0
    return [
        f"{names[keeper]} rearranges {count} cards" if is_kept else f"{count} cards are shuffled"
    ]


def _taken_back(name: str, count: int, agreed: Sequence[str]) -> str:
    told = f"{name} takes {count} action{'' if count == 1 else 's'} back"
    if not agreed:  # among bots alone
        return told
    return f"{told}, {joined_names(agreed)} {'agrees' if len(agreed) == 1 else 'agree'}"


def _deed(seat: int, action: int, names: Labels) -> str:
    who = "chance" if seat == CHANCE else names.player(seat)
    return f"{who}: {names.label(action)}"


def _gains(before: State, action: int, after: Observation[Any], names: Labels) -> list[str]:
    # Not of the acted-on card alone: the label of the action names it already.
    was, now = positions(before), positions(after.state)
    acted_on = after.game.actions.token(action)
    gained: dict[tuple[str, int], list[int]] = {}
    for token, place in now.items():
        if was.get(token) != place:
            gained.setdefault(place, []).append(token)
    owned = {zone.name for zone in after.state.zones if zone.count == 0}
    return [
        f"{names.cards(tokens)} to "
        + (f"{names.player(number)}'s {zone}" if zone in owned else zone)
        for (zone, number), tokens in gained.items()
        if tokens != [acted_on]
    ]
