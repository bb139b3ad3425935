"""Mixtures: the actions between which a search chooses at random, so that rivals cannot guess."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from cardhub.bots.bot import Rated
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.rounds import is_in_round

# Actions that a search would choose less often are left out, because it tried them by exploring.
LEAST_SHARE = 0.1
MIX_THEM = "All choose at the same time: mix these, so that nobody can guess yours."
MIX_BLUFFS = "The others guess your cards from what you do: mix these, so that they cannot."


class Mixture(NamedTuple):
    """The share of each action that a search would mix; `actions`: these, and those on equal cards.

    Both are empty unless the search would mix. `why` is a sentence on the reason to mix.
    """

    shares: dict[int, float]
    actions: frozenset[int]
    why: str = ""

    def share_text(self, action: int) -> str:
        """Return a sentence on the share of an action."""
        times = round(10 * self.shares[action])
        return f"Choose it about {f'{times} times' if times > 1 else 'once'} in 10."


NO_MIXTURE = Mixture({}, frozenset())


def mixture_of(observation: Observation[Any], rated: Sequence[Rated]) -> Mixture:
    """Return the mixture of a bot's ratings of all legal actions, the best first."""
    if not any(rating.visits for rating in rated):
        return NO_MIXTURE
    # Imported on use, because few games have rounds or bluffs.
    from cardhub.bots.search.infosets import action_keys
    from cardhub.bots.search.search_bot import bluff_weights, may_bluff, round_weights

    if is_in_round(observation.state):
        weights, why = round_weights(observation, rated), MIX_THEM
    elif may_bluff(observation.game, observation.legal()):
        weights, why = bluff_weights(rated), MIX_BLUFFS
    else:
        return NO_MIXTURE
    total = sum(weights.values())
    mixed = [
        rating.action for rating in rated if weights.get(rating.action, 0) >= LEAST_SHARE * total
    ]
    shares = {action: weights[action] / total for action in mixed}
    if len(shares) < 2:
        return NO_MIXTURE
    edge_key, state = action_keys(observation.game).edge_key, observation.state
    keys = {edge_key(state, action) for action in shares}
    actions = [rating.action for rating in rated if edge_key(state, rating.action) in keys]
    return Mixture(shares, frozenset(actions), why)
