"""Worlds: games replayed from their deal, the true one and those a seat takes to be possible."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple

from cardhub.errors import CardhubError
from cardhub.game.game import Game, S
from cardhub.game.initial_state import initial_state, split_decks
from cardhub.hidden.chance import Outcome, restore
from cardhub.hidden.observation import Step
from cardhub.hidden.shuffles.masks import masks_at_shuffles
from cardhub.hidden.shuffles.snapshots import back_snapshots, face_snapshots
from cardhub.play.entries import Shuffled, Taken
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.table.faces import Shuffle
from cardhub.table.state import State
from cardhub.testing.random_play import Position, Trial


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
    dealt, backs = face_snapshots(state)[0], back_snapshots(state)[0]
    _check_deal(game, trial, dealt)
    now = initial_state(game, trial.settings, trial.seats, dealt, backs)
    outcomes = list(zip(state.shuffle_log, outcomes_of(state), strict=True))[::-1]
    moment = Moment(now, now, now)
    for number, step in enumerate(history):
        told = _repeat(game, moment.after, step, number)
        masks = masks_at_shuffles(game, moment.after, told)
        moment = Moment(moment.after, told, _settled(told, outcomes, number, masks))
    return moment


def retrace(
    game: Game[S], position: Position[S], state: State, players: Sequence[Player] = ()
) -> Referee[S]:
    """Return a referee for the game that the faces of a state make of a position's actions."""
    trial = position.trial
    players = players or [Player(name, "random") for name in NAMES[: trial.seats]]
    deal = face_snapshots(state)[0], back_snapshots(state)[0]
    referee = Referee(game, players, trial.settings, trial.seed, *deal)
    outcomes = iter(outcomes_of(state))
    for seat, action in position.history:
        referee.apply_entry(Taken(seat, action))
        while referee.observe(trial.seats).state.pending_shuffles:
            referee.apply_entry(Shuffled(next(outcomes)))
    return referee


def outcomes_of(state: State) -> list[Outcome]:
    """Return what every shuffle of the past came to."""
    later = zip(
        state.shuffle_log, face_snapshots(state)[1:], back_snapshots(state)[1:], strict=True
    )
    return [
        Outcome(_at(faces, shuffle.tokens), _at(backs, shuffle.tokens))
        for shuffle, faces, backs in later
    ]


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


def _settled(
    told: S,
    outcomes: list[tuple[Shuffle, Outcome]],
    number: int,
    masks: Iterable[tuple[int, ...]],
) -> S:
    """Lay the next recorded outcomes, the last of the list being the next."""
    state = told.clone() if told.pending_shuffles else told
    for allowed in masks:
        if not outcomes or state.pending_shuffles[0] != outcomes[-1][0][:2]:
            raise UnreachableError(f"at step {number} other tokens are shuffled")
        shuffle, outcome = outcomes.pop()
        if not _fits(state, shuffle, outcome):
            raise UnreachableError(f"at step {number} other cards are shuffled")
        restore(state, outcome, allowed)
    return state


def _fits(state: State, shuffle: Shuffle, outcome: Outcome) -> bool:
    were = [state.face[token] for token in shuffle.tokens]
    kept = shuffle.keeper < 0 or _at(state.back, shuffle.tokens) == outcome.backs
    return kept and Counter(were) == Counter(outcome.faces)


def _at(values: Sequence[int], tokens: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(values[token] for token in tokens)
