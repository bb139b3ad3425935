"""Events of a game, as one viewer may know them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from cardhub.hidden.labels import Labels
from cardhub.hidden.observation import EVERYTHING, Observation
from cardhub.play.history_entries import Dealt, Ended, Entry, Hinted, Shuffled, Taken, Undone
from cardhub.play.referee import Referee
from cardhub.table.state import CHANCE, State

Kind = Literal["action", "shuffle", "undo", "hint", "over"]


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a game, for one viewer only.

    `number` counts the events from 0, `seat` is the seat that acted (or CHANCE), `changed` the
    tokens that moved or were revealed, `lines` are sentences with the players' names.
    """

    number: int
    kind: Kind
    seat: int
    action: int | None
    lines: tuple[str, ...]
    changed: frozenset[int]


def follow(referee: Referee[Any], viewer: int, listener: Callable[[Event], object]) -> None:
    """Call `listener` with every further event, as `viewer` may know it."""
    names = [player.name for player in referee.players]
    # Events are made from observations alone, so that they cannot tell what the viewer must not
    # know.
    before = referee.observe(viewer)

    def tell(entry: Entry) -> None:
        nonlocal before
        after = referee.observe(viewer)
        event = _event(count_events(referee) - 1, entry, before, after, names)
        before = after
        if event is not None:
            listener(event)

    referee.subscribe(tell)


def past_events(referee: Referee[Any], viewer: int) -> list[Event]:
    """Return all events so far, as a viewer may know them."""
    # Replayed, as the observations between the entries are not kept.
    events: list[Event] = []
    again = referee.restarted()
    follow(again, viewer, events.append)
    for entry in referee.entries[1:]:
        again.apply_entry(entry)
    return events


def count_events(referee: Referee[Any]) -> int:
    """Return the number of events so far, including those hidden from some viewers."""
    return len(referee.entries) - 1  # all but the deal


def _event(
    number: int,
    entry: Entry,
    before: Observation[Any],
    after: Observation[Any],
    names: Sequence[str],
) -> Event | None:
    changed = changed_tokens(before.state, after.state)
    match entry:
        case Taken(seat, action):
            lines = tell_action(before, seat, action, after, names)
            return Event(number, "action", seat, action, lines, changed)
        case Shuffled():
            tokens, keeper = before.state.pending_shuffles[0]
            line = f"{len(tokens)} cards are shuffled"
            if keeper >= 0:
                line = f"{names[keeper]} rearranges {len(tokens)} cards"
            return Event(number, "shuffle", CHANCE, None, (line,), frozenset(tokens))
        case Undone(seat):
            line = f"{names[seat]} takes that back"
            return Event(number, "undo", seat, None, (line,), changed)
        case Hinted(seat, bot):
            line = f"{names[seat]} asked for a hint ({bot})"
            is_told = before.seat in (seat, EVERYTHING)
            return Event(number, "hint", seat, None, (line,), changed) if is_told else None
        case Ended(scores, places):
            scored = zip(names, scores, strict=True)
            result = ", ".join(f"{name} {score}" for name, score in scored)
            line = f"{winner_sentence(names, places)}: {result}"
            return Event(number, "over", CHANCE, None, (line,), changed)
        case Dealt():
            return None


def tell_action(
    before: Observation[Any],
    seat: int,
    action: int,
    after: Observation[Any],
    players: Sequence[str],
) -> tuple[str, ...]:
    """Describe an action by the game's `story`, or else by the core's description."""
    names = after.labels(players)
    told = before.game.story(before.state, action, after.state, names)
    if told is None:
        told = [_deed(seat, action, names), *_gains(before.state, action, after, names)]
    return tuple(told)


def winner_sentence(names: Sequence[str], places: Sequence[int]) -> str:
    """Return `Anna wins`, `Anna and Bob share the win`, or `draw` if all places are equal."""
    first = [name for name, place in zip(names, places, strict=True) if place == 1]
    if len(first) == 1:
        return f"{first[0]} wins"
    verb = "share the win" if max(places) > 1 else "draw"
    return f"{', '.join(first[:-1])} and {first[-1]} {verb}"


def changed_tokens(before: State, after: State) -> frozenset[int]:
    """Return the tokens that moved, or whose faces a seat has learned."""
    was, now = positions(before), positions(after)
    return frozenset(
        token
        for token in range(len(after.seen))
        if was.get(token) != now.get(token) or after.seen[token] & ~before.seen[token]
    )


def positions(state: State) -> dict[int, tuple[str, int]]:
    """Return zone and pile of every token."""
    return {
        token: (zone.name, number)
        for zone in state.zones
        for number, pile in enumerate(zone.piles(state))
        for token in pile
    }


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
        f"{' '.join(map(names.card, tokens))} to "
        + (f"{names.player(number)}'s {zone}" if zone in owned else zone)
        for (zone, number), tokens in gained.items()
        if tokens != [acted_on]
    ]
