"""Actions can be written, read back and told to everybody."""

from cardhub.errors import HiddenFaceError, IllegalActionError
from cardhub.game.game import Game, S
from cardhub.hidden.observation import Observation
from cardhub.play.events import tell_action
from cardhub.play.seating import NAMES
from cardhub.table.state import CHANCE, OVER
from cardhub.testing.faults import explained
from cardhub.testing.playout import Position


def check_notations(game: Game[S], position: Position[S]) -> None:
    """Check that legal actions have different notations, each read back as its action."""
    state = position.state
    if state.seat == OVER:
        return
    viewer = state.seats if state.seat == CHANCE else state.seat
    naming, legal = Observation(game, state, viewer).naming(), game.legal(state)
    notations = naming.notations(legal)
    if len(notations) < len(legal):
        position.fail(game, "notations", f"two actions are both written {list(notations)}")
    for text, action in notations.items():
        try:
            meant = naming.parse(text, legal)
        except IllegalActionError as error:
            position.fail(game, "notations", f"{text!r} cannot be read back: {error}")
        if meant != action:
            what = f"{text!r} stands for action {action} but is read as {meant}"
            position.fail(game, "notations", what)


def check_labels(game: Game[S], position: Position[S]) -> None:
    """Check that every legal action can be put into words for every seat and a spectator."""
    state = position.state
    legal = [] if state.seat == OVER else game.legal(state)
    for viewer in range(state.seats + 1):
        naming = Observation(game, state, viewer).naming()
        for action in legal:
            if not naming.label(action).strip() or not naming.notation(action, legal).strip():
                what = f"action {action} has no words for seat {viewer}"
                position.fail(game, "labels", what)


def check_story(game: Game[S], position: Position[S]) -> None:
    """Check that the last action can be told to everybody, in sentences of one line."""
    for viewer in range(position.state.seats + 1):
        try:
            lines = tell_last(game, position, viewer)
        except HiddenFaceError as error:
            position.fail(game, "story", f"the story for seat {viewer}: {explained(error)}")
        if position.before and (not lines or not all(_is_sentence(line) for line in lines)):
            position.fail(game, "story", f"seat {viewer} is told {lines!r}")


def tell_last(game: Game[S], position: Position[S], viewer: int) -> tuple[str, ...]:
    """Return what a viewer is told of the last action; nothing at the start of the game."""
    if position.before is None or position.told is None:
        return ()
    seat, action = position.history[-1]
    before = Observation(game, position.before, viewer)
    after = Observation(game, position.told, viewer)
    return tell_action(before, seat, action, after, NAMES[: position.trial.seats])


def _is_sentence(line: object) -> bool:
    return isinstance(line, str) and line.strip() == line != "" and line.isprintable()
