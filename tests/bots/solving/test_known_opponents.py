"""Best play against known policies: exact beliefs, and the values of whole games."""

from collections.abc import Sequence
from math import fsum
from typing import Any

import pytest
from tests.games.throws import Throws

from cardhub.base.errors import SolvingError
from cardhub.bots.solving.game_tree import Tree
from cardhub.bots.solving.known_opponents import PAST, KnownOpponents, Policy
from cardhub.bots.solving.sequence_form import exploit, sequence_form, solve
from cardhub.model.game.initial_state import initial_state, resolve_options
from cardhub.model.hidden.observation import Observation, Step
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()
KUHN = REGISTRY.game("kuhn")
JACK, QUEEN, KING = range(3)
CHECK, BET, FOLD, CALL = range(4)
SETTINGS = resolve_options(KUHN, {}, 2)
TREE = Tree(KUHN, 2, SETTINGS)


def bluffer(observation: Observation[Any]) -> dict[int, float]:
    """Bet and call a King, a Jack one time in three, and a Queen never."""
    state, legal = observation.state, observation.legal()
    strong = {JACK: 1 / 3, QUEEN: 0.0, KING: 1.0}[state.face[state.hand[observation.seat][0]]]
    return {legal[0]: 1 - strong, legal[1]: strong}


def seen(cards: Sequence[int], *actions: int) -> Observation[Any]:
    """Return the observation of the seat to act after some actions."""
    state = initial_state(KUHN, SETTINGS, 2, cards)
    steps = []
    for action in actions:
        steps.append(Step(state.seat, action))
        KUHN.apply(state, action)
    return Observation(KUHN, state, state.seat, steps)


def against(policy: Policy, most_nodes: int = 1000) -> KnownOpponents:
    """Return Kuhn poker against a policy in each seat."""
    return KnownOpponents(TREE, [policy, policy], most_nodes)


def test_the_range_of_an_opponent_follows_from_its_actions() -> None:
    """With a Queen against a bet: a King bets always, a Jack one time in three."""
    observation = seen((KING, QUEEN, JACK), BET)
    belief = against(bluffer).belief(observation)
    chances = {node.state.face[0]: weight for node, weight in belief.nodes}
    assert chances == pytest.approx({KING: 0.75, JACK: 0.25})
    # The Queen is dealt one time in three, then one of two cards bets.
    assert belief.reach == pytest.approx(1 / 3 * (1 + 1 / 3) / 2)
    rated = against(bluffer).action_values(observation, belief)
    assert rated.values == pytest.approx({FOLD: -1.0, CALL: 0.25 * 2 - 0.75 * 2})
    assert (rated.best, rated.spread) == (FOLD, 4.0)


def test_seats_whose_policy_does_not_count_leave_all_cards_equally_likely() -> None:
    belief = against(bluffer).belief(seen((KING, QUEEN, JACK), BET), unweighted=[0])
    assert [weight for _, weight in belief.nodes] == [0.5, 0.5]


def test_an_action_that_a_policy_never_takes_leaves_the_odds_of_chance() -> None:
    def passive(observation: Observation[Any]) -> dict[int, float]:
        return {observation.legal()[0]: 1.0}

    belief = against(passive).belief(seen((KING, QUEEN, JACK), BET))
    assert belief.reach == 0
    assert [weight for _, weight in belief.nodes] == [0.5, 0.5]


@pytest.mark.parametrize("seat", [0, 1])
def test_the_best_values_of_first_decisions_add_up_to_a_best_response(seat: int) -> None:
    form = sequence_form(KUHN, 2, SETTINGS)
    solution = solve(form, 20)
    opponents, plex = against(solution.policy), form.treeplexes[seat]
    total = 0.0
    for parent, observation in zip(plex.parent, plex.observations, strict=True):
        if parent == 0:
            belief = opponents.belief(observation)
            rated = opponents.action_values(observation, belief)
            total += belief.reach * rated.values[rated.best]
    assert total == pytest.approx(exploit(form, solution.strategies).responses[seat])


def test_losses_of_decisions_add_up_to_the_gain_of_a_best_response() -> None:
    """The identity on which a review rests: all losses of a game are what best play would gain."""
    form, seat = sequence_form(KUHN, 2, SETTINGS), 0
    solution, plex = solve(form, 5), form.treeplexes[seat]
    opponents, strategy, losses = against(solution.policy), plex.uniform(), []
    for number, observation in enumerate(plex.observations):
        chances, belief = bluffer(observation), opponents.belief(observation)
        values = opponents.action_values(observation, belief).values
        mean = fsum(chances[action] * value for action, value in values.items())
        reach = belief.reach * plex.realization(strategy)[plex.parent[number]]
        losses.append(reach * (max(values.values()) - mean))
        strategy[plex.first[number] : plex.first[number + 1]] = [*chances.values()]
    strategies = [strategy, solution.strategies[1]]
    best = exploit(form, strategies).responses[seat]
    assert fsum(losses) == pytest.approx(best - form.values(strategies)[seat])


def test_a_question_with_too_many_positions_is_refused() -> None:
    observation = seen((KING, QUEEN, JACK), BET)
    with pytest.raises(SolvingError, match="more than 3 positions are possible"):
        against(bluffer, most_nodes=3 * PAST).belief(observation)
    belief = against(bluffer).belief(observation)
    with pytest.raises(SolvingError, match="more than 2 positions are possible"):
        against(bluffer, most_nodes=2).action_values(observation, belief)


def test_secret_choices_are_refused() -> None:
    game = Throws()
    state = initial_state(game, resolve_options(game, {}, 2), 2, [0])
    opponents = KnownOpponents(Tree(game, 2, resolve_options(game, {}, 2)), [bluffer] * 2, 100)
    with pytest.raises(SolvingError, match="may be secret"):
        opponents.belief(Observation(game, state, state.seat))
