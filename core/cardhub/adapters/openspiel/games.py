"""A cardhub game as a `pyspiel.Game`."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import inf
from typing import Any

from cardhub.adapters.openspiel.observers import CardhubObserver
from cardhub.adapters.openspiel.positions import Tree
from cardhub.adapters.openspiel.states import CardhubState
from cardhub.adapters.openspiel_library import pyspiel
from cardhub.adapters.worth import MARGINS, PLACES, SCORES, check_worth, worth
from cardhub.arrays import Layout
from cardhub.game.game import Game
from cardhub.game.initial_state import resolve_options
from cardhub.table.settings import Value

PREFIX = "cardhub_"
PLAYERS, RETURNS = "players", "returns"
LONGEST = 10_000
"""More actions than any game takes, as OpenSpiel wants to know a bound."""


class CardhubGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A cardhub game at one table: so many players, and options.

    `returns` says what its players are out for: `margins`, `places` or `scores`, see
    `cardhub.adapters.worth`.
    """

    def __init__(self, game: Game[Any], params: Mapping[str, Value] | None = None) -> None:
        given = dict(params or {})
        seats = int(given.pop(PLAYERS, game.seats.default))
        self._returns = str(given.pop(RETURNS, MARGINS))
        check_worth(self._returns)
        self.tree = Tree(game, seats, resolve_options(game, given, seats))
        super().__init__(
            game_type(game, self._returns), _info(game, seats, self._returns), dict(params or {})
        )

    @cached_property
    def layout(self) -> Layout:
        """What the slots of an observation tensor mean."""
        return Layout(self.tree.game, self.tree.seats, self.tree.settings)

    def new_initial_state(self) -> CardhubState:
        """Return the state before anything is dealt."""
        return CardhubState(self)

    def make_py_observer(self, kind: Any = None, params: object = None) -> CardhubObserver:
        """Return an observer; without a kind, of what a player sees now."""
        usual = pyspiel.IIGObservationType(perfect_recall=False)
        return CardhubObserver(kind or usual, params, lambda: self.layout)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound on how often chance decides something."""
        return LONGEST

    def worth(self, scores: Sequence[int]) -> list[float]:
        """Return what final scores are worth to every player."""
        return worth(scores, self._returns, lowest_wins=self.tree.game.lowest_wins)


def game_type(game: Game[Any], kind: str = MARGINS) -> Any:
    """Return what OpenSpiel's algorithms ask of a game before they play it."""
    types = pyspiel.GameType
    is_open = all(zone.faces != "owner" for zone in game.state_type.zones)
    return types(
        short_name=PREFIX + game.name,
        long_name=game.title,
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC,
        information=types.Information.PERFECT_INFORMATION
        if is_open
        else types.Information.IMPERFECT_INFORMATION,
        utility=types.Utility.GENERAL_SUM if kind == SCORES else types.Utility.ZERO_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=game.seats.high,
        min_num_players=game.seats.low,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters(game),
    )


def parameters(game: Game[Any]) -> dict[str, Value]:
    """Return the parameters of the game with their defaults: players, returns and its options."""
    options = {name: option.default for name, option in game.options.items()}
    return {PLAYERS: game.seats.default, RETURNS: MARGINS, **options}


def _info(game: Game[Any], seats: int, kind: str) -> Any:
    most = 1.0 if kind == PLACES else inf
    return pyspiel.GameInfo(
        num_distinct_actions=game.actions.size,
        max_chance_outcomes=max(len(game.cards.faces), len(game.cards.backs), game.actions.size),
        num_players=seats,
        min_utility=-most,
        max_utility=most,
        utility_sum=None if kind == SCORES else 0.0,
        max_game_length=LONGEST,
    )
