"""The principal line: the steps that a search expects to follow its best action."""

from collections import Counter
from random import Random

from cardhub.bots.search.search_tree import SearchTree
from cardhub.model.game.game import S
from cardhub.model.hidden.observation import Observation, Step

# Number of determinizations that vote on each step, and of steps.
VOTERS, LONGEST = 16, 3
# Least visits of an action that is expected: fewer say little.
LEAST = 8


def principal_line(
    tree: SearchTree[S], observation: Observation[S], action: int
) -> tuple[Step, ...]:
    """Return the most visited steps after an action at the root.

    Several determinizations vote on each step. The line ends before chance acts, where there is no
    majority, and before an action on a card that the observation's seat has not seen.
    """
    # A generator of its own: the line changes no later decision of the bot.
    rng = Random(len(observation.history))
    states = [observation.determinize(rng) for _ in range(VOTERS)]
    voters = [(state, tree.begin(state)) for state in states]
    line = [Step(observation.seat, action)]
    while len(line) <= LONGEST:
        seat, last = line[-1]
        voters = [
            (state, views)
            for state, views in voters
            if state.seat == seat and last in observation.game.legal(state)
        ]
        for state, views in voters:
            tree.apply(state, last, views, rng)
        votes = Counter(
            Step(state.seat, choice)
            for state, views in voters
            if state.seat >= 0
            and (choice := tree.most_visited(state, views, LEAST)) is not None
            and _is_seen(observation, choice)
        )
        (step, count) = votes.most_common(1)[0] if votes else (None, 0)
        if step is None or 2 * count <= VOTERS:
            break
        line.append(step)
    return tuple(line[1:])


def _is_seen(observation: Observation[S], action: int) -> bool:
    token = observation.game.actions.token(action)
    return token is None or bool(observation.state.seen[token] >> observation.seat & 1)
