"""The best play of a seat against known policies: exact values of its actions at one decision.

The belief of the seat is exact as well. Each deal has the probability that chance gives it, times
the probabilities of the past actions of the other seats.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import fsum
from typing import Any, NamedTuple, NoReturn

from cardhub.base.errors import SolvingError
from cardhub.bots.solving.game_tree import Tree, TreeNode, estimate
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.shuffles.segments import back_snapshots, face_snapshots
from cardhub.model.table.faces import BLANK

# Returns the probability of each legal action; missing actions have probability 0.
Policy = Callable[[Observation[Any]], Mapping[int, float]]
# A node with its probability.
Weighted = tuple[TreeNode[Any], float]
# The nodes before a decision are at most this part of the limit, because the future has far more.
PAST = 8
# The tolerated error of an estimate of the future, as a factor.
TOLERANCE = 10


class Belief(NamedTuple):
    """The nodes that a seat cannot tell apart at its decision, with their probabilities.

    `reach` is the probability that chance and the policies of the other seats let the game come to
    this decision. If it is 0, the nodes have the probabilities of chance.
    """

    nodes: list[Weighted]
    reach: float


class ActionValues(NamedTuple):
    """The expected return of each legal action if the seat plays best afterwards.

    `spread` is the greatest return that is still possible minus the least one.
    """

    values: dict[int, float]
    spread: float

    @property
    def best(self) -> int:
        """An action with the greatest value."""
        return max(self.values, key=self.values.__getitem__)


class KnownOpponents:
    """The tree of a table at which the policies of seats are known.

    `policies` are by seat. The values of a decision visit at most `most_nodes` nodes and a belief
    at most a part of them, or they raise SolvingError.
    """

    def __init__(self, tree: Tree[Any], policies: Sequence[Policy], most_nodes: int) -> None:
        self._tree = tree
        self._policies = policies
        self._most_nodes = most_nodes
        self._limit = self._remaining = 0
        self._scoring = game_scoring(tree.game, tree.settings, tree.seats)
        # Of cached nodes only, because other nodes are built anew in each question.
        self._texts: dict[TreeNode[Any], str] = {}
        self._odds: dict[TreeNode[Any], list[tuple[int, float]]] = {}

    def belief(self, observation: Observation[Any], unweighted: Collection[int] = ()) -> Belief:
        """Return what a seat believes at its decision.

        The past actions of the seat itself and of the seats `unweighted` have no influence. Raises
        SolvingError if there are too many nodes, or if the game has secret actions.
        """
        state, name = observation.state, observation.game.name
        if state.choices_field or observation.game.actions.secret:
            raise SolvingError(f"{name}: actions of other seats may be secret")
        # Without policies first: to ask for them where the question is too large takes long.
        possible = self._reached(observation, range(state.seats))
        if not possible:
            raise SolvingError(f"{name}: no deal leads to this observation")
        nodes = self._reached(observation, {observation.seat, *unweighted})
        reach = fsum(weight for _, weight in nodes)
        nodes = nodes if reach else possible
        total = fsum(weight for _, weight in nodes)
        return Belief([(node, weight / total) for node, weight in nodes if weight], reach)

    def action_values(self, observation: Observation[Any], belief: Belief) -> ActionValues:
        """Return the values of a seat's legal actions."""
        self._begin(self._most_nodes)
        first, most = belief.nodes[0][0], TOLERANCE * self._most_nodes
        if estimate(first, most) > most:
            self._refuse()
        # Without policies first, as for a belief.
        returns = {
            self._scoring.returns(node.scores)[observation.seat]
            for node in self._ends(belief.nodes)
        }
        values = self._values(belief.nodes, observation.seat)
        return ActionValues(values, max(returns) - min(returns))

    def _reached(self, observation: Observation[Any], silent: Collection[int]) -> list[Weighted]:
        self._begin(self._most_nodes // PAST)
        text, length = observation.information_text(), len(observation.history)
        if length > self._limit:
            self._refuse()
        past = _Past(observation, silent)
        nodes: list[Weighted] = [(self._tree.root, 1.0)]
        reached = []
        while nodes:
            node, weight = nodes.pop()
            self._visit()
            if node.due.kind == "turn" and len(node.history) == length:
                if self._text(node) == text:
                    reached.append((node, weight))
                continue
            nodes += [
                (node.child(step), weight * chance)
                for step, chance in past.odds(node, self._policy_odds)
            ]
        return reached

    def _ends(self, nodes: Sequence[Weighted]) -> Iterator[TreeNode[Any]]:
        """Yield the ends of the game after nodes."""
        following = [node for node, _ in nodes]
        while following:
            node = following.pop()
            self._visit()
            if node.due.kind == "over":
                yield node
            following += [node.child(step) for step, _ in node.odds]

    def _values(self, nodes: Sequence[Weighted], seat: int) -> dict[int, float]:
        return {action: self._value_of(nodes, seat, action) for action, _ in nodes[0][0].odds}

    def _value_of(self, nodes: Sequence[Weighted], seat: int, action: int) -> float:
        """Return the value of an action in all nodes of an information set."""
        ends: list[float] = []
        later: dict[str, list[Weighted]] = {}
        following = [(node.child(action), weight) for node, weight in nodes]
        while following:
            node, weight = following.pop()
            if node.due.kind == "over":
                ends.append(weight * self._scoring.returns(node.scores)[seat])
            elif node.due.kind == "turn" and node.state.seat == seat:
                later.setdefault(self._text(node), []).append((node, weight))
            else:
                odds = self._policy_odds(node) if node.due.kind == "turn" else node.odds
                following += [(node.child(step), weight * chance) for step, chance in odds]
        best = [max(self._values(group, seat).values()) for group in later.values()]
        return fsum(ends) + fsum(best)

    def _begin(self, limit: int) -> None:
        self._limit = self._remaining = limit

    def _visit(self) -> None:
        self._remaining -= 1
        if self._remaining < 0:
            self._refuse()

    def _refuse(self) -> NoReturn:
        raise SolvingError(
            f"{self._tree.game.name}: more than {self._limit:,} positions are possible"
        )

    def _text(self, node: TreeNode[Any]) -> str:
        """Return the information state of the seat to act at a node."""
        text = self._texts.get(node)
        if text is None:
            text = _observed(node).information_text()
            if node.is_cached:
                self._texts[node] = text
        return text

    def _policy_odds(self, node: TreeNode[Any]) -> list[tuple[int, float]]:
        """Return the actions that the seat to act at a node may take, with probabilities."""
        odds = self._odds.get(node)
        if odds is None:
            policy = self._policies[node.state.seat](_observed(node))
            odds = [(action, chance) for action, chance in policy.items() if chance > 0]
            if node.is_cached:
                self._odds[node] = odds
        return odds


class _Past:
    """The steps on the way to an observation, as far as its seat has seen them."""

    def __init__(self, observation: Observation[Any], silent: Collection[int]) -> None:
        self._history = observation.history
        self._faces = face_snapshots(observation.state)
        self._backs = back_snapshots(observation.state)
        self._silent = silent

    def odds(
        self, node: TreeNode[Any], policy_odds: Callable[[TreeNode[Any]], list[tuple[int, float]]]
    ) -> list[tuple[int, float]]:
        """Return the steps after a node that agree with the observation, with probabilities."""
        kind, token = node.due
        if kind == "over":
            return []
        if kind in ("back", "face"):
            snapshots = self._faces if kind == "face" else self._backs
            seen = snapshots[node.shuffles][token] if node.shuffles < len(snapshots) else BLANK
            return [(step, chance) for step, chance in node.odds if seen in (BLANK, step)]
        seat, action = self._history[len(node.history)]
        is_weighted = kind == "turn" and seat not in self._silent
        odds = policy_odds(node) if is_weighted else node.odds
        return [(step, chance) for step, chance in odds if step == action]


def _observed(node: TreeNode[Any]) -> Observation[Any]:
    return Observation(node.tree.game, node.state, node.state.seat, node.history)
