"""What must hold at every position: cheap enough to be checked at each step of every game."""

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from cardhub.game.game import Game, S
from cardhub.hidden.labels import Labels
from cardhub.table.scoring import returns
from cardhub.table.state import CHANCE, OVER, State
from cardhub.testing.checking import Run, at_once, differing, explained, freeze
from cardhub.testing.deal_replay import UnreachableError, replay
from cardhub.testing.random_play import Position

EPSILON = 1e-9


def check_step(game: Game[S], position: Position[S], run: Run = at_once) -> bool:
    """Check a position; return whether the game can go on from there."""
    is_over = position.state.seat == OVER
    needed = (check_seat, check_cards, *(() if is_over else (check_legal, check_apply)))
    is_sound = all(run(check, game, position) for check in needed)
    run(check_shuffles, game, position)
    run(check_scores, game, position)
    if is_sound and not is_over:
        run(check_weights, game, position)
    return is_sound


def check_seat(game: Game[S], position: Position[S]) -> None:
    """Check that the seat to act is a seat, CHANCE or OVER, and the phase is one the game names."""
    state = position.state
    if not (0 <= state.seat < state.seats or state.seat in (CHANCE, OVER)):
        position.fail(game, "seat", f"state.seat is {state.seat}, which is no seat")
    if game.phases and not 0 <= state.phase < len(game.phases):
        position.fail(game, "seat", f"state.phase is {state.phase}, which has no name")


def check_cards(game: Game[S], position: Position[S]) -> None:
    """Check that every token lies in exactly one pile of the declared zones."""
    state = position.state
    tokens = range(len(state.face))
    lying = Counter(t for zone in state.zones for pile in zone.piles(state) for t in pile)
    labels = Labels(game, state.face, state.back)
    wrong = {
        "nowhere": [
            f"{labels.card(token)} (token {token})" for token in tokens if not lying[token]
        ],
        "in several places": [labels.card(token) for token in tokens if lying[token] > 1],
        "in a zone, but not in the game": [f"token {t}" for t in lying if t not in tokens],
    }
    told = [f"{where}: {', '.join(found)}" for where, found in wrong.items() if found]
    if told:
        position.fail(game, "cards", "; ".join(told))


def check_shuffles(game: Game[S], position: Position[S]) -> None:
    """Check that what is shuffled lies where nobody but its keeper is shown a face."""
    told = position.told
    for tokens, keeper in told.pending_shuffles if told else ():
        for zone in position.state.zones:
            for owner, pile in enumerate(zone.piles(told)):
                is_shown = zone.faces != "nobody" and (zone.faces, owner) != ("owner", keeper)
                shown = sorted(set(tokens) & set(pile)) if is_shown else []
                if shown:
                    what = f"tokens {shown} are shuffled where {zone.name} shows their faces"
                    position.fail(game, "shuffles", what)


def check_scores(game: Game[S], position: Position[S]) -> None:
    """Check that there is one int per seat, and that returns from -1 to 1, 0 in sum, follow."""
    state, scores = position.state, game.scores(position.state)
    if type(scores) is not list or [type(score) for score in scores] != [int] * state.seats:
        position.fail(game, "scores", f"scores are {scores!r}, not one int per seat")
    utilities = returns(scores, lowest_wins=game.lowest_wins)
    if abs(sum(utilities)) > EPSILON or not all(-1 <= utility <= 1 for utility in utilities):
        position.fail(game, "scores", f"returns are {utilities}")


def check_legal(game: Game[S], position: Position[S]) -> None:
    """Check that there are legal actions, each once, in range, and that asking changes nothing."""
    before = freeze(position.state)
    legal = game.legal(position.state)
    if freeze(position.state) != before or game.legal(position.state) != legal:
        position.fail(game, "legal", "legal() changes the state or its answer")
    if not legal:
        position.fail(game, "legal", f"no legal action for seat {position.state.seat}")
    if type(legal) is not list or any(type(action) is not int for action in legal):
        position.fail(game, "legal", f"legal() returns {legal!r}, not a list of ints")
    if len(set(legal)) < len(legal):
        twice = [action for action, count in Counter(legal).items() if count > 1]
        position.fail(
            game, "legal", f"offered more than once: {_labels(game, position.state, twice)}"
        )
    if min(legal) < 0 or max(legal) >= game.actions.size:
        position.fail(game, "legal", f"{legal} leaves the range of {game.actions.size}")


def check_apply(game: Game[S], position: Position[S]) -> None:
    """Check that playing on with a clone changes nothing in the original."""
    state = position.state
    before = freeze(state)
    legal = game.legal(state)
    action = legal[position.number % len(legal)]
    try:
        game.apply(state.clone(), action)
    except Exception as error:  # a stranger's code may raise anything
        what = f"{_labels(game, state, [action])} fails: {explained(error)}"
        raise position.failure(game, "rules", what) from error
    after = freeze(state)
    if after != before:
        changed = [name for name in before if after.get(name) != before[name]]
        done = _labels(game, state, [action])
        what = f"{done} on a clone changes {', '.join(changed)} of the original"
        position.fail(game, "apply", what)


def check_random_action(game: Game[S], position: Position[S], rng: Random) -> None:
    """Check that the game's random action is legal, and any legal one is drawn in the end."""
    state = position.state
    if state.seat == OVER:
        return
    before, legal = freeze(state), set(game.legal(state))
    left = set(legal)
    for _ in range(200 * len(legal)):
        action = game.random_action(state, rng)
        if action not in legal:
            what = f"{_labels(game, state, [action])} is not legal"
            position.fail(game, "random_action", what)
        left.discard(action)
        if not left:
            break
    if left or freeze(state) != before:
        what = f"never drawn: {_labels(game, state, left)}" if left else "drawing changes the state"
        position.fail(game, "random_action", what)


def check_hints(game: Game[S], position: Position[S], rng: Random) -> None:
    """Check that what the game tells search bots fits, and that telling it changes nothing."""
    state = position.state
    before, what = freeze(state), ""
    if state.seat >= 0 and game.playout_action(state, rng) not in game.legal(state):
        what = "playout_action() returns an action that is not legal"
    elif len(game.evaluate(state)) != state.seats:
        what = f"evaluate() returns {game.evaluate(state)!r}, not a number per seat"
    elif not 0 <= game.likelihood(state) <= 1:
        what = f"likelihood() returns {game.likelihood(state)!r}, which is not from 0 to 1"
    elif unknown := set(game.bluffs) - {group.verb for group in game.actions.groups}:
        what = f"bluffs names {', '.join(sorted(unknown))}, which no action is called"
    elif freeze(state) != before:
        what = "playout_action(), evaluate() or likelihood() changes the state"
    if what:
        position.fail(game, "hints", what)


def check_weights(game: Game[S], position: Position[S]) -> None:
    """Check that each of chance's actions has a weight, and that not all weigh nothing."""
    state = position.state
    weights = game.chance_weights(state) if state.seat == CHANCE else None
    if weights is None:
        return
    if len(weights) != len(game.legal(state)) or min(weights) < 0 or not sum(weights) > 0:
        position.fail(game, "weights", f"{weights} for {_labels(game, state, game.legal(state))}")


def _labels(game: Game[Any], state: State, actions: Iterable[int]) -> str:
    return ", ".join(map(Labels(game, state.face, state.back).label, actions))


SHARED = ("face",)
"""The list that clones may share: it is replaced, never changed."""


def check_clone(game: Game[S], position: Position[S]) -> None:
    """Check that a clone equals the original and shares no list with it but the faces."""
    state = position.state
    clone = state.clone()
    if clone != state or vars(clone).keys() != vars(state).keys():
        position.fail(game, "clone", "a clone is not equal to the original")
    originals = {id(found) for name, found in _lists(state) if name not in SHARED}
    shared = {name for name, found in _lists(clone) if id(found) in originals}
    if shared:
        position.fail(game, "clone", f"a clone shares {', '.join(sorted(shared))}")


def check_pickle(game: Game[S], position: Position[S]) -> None:
    """Check that a state survives being pickled, as on its way to a worker."""
    again = pickle.loads(pickle.dumps(position.state))
    if again != position.state:
        position.fail(game, "pickle", "the state is not equal after a pickle round trip")


def check_replay(game: Game[S], position: Position[S]) -> None:
    """Check that deal, actions and outcomes of shuffles give the same state without chance."""
    try:
        again = replay(game, position.trial, position.state, position.history)
    except UnreachableError as error:
        position.fail(game, "replay", f"the game does not replay: {error}")
    if again.after != position.state:
        what = f"replaying gives another {differing(again.after, position.state)}"
        position.fail(game, "replay", what)


def _lists(state: State) -> Iterator[tuple[str, list[Any]]]:
    for name, value in vars(state).items():
        for found in _nested(value):
            yield name, found


def _nested(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
    if isinstance(value, list | tuple):
        for part in value:
            yield from _nested(part)
