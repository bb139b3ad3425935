"""The check `order` of rounds in which several seats choose at the same time.

The core keeps the choices of a round secret, so a leak needs rules that do something with a choice
before all have chosen. Nothing but the choice may change until then, the choices of others may not
change what a seat sees, and the order of the choices may not change their result.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Generic

from cardhub.model.game.game import Game, S
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import Observation, observed_state
from cardhub.model.table.beats import NO_MOMENTS, apply_watched
from cardhub.model.table.rounds import asked_seats, count_choices, is_in_round, turn_to
from cardhub.model.table.secrets import note_views
from cardhub.play.seating import NAMES
from cardhub.testing.checking import CheckRunner, differing, error_line, first_difference, freeze
from cardhub.testing.game_checks.rule_lines import changing_line
from cardhub.testing.random_play import Position
from cardhub.view.building import build_view
from cardhub.view.view import encode

# The most choices of each other seat that are tried instead of its own.
MOST_OTHERS = 2


class RoundFollower(Generic[S]):
    """Follows a random game, and checks each choice in its rounds."""

    def __init__(self) -> None:
        self._start: S | None = None  # before the first choice of the present round

    def check(self, game: Game[S], position: Position[S], run: CheckRunner) -> None:
        """Check the last action of the next position if it was a choice in a round."""
        before = position.before
        if before is None or not is_in_round(before):
            return
        if not count_choices(before):
            self._start = before
        run(check_order, game, position, self._start)


def check_order(game: Game[S], position: Position[S], start: S) -> None:
    """Check the last choice of a position; `start`: the state before the round's first choice."""
    before, applied = position.before, position.applied
    if before is None or applied is None:
        return
    is_last = len(asked_seats(before)) == 1
    if not is_last:
        _check_unchanged(game, position, before, applied)
        _check_sight(game, position, start)
    else:
        choices = {**before.known_choices(), before.seat: position.history[-1].action}
        _check_result(game, position, start, choices)


def _check_unchanged(game: Game[S], position: Position[S], before: S, applied: S) -> None:
    old, new = freeze(before), freeze(applied)
    secret = {before.choices_field, "seat"}
    changed = [name for name in old if name not in secret and old[name] != new.get(name)]
    step = position.history[-1]
    line = None
    if changed or applied.seat not in asked_seats(before) or applied.seat == before.seat:
        effect = f"changes state.{', '.join(changed or ['seat'])}"
        name = changed[0] if changed else "seat"
        line = changing_line(lambda: game.apply(before.clone(), step.action), name)
    elif apply_watched(game, before.clone(), step.action) != NO_MOMENTS:
        effect = "pauses or logs"
    else:
        return
    label = Labels(game, position.state.face, position.state.back).label(step.action)
    choice = f"seat {step.seat}'s choice {label!r}"
    problem = f"{choice} {effect} before all have chosen, which everybody sees"
    position.fail(game, "order", problem, line)


def _check_sight(game: Game[S], position: Position[S], start: S) -> None:
    """Check that the next seat to choose sees nothing of the choices before its own."""
    state = position.state
    viewer = state.seat
    observed, sight = observed_state(state, viewer), _sight(game, state)
    for world, choice in _other_worlds(game, state, start):
        other = observed_state(world, viewer)
        if other != observed:
            difference = f"another state.{differing(other, observed)}"
        elif (instead := _sight(game, world)) != sight:
            here, there = first_difference(sight, instead)
            difference = f"{there!r} instead of {here!r}"
        else:
            continue
        problem = f"seat {viewer}, who has yet to choose, would see {difference}"
        position.fail(game, "order", f"{problem} after another choice before it: {choice}")


def _sight(game: Game[S], state: S) -> str:
    """Return all that the seat to act sees and can choose, as lines of text."""
    observation = Observation(game, state, state.seat)
    try:
        legal = game.legal(state)  # of the true state, as the referee asks
        view = build_view(observation, NAMES[: state.seats])
    except Exception as error:  # noqa: BLE001  # the methods of a faulty game may raise anything
        return error_line(error)
    labels = observation.labels()
    lines = [labels.label(action) for action in legal]
    return "\n".join([*lines, repr(observation.history), encode(view).decode()])


def _other_worlds(game: Game[S], state: S, start: S) -> Iterator[tuple[S, str]]:
    """Yield states in which one of the seats has chosen something else, with its choice."""
    chosen = state.known_choices()
    labels = Labels(game, state.face, state.back)
    for seat in chosen:
        world = start.clone()
        turn_to(world, seat)
        others = (action for action in game.legal(world) if action != chosen[seat])
        for action in islice(others, MOST_OTHERS):
            yield _chosen_in(game, start, {**chosen, seat: action}), labels.label(action)


def _chosen_in(game: Game[S], start: S, choices: Mapping[int, int]) -> S:
    """Return the state after these choices, in their order, from the start of a round."""
    world = start.clone()
    for seat, action in choices.items():
        turn_to(world, seat)
        if world.views_field:
            note_views(world)
        game.apply(world, action)
    return world


def _check_result(
    game: Game[S], position: Position[S], start: S, choices: Mapping[int, int]
) -> None:
    """Check that the choices in the opposite order have the same result."""
    world = _chosen_in(game, start, dict(sorted(choices.items(), reverse=True)))
    result, other = freeze(position.applied or position.state), freeze(world)
    changed = [name for name in result if result[name] != other.get(name)]
    if changed:
        names = ", ".join(changed)
        problem = f"the round ends with another state.{names} if the last seat chooses first"
        position.fail(game, "order", problem)
