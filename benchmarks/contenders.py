"""The contenders of `peers.py`: cardhub and other frameworks on equal workloads.

Each contender samples uniformly among the legal actions with the rng passed in, samples chance
nodes and plays to a terminal state. A factory raises ImportError if its framework is not installed.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from random import Random
from typing import Any

from cardhub import CHANCE, OVER, Game
from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.hidden.chance import advance, sample_action
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Value
from cardhub.plugins.registry import find_plugins

Run = Callable[[Random], int]
"""A callback that plays a game and returns its decisions, or searches and returns iterations."""


POSITIONS = 8
"""The number of positions to search in."""
UCT = 1.4
"""The exploration constant of OpenSpiel's searches."""


def cardhub_play(name: str, options: Mapping[str, Value]) -> Run:
    """Return random play of an installed game."""
    game = find_plugins().game(name)
    seats = game.seats.default
    settings = resolve_options(game, options, seats)

    def play(rng: Random) -> int:
        decisions = 0
        state = initial_state(game, settings, seats, shuffled_pack(game, settings, seats, rng))
        while state.seat != OVER:
            if state.seat == CHANCE:
                action = sample_action(game, state, rng)
            else:
                action = game.random_action(state, rng)
                decisions += 1
            advance(game, state, action, rng)
        return decisions

    return play


def spiel_play(name: str, opening: Sequence[int] = ()) -> Run:
    """Return random play of an OpenSpiel game, driven from Python, with uniform chance nodes.

    `opening` is the first chance outcome.
    """
    game = spiel_game(name)

    def play(rng: Random) -> int:
        decisions = 0
        state = game.new_initial_state()
        for action in opening:
            state.apply_action(action)
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.random() * len(legal))])
                decisions += 1
        return decisions

    return play


def rlcard_play(name: str) -> Run:
    """Return random play of a game of RLCard, which encodes an observation at every step."""
    import rlcard  # type: ignore[import-not-found,unused-ignore]  # not one of our dependencies

    env = rlcard.make(name, config={"seed": 0})

    def play(rng: Random) -> int:
        decisions = 0
        seen, _ = env.reset()
        while not env.is_over():
            legal = list(seen["legal_actions"])
            seen, _ = env.step(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return play


def zoo_play(env: Any) -> Run:
    """Return random play of a PettingZoo environment with masks."""
    env.reset(seed=0)

    def play(rng: Random) -> int:
        decisions = 0
        env.reset()
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = seen["action_mask"].nonzero()[0]
            env.step(int(legal[int(rng.random() * len(legal))]))
            decisions += 1
        return decisions

    return play


def cardhub_zoo_play(name: str) -> Run:
    """Return random play of cardhub's PettingZoo environment for a game."""
    from cardhub.learning.adapters.pettingzoo import env

    return zoo_play(env(name))


def classic_play(module: str) -> Run:
    """Return random play of a classic environment of PettingZoo, whose card games are RLCard's."""
    return zoo_play(import_module(f"pettingzoo.classic.{module}").env())


def pgx_play(name: str, tables: int, steps: int = 32) -> Run:
    """Return random play at many tables of a game of Pgx, all steps in one compiled call.

    Observations are summed up, since XLA leaves out what is not used.
    """
    import jax  # type: ignore[import-not-found,unused-ignore]  # not one of our dependencies
    import jax.numpy as jnp  # type: ignore[import-not-found,unused-ignore]  # likewise
    import pgx  # type: ignore[import-not-found,unused-ignore]  # likewise
    from pgx.experimental import (  # type: ignore[import-not-found,unused-ignore]  # likewise
        auto_reset,
    )

    game = pgx.make(name)
    step = jax.vmap(auto_reset(game.step, game.init))

    def advance(carried: Any, key: Any) -> Any:
        state, seen = carried
        for_actions, for_chance = jax.random.split(key)
        weights = jax.random.uniform(for_actions, state.legal_action_mask.shape)
        actions = jnp.argmax(weights * state.legal_action_mask, axis=1)
        state = step(state, actions, jax.random.split(for_chance, tables))
        return (state, seen + state.observation.sum()), None

    @jax.jit  # type: ignore[untyped-decorator,unused-ignore]  # it has no types
    def stepped(state: Any, key: Any) -> Any:
        return jax.lax.scan(advance, (state, 0.0), jax.random.split(key, steps))[0]

    first = jax.jit(jax.vmap(game.init))(jax.random.split(jax.random.key(0), tables))
    states = [first]

    def play(rng: Random) -> int:
        state, seen = stepped(states[0], jax.random.key(rng.getrandbits(31)))
        seen.block_until_ready()
        states[0] = state
        return tables * steps

    return play


def cardhub_search(name: str, options: Mapping[str, Value], iterations: int) -> Run:
    """Return search by `ismcts`, without tree reuse between positions."""
    registry = find_plugins()
    game = registry.game(name)
    positions = [first_decision(game, options, Random(seed)) for seed in range(POSITIONS)]

    def search(rng: Random) -> int:
        bot: Any = registry.make_bot(f"ismcts:iterations={iterations},keep=no", name, rng)
        bot.choose(rng.choice(positions))  # `advise` would add the principal line
        return iterations

    return search


def first_decision(game: Game[Any], options: Mapping[str, Value], rng: Random) -> Observation[Any]:
    """Return the observation of the first seat with a choice."""
    seats = game.seats.default
    settings = resolve_options(game, options, seats)
    state = initial_state(game, settings, seats, shuffled_pack(game, settings, seats, rng))
    while state.seat == CHANCE or len(game.legal(state)) == 1:
        action = sample_action(game, state, rng) if state.seat == CHANCE else game.legal(state)[0]
        advance(game, state, action, rng)
    return Observation(game, state, state.seat)


def compiled_search(name: str, opening: Sequence[int], iterations: int) -> Run:
    """Return search by `pyspiel.ISMCTSBot` (C++), with one rollout per leaf."""
    game = spiel_game(name)
    import pyspiel

    final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT

    def make(seed: int) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.ISMCTSBot(seed, evaluator, UCT, iterations, -1, final, False, False)

    positions = spiel_decisions(game, opening)
    return _spiel_search(positions, make, iterations)


def python_search(name: str, opening: Sequence[int], iterations: int) -> Run:
    """Return search by `open_spiel.python.algorithms.ismcts`, with one rollout per leaf."""
    game = spiel_game(name)
    import numpy as np
    from open_spiel.python.algorithms import ismcts, mcts

    def make(seed: int) -> Any:
        lots = np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(1, lots)
        return ismcts.ISMCTSBot(game, evaluator, UCT, iterations, random_state=lots)

    positions = spiel_decisions(game, opening)
    return _spiel_search(positions, make, iterations)


def _spiel_search(positions: list[Any], make: Callable[[int], Any], iterations: int) -> Run:
    def search(rng: Random) -> int:
        make(rng.getrandbits(31)).step(rng.choice(positions))
        return iterations

    return search


def spiel_decisions(game: Any, opening: Sequence[int]) -> list[Any]:
    """Return the first state with a choice of each of several games."""
    states = []
    for seed in range(POSITIONS):
        rng, state = Random(seed), game.new_initial_state()
        for action in opening:
            state.apply_action(action)
        while state.is_chance_node() or len(state.legal_actions()) == 1:
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
        states.append(state)
    return states


def spiel_game(name: str) -> Any:
    """Load an OpenSpiel game, including those written in Python."""
    import pyspiel
    from open_spiel.python import games  # noqa: F401  # registers those in Python

    return pyspiel.load_game(name)
