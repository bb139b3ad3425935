"""The sentences about actions and shuffles: the game's own, or else the core's."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cardhub.base.writing import action_sentence, capitalized, listed_phrases
from cardhub.model.game.display_values import as_story, as_summary
from cardhub.model.game.scene import Summary
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import EVERYTHING, NamedStep, Observation
from cardhub.model.table.actions import UNSEEN_ACTION
from cardhub.model.table.beats import NO_MOMENTS, Beat, CardThen, Moments
from cardhub.model.table.faces import BLANK
from cardhub.model.table.rounds import asked_seats, is_in_round
from cardhub.model.table.state import CHANCE, State
from cardhub.view.origins import pile_text, positions

# The description of an action that is secret to the viewer.
SECRET_ACTION = "{player} acts in secret"


def tell_action(
    before: Observation[Any],
    seat: int,
    action: int,
    after: Observation[Any],
    players: Sequence[str],
    moments: Moments = NO_MOMENTS,
) -> tuple[str, ...]:
    """Describe an action by the game's narration, or else by the core's, and by the log."""
    names = after.labels_since(before, players)
    sentences = narration(before, action, after, names)
    if sentences is None:
        sentences = describe(before, seat, action, after, names, moments)
    return (*sentences, *logged(after, names, moments))


def logged(after: Observation[Any], names: Labels, moments: Moments) -> list[str]:
    """Return the sentences that the rules logged, as the viewer knew the cards then.

    `names`: by `labels_since`.
    """

    def knows(card: CardThen) -> bool:
        return card.face != BLANK and knew(card.seen, after.seat)

    lines = []
    for sentence in moments.sentences:
        if sentence.is_for(knows):
            cards = _card_names(after.game, sentence.cards, knows)
            lines.append(capitalized(sentence.filled(names.player, cards)))
    return lines


def knew(seen: int, viewer: int) -> bool:
    """Return whether a viewer knew a card; `seen`: as bits the viewers who knew it."""
    return viewer == EVERYTHING or bool(seen >> viewer & 1)


def _card_names(game: Any, cards: Sequence[CardThen], knows: Callable[[CardThen], bool]) -> str:
    faces, backs = game.cards.faces, game.cards.backs
    return listed_phrases(faces[c.face].label if knows(c) else backs[c.back].title for c in cards)


def narration(
    before: Observation[Any], action: int, after: Observation[Any], names: Labels
) -> Sequence[str] | None:
    """Return the game's sentences about an action, or None; `names`: by `labels_since`."""
    game: Any = before.game  # compiled code would check the sentences, with another error
    with NamedStep(after):
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
    with NamedStep(after):
        return as_summary(game, game.display.summary(before.state, action, after.state, names))


def describe(
    before: Observation[Any],
    seat: int,
    action: int,
    after: Observation[Any],
    names: Labels,
    moments: Moments,
) -> list[str]:
    """Return the core's description of an action; `names`: by `labels_since`.

    The last choice of a round describes all choices, and UNSEEN_ACTION only who has acted.
    Sentences that the rules logged say what followed, so beats and moved cards are left out, and
    for chance the action as well.
    """
    if is_in_round(before.state):
        lines = [*_choices(before, names)]
    elif action == UNSEEN_ACTION:
        lines = [SECRET_ACTION.format(player=names.player(seat))]
    else:
        lines = [_action_text(before, seat, action, names)]
    if moments.sentences:
        # "Chance draws" adds nothing to a sentence that everyone gets.
        is_said = any(not sentence.is_private for sentence in moments.sentences)
        return [] if seat == CHANCE and is_said else lines
    for beat in moments.beats:
        then = Observation(after.game, beat.state, after.seat)
        lines.append(beat_text(beat, then, names.player))
    return [*lines, *_gains(before.state, action, after, names)]


def beat_text(beat: Beat, then: Observation[Any], player: Callable[[int], str]) -> str:
    """Return the sentence of a beat; `then`: a viewer's observation of the beat's state."""
    return capitalized(beat.sentence(player, then.labels().phrases(beat.cards)))


def _choices(before: Observation[Any], names: Labels) -> Iterator[str]:
    state = before.state
    last = state.seat
    for seat in asked_seats(state):
        yield SECRET_ACTION.format(player=names.player(seat))
    for seat, choice in state.known_choices().items():
        state.seat = seat  # an action's label may depend on the seat that takes it
        yield _action_text(before, seat, choice, names)
    state.seat = last


def _action_text(before: Observation[Any], seat: int, action: int, names: Labels) -> str:
    """Return the display's sentence on an action, or else a sentence that is made of its label."""
    game: Any = before.game
    verb, value = game.actions.verb_and_value[action]
    text = game.display.sentences.get(f"{verb} {value}") or game.display.sentences.get(verb)
    if seat == CHANCE or text is None:
        player = "Chance" if seat == CHANCE else names.player(seat)
        return action_sentence(player, names.past_label(action))
    other = 1 - seat if before.state.seats == 2 else game.actions.seat(action)
    with NamedStep(before):
        values = {"value": value, **game.display.sentence_values(before.state)}
    beat = Beat(before.state, text, (), seat, other, values)
    return capitalized(beat.sentence(names.player, ""))


def shuffle_lines(count: int, keeper: int, names: Sequence[str]) -> list[str]:
    """Return the sentence on a shuffle of `count` cards; `keeper`: the seat that keeps them."""
    if count < 2:  # the order of one card cannot change
        return []
    is_kept = keeper >= 0
    return [
        f"{names[keeper]} rearranges {count} cards" if is_kept else f"{count} cards are shuffled"
    ]


# By whether several cards moved.
_MOVES = {False: "{cards} goes to {pile}", True: "{cards} go to {pile}"}


def _gains(before: State, action: int, after: Observation[Any], names: Labels) -> list[str]:
    # Without the acted-on card if it moves alone: the label of the action names it.
    places_before, places = positions(before), positions(after.state)
    actions = after.game.actions
    choices = before.known_choices().values() if is_in_round(before) else (action,)
    acted_on = {actions.token(choice) for choice in choices}  # of a secret action, none
    gained: dict[tuple[str, int], list[int]] = {}
    for token, place in places.items():
        if places_before.get(token) != place:
            gained.setdefault(place, []).append(token)
    zones = {zone.name: zone for zone in after.state.zones}
    players = [names.player(seat) for seat in range(after.state.seats)]
    return [
        _MOVES[len(tokens) > 1].format(
            cards=names.phrases(tokens), pile=pile_text(zones[name], number, players)
        )
        for (name, number), tokens in gained.items()
        if len(tokens) > 1 or tokens[0] not in acted_on
    ]
