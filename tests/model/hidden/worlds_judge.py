"""Brute force for games with secrets: every deal and secret action that fits what was seen."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from cardhub import CHANCE, Game, Observation, State
from cardhub.model.hidden.observation import Step
from cardhub.model.hidden.outcomes import Outcome, apply_outcome
from cardhub.model.table.rounds import turn_to
from cardhub.model.table.state import fields_of
from cardhub.testing import initial_state
from cardhub.testing.random_play import Position

# The faces by token at the end, and all actions.
World = tuple[tuple[int, ...], tuple[int, ...]]


def worlds(game: Game[Any], positions: Sequence[Position[Any]], viewer: int) -> dict[World, float]:
    """Return the probability of every game that shows a viewer the same as these positions.

    Secret actions are uniformly random, and chance's by their weights. At most one shuffle follows
    an action.
    """
    state = positions[0].state
    seen = [view(game, position.state, viewer, position.history) for position in positions]
    pack = game.pack(state.settings, state.seats)
    weights: Counter[World] = Counter()
    for faces in {*permutations(pack)}:
        first = initial_state(game, state.settings, state.seats, faces)
        steps = positions[-1].history
        for world, weight in continued(game, first, viewer, steps, seen, ()):
            weights[world] += weight  # type: ignore[assignment]  # probabilities count too
    total = sum(weights.values())
    return {world: weight / total for world, weight in weights.items()}


def continued(
    game: Game[Any],
    state: State,
    viewer: int,
    steps: Sequence[Step],
    seen: Sequence[Any],
    past: tuple[Step, ...],
) -> Iterator[tuple[World, float]]:
    """Yield the end of each game from a state on and its actions, with their probability."""
    if view(game, state, viewer, past) != seen[len(past)]:
        return
    if len(past) == len(steps):
        yield (tuple(state.face), tuple(step.action for step in past)), 1.0
        return
    step = steps[len(past)]
    turn_to(state, step.seat)
    for action, weight in likelihoods(game, state, step, viewer):
        applied = state.clone()
        game.apply(applied, action)
        longer = (*past, Step(step.seat, action))
        for after, odds in settled(game, applied):
            for end, share in continued(game, after, viewer, steps, seen, longer):
                yield end, weight * odds * share


def settled(game: Game[Any], state: State) -> Iterator[tuple[State, float]]:
    """Yield the states after the pending shuffle with their probabilities, if there is one."""
    if not state.pending_shuffles:
        yield state, 1.0
        return
    held = [state.face[token] for token in state.pending_shuffles[0].tokens]
    outcomes = {*permutations(held)}
    for faces in outcomes:
        after = state.clone()
        backs = tuple(game.cards.back_of[face] for face in faces)
        apply_outcome(after, Outcome(faces, backs))
        yield after, 1 / len(outcomes)


def likelihoods(
    game: Game[Any], state: State, step: Step, viewer: int
) -> Iterator[tuple[int, float]]:
    """Yield the actions that a step can have been, with their probabilities."""
    legal, secret = game.legal(state), game.actions.secret
    if step.seat == viewer or step.action not in secret:
        if step.action in legal:
            yield step.action, 1.0
        return
    weights = game.chance_weights(state) if step.seat == CHANCE else None
    odds = zip(legal, weights or [1] * len(legal), strict=True)
    pairs = [(action, weight) for action, weight in odds if action in secret]
    for action, weight in pairs:
        yield action, weight / sum(weight for _, weight in pairs)


def view(game: Game[Any], state: State, viewer: int, history: Sequence[Step]) -> Any:
    """Return all that a viewer sees, without the numbers that stand for it."""
    observation = Observation(game, state, viewer, history)
    fields = fields_of(observation.state)
    del fields[state.views_field]
    legal = observation.legal() if observation.is_to_act else []
    return fields, observation.history, legal
