"""Worlds: games replayed from their deal, the true one and those a seat takes to be possible."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Generic, NamedTuple

from cardhub.errors import CardhubError
from cardhub.game.game import Game, S
from cardhub.game.opening import split_decks, start
from cardhub.hidden.chance import Outcome, restore
from cardhub.hidden.epochs import epoch_backs, epochs
from cardhub.hidden.observation import Step
from cardhub.table.state import State
from cardhub.testing.playout import Trial


class UnreachableError(CardhubError):
    """No game goes like this; the message says what is impossible."""


class Moment(NamedTuple, Generic[S]):
    """An action's state before, right after, and once all it shuffled is settled."""

    before: S
    told: S
    after: S


def replay(game: Game[S], trial: Trial, state: S, history: Iterable[Step]) -> Moment[S]:
    """Deal a state's own faces, repeat the actions with its outcomes, and return the last moment.

    Without actions that is the deal three times over. Raises UnreachableError.
    """
    dealt, *later = epochs(state)
    backs = epoch_backs(state)
    _check_deal(game, trial, dealt)
    now = start(game, trial.settings, trial.seats, dealt, backs[0])
    outcomes = [
        (shuffle.tokens, shuffle.keeper, _at(faces, shuffle.tokens), _at(back, shuffle.tokens))
        for shuffle, faces, back in zip(state.past, later, backs[1:], strict=True)
    ]
    outcomes.reverse()
    moment = Moment(now, now, now)
    for number, step in enumerate(history):
        told = _repeat(game, moment.after, step, number)
        moment = Moment(moment.after, told, _settled(told, outcomes, number))
    return moment


_Recorded = tuple[tuple[int, ...], int, tuple[int, ...], tuple[int, ...]]


def _check_deal(game: Game[S], trial: Trial, faces: list[int]) -> None:
    first = 0
    for deck in split_decks(game, trial.settings, trial.seats):
        if Counter(faces[first : first + len(deck)]) != Counter(deck):
            raise UnreachableError("its deal is not one of the cards in play")
        first += len(deck)


def _repeat(game: Game[S], state: S, step: Step, number: int) -> S:
    if state.seat != step.seat:
        raise UnreachableError(f"at step {number} it is not {step.seat} to act but {state.seat}")
    if step.action not in game.legal(state):
        label = game.actions.text(step.action, lambda token: f"#{token}")
        raise UnreachableError(f"at step {number} {label} is not legal for seat {step.seat}")
    told = state.clone()
    game.apply(told, step.action)
    return told


def _settled(told: S, outcomes: list[_Recorded], number: int) -> S:
    """Lay the next recorded outcomes, the last of the list being the next."""
    state = told.clone() if told.unsettled else told
    while state.unsettled:
        tokens, keeper, faces, backs = outcomes.pop() if outcomes else ((), -1, (), ())
        if state.unsettled[0] != (tokens, keeper) or not _fits(state, tokens, keeper, faces, backs):
            raise UnreachableError(f"at step {number} other cards are shuffled")
        restore(state, Outcome(faces, backs))
    return state


def _fits(state: State, tokens: Any, keeper: int, faces: Any, backs: Any) -> bool:
    were = [state.face[token] for token in tokens]
    kept = keeper < 0 or tuple(state.back[token] for token in tokens) == backs
    return kept and Counter(were) == Counter(faces)


def _at(values: list[int], tokens: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(values[token] for token in tokens)
