"""The checks `published` and `final_scores` of games with secrets other than faces.

What rules make public of secrets they must disclose. So games are drawn in which a viewer learns
the same in the declared ways: seen faces, its private fields, answers and legal actions. In each of
them all that is public must be the same as in the true game.
"""

from itertools import islice
from random import Random
from typing import Any, Generic

from cardhub.base.errors import DeterminizationError, PrivateValueError
from cardhub.base.errors.source_lines import SourceLine
from cardhub.base.writing import amount
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.determinize import FaceSampler
from cardhub.model.hidden.observation import Observation, observed_state
from cardhub.model.hidden.whole_games import Replay, WholeGame, past_game
from cardhub.model.table.faces import blanked, known_looks
from cardhub.model.table.state import OPEN, State, declared_names
from cardhub.testing.checking import FaultyLine, error_line
from cardhub.testing.game_checks.rule_lines import changing_line
from cardhub.testing.random_play import Position

# Games drawn for each viewer of a position.
DRAWS = 12


def check_published(game: Game[S], position: Position[S], rng: Random) -> None:
    """Check that public fields do not depend on secrets that no viewer has learned otherwise."""
    viewers = range(position.state.seats + 1)
    # Faces are the only secret of most games.
    for viewer in viewers if position.state.views_field else ():
        try:
            _Publications(game, position, viewer).check(rng)
        except DeterminizationError:
            return  # reported by the check `determinization`


def check_final_scores(game: Game[S], position: Position[S]) -> None:
    """Check that no score at the end depends on what is private to a seat."""
    if not position.state.private_fields:
        return
    try:
        game.scores(observed_state(position.state, position.state.seats))
    except PrivateValueError as error:
        problem = f"the final scores depend on what is private: {error_line(error)}"
        position.fail(game, "final_scores", problem)


class _Publications(Generic[S]):
    """What has become public in a game, and what one viewer has learned, before each action."""

    def __init__(self, game: Game[S], position: Position[S], viewer: int) -> None:
        observation = Observation(game, position.state, viewer, position.history)
        self._game, self._position, self._viewer = game, position, viewer
        self._steps = observation.history
        self._replay = Replay(game, observation.state, viewer, self._steps)
        self._faces = FaceSampler(game, observation.state, f"{viewer} published")
        actions = [step.action for step in position.history]
        self._truth = past_game(position.state, actions)
        self._true = [
            (public_part(state), learned_part(state, viewer))
            for state in self._replay.states(self._truth)
        ]

    def check(self, rng: Random) -> None:
        """Compare other games that the viewer could be in, as far as it learns the same."""
        for _ in range(DRAWS):
            drawn = self._faces.whole_determinization(rng)
            actions: list[int] = []
            world = past_game(drawn, actions)
            for state, true in zip(self._replay.states(world), self._true, strict=False):
                public, learned = public_part(state), learned_part(state, self._viewer)
                if learned != true[1]:
                    break
                if name := next((n for n in public if public[n] != true[0][n]), ""):
                    self._fail(name, true[0][name], public[name], world)
                if len(actions) == len(self._steps):
                    break
                choices = self._replay.possible(state, len(actions))
                if not choices:
                    break
                actions.append(rng.choices(*zip(*choices, strict=True))[0])

    def _fail(self, name: str, here: object, there: object, world: WholeGame) -> None:
        number = len(world.actions)
        who = self._position.viewer_name(self._viewer)
        # The field was equal before the last action, so this action changes it in either game.
        mine, other = (self._line(name, played, number) for played in (self._truth, world))
        line = mine if mine == other else None
        places = [f" ({place})" if place and not line else "" for place in (mine, other)]
        when = f"after {amount(number, 'action')}" if number else "after the deal"
        problem = (
            f"state.{name} reveals a secret to {who} {when}: it is {here}{places[0]}, and "
            f"{there}{places[1]} in a game in which {who} has learned the same"
        )
        failure = self._position.failure(self._game, "published", problem, line)
        failure.lines = failure.lines or tuple(
            FaultyLine.at(line, problem) for line in (mine, other) if line
        )
        raise failure

    def _line(self, name: str, world: WholeGame, number: int) -> SourceLine | None:
        """Return the line that changed a field in the last of `number` actions, or in the deal."""
        if not number:
            return changing_line(lambda: self._replay.dealt(world.faces[0]), name)
        state = next(islice(self._replay.states(world), number - 1, None))
        return changing_line(lambda: self._game.apply(state, world.actions[number - 1]), name)


def public_part(state: State) -> dict[str, Any]:
    """Return what all viewers see of a state except answers and seen faces, by attribute."""
    public: dict[str, Any] = {"phase": state.phase, "back": state.back}
    choices = getattr(state, state.choices_field) if state.choices_field else ()
    if choices:
        public[state.choices_field] = [min(choice, OPEN) for choice in choices]
    else:
        public["seat"] = state.seat
    names = [*declared_names(state), *(zone.name for zone in state.zones)]
    values = {name: getattr(state, name) for name in names if name not in state.private_fields}
    public |= {name: _copied(value) for name, value in values.items()}
    public["seen"] = known_looks(state.seen, 0)
    return public


def learned_part(state: State, viewer: int) -> tuple[Any, ...]:
    """Return what a viewer learns of secrets in the declared ways."""
    known = zip(blanked(state.face), state.seen, strict=True)
    faces = [face if seen >> viewer & 1 else None for face, seen in known]
    private = [
        [*row] for name in state.private_fields for row in getattr(state, name)[viewer : viewer + 1]
    ]
    return faces, private, state.answers


def _copied(value: Any) -> Any:
    return [_copied(part) for part in value] if isinstance(value, list) else value
