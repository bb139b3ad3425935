"""The sentences of events: the game's own, or else the core's."""

from collections.abc import Sequence
from typing import Any

from cardhub.base.writing import amount
from cardhub.model.game.display_values import as_story, as_summary
from cardhub.model.game.scene import Summary
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.state import CHANCE, State
from cardhub.play.history_entries import Seated, TakenBack
from cardhub.play.result_text import joined_names
from cardhub.view.origins import positions


def tell_action(
    before: Observation[Any],
    seat: int,
    action: int,
    after: Observation[Any],
    players: Sequence[str],
) -> tuple[str, ...]:
    """Describe an action by the game's `narration`, or else by the core's description."""
    names = after.labels_since(before, players)
    sentences = narration(before, action, after, names)
    if sentences is None:
        sentences = describe(before, seat, action, after, names)
    return tuple(sentences)


def narration(
    before: Observation[Any], action: int, after: Observation[Any], names: Labels
) -> Sequence[str] | None:
    """Return the game's sentences about an action, or None; `names`: by `labels_since`."""
    game: Any = before.game  # compiled code would check the sentences, with another error
    with after.named_step():
        return as_story(game, game.display.narration(before.state, action, after.state, names))


def summarize(
    before: Observation[Any], action: int, after: Observation[Any], players: Sequence[str]
) -> Summary | None:
    """Return the game's summary of a round that ended with an action, or None."""
    return summary(before, action, after, after.labels_since(before, players))


def summary(
    before: Observation[Any], action: int, after: Observation[Any], names: Labels
) -> Summary | None:
    """Return the summary as `summarize` does; `names`: by `labels_since`."""
    game: Any = before.game
    with after.named_step():
        return as_summary(game, game.display.summary(before.state, action, after.state, names))


def describe(
    before: Observation[Any],
    seat: int,
    action: int,
    after: Observation[Any],
    names: Labels,
) -> list[str]:
    """Return the core's description of an action; `names`: by `labels_since`."""
    player = "chance" if seat == CHANCE else names.player(seat)
    return [f"{player}: {names.past_label(action)}", *_gains(before.state, action, after, names)]


def shuffle_lines(count: int, keeper: int, names: Sequence[str]) -> list[str]:
    """Return the sentence on a shuffle of `count` cards; `keeper`: the seat that keeps them."""
    if count < 2:  # the order of one card cannot change
        return []
    is_kept = keeper >= 0
    return [
        f"{names[keeper]} rearranges {count} cards" if is_kept else f"{count} cards are shuffled"
    ]


def takeback_line(entry: TakenBack, names: Sequence[str]) -> str:
    """Return the sentence on a takeback."""
    count, agreed = entry.count, [names[other] for other in entry.agreed]
    sentence = f"{names[entry.seat]} takes {amount(count, 'action')} back"
    sentence += ", and chance draws again" if entry.is_anew else ""
    return sentence + _consent(agreed)  # of nobody if only bots play


def seating_line(entry: Seated, sentence: str, names: Sequence[str]) -> str:
    """Return the sentence on another player in a seat, with who agreed or who asked for it."""
    if entry.by is not None:
        return f"{sentence}, at the request of {names[entry.by]}"
    return sentence + _consent([names[other] for other in entry.agreed])


def _consent(names: Sequence[str]) -> str:
    if not names:
        return ""
    return f"; {joined_names(names)} {'agrees' if len(names) == 1 else 'agree'}"


def _gains(before: State, action: int, after: Observation[Any], names: Labels) -> list[str]:
    # Without the acted-on card if it moves alone: the label of the action names it.
    places_before, places = positions(before), positions(after.state)
    acted_on = after.game.actions.token(action)
    gained: dict[tuple[str, int], list[int]] = {}
    for token, place in places.items():
        if places_before.get(token) != place:
            gained.setdefault(place, []).append(token)
    owned = {zone.name for zone in after.state.zones if zone.count == 0}
    return [
        f"{names.cards(tokens)} to "
        + (f"{names.player(number)}'s {zone}" if zone in owned else zone)
        for (zone, number), tokens in gained.items()
        if tokens != [acted_on]
    ]
