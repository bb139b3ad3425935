"""Checks of secrecy: a viewer must not be able to distinguish the true state from determinizations.

A determinization of a viewer's observation is dealt and played again from its own deal. The same
actions must show the viewer the same scenes, strings and legal actions as in the true game.
"""

from collections.abc import Sequence
from random import Random

from cardhub.base.errors import DeterminizationError, HiddenFaceError
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.constraints.face_masks import FREE, mask_of, name_of_masks
from cardhub.model.hidden.observation import Observation, Step, observed_state, public_state
from cardhub.model.table.actions import UNSEEN_ACTION
from cardhub.model.table.faces import BLANK, blanked
from cardhub.model.table.rounds import hide_choices, is_in_round
from cardhub.model.table.state import CHANCE, OVER
from cardhub.testing.checking import CheckRunner, differing, error_line, run_or_raise
from cardhub.testing.deal_replay import Transition, UnreachableError, replay
from cardhub.testing.game_checks.display_checks.comparisons import SHOWN_CHECKS, Comparison
from cardhub.testing.game_checks.taint.tainted_faces import choosing_line
from cardhub.testing.random_play import Position


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
    # Chance has no cards: its actions may depend only on what all seats see.
    known = public_state(state) if is_chance else observed_state(state, state.seat)
    try:
        legal = game.legal(known)
        weights = game.chance_weights(known) if is_chance else None
    except HiddenFaceError as error:
        problem = f"legal actions depend on what is hidden: {error_line(error)}"
        position.fail(game, "legal_is_public", problem)
    true_weights = game.chance_weights(state) if is_chance else None
    if (legal, weights) != (game.legal(state), true_weights):
        who = "everybody" if is_chance else f"seat {state.seat}"
        problem = f"{who} may know that {legal} are legal, but {game.legal(state)} are"
        position.fail(game, "legal_is_public", problem)


def check_truth_is_allowed(game: Game[S], position: Position[S], viewer: int) -> None:
    """Check that allows() and plausible() do not exclude the true faces."""
    truth = blanked(position.state.face)
    known = observed_state(position.state, viewer)
    check, method = "truth_is_allowed", name_of_masks(game)
    try:
        for token, face in enumerate(blanked(known.face)):
            mask: object = mask_of(game, known, token) if face == BLANK else FREE
            if not isinstance(mask, int):
                position.fail(game, check, f"{method} returns {mask!r} for token {token}")
            if not mask >> truth[token] & 1:
                name = game.cards.faces[truth[token]].name
                position.fail(game, check, f"{method} denies that token {token} is {name}")
    except HiddenFaceError as error:
        problem = f"{method} reads a face hidden from seat {viewer}: {error_line(error)}"
        position.fail(game, check, problem)
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
                problem = f"at shuffle {number} {method} denied that token {token} was {name}"
                position.fail(game, "truth_is_allowed", problem)


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
        drawn, history = observation.determinize_game(rng)
    except (DeterminizationError, HiddenFaceError) as error:
        position.fail(game, check, f"none for seat {observation.seat}: {error_line(error)}")
    observed = observed_state(drawn, observation.seat)
    if observed != observation.state:
        problem = differing(observed, observation.state)
        position.fail(game, check, f"seat {observation.seat} has observed another {problem}")
    other = _replay(game, position, observation.seat, drawn, history)
    run(check_reachable, game, position, observation.seat, drawn, other, run, shown)


def check_reachable(
    game: Game[S],
    position: Position[S],
    viewer: int,
    drawn: S,
    other: Transition[S],
    run: CheckRunner,
    shown: dict[str, object],
) -> None:
    """Check that the deal and actions of a determinization lead to it, and show the same."""
    state = position.state
    last = position.history[-1].action if position.number else UNSEEN_ACTION
    truth = Transition(position.before or state, position.applied or state, state, last)
    comparison = Comparison(position, viewer, truth, other, shown)
    # First what people can see: a leak on the screen explains more than a differing attribute.
    for check in SHOWN_CHECKS:
        run(check, game, comparison)
    after = comparison.other.after
    if is_in_round(after):
        # The order in which seats choose at the same time is not part of a game.
        after = after.clone()
        hide_choices(after, viewer)
    if after != drawn:
        problem = differing(after, drawn)
        comparison.fail(game, "reachable", f"state.{problem} depends on hidden faces")


def _replay(
    game: Game[S], position: Position[S], viewer: int, drawn: S, history: Sequence[Step]
) -> Transition[S]:
    try:
        return replay(game, position.trial, drawn, history)
    except UnreachableError as error:
        line = None if error.state is None else choosing_line(game, error.state, viewer)
        fix = "allows() or plausible() must exclude it"
        problem = f"a determinization is no possible game: {error}; {fix}"
        position.fail(game, "reachable", problem, line)
