"""Checks of `consequence` and `chapter`, at one position and in a determinization of it."""

from collections.abc import Mapping

from cardhub.model.game.game import Game, S
from cardhub.model.hidden.observation import Observation
from cardhub.play.seating import NAMES
from cardhub.testing.checking import error_line
from cardhub.testing.random_play import Position


def check_consequence(game: Game[S], position: Position[S]) -> None:
    """Check that the consequence of each legal action is one line."""
    if position.state.seat < 0:
        return
    observation = Observation(game, position.state, position.state.seat)
    labels = observation.labels(NAMES[: position.state.seats])
    for action in observation.legal():
        try:
            text = game.consequence(observation.state, action, labels)
        except Exception as error:  # noqa: BLE001  # the method of a faulty game may raise anything
            problem = f"consequence() for {labels.label(action)!r}: {error_line(error)}"
            position.fail(game, "consequence", problem)
        if not is_one_line(text):
            position.fail(game, "consequence", f"{labels.label(action)!r} says {text!r}")


def check_chapter(game: Game[S], position: Position[S]) -> None:
    """Check that the chapter is the same text for all viewers in one line."""
    chapters = dict[int, str]()
    for viewer in range(position.state.seats + 1):
        observation = Observation(game, position.state, viewer)
        try:
            chapters[viewer] = game.chapter(observation.state)
        except Exception as error:  # noqa: BLE001  # the method of a faulty game may raise anything
            problem = f"chapter() for seat {viewer}: {error_line(error)}"
            position.fail(game, "chapter", problem)
        if not is_one_line(chapters[viewer]):
            position.fail(game, "chapter", f"seat {viewer} is told {chapters[viewer]!r}")
    if len(set(chapters.values())) > 1:
        position.fail(game, "chapter", f"viewers are told different chapters: {chapters}")


def consequences(game: Game[S], state: S, viewer: int) -> Mapping[int, str]:
    """Return the consequence of each legal action for a viewer, empty if another seat is to act."""
    observation = Observation(game, state, viewer)
    if not observation.is_to_act or viewer >= state.seats:
        return {}
    labels = observation.labels(NAMES[: state.seats])
    return {a: game.consequence(observation.state, a, labels) for a in observation.legal()}


def is_one_line(text: object) -> bool:
    """Return whether an object is text of one line, or empty text."""
    return isinstance(text, str) and text.strip() == text and (not text or text.isprintable())
