"""Checks that a viewer is shown the same in the true game and in a determinization of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Generic

from cardhub.base.errors.source_lines import SourceLine
from cardhub.model.game.game import Display, Game, S
from cardhub.model.hidden.observation import Observation, observe_step
from cardhub.model.table.actions import UNSEEN_ACTION
from cardhub.model.table.beats import apply_watched
from cardhub.model.table.state import CHANCE
from cardhub.play.announcing.recent_beats import view_of_beat
from cardhub.play.seating import NAMES
from cardhub.testing.checking import error_line, first_difference
from cardhub.testing.deal_replay import Transition
from cardhub.testing.game_checks.rule_lines import logging_line
from cardhub.testing.random_play import Position
from cardhub.view.building import build_view
from cardhub.view.explain.action_texts import summarize, tell_action
from cardhub.view.view import encode


def check_consequence(game: Game[S], position: Position[S]) -> None:
    """Check that the consequence and the hint of each legal action are one line."""
    if position.state.seat < 0:
        return
    observation = Observation(game, position.state, position.state.seat)
    labels = observation.labels(NAMES[: position.state.seats])
    display = game.display
    for describe in (display.consequence, *([display.hint] if has_hints(game) else [])):
        for action in observation.legal():
            try:
                text = describe(observation.state, action, labels)
            except Exception as error:  # noqa: BLE001  # the method of a faulty game may raise anything
                problem = f"{describe.__name__}() for {labels.label(action)!r}: {error_line(error)}"
                position.fail(game, "consequence", problem)
            if not is_one_line(text):
                position.fail(game, "consequence", f"{labels.label(action)!r} says {text!r}")


def has_hints(game: Game[Any]) -> bool:
    """Return whether a game has texts of its own for hints."""
    return type(game.display).hint is not Display.hint


def check_chapter(game: Game[S], position: Position[S]) -> None:
    """Check that the chapter is the same text for all viewers in one line."""
    chapters = dict[int, str]()
    for viewer in range(position.state.seats + 1):
        observation = Observation(game, position.state, viewer)
        try:
            chapters[viewer] = game.display.chapter(observation.state)
        except Exception as error:  # noqa: BLE001  # the method of a faulty game may raise anything
            problem = f"chapter() for seat {viewer}: {error_line(error)}"
            position.fail(game, "chapter", problem)
        if not is_one_line(chapters[viewer]):
            position.fail(game, "chapter", f"seat {viewer} is told {chapters[viewer]!r}")
    if len(set(chapters.values())) > 1:
        position.fail(game, "chapter", f"viewers are told different chapters: {chapters}")


def consequences(game: Game[S], state: S, viewer: int) -> Mapping[int, tuple[str, str]]:
    """Return the consequence and the hint of each legal action; empty if another seat is to act."""
    observation = Observation(game, state, viewer)
    if not observation.is_to_act or viewer >= state.seats:
        return {}
    labels = observation.labels(NAMES[: state.seats])
    display, seen = game.display, observation.state
    texts: dict[int, tuple[str, str]] = {}
    for action in observation.legal():
        text = display.consequence(seen, action, labels)
        texts[action] = text, display.hint(seen, action, labels) if has_hints(game) else ""
    return texts


def is_one_line(text: object) -> bool:
    """Return whether an object is text of one line, or empty text."""
    return isinstance(text, str) and text.strip() == text and (not text or text.isprintable())


@dataclass(frozen=True, slots=True)
class Comparison(Generic[S]):
    """The truth and a determinization of one viewer's observation.

    `shown` is a cache by check of the values of the truth, for all determinizations of the viewer.
    """

    position: Position[S]
    viewer: int
    truth: Transition[S]
    other: Transition[S]
    shown: dict[str, object] = field(default_factory=dict)

    def fail(
        self, game: Game[Any], check: str, problem: str, line: SourceLine | None = None
    ) -> None:
        """Raise ConformanceError for a difference, which reveals a secret.

        `line` is the line of the rules that makes the difference, if it is known.
        """
        who = self.position.viewer_name(self.viewer)
        secret = "a secret" if self._has_more_secrets else "hidden cards"
        self.position.fail(game, check, f"{problem}: this reveals {secret} to {who}", line)

    def fail_at_difference(
        self,
        game: Game[Any],
        check: str,
        problem: str,
        values: tuple[object, object],
        line: SourceLine | None = None,
    ) -> None:
        """Raise ConformanceError with the first parts in which two values differ."""
        here, elsewhere = first_difference(*values)
        other = "with other secrets" if self._has_more_secrets else "with other cards"
        self.fail(game, check, f"{problem}, here {here}, {other} {elsewhere}", line)

    @property
    def _has_more_secrets(self) -> bool:
        """Whether the game has other secrets than cards."""
        return bool(self.position.state.views_field)


def check_same_legal(game: Game[S], comparison: Comparison[S]) -> None:
    """Check that the seat to act has the same legal actions."""
    if comparison.truth.after.seat in (comparison.viewer, CHANCE):

        def legal(moment: Transition[S]) -> list[int]:
            return game.legal(moment.after)

        _compare(game, comparison, "same_legal", "the legal actions differ", legal)


def check_same_scene(game: Game[S], comparison: Comparison[S]) -> None:
    """Check that the scene object is the same."""

    def scene(moment: Transition[S]) -> object:
        return Observation(game, moment.after, comparison.viewer).scene()

    _compare(game, comparison, "same_scene", "the scene differs", scene)


def check_same_view(game: Game[S], comparison: Comparison[S]) -> None:
    """Check that the JSON form of the view is the same, byte by byte.

    It is all that a front end, local or remote, gets of the table.
    """

    def view(moment: Transition[S]) -> bytes:
        observation = Observation(game, moment.after, comparison.viewer)
        return encode(build_view(observation, NAMES[: moment.after.seats]))

    _compare(game, comparison, "same_view", "the view differs", view)


def check_same_words(game: Game[S], comparison: Comparison[S]) -> None:
    """Check that the last action has the same label and notation."""
    if not comparison.position.number:
        return
    seat, viewer = comparison.position.history[-1].seat, comparison.viewer

    def words(moment: Transition[S]) -> tuple[str, str]:
        action = moment.action_of(game, seat, viewer)
        if action == UNSEEN_ACTION:
            return "", ""
        before, after = observe_step(game, moment.before, action, moment.applied, viewer)
        labels = after.labels_since(before)
        return labels.past_label(action), labels.notation(action)

    _compare(game, comparison, "same_words", "the names of the last action differ", words)


def check_same_narration(game: Game[S], comparison: Comparison[S]) -> None:
    """Check that the last action has the same story."""
    if not comparison.position.number:
        return
    seat, viewer = comparison.position.history[-1].seat, comparison.viewer

    def story(moment: Transition[S]) -> tuple[str, ...]:
        before, after = observe_step(game, moment.before, moment.last, moment.applied, viewer)
        moments = apply_watched(game, moment.before.clone(), moment.last)
        names, action = NAMES[: moment.after.seats], moment.action_of(game, seat, viewer)
        return tell_action(before, seat, action, after, names, moments)

    def find_line() -> SourceLine | None:
        return _differing_sentence(game, comparison)

    _compare(game, comparison, "same_narration", "the story differs", story, find_line)


def _differing_sentence(game: Game[S], comparison: Comparison[S]) -> SourceLine | None:
    """Return the line that logs the first sentence that differs; None if all are equal."""
    games = (comparison.truth, comparison.other)
    mine, other = (
        apply_watched(game, moment.before.clone(), moment.last).sentences for moment in games
    )
    for number, (one, two) in enumerate(zip_longest(mine, other)):
        if one != two:
            moment = comparison.truth if one else comparison.other
            return logging_line(game, moment.before, moment.last, number)
    return None


def check_same_summary(game: Game[S], comparison: Comparison[S]) -> None:
    """Check that the last action has the same summary, or none."""
    if not comparison.position.number:
        return
    seat, viewer = comparison.position.history[-1].seat, comparison.viewer

    def summary(moment: Transition[S]) -> object:
        before, after = observe_step(game, moment.before, moment.last, moment.applied, viewer)
        action = moment.action_of(game, seat, viewer)
        return summarize(before, action, after, NAMES[: moment.after.seats])

    _compare(game, comparison, "same_summary", "the summary differs", summary)


def check_same_beats(game: Game[S], comparison: Comparison[S]) -> None:
    """Check that the last action has the same beats, with the same views byte by byte."""
    if not comparison.position.number:
        return
    history, viewer = comparison.position.history, comparison.viewer

    def beats(moment: Transition[S]) -> list[bytes]:
        views = []
        for beat in apply_watched(game, moment.before.clone(), moment.last).beats:
            observation = Observation(game, beat.state, viewer, history)
            views.append(encode(view_of_beat(observation, beat, NAMES[: beat.state.seats])))
        return views

    _compare(game, comparison, "same_beats", "the pauses differ", beats)


def check_same_consequence(game: Game[S], comparison: Comparison[S]) -> None:
    """Check that the seat to act gets the same consequences of its actions."""

    def said(moment: Transition[S]) -> object:
        return consequences(game, moment.after, comparison.viewer)

    _compare(game, comparison, "same_consequence", "the consequences of actions differ", said)


def check_same_chapter(game: Game[S], comparison: Comparison[S]) -> None:
    """Check that the chapter is the same."""

    def chapter(moment: Transition[S]) -> str:
        return game.display.chapter(Observation(game, moment.after, comparison.viewer).state)

    _compare(game, comparison, "same_chapter", "the chapter differs", chapter)


# Checks of each determinization.
SHOWN_CHECKS = (
    check_same_legal,
    check_same_scene,
    check_same_view,
    check_same_words,
    check_same_narration,
    check_same_summary,
    check_same_beats,
    check_same_consequence,
    check_same_chapter,
)


def _compare(
    game: Game[S],
    comparison: Comparison[S],
    check: str,
    problem: str,
    look: Callable[[Transition[S]], object],
    find_line: Callable[[], SourceLine | None] | None = None,
) -> None:
    # Computed once for all determinizations of the viewer: the truth is the same for each.
    if check not in comparison.shown:
        comparison.shown[check] = look(comparison.truth)
    truth, other = comparison.shown[check], look(comparison.other)
    if truth != other:
        line = find_line() if find_line else None
        comparison.fail_at_difference(game, check, problem, (truth, other), line)
