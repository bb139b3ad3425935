"""A cardhub game as a `pyspiel.Game`, its observers, and its registration with OpenSpiel."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from math import fsum, inf, isclose
from typing import Any, NamedTuple, Self

import numpy as np

from cardhub import (
    EVERYTHING,
    Game,
    Observation,
    OptionError,
    PluginError,
    Settings,
    Value,
    game_scoring,
)
from cardhub.bots.solving.game_tree import Tree
from cardhub.learning.adapters.episode import named_game
from cardhub.learning.adapters.utilities import (
    GOAL,
    check_utility,
    is_bounded,
    is_identical,
    utilities,
    utility_sum,
)
from cardhub.learning.arrays import FACES, PERFECT, Layout, Slots
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.hidden.observation import known_history
from cardhub.model.table.scoring import Scoring
from cardhub.plugins.registry import find_plugins
from cardhub_openspiel.exported.pyspiel_state import CardhubState
from cardhub_openspiel.exported.views import (
    information_state,
    observation,
    private_observation,
    viewed_state,
)
from cardhub_openspiel.library import pyspiel

PREFIX = "cardhub_"
PLAYERS, RETURNS, ACTIONS, RECALL_ROOM = "players", "returns", "actions", "recall_room"
TURN_BASED = "turn_based"
# OpenSpiel requires a bound for the length of a game; real games are shorter.
MAX_LENGTH = 10_000
# Tolerance of the sum of utilities, which are floats.
EPSILON = 1e-9


class CardhubGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A cardhub game with a number of players and options.

    Parameters: `returns`, the kind of utility (`goal`, `margins`, `places` or `scores`; see
    `cardhub.learning.adapters.utilities`); `actions`, the form of action ids (see `Layout`);
    `recall_room`, as in `Layout`, with 0 for its default; `turn_based`, in games with simultaneous
    choices, whether seats choose one after the other without knowing the others' choices. Chance
    deals faces and backs, and uses the game's numbers for its actions.
    """

    def __init__(self, game: Game[Any], params: Mapping[str, Value] | None = None) -> None:
        options = dict(params or {})
        seats = int(options.pop(PLAYERS, game.seats.default))
        kind = str(options.pop(RETURNS, GOAL))
        check_utility(kind)
        self._form = str(options.pop(ACTIONS, FACES))
        self._recall_room = int(options.pop(RECALL_ROOM, 0)) or None
        has_rounds = bool(game.state_type.choices_field)
        self.is_turn_based = not has_rounds or bool(options.pop(TURN_BASED, False))
        """Whether the game has no simultaneous nodes."""
        self.tree = Tree(game, seats, resolve_options(game, options, seats))
        self._utility = Utility.of(game, kind, seats, self.tree.settings)
        info = _info(game, self._utility, self.layout.action_count)
        own_type = game_type(game, self._utility, is_turn_based=self.is_turn_based)
        super().__init__(own_type, info, dict(params or {}))

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

    def make_py_observer(self, kind: Any = None, params: object = None) -> "CardhubObserver":
        """Return an observer; `kind` defaults to a player's present observation."""
        default = pyspiel.IIGObservationType(perfect_recall=False)
        kind = kind or default
        return CardhubObserver(
            kind, params, lambda: self.information_layout if kind.perfect_recall else self.layout
        )

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound for the number of chance nodes of a game."""
        return MAX_LENGTH

    def utilities(self, scores: Sequence[int]) -> list[float]:
        """Return the utilities of final scores by seat.

        Raises OptionError if the sum differs from the declared one.
        """
        utility = self._utility
        values = utilities(scores, utility.kind, utility.scoring)
        if utility.total is not None and not isclose(fsum(values), utility.total, abs_tol=EPSILON):
            raise OptionError(
                f"{self.tree.game.name}: scores {scores} do not have the sum {utility.total:g}, "
                "which scores have in random games\nfix: load the game with returns='scores'"
            )
        return values


class CardhubObserver:
    """Observations and information states as strings; see `pyspiel.Observer`.

    One player's observations and public observations are also available as tensors. `layout`
    returns the layout of these tensors.
    """

    def __init__(self, kind: Any, params: object, layout: Callable[[], Layout]) -> None:
        # Refuse parameters, because ignored ones would seem to have an effect.
        if params:
            raise ValueError(f"cardhub's observers have no parameters, got {params}")
        self._kind = kind
        self.tensor: Slots | None = None
        self.dict: dict[str, Slots] = {}
        if has_tensor(kind):
            self._layout = layout()
            self.tensor = np.zeros(self._layout.size, np.float32)
            parts = self._layout.parts
            self.dict = {part.name: self._layout.read(self.tensor, part.name) for part in parts}

    def set_from(self, state: CardhubState, player: int) -> None:
        """Fill the tensor, all 0 before the deal; raises LayoutError if a game is too long."""
        if self.tensor is None:
            return
        self.tensor.fill(0.0)
        node = state.node
        # Before the deal there is no observation to encode.
        if node.is_dealt:
            viewer = self._viewer(state, player)
            history = known_history(node.tree.game, node.history, node.state, viewer)
            view = Observation(node.tree.game, viewed_state(node, viewer), viewer, history)
            self.tensor[:] = self._layout.encode(view)

    def string_from(self, state: CardhubState, player: int) -> str:
        """Return the observation of a player as a string."""
        kind = self._kind
        if not kind.public_info:
            is_own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
            return private_observation(state.node, player) if is_own else ""
        show = information_state if kind.perfect_recall else observation
        return show(state.node, self._viewer(state, player))

    def _viewer(self, state: CardhubState, player: int) -> int:
        private = pyspiel.PrivateInfoType
        viewers = {private.SINGLE_PLAYER: player, private.ALL_PLAYERS: EVERYTHING}
        return viewers.get(self._kind.private_info, state.node.tree.seats)


def has_tensor(kind: Any) -> bool:
    """Return whether this kind of observation has a tensor: a layout encodes one viewer's view."""
    is_one_view = kind.private_info != pyspiel.PrivateInfoType.ALL_PLAYERS
    return bool(kind.public_info and is_one_view)


class Utility(NamedTuple):
    """A kind of utility at one table; `total`: the constant sum over all seats, or None."""

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
        """OpenSpiel's type of this utility."""
        types = pyspiel.GameType.Utility
        if is_identical(self.kind, self.scoring):
            return types.IDENTICAL
        if self.total is None:
            return types.GENERAL_SUM
        return types.CONSTANT_SUM if self.total else types.ZERO_SUM


# Cached, because a game is loaded several times, and the layout takes most of that time.
@lru_cache(maxsize=64)
def _layout(
    game: Game[Any], seats: int, settings: tuple[tuple[str, Value], ...], form: str
) -> Layout:
    return Layout(game, seats, dict(settings), actions=form)


def game_type(game: Game[Any], utility: Utility, *, is_turn_based: bool = False) -> Any:
    """Return the properties of a game that OpenSpiel's algorithms check.

    `is_turn_based`: whether seats choose one after the other in rounds of simultaneous choices.
    """
    types = pyspiel.GameType
    has_rounds = bool(game.state_type.choices_field)
    # Cards that are hidden from all seats belong to chance; only hands, and choices that another
    # seat has made before, are private information.
    is_open = all(zone.faces in ("nobody", "all") for zone in game.state_type.zones)
    is_open = is_open and not (has_rounds and is_turn_based)
    return types(
        short_name=PREFIX + game.name,
        long_name=game.title,
        dynamics=types.Dynamics.SIMULTANEOUS
        if has_rounds and not is_turn_based
        else types.Dynamics.SEQUENTIAL,
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
    """Return the adapter's parameters and the game's options, with their defaults."""
    options = {name: option.default for name, option in game.options.items()}
    own: dict[str, Value] = {
        PLAYERS: game.seats.default,
        RETURNS: GOAL,
        ACTIONS: FACES,
        RECALL_ROOM: 0,
    }
    if game.state_type.choices_field:
        own[TURN_BASED] = False
    return own | options


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

    Parameters are `players`, `returns`, `actions`, `recall_room`, `turn_based` in games with
    simultaneous choices, and the game's options. Raises PluginError or OptionError.
    """
    named = named_game(game)
    name = register(named)
    CardhubGame(named, parameters)  # raises better errors than OpenSpiel
    loaded: CardhubGame = pyspiel.load_game(name, parameters)
    return loaded


def register(game: Game[Any]) -> str:
    """Register a game with OpenSpiel if it is not registered yet, and return its name there."""
    name = PREFIX + game.name
    if name not in pyspiel.registered_names():
        seats = game.seats.default
        utility = Utility.of(game, GOAL, seats, resolve_options(game, {}, seats))
        pyspiel.register_game(game_type(game, utility), _class_of(game))
    return name


def _class_of(game: Game[Any]) -> type[CardhubGame]:
    # OpenSpiel releases this object after the interpreter has ended, and the release of a function
    # would crash. A class refers to itself, so its reference count never drops to 0.

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
