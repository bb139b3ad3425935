"""Replay random games from their deal: with the true cards or the cards of a determinization."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, Generic, NamedTuple

from cardhub.base.errors import CardhubError
from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import initial_state, split_decks
from cardhub.model.hidden.chance import masks_at_shuffles
from cardhub.model.hidden.observation import Observation, Step, known_action
from cardhub.model.hidden.outcomes import Outcome, apply_outcome
from cardhub.model.hidden.past_steps import outcomes_of
from cardhub.model.hidden.shuffles.segments import back_snapshots, face_snapshots
from cardhub.model.table.actions import UNSEEN_ACTION
from cardhub.model.table.faces import Shuffle
from cardhub.model.table.rounds import count_choices, turn_to
from cardhub.model.table.secrets import noted_clone
from cardhub.model.table.state import State
from cardhub.play.history_entries import Shuffled, Taken
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.testing.random_play import Position, Trial


class UnreachableError(CardhubError):
    """The rules do not allow this game; the message says at which step and why.

    `state` is the one in which an action was not legal, or None.
    """

    def __init__(self, message: str, state: State | None = None) -> None:
        super().__init__(message)
        self.state = state


class Transition(NamedTuple, Generic[S]):
    """States around an action: before it, with its shuffles pending, and with their outcomes.

    `last`: the action, or UNSEEN_ACTION without one.
    """

    before: S
    applied: S
    after: S
    last: int = UNSEEN_ACTION

    def action_of(self, game: Game[Any], seat: int, viewer: int) -> int:
        """Return the action of a seat as a viewer knows it."""
        return known_action(game, seat, self.last, viewer)


class Start(NamedTuple, Generic[S]):
    """A position from which a game is replayed: its state, after `number` actions."""

    number: int
    state: S


def replay(
    game: Game[S],
    trial: Trial,
    state: S,
    history: Sequence[Step],
    start: Start[S] | None = None,
) -> Transition[S]:
    """Deal the faces of `state`, repeat the actions with its shuffle outcomes, return the last one.

    Without actions all three states are the deal. If a game with the same deal, actions and shuffle
    outcomes has come to `start`, the replay may begin there. Raises UnreachableError.
    """
    begin = start or Start(0, _deal(game, trial, state))
    last = Transition(begin.state, begin.state, begin.state)
    for transition in _transitions(game, state, history, begin):
        last = transition
    return last


def find_shuffles(game: Game[S], trial: Trial, state: S, history: Sequence[Step]) -> list[Start[S]]:
    """Return for each past shuffle the position before the action that asked for it."""
    begin = Start(0, _deal(game, trial, state))
    starts: list[Start[S]] = []
    for number, (before, _, after, _) in enumerate(_transitions(game, state, history, begin)):
        shuffles = len(after.shuffle_log) - len(before.shuffle_log)
        starts += [Start(number, before)] * shuffles
    return starts


def _deal(game: Game[S], trial: Trial, state: S) -> S:
    dealt, backs = face_snapshots(state)[0], back_snapshots(state)[0]
    # First: with cards from outside the pack the rules may raise any exception.
    _check_deal(game, trial, dealt)
    return initial_state(game, trial.settings, trial.seats, dealt, backs)


def _transitions(
    game: Game[S], state: S, history: Sequence[Step], begin: Start[S]
) -> Iterator[Transition[S]]:
    now = begin.state
    # Reversed, because each shuffle pops its outcome off the end.
    outcomes = list(zip(state.shuffle_log, outcomes_of(state), strict=True))[::-1]
    del outcomes[len(outcomes) - len(now.shuffle_log) :]
    for number, step in enumerate(history[begin.number :], begin.number):
        applied = _apply(game, now, step, number)
        masks = masks_at_shuffles(game, now, applied)
        before, now = now, _settled(applied, outcomes, number, masks)
        yield Transition(before, applied, now, step.action)


def draw_game(
    observation: Observation[S], true: Sequence[Step], rng: Random
) -> tuple[S, list[Step]]:
    """Return a determinization and its actions, with as many as the `true` history has.

    A seat that has chosen in an open round chooses the same if that is legal there.
    """
    game, (drawn, known) = observation.game, observation.determinize_game(rng)
    public = len(known) - count_choices(observation.state)
    history = list(known[:public])
    for seat, action in true[public:]:
        state = drawn.clone()
        turn_to(state, seat)
        is_possible = seat == observation.seat or action in game.legal(state)
        history.append(Step(seat, action if is_possible else game.legal(state)[0]))
    return drawn, history


def retrace(
    game: Game[S],
    position: Position[S],
    state: State,
    players: Sequence[Player] = (),
    history: Sequence[Step] | None = None,
) -> Referee[S]:
    """Return a referee after the actions of a position, with deal and shuffles of `state`.

    The players are random bots by default. `history`: other actions, or None.
    """
    trial = position.trial
    players = players or [Player(name, "random") for name in NAMES[: trial.seats]]
    deal = face_snapshots(state)[0], back_snapshots(state)[0]
    referee = Referee(game, players, trial.settings, trial.seed, *deal)
    outcomes = iter(outcomes_of(state))
    for seat, action in position.history if history is None else history:
        referee.apply_entry(Taken(seat, action))
        # One action may shuffle several times; pending shuffles are public, so any viewer will do.
        while referee.observe(trial.seats).state.pending_shuffles:
            referee.apply_entry(Shuffled(next(outcomes)))
    return referee


def _check_deal(game: Game[S], trial: Trial, faces: list[int]) -> None:
    first = 0
    for deck in split_decks(game, trial.settings, trial.seats):
        if Counter(faces[first : first + len(deck)]) != Counter(deck):
            raise UnreachableError("its deal is not one of the cards in play")
        first += len(deck)


def _apply(game: Game[S], state: S, step: Step, number: int) -> S:
    if state.seat != step.seat:
        raise UnreachableError(f"at step {number} it is not {step.seat} to act but {state.seat}")
    if step.action not in game.legal(state):
        label = game.actions.text(step.action, lambda token: f"#{token}")
        raise UnreachableError(f"at step {number} {label} is not legal for seat {step.seat}", state)
    applied = noted_clone(state)
    game.apply(applied, step.action)
    return applied


def _settled(
    applied: S,
    outcomes: list[tuple[Shuffle, Outcome]],
    number: int,
    masks: Iterable[tuple[int, ...]],
) -> S:
    """Return the state after the pending shuffles; their outcomes are popped off `outcomes`."""
    # A copy: `applied` keeps its shuffles pending, because the narration of the action needs it.
    state = applied.clone() if applied.pending_shuffles else applied
    for allowed in masks:
        if not outcomes or state.pending_shuffles[0] != outcomes[-1][0][:2]:
            raise UnreachableError(f"at step {number} other tokens are shuffled")
        shuffle, outcome = outcomes.pop()
        # Cards that a seat rearranges itself change places among equal backs only.
        keeps_backs = shuffle.keeper < 0 or _at(state.back, shuffle.tokens) == outcome.backs
        faces = Counter(state.face[token] for token in shuffle.tokens)
        is_permutation = keeps_backs and faces == Counter(outcome.faces)
        if not is_permutation:
            raise UnreachableError(f"at step {number} other cards are shuffled")
        apply_outcome(state, outcome, allowed)
    return state


def _at(values: Sequence[int], tokens: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(values[token] for token in tokens)
