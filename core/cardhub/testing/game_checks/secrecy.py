"""Checks of secrecy: a viewer must not be able to tell the true state from determinizations.

A determinization of a viewer's observation is dealt and played again from its own deal. The same
actions must show the viewer the same scenes, strings and legal actions as in the true game.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic

from cardhub.errors import DeterminizationError, HiddenFaceError
from cardhub.game.game import Game, S
from cardhub.hidden.constraints.face_masks import mask_of, name_of_masks
from cardhub.hidden.observation import Observation, observed_state, public_state
from cardhub.play.events import summarize, tell_action
from cardhub.play.seating import NAMES
from cardhub.table.faces import BLANK, blanked
from cardhub.table.state import CHANCE, OVER
from cardhub.testing.checking import (
    CheckRunner,
    differing,
    error_line,
    first_difference,
    run_or_raise,
)
from cardhub.testing.deal_replay import Transition, UnreachableError, replay
from cardhub.testing.random_play import Position
from cardhub.text import lay_out, render


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

    def fail(self, game: Game[Any], check: str, what: str) -> None:
        """Raise ConformanceError for a difference; `what` leaks hidden cards."""
        self.position.fail(game, check, f"{what}: this reveals hidden cards to seat {self.viewer}")


def check_secrecy(
    game: Game[S],
    position: Position[S],
    rng: Random,
    draws: int,
    run: CheckRunner = run_or_raise,
) -> None:
    """Check `draws` determinizations of every seat and a spectator."""
    for viewer in range(position.state.seats + 1):
        run(check_truth_is_allowed, game, position, viewer)
        observation = Observation(game, position.state, viewer, position.history)
        shown: dict[str, object] = {}
        for _ in range(draws):
            run(check_determinization, game, position, observation, rng, run, shown)


def check_legal_is_public(game: Game[S], position: Position[S]) -> None:
    """Check that legal actions and chance weights depend only on faces that the seat has seen."""
    state = position.state
    if state.seat == OVER:
        return
    is_chance = state.seat == CHANCE
    # Chance has no cards: its actions may depend on what everybody sees, and on nothing else.
    known = public_state(state) if is_chance else observed_state(state, state.seat)
    try:
        legal = game.legal(known)
        weights = game.chance_weights(known) if is_chance else None
    except HiddenFaceError as error:
        what = f"legal actions depend on a hidden card: {error_line(error)}"
        position.fail(game, "legal_is_public", what)
    true_weights = game.chance_weights(state) if is_chance else None
    if (legal, weights) != (game.legal(state), true_weights):
        who = "everybody" if is_chance else f"seat {state.seat}"
        what = f"{who} may know that {legal} are legal, but {game.legal(state)} are"
        position.fail(game, "legal_is_public", what)


def check_truth_is_allowed(game: Game[S], position: Position[S], viewer: int) -> None:
    """Check that allows() and plausible() do not exclude the true faces."""
    truth = blanked(position.state.face)
    known = observed_state(position.state, viewer)
    check, method = "truth_is_allowed", name_of_masks(game)
    try:
        for token, face in enumerate(blanked(known.face)):
            if face == BLANK and not mask_of(game, known, token) >> truth[token] & 1:
                name = game.cards.faces[truth[token]].name
                position.fail(game, check, f"{method} denies that token {token} is {name}")
    except HiddenFaceError as error:
        what = f"{method} reads a face hidden from seat {viewer}: {error_line(error)}"
        position.fail(game, check, what)
    # plausible() gets a clone, because rules may write caches into the state that they judge.
    if not game.plausible(position.state.clone()):
        position.fail(game, check, "plausible() denies the truth")
    _check_past_masks(game, position)


def _check_past_masks(game: Game[S], position: Position[S]) -> None:
    # Masks of the past are stored with each shuffle; determinizations use them for earlier faces.
    for number, shuffle in enumerate(position.state.shuffle_log, 1):
        for token, face, mask in zip(shuffle.tokens, shuffle.faces, shuffle.allowed, strict=False):
            if not mask >> face & 1:
                name = game.cards.faces[face].name
                method = name_of_masks(game)
                what = f"at shuffle {number} {method} denied that token {token} was {name}"
                position.fail(game, "truth_is_allowed", what)


def check_determinization(
    game: Game[S],
    position: Position[S],
    observation: Observation[S],
    rng: Random,
    run: CheckRunner,
    shown: dict[str, object],
) -> None:
    """Check that an observation has a determinization with the same observation."""
    check = "determinization"
    try:
        drawn = observation.determinize_whole(rng)
    except (DeterminizationError, HiddenFaceError) as error:
        position.fail(game, check, f"none for seat {observation.seat}: {error_line(error)}")
    observed = observed_state(drawn, observation.seat)
    if observed != observation.state:
        what = differing(observed, observation.state)
        position.fail(game, check, f"seat {observation.seat} has observed another {what}")
    run(check_reachable, game, position, observation.seat, drawn, run, shown)


def check_reachable(
    game: Game[S],
    position: Position[S],
    viewer: int,
    drawn: S,
    run: CheckRunner,
    shown: dict[str, object],
) -> None:
    """Check that the deal and actions of a determinization lead to it, and show the same."""
    state = position.state
    truth = Transition(position.before or state, position.told or state, state)
    comparison = Comparison(position, viewer, truth, _replay(game, position, drawn), shown)
    # First what people can see: a leak on the screen explains more than a differing attribute.
    for check in SHOWN_CHECKS:
        run(check, game, comparison)
    if comparison.other.after != drawn:
        what = differing(comparison.other.after, drawn)
        comparison.fail(game, "reachable", f"state.{what} depends on hidden faces")


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


def check_same_text(game: Game[S], comparison: Comparison[S]) -> None:
    """Check that the table rendered as a string is the same."""

    def text(moment: Transition[S]) -> str:
        observation = Observation(game, moment.after, comparison.viewer)
        return render(lay_out(observation, NAMES[: moment.after.seats], width=80))

    _compare(game, comparison, "same_text", "the table as text differs", text)


def check_same_words(game: Game[S], comparison: Comparison[S]) -> None:
    """Check that the last action has the same label and notation."""
    if not comparison.position.number:
        return
    action = comparison.position.history[-1].action

    def words(moment: Transition[S]) -> tuple[str, str]:
        labels = Observation(game, moment.after, comparison.viewer).labels()
        return labels.label(action), labels.notation(action)

    _compare(game, comparison, "same_words", "the names of the last action differ", words)


def check_same_story(game: Game[S], comparison: Comparison[S]) -> None:
    """Check that the last action has the same story."""
    if not comparison.position.number:
        return
    step, viewer = comparison.position.history[-1], comparison.viewer

    def story(moment: Transition[S]) -> tuple[str, ...]:
        before, after = (Observation(game, s, viewer) for s in (moment.before, moment.applied))
        return tell_action(before, step.seat, step.action, after, NAMES[: moment.after.seats])

    _compare(game, comparison, "same_story", "the story differs", story)


def check_same_summary(game: Game[S], comparison: Comparison[S]) -> None:
    """Check that the last action has the same summary, or none."""
    if not comparison.position.number:
        return
    step, viewer = comparison.position.history[-1], comparison.viewer

    def summary(moment: Transition[S]) -> object:
        before, after = (Observation(game, s, viewer) for s in (moment.before, moment.applied))
        return summarize(before, step.action, after, NAMES[: moment.after.seats])

    _compare(game, comparison, "same_summary", "the summary differs", summary)


# Checks of each determinization.
SHOWN_CHECKS = (
    check_same_legal,
    check_same_scene,
    check_same_text,
    check_same_words,
    check_same_story,
    check_same_summary,
)


def _compare(
    game: Game[S],
    comparison: Comparison[S],
    check: str,
    what: str,
    look: Callable[[Transition[S]], object],
) -> None:
    # Computed once for all determinizations of the viewer: the truth is the same for each.
    if check not in comparison.shown:
        comparison.shown[check] = look(comparison.truth)
    truth, other = comparison.shown[check], look(comparison.other)
    if truth != other:
        here, elsewhere = first_difference(truth, other)
        comparison.fail(game, check, f"{what}, here {here}, with other cards {elsewhere}")


def _replay(game: Game[S], position: Position[S], drawn: S) -> Transition[S]:
    try:
        return replay(game, position.trial, drawn, position.history)
    except UnreachableError as error:
        fix = "allows() or plausible() must exclude it"
        position.fail(game, "reachable", f"a determinization is no possible game: {error}; {fix}")
