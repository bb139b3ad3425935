"""A cardhub game as a `pyspiel.Game`, and its registration with OpenSpiel."""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from math import inf, isclose
from typing import Any, NamedTuple, Self

from cardhub.base.errors import OptionError, PluginError
from cardhub.bots.solving.game_tree import Tree
from cardhub.learning.adapters.named_game import named_game
from cardhub.learning.adapters.openspiel.observers import CardhubObserver
from cardhub.learning.adapters.openspiel.pyspiel_state import CardhubState
from cardhub.learning.adapters.openspiel_library import pyspiel
from cardhub.learning.adapters.utilities import (
    GOAL,
    check_utility,
    is_bounded,
    is_identical,
    utilities,
    utility_sum,
)
from cardhub.learning.arrays import FACES, PERFECT, Layout
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import game_scoring, resolve_options
from cardhub.model.table.scoring import Scoring
from cardhub.model.table.settings import Settings, Value
from cardhub.plugins.registry import find_plugins

PREFIX = "cardhub_"
PLAYERS, RETURNS, ACTIONS, RECALL_ROOM = "players", "returns", "actions", "recall_room"
# OpenSpiel requires a bound for the length of a game; no game reaches this one.
MAX_LENGTH = 10_000
# Tolerance of the sum of utilities, which are floats.
EPSILON = 1e-9


class CardhubGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A cardhub game with a number of players and options.

    The parameter `returns` is the kind of utility: `goal`, `margins`, `places` or `scores`, see
    `cardhub.learning.adapters.utilities`. `actions` is the form of action ids, see `Layout`; chance
    deals faces and backs, and acts with the game's own numbers. `recall_room` is passed to
    `Layout`; 0 means its default.
    """

    def __init__(self, game: Game[Any], params: Mapping[str, Value] | None = None) -> None:
        given = dict(params or {})
        seats = int(given.pop(PLAYERS, game.seats.default))
        kind = str(given.pop(RETURNS, GOAL))
        check_utility(kind)
        self._form = str(given.pop(ACTIONS, FACES))
        self._recall_room = int(given.pop(RECALL_ROOM, 0)) or None
        self.tree = Tree(game, seats, resolve_options(game, given, seats))
        self._utility = Utility.of(game, kind, seats, self.tree.settings)
        info = _info(game, self._utility, self.layout.action_count)
        super().__init__(game_type(game, self._utility), info, dict(params or {}))

    @cached_property
    def layout(self) -> Layout:
        """The layout of an observation tensor, and the numbers of actions."""
        tree = self.tree
        return _layout(tree.game, tree.seats, tuple(tree.settings.items()), self._form)

    @cached_property
    def information_layout(self) -> Layout:
        """The layout of an information state tensor."""
        tree, form, room = self.tree, self._form, self._recall_room
        return Layout(
            tree.game, tree.seats, tree.settings, actions=form, recall=PERFECT, recall_room=room
        )

    def new_initial_state(self) -> CardhubState:
        """Return the state before the deal."""
        return CardhubState(self)

    def make_py_observer(self, kind: Any = None, params: object = None) -> CardhubObserver:
        """Return an observer; the default kind is a player's present observation."""
        default = pyspiel.IIGObservationType(perfect_recall=False)
        kind = kind or default
        return CardhubObserver(
            kind, params, lambda: self.information_layout if kind.perfect_recall else self.layout
        )

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound on the number of chance nodes of a game."""
        return MAX_LENGTH

    def utilities(self, scores: Sequence[int]) -> list[float]:
        """Return the utilities of final scores by seat.

        Raises OptionError if their sum is not the declared one.
        """
        utility = self._utility
        values = utilities(scores, utility.kind, utility.scoring)
        if utility.total is not None and not isclose(sum(values), utility.total, abs_tol=EPSILON):
            raise OptionError(
                f"{self.tree.game.name}: scores {scores} do not have the sum {utility.total:g}, as "
                "in random games\nfix: load the game with returns='scores'"
            )
        return values


class Utility(NamedTuple):
    """A kind of utility at one table; `total` is the constant sum of all seats, if there is one."""

    kind: str
    scoring: Scoring
    total: float | None

    @classmethod
    def of(cls, game: Game[Any], kind: str, seats: int, settings: Settings) -> Self:
        """Return the utility of a kind for a game with these seats and settings."""
        scoring = game_scoring(game, settings, seats)
        return cls(kind, scoring, utility_sum(game, kind, scoring, settings))

    @property
    def type(self) -> Any:
        """OpenSpiel's type of it."""
        types = pyspiel.GameType.Utility
        if is_identical(self.kind, self.scoring):
            return types.IDENTICAL
        if self.total is None:
            return types.GENERAL_SUM
        return types.CONSTANT_SUM if self.total else types.ZERO_SUM


# A game is loaded several times, and a layout takes longer than all the rest.
@lru_cache(maxsize=64)
def _layout(
    game: Game[Any], seats: int, settings: tuple[tuple[str, Value], ...], form: str
) -> Layout:
    return Layout(game, seats, dict(settings), actions=form)


def game_type(game: Game[Any], utility: Utility) -> Any:
    """Return the properties of a game that OpenSpiel's algorithms check."""
    types = pyspiel.GameType
    # Cards hidden from all seats are chance; only hands are private information.
    is_open = all(zone.faces in ("nobody", "all") for zone in game.state_type.zones)
    return types(
        short_name=PREFIX + game.name,
        long_name=game.title,
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC,
        information=types.Information.PERFECT_INFORMATION
        if is_open
        else types.Information.IMPERFECT_INFORMATION,
        utility=utility.type,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=game.seats.high,
        min_num_players=game.seats.low,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters(game),
    )


def parameters(game: Game[Any]) -> dict[str, Value]:
    """Return the parameters of the game with their defaults: the adapter's and its options."""
    options = {name: option.default for name, option in game.options.items()}
    return {PLAYERS: game.seats.default, RETURNS: GOAL, ACTIONS: FACES, RECALL_ROOM: 0, **options}


def _info(game: Game[Any], utility: Utility, actions: int) -> Any:
    most = 1.0 if is_bounded(utility.kind, utility.scoring) else inf
    return pyspiel.GameInfo(
        num_distinct_actions=actions,
        max_chance_outcomes=max(len(game.cards.faces), len(game.cards.backs), game.actions.size),
        num_players=len(utility.scoring.teams),
        min_utility=-most,
        max_utility=most,
        utility_sum=utility.total,
        max_game_length=MAX_LENGTH,
    )


def load(game: str | Game[Any], **parameters: Value) -> CardhubGame:
    """Return a game, given by name or as an object, as a pyspiel game.

    Parameters are `players`, `returns`, `actions`, `recall_room` and the game's options. Raises
    PluginError or OptionError.
    """
    found = named_game(game)
    name = register(found)
    CardhubGame(found, parameters)  # raises better errors than OpenSpiel
    loaded: CardhubGame = pyspiel.load_game(name, parameters)
    return loaded


def register(game: Game[Any]) -> str:
    """Register a game with OpenSpiel, unless it is registered, and return its name there."""
    name = PREFIX + game.name
    if name not in pyspiel.registered_names():
        seats = game.seats.default
        utility = Utility.of(game, GOAL, seats, resolve_options(game, {}, seats))
        pyspiel.register_game(game_type(game, utility), _class_of(game))
    return name


def _class_of(game: Game[Any]) -> type[CardhubGame]:
    # A class, not a function: OpenSpiel releases it after the interpreter has ended, which would
    # crash. A class refers to itself, so its reference count never drops to 0.

    class Registered(CardhubGame):
        def __init__(self, params: Mapping[str, Value] | None = None) -> None:
            super().__init__(game, params)

    return Registered


def register_installed() -> None:
    """Register all installed games with OpenSpiel, except those that cannot be loaded."""
    registry = find_plugins()
    for name in registry.game_names():
        try:
            register(registry.game(name))
        except PluginError:
            continue
