"""A game as OpenSpiel plays it, and its states by what led to them."""

from collections.abc import Sequence
from typing import Any

from cardhub.adapters.openspiel_library import pyspiel
from cardhub.errors import IllegalActionError, PluginError
from cardhub.errors.suggestions import did_you_mean

MOST_KEPT = 20_000
"""So many states are remembered; then all are forgotten and reached anew."""

History = tuple[int, ...]
"""All that led to a state: what chance drew and what players did, as OpenSpiel numbers it."""


class Original:
    """One of OpenSpiel's games, with its parameters.

    `text` is what OpenSpiel loads: `leduc_poker(players=3)`. Raises PluginError if it loads nothing
    that can be played step by step.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.game = _turn_based(_loaded(text), text)
        self.kind = self.game.get_type()
        self.players: int = self.game.num_players()
        self.is_open = self.kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
        self._known: dict[History, Any] = {}

    def at(self, history: History) -> Any:
        """Return the state that a history leads to, not to be changed.

        Raises IllegalActionError if nothing leads there.
        """
        state = self._known.get(history)
        if state is None:
            state = self._reached(history)
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            self._known[history] = state
        return state

    def knowledge(self, state: Any, player: int) -> str:
        """Return what tells a player's information sets apart."""
        if self.kind.provides_information_state_string:
            return str(state.information_state_string(player))
        return self.sight(state, player)

    def sight(self, state: Any, player: int) -> str:
        """Return what OpenSpiel shows a player of a state."""
        if self.kind.provides_observation_string:
            return str(state.observation_string(player))
        if self.kind.provides_information_state_string:
            return str(state.information_state_string(player))
        return str(state)

    def is_seen(self, state: Any, player: int) -> bool:
        """Return whether a player learns what chance draws in a state, judged by two outcomes."""
        outcomes = state.legal_actions()
        if self.is_open or len(outcomes) < 2:
            return True
        first, last = (self.knowledge(state.child(outcomes[n]), player) for n in (0, -1))
        return first != last

    def is_public(self, state: Any) -> bool:
        """Return whether all players learn what chance draws in a state."""
        return all(self.is_seen(state, player) for player in range(self.players))

    def refuse_unseen(self, state: Any) -> None:
        """Raise PluginError unless all players learn what chance draws in a state."""
        if not self.is_public(state):
            raise PluginError(
                f"{self.text} cannot be played here: after {state.history()} chance draws unseen, "
                "but not from a deck that was shuffled before the game"
            )

    def _reached(self, history: History) -> Any:
        past = len(history)
        while past and history[:past] not in self._known:
            past -= 1
        found = self._known.get(history[:past])
        state = self.game.new_initial_state() if found is None else found.clone()
        for step in history[past:]:
            if step not in state.legal_actions():  # OpenSpiel itself does not look
                raise IllegalActionError(f"{self.text}: {step} cannot follow {state.history()}")
            state.apply_action(step)
        return state


def odds(state: Any) -> dict[int, float]:
    """Return the outcomes of a chance node that can come, with their probabilities."""
    return {outcome: chance for outcome, chance in state.chance_outcomes() if chance > 0}


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
    except pyspiel.SpielError as error:
        raise PluginError(f"OpenSpiel cannot load {text!r}: {error}") from error


def _turn_based(game: Any, text: str) -> Any:
    """Return a game in which one acts after the other; raises PluginError if there is none."""
    kinds, kind = pyspiel.GameType, game.get_type()
    if kind.chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC:
        raise PluginError(
            f"{text} cannot be played here: it draws its own lots, which no record has"
        )
    if kind.dynamics == kinds.Dynamics.MEAN_FIELD:
        raise PluginError(f"{text} cannot be played here: its players are a crowd")
    if kind.dynamics == kinds.Dynamics.SIMULTANEOUS:
        return pyspiel.convert_to_turn_based(game)
    return game
