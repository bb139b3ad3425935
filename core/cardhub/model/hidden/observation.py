"""Observations: the state and the history as one viewer has seen them."""

from collections.abc import Sequence
from importlib import import_module
from random import Random
from typing import Any, Generic, NamedTuple

from cardhub.base.errors import DeterminizationError, HiddenFaceError, IllegalActionError
from cardhub.base.errors.source_lines import noting_lines
from cardhub.model.game.display_values import as_scene
from cardhub.model.game.game import Game, S
from cardhub.model.game.scene import Scene
from cardhub.model.game.scene_faults import SceneCheck, scene_fault, scene_faults
from cardhub.model.hidden.determinize import FacePlan, FaceSampler, why_no_determinizations
from cardhub.model.hidden.information_text import information_text
from cardhub.model.hidden.labels import Labels, unknown_action
from cardhub.model.hidden.whole_games import GameSampler, Replay
from cardhub.model.table.actions import UNSEEN_ACTION
from cardhub.model.table.faces import BLANK, MaskedFaces, blanked, masked_log
from cardhub.model.table.rounds import (
    count_choices,
    hide_choices,
    is_round_complete,
    reveal_choices,
)
from cardhub.model.table.secrets import hide_secret_choices, hide_secrets, known_views
from cardhub.model.table.state import CHANCE, State
from cardhub.model.table.state_declaration import shows_spectators_more

# The viewer that sees all faces, for replays of finished games.
EVERYTHING = -1


class Step(NamedTuple):
    """A past action and the seat that took it, CHANCE included."""

    seat: int
    action: int


class Observation(Generic[S]):
    """The knowledge of one viewer; bots, screens, logs and files get observations, never states.

    `state` is a copy of the true state with unseen faces masked, `history` has the actions so far,
    without undone ones: facts that only an undone action made public are not in an observation.
    While several seats choose at the same time, others' choices are in neither, and each seat that
    has yet to choose is to act in its own observation.
    `seat` is the viewer: a seat, `state.seats` for a spectator, or EVERYTHING.
    """

    __slots__ = ("_sampler", "game", "history", "seat", "state")

    def __init__(self, game: Game[S], state: S, seat: int, history: Sequence[Step] = ()) -> None:
        self.game = game
        self.state = observed_state(state, seat)
        self.seat = seat
        self.history = known_history(game, history, state, seat)
        self._sampler: FaceSampler[S] | GameSampler[S] | None = None

    @property
    def is_to_act(self) -> bool:
        """Whether the viewer is the seat to act."""
        return self.state.seat == self.seat

    def _repr_html_(self) -> str:
        """Return the table for a notebook, as the viewer sees it."""
        # By name, because the model knows no pages.
        page = import_module("cardhub.play.pages.notebook")
        return str(page.observation_html(self))

    def legal(self) -> list[int]:
        """Return the legal actions; raises IllegalActionError if another seat is to act."""
        # `Game.legal` would read the faces of the seat to act, which this viewer has not seen.
        if not self.is_to_act:
            raise IllegalActionError(f"seat {self.seat} is not to act")
        try:  # bots call this at every decision: a context manager would take longer
            return self.game.legal(self.state)[:]  # a bot may change its own list
        except HiddenFaceError as error:
            error.step = self._last_step()
            raise

    def refusal(self, answer: object) -> str:
        """Return the message for an illegal answer of the seat to act, with the legal actions.

        It names cards as the viewer knows them. The viewer must be that seat or EVERYTHING.
        """
        labels = self.labels()
        legal = ", ".join(labels.notations(self.game.legal(self.state)))
        is_named = type(answer) is int and labels.is_action(answer)
        words = repr(labels.label(answer)) if is_named else unknown_action(answer)  # type: ignore[arg-type]  # an int if named
        return f"{words} is not legal. Legal: {legal}"

    def determinize(self, rng: Random) -> S:
        """Return a determinization: a full state that agrees with everything in this observation.

        It may contradict what a player saw of an undone action: which actions were legal, or a note
        that the action made. Looks and answers, which no undo goes back over, are respected.
        It is sampled with the probability that chance gives it, from this observation only. Its
        shuffle log stays masked; see `determinize_whole`. Raises DeterminizationError.
        """
        return (self._sampler or self._prepared()).determinization(rng)

    def face_plan(self) -> FacePlan | None:
        """Return how `determinize` draws faces, in numbers; None if it cannot be said in them."""
        sampler = self._prepared()
        return None if isinstance(sampler, GameSampler) else sampler.plan()

    def note_tries(self, drawn: int, accepted: int) -> None:
        """Note how many faces were drawn by the plan, and how many of them are plausible."""
        sampler = self._prepared()
        if isinstance(sampler, FaceSampler):
            sampler.drawn += drawn
            sampler.accepted += accepted

    def determinize_whole(self, rng: Random) -> S:
        """Return a determinization with a full shuffle log, which determines the deal.

        It is slower than `determinize`; use it to replay the game or to show it to another seat.
        """
        return self._prepared().whole_determinization(rng)

    def determinize_game(self, rng: Random) -> tuple[S, tuple[Step, ...]]:
        """Return a determinization as `determinize_whole`, and the history that led to it.

        The history has others' secret actions as they are in this determinization.
        """
        sampler = self._prepared()
        if isinstance(sampler, GameSampler):
            state, actions = sampler.draw(rng, is_whole=True)
            steps = zip(self.history, actions, strict=True)
            return state, tuple(Step(step.seat, action) for step, action in steps)
        return self.determinize_whole(rng), self.history

    def _last_step(self) -> str:
        """Return the number and label of the last action, empty without a history."""
        if not self.history:
            return ""
        seat, action = self.history[-1]
        labels = self.labels()
        who = "chance" if seat == CHANCE else labels.player(seat)
        if action == UNSEEN_ACTION:
            return f"after action {len(self.history)}, {who}: a secret action"
        return f"after action {len(self.history)}, {who}: {labels.plain_label(action)}"

    def _prepared(self) -> FaceSampler[S] | GameSampler[S]:
        if self._sampler is None:  # a search samples thousands of times from one observation
            if why := why_no_determinizations(self.game):
                raise DeterminizationError(why)
            seed = f"{self.seat} {len(self.history)}"
            faces = FaceSampler(self.game, self.state, seed)
            self._sampler = faces
            if self.state.views_field:
                replay = Replay(self.game, self.state, self.seat, self.history)
                self._sampler = GameSampler(replay, faces)
        return self._sampler

    def scene(self, check: SceneCheck | None = None) -> Scene:
        """Return the table as this viewer sees it; raises SceneError for what cannot be drawn.

        `check`: the check that has seen the viewer's earlier scenes at this table, or None.
        """
        scene, size = self._scene(), (len(self.state.seen), self.state.seats)
        faults = (check or SceneCheck()).faults(scene, *size)
        for fault in faults[:1]:
            # Scenes note the lines of their parts only on request, because most are valid.
            with noting_lines():
                located = next(scene_faults(self._scene(), *size), fault)
            raise scene_fault(located, self._last_step())
        return scene

    def _scene(self) -> Scene:
        viewer = self.state.seats if self.seat == EVERYTHING else self.seat
        with NamedStep(self):
            return as_scene(self.game, self.game.display.scene(self.state, viewer))

    def labels(self, players: Sequence[str] = ()) -> Labels:
        """Return the labels of cards, actions and, if given, players for this viewer."""
        return Labels(self.game, self.state.face, self.state.back, players, self.state)

    def labels_since(self, before: "Observation[S]", players: Sequence[str] = ()) -> Labels:
        """Return the labels for a description of the action since `before`, of the same viewer."""
        state, earlier = self.state, before.labels(players)
        return Labels(self.game, state.face, state.back, players, state, earlier)

    def information_state(self) -> tuple[Any, ...]:
        """Return the information state, hashable: everything the seat has seen and done."""
        # Backs and zones are left out: they follow from the deal's public part and the history.
        past = tuple((s.tokens, s.faces) for s in self.state.shuffle_log)
        known = tuple(blanked(self.state.face))
        state = (self.seat, self.history, past, known, self.state.answers)
        # Who keeps secrets shows more to some seats than faces and answers.
        return (*state, *known_views(self.state, self.seat)) if self.state.views_field else state

    def information_text(self) -> str:
        """Return the information state as text, with cards by token: `0 | J card card | 0 check`.

        Equal texts are one information state of the game with these options and seats.
        """
        viewer = "all" if self.seat == EVERYTHING else str(self.seat)
        return information_text(self.game, self.state, viewer, self.history)


class NamedStep:
    """A block that adds the last action of an observation to a HiddenFaceError."""

    # Entered for each view and each event: a generator would take three times as long.
    __slots__ = ("_observation",)

    def __init__(self, observation: Observation[Any]) -> None:
        self._observation = observation

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if isinstance(error, HiddenFaceError):
            error.step = error.step or self._observation._last_step()


def known_history(
    game: Game[Any], history: Sequence[Step], state: State, viewer: int
) -> tuple[Step, ...]:
    """Return the history up to a true state as a viewer knows it.

    Others' choices of an incomplete round are not in it, and UNSEEN_ACTION is instead of others'
    secret actions.
    """
    hidden = count_choices(state) if state.choices_field else 0
    if viewer == EVERYTHING:
        return tuple(history)
    if hidden:
        chosen = (step for step in history[-hidden:] if step.seat == viewer)
        history = (*history[:-hidden], *chosen)
    if game.actions.secret:
        known = (known_action(game, seat, action, viewer) for seat, action in history)
        history = [Step(step.seat, action) for step, action in zip(history, known, strict=True)]
    return tuple(history)


def known_action(game: Game[Any], seat: int, action: int, viewer: int) -> int:
    """Return a past action of a seat, or UNSEEN_ACTION if it is secret to a viewer."""
    return UNSEEN_ACTION if is_secret(game, seat, action, viewer) else action


def is_secret(game: Game[Any], seat: int, action: int, viewer: int) -> bool:
    """Return whether a viewer learns of an action only that the seat has acted."""
    return action in game.actions.secret and viewer not in (seat, EVERYTHING)


def observe_step(
    game: Game[S], before: S, action: int, after: S, viewer: int, history: Sequence[Step] = ()
) -> tuple[Observation[S], Observation[S]]:
    """Return a viewer's observations before and after an action, to describe it.

    The last choice of a round makes all of them public: then the first observation has them.
    `history` is the history after the action.
    """
    first = Observation(game, before, viewer, history[:-1])
    second = Observation(game, after, viewer, history)
    if is_round_complete(before, after):
        reveal_choices(first.state, before, action)
        if viewer != EVERYTHING:
            hide_secret_choices(first.state, viewer, game.actions.secret)
    return first, second


def observed_state(state: S, seat: int) -> S:
    """Return a copy of the state without the faces and choices that `seat` does not know."""
    copy = state.clone()
    if seat == EVERYTHING:
        copy.shuffle_log = tuple(state.shuffle_log)  # without its cache
        return copy
    # Faces, choices of an incomplete round and what a class with a history of views declares are
    # the only secrets of a state: no other field needs a mask.
    if state.views_field:
        hide_secrets(copy, state, seat)
    if state.choices_field:
        hide_choices(copy, seat)
    known = zip(blanked(state.face), state.seen, strict=True)
    copy.face = MaskedFaces([face if seen >> seat & 1 else BLANK for face, seen in known])
    copy.shuffle_log = masked_log(state.shuffle_log, seat)
    copy.recorded_answers = ()  # answers of a redacted record that are still to come
    return copy


def public_state(state: S) -> S:
    """Return a copy of the state in which the faces are masked that not everybody has seen.

    Spectators see more than that where a zone shows its faces to all but the owner.
    """
    copy = observed_state(state, state.seats)
    if shows_spectators_more(state.zones):
        everybody = state.everybody
        known = zip(blanked(state.face), state.seen, strict=True)
        copy.face = MaskedFaces([face if seen == everybody else BLANK for face, seen in known])
        copy.shuffle_log = tuple(shuffle.masked_from(everybody) for shuffle in state.shuffle_log)
    return copy
