"""Nobody can learn what they may not know: other possible worlds look the same to them.

A world is a determinization of what a seat knows, dealt and replayed from its own deal. All
that the seat is shown of it must equal what it is shown of the truth.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Generic

from cardhub.errors import DeterminizationError, HiddenFaceError
from cardhub.game.game import Game, S
from cardhub.hidden.constraints.masks import mask_of
from cardhub.hidden.observation import Observation, observed_state
from cardhub.play.events import tell_action
from cardhub.play.seating import NAMES
from cardhub.table.faces import BLANK, blanked
from cardhub.table.state import CHANCE, OVER
from cardhub.testing.checking import Run, at_once, differing, explained, first_difference
from cardhub.testing.deal_replay import Moment, UnreachableError, replay
from cardhub.testing.random_play import Position
from cardhub.text import lay_out, render


@dataclass(frozen=True, slots=True)
class Doubt(Generic[S]):
    """The truth and a world that one viewer must not be able to tell from it."""

    position: Position[S]
    viewer: int
    truth: Moment[S]
    world: Moment[S]

    def fail(self, game: Game[Any], check: str, what: str) -> None:
        """Raise ConformanceError if the two can be told apart."""
        self.position.fail(game, check, f"{what} seat {self.viewer} what it may not know")


def check_secrecy(
    game: Game[S], position: Position[S], rng: Random, draws: int, run: Run = at_once
) -> None:
    """Check what every seat and a spectator are shown, in several worlds each."""
    for viewer in range(position.state.seats + 1):
        run(check_truth_is_allowed, game, position, viewer)
        observation = Observation(game, position.state, viewer, position.history)
        for _ in range(draws):
            run(check_determinization, game, position, observation, rng, run)


def check_legal_is_public(game: Game[S], position: Position[S]) -> None:
    """Check that legal actions and chance's weights depend on no face unseen by who acts."""
    state = position.state
    if state.seat == OVER:
        return
    viewer = state.seats if state.seat == CHANCE else state.seat
    known = observed_state(state, viewer)
    try:
        legal = game.legal(known)
        weights = game.chance_weights(known) if state.seat == CHANCE else None
    except HiddenFaceError as error:
        position.fail(game, "legal_is_public", f"what is legal needs a secret: {explained(error)}")
    true_weights = game.chance_weights(state) if state.seat == CHANCE else None
    if (legal, weights) != (game.legal(state), true_weights):
        what = f"seat {viewer} may know that {legal} are legal, but {game.legal(state)} are"
        position.fail(game, "legal_is_public", what)


def check_truth_is_allowed(game: Game[S], position: Position[S], viewer: int) -> None:
    """Check that what the game rules out for a viewer's determinizations is never the truth."""
    truth = blanked(position.state.face)
    known = observed_state(position.state, viewer)
    check = "truth_is_allowed"
    try:
        for token, face in enumerate(blanked(known.face)):
            if face == BLANK and not mask_of(game, known, token) >> truth[token] & 1:
                name = game.cards.faces[truth[token]].name
                position.fail(game, check, f"allows() denies that token {token} is {name}")
    except HiddenFaceError as error:
        position.fail(game, check, f"allows() needs a secret of seat {viewer}: {explained(error)}")
    if not game.plausible(position.state.clone()):
        position.fail(game, check, "plausible() denies the truth")
    _check_past_is_allowed(game, position)


def _check_past_is_allowed(game: Game[S], position: Position[S]) -> None:
    """Check the same for what was ruled out when each shuffle was due."""
    for number, shuffle in enumerate(position.state.shuffle_log, 1):
        for token, face, mask in zip(shuffle.tokens, shuffle.faces, shuffle.allowed, strict=False):
            if not mask >> face & 1:
                name = game.cards.faces[face].name
                what = f"at shuffle {number} allows() denied that token {token} was {name}"
                position.fail(game, "truth_is_allowed", what)


def check_determinization(
    game: Game[S], position: Position[S], observation: Observation[S], rng: Random, run: Run
) -> None:
    """Check that a seat can imagine a complete state, and all it knows is true in that."""
    check = "determinization"
    try:
        drawn = observation.determinize_whole(rng)
    except (DeterminizationError, HiddenFaceError) as error:
        position.fail(game, check, f"none for seat {observation.seat}: {explained(error)}")
    again = observed_state(drawn, observation.seat)
    if again != observation.state:
        what = differing(again, observation.state)
        position.fail(game, check, f"seat {observation.seat} knows better about {what}")
    run(check_reachable, game, position, observation.seat, drawn, run)


def check_reachable(game: Game[S], position: Position[S], viewer: int, drawn: S, run: Run) -> None:
    """Check that a world imagined is what its own deal and the public actions lead to.

    All that the viewer is shown of it must be what is shown of the truth.
    """
    doubt = Doubt(position, viewer, _truth(position), _world(game, position, drawn))
    for check in SHOWN:
        run(check, game, doubt)
    if doubt.world.after != drawn:
        what = differing(doubt.world.after, drawn)
        doubt.fail(game, "reachable", f"state.{what} follows from hidden faces and tells")


def check_same_legal(game: Game[S], doubt: Doubt[S]) -> None:
    """Check that the seat to act has the same legal actions in every world it can imagine."""
    if doubt.truth.after.seat in (doubt.viewer, CHANCE):
        _compare(game, doubt, "same_legal", "what is legal tells", game.legal)


def check_same_scene(game: Game[S], doubt: Doubt[S]) -> None:
    """Check that the scene is the same, as data."""
    _compare(
        game,
        doubt,
        "same_scene",
        "the scene shows",
        lambda state: Observation(game, state, doubt.viewer).scene(),
    )


def check_same_text(game: Game[S], doubt: Doubt[S]) -> None:
    """Check that the table as text is the same, character by character."""

    def text(state: S) -> str:
        names = NAMES[: state.seats]
        return render(lay_out(Observation(game, state, doubt.viewer), names, width=80))

    _compare(game, doubt, "same_text", "the table as text shows", text)


def check_same_words(game: Game[S], doubt: Doubt[S]) -> None:
    """Check that label and notation of the last action are the same."""
    if not doubt.position.number:
        return
    action = doubt.position.history[-1].action

    def words(state: S) -> tuple[str, str]:
        labels = Observation(game, state, doubt.viewer).labels()
        return labels.label(action), labels.notation(action)

    _compare(game, doubt, "same_words", "the words for the last action tell", words)


def check_same_story(game: Game[S], doubt: Doubt[S]) -> None:
    """Check that the last action is told in the same words."""
    if not doubt.position.number:
        return
    step = doubt.position.history[-1]

    def story(moment: Moment[S]) -> tuple[str, ...]:
        before, after = (Observation(game, s, doubt.viewer) for s in (moment.before, moment.told))
        return tell_action(before, step.seat, step.action, after, NAMES[: doubt.truth.after.seats])

    told, elsewhere = story(doubt.truth), story(doubt.world)
    if told != elsewhere:
        doubt.fail(game, "same_story", f"the story {told} (or else {elsewhere}) tells")


SHOWN = (check_same_legal, check_same_scene, check_same_text, check_same_words, check_same_story)
"""What is looked at in every world."""


def _compare(
    game: Game[S], doubt: Doubt[S], check: str, what: str, look: Callable[[S], object]
) -> None:
    truth, world = look(doubt.truth.after), look(doubt.world.after)
    if truth != world:
        here, elsewhere = first_difference(truth, world)
        doubt.fail(game, check, f"{what} (here {here}, elsewhere {elsewhere})")


def _truth(position: Position[S]) -> Moment[S]:
    state = position.state
    return Moment(position.before or state, position.told or state, state)


def _world(game: Game[S], position: Position[S], drawn: S) -> Moment[S]:
    try:
        return replay(game, position.trial, drawn, position.history)
    except UnreachableError as error:
        remedy = "allows() or plausible() must rule it out"
        what = f"a determinization is no possible game: {error}; {remedy}"
        position.fail(game, "reachable", what)
