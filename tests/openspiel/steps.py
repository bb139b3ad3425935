"""Random steps of cardhub games in OpenSpiel."""

from random import Random

from cardhub_openspiel import CardhubGame, CardhubState


def played(game: CardhubGame, seed: int, actions: int = 0) -> CardhubState:
    """Return a state after the deal and some random actions, where a player is to act."""
    state, rng = game.new_initial_state(), Random(seed)
    while not state.is_terminal() and (actions or state.is_chance_node()):
        actions -= not state.is_chance_node()
        state.apply_step(drawn(state, rng))
    while state.is_chance_node():
        state.apply_step(drawn(state, rng))
    return state


def drawn(state: CardhubState, rng: Random) -> int:
    """Return a random step: chance's by its probabilities."""
    steps, weights = zip(*state.node.odds, strict=True)
    step: int = rng.choices(steps, weights)[0]
    return step
