"""An OpenSpiel game, and a cache of its states by history."""

from collections.abc import Sequence
from random import Random
from typing import Any

from cardhub import IllegalActionError, PluginError
from cardhub.base.errors.quoting import did_you_mean
from cardhub_openspiel.library import pyspiel

# The number of cached states at which the cache is cleared.
MAX_CACHED = 20_000

# The outcomes of chance and actions that lead to a state, numbered as in OpenSpiel.
History = tuple[int, ...]


class Original:
    """One of OpenSpiel's games, with its parameters.

    `text`: its load string, for example `leduc_poker(players=3)`. Raises PluginError for an unknown
    game or an unsupported kind of game.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        loaded = _loaded(text)
        self.is_simultaneous = loaded.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        self.title = str(loaded.get_type().long_name)
        self.game = _turn_based(loaded, text)
        self.kind = self.game.get_type()
        self.players: int = self.game.num_players()
        self.has_common_score = self.kind.utility == pyspiel.GameType.Utility.IDENTICAL
        self.is_open = self.kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
        self._states: dict[History, Any] = {}

    def at(self, history: History) -> Any:
        """Return the state after a history; the caller must not change it.

        Raises IllegalActionError if the history is impossible.
        """
        state = self._states.get(history)
        if state is None:
            state = self._reached(history)
            if len(self._states) >= MAX_CACHED:
                self._states.clear()
            self._states[history] = state
        return state

    def is_possible(self, history: History) -> bool:
        """Return whether a history is possible."""
        try:
            self.at(history)
        except IllegalActionError:
            return False
        return True

    def knowledge(self, state: Any, player: int) -> str:
        """Return a string that identifies a player's information set."""
        if self.kind.provides_information_state_string:
            return str(state.information_state_string(player))
        return self.sight(state, player)

    def sight(self, state: Any, player: int) -> str:
        """Return OpenSpiel's observation string of a player, or the most similar string."""
        if self.kind.provides_observation_string:
            return str(state.observation_string(player))
        if self.kind.provides_information_state_string:
            return str(state.information_state_string(player))
        return str(state)

    def shown_to(self, state: Any, player: int) -> tuple[str, tuple[float, ...]]:
        """Return everything that OpenSpiel shows to a player.

        It consists of a string and a tensor, because the string can contain less than the tensor.
        """
        kind = self.kind
        if kind.provides_information_state_tensor:
            tensor = state.information_state_tensor(player)
        else:
            tensor = state.observation_tensor(player) if kind.provides_observation_tensor else ()
        return self.knowledge(state, player), tuple(tensor)

    def is_seen(self, state: Any, player: int) -> bool:
        """Return whether a player observes the outcome of a chance node, by two of the outcomes."""
        outcomes = state.legal_actions()
        if self.is_open or len(outcomes) < 2:
            return True
        first, last = (self.knowledge(state.child(outcomes[n]), player) for n in (0, -1))
        return first != last

    def is_public(self, state: Any) -> bool:
        """Return whether all players observe the outcome of a chance node."""
        return all(self.is_seen(state, player) for player in range(self.players))

    def refuse_unseen(self, state: Any) -> None:
        """Raise PluginError unless all players observe the outcome of a chance node."""
        if not self.is_public(state):
            raise PluginError(
                f"{self.text} cannot be played here: after {state.history()} chance draws unseen, "
                "but not from a deck that was shuffled before the game"
            )

    def _reached(self, history: History) -> Any:
        # Start from the longest cached prefix, because OpenSpiel's states cannot undo actions.
        past = len(history)
        while past and history[:past] not in self._states:
            past -= 1
        cached = self._states.get(history[:past])
        state = self.game.new_initial_state() if cached is None else cached.clone()
        for step in history[past:]:
            if step not in state.legal_actions():  # OpenSpiel does not check actions
                raise IllegalActionError(f"{self.text}: {step} cannot follow {state.history()}")
            state.apply_action(step)
        return state


def odds(state: Any) -> dict[int, float]:
    """Return the possible outcomes of a chance node with their probabilities."""
    return {outcome: chance for outcome, chance in state.chance_outcomes() if chance > 0}


def random_step(state: Any, rng: Random) -> int:
    """Return a random action of the player to act, or an outcome of chance by its probability."""
    if state.is_chance_node():
        chances = odds(state)
        return rng.choices(list(chances), list(chances.values()))[0]
    return int(rng.choice(state.legal_actions()))


def _loaded(text: str) -> Any:
    name = text.partition("(")[0]
    names: Sequence[str] = pyspiel.registered_names()
    if name not in names:
        raise PluginError(
            f"OpenSpiel has no game {name!r}.{did_you_mean(name, names)} It has {len(names)} "
            "games, such as tic_tac_toe and leduc_poker(players=3)"
        )
    try:
        return pyspiel.load_game(text)
    except (pyspiel.SpielError, IndexError) as error:  # IndexError: a parameter is missing
        raise PluginError(f"OpenSpiel cannot load {text!r}: {error}") from error


def _turn_based(game: Any, text: str) -> Any:
    kinds, kind = pyspiel.GameType, game.get_type()
    if kind.chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC:
        raise PluginError(
            f"{text} cannot be played here: sampled chance nodes are not supported, only explicit "
            "chance nodes"
        )
    if kind.dynamics == kinds.Dynamics.MEAN_FIELD:
        raise PluginError(f"{text} cannot be played here: mean-field games are not supported")
    if kind.dynamics == kinds.Dynamics.SIMULTANEOUS:
        return pyspiel.convert_to_turn_based(game)
    return game
