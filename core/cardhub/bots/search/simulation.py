"""One iteration of a search: descend the tree with a determinization, then play it out."""

from collections.abc import Iterable
from random import Random
from typing import Generic

from cardhub.bots.search.infoset_keys import InfosetKeys
from cardhub.bots.search.playouts import Playout
from cardhub.bots.search.tree import Edge, InfoSet, Offers, explore, take_turns, widen
from cardhub.bots.search.values import Appeal, Values
from cardhub.game.game import Game, S
from cardhub.hidden.chance import sample_action
from cardhub.hidden.observation import Step
from cardhub.table.state import CHANCE, OVER

MOST = 100_000
"""Maximum number of information sets in a tree that is reused."""

Path = list[tuple[Edge, int]]
"""The edges traversed in a simulation, and the seat of each."""


class Simulation(Generic[S]):
    """Builds the search tree, one determinization at a time.

    Every seat has information sets of its own and maximizes its own value. The tree of the
    searching seat can be reused for its next decision.
    """

    def __init__(
        self, game: Game[S], seat: int, rng: Random, playout: Playout[S], *, is_flat: bool = False
    ) -> None:
        self._game = game
        self._seat = seat
        self._rng = rng
        self._playout = playout
        self._is_flat = is_flat
        self._views = InfosetKeys(game)
        self._values = Values(lowest_wins=game.lowest_wins)
        self._appeal = Appeal(game.seats.high)
        self._root = seat
        self._own: dict[int, InfoSet] = {}
        self._rivals: dict[int, InfoSet] = {}

    @property
    def choices(self) -> InfoSet:
        """The edges of the root."""
        return self._own.setdefault(self._root, {})

    def forget(self) -> None:
        """Discard the tree."""
        self._root = self._seat
        self._own.clear()
        self._rivals.clear()

    def follow(self, world: S, steps: Iterable[Step]) -> bool:
        """Move the root some steps on; `world` is the state before them.

        Return False if the tree does not contain the new root.
        """
        views = [self._root] * world.seats
        for seat, action in steps:
            if world.seat != seat or action not in self._game.legal(world):
                return False
            self._act(world, action, views)
        self._root = views[self._seat]
        self._rivals.clear()
        return self._root in self._own and len(self._own) < MOST

    def learn(self, world: S) -> None:
        """Descend the tree with a determinization, add an edge and play it out."""
        views = self._views.begin(world)
        views[self._seat] = self._root
        path: Path = []
        while world.seat != OVER:
            if world.seat == CHANCE:
                self._act(world, sample_action(self._game, world, self._rng), views)
                continue
            edge, action = self._choose(world, views[world.seat])
            path.append((edge, world.seat))
            self._act(world, action, views)
            if self._is_flat or not edge.visits:
                break
        self._playout(world)
        scores = self._game.scores(world) if world.seat == OVER else None
        values = self._values.of(self._game.evaluate(world), scores)
        appeals = self._appeal.of(values)
        for edge, seat in path:
            edge.visits += 1
            edge.appeal += appeals[seat]
            edge.total += values[seat]

    def _choose(self, world: S, view: int) -> tuple[Edge, int]:
        """Return the edge that the seat to act selects in its information set, and the action."""
        sets = self._own if world.seat == self._seat else self._rivals
        offers, edges = self.offers(world), sets.setdefault(view, {})
        if self._is_flat:
            return take_turns(edges, offers)
        known = explore(edges, offers)
        if known is not None:
            return known
        usual = self._game.playout_action(world, self._rng)
        return widen(edges, offers, usual, self._rng)

    def offers(self, world: S) -> Offers:
        """Return the legal actions of the seat to act, with the keys of its choices."""
        key = self._views.key
        return [(key(world, action), action) for action in self._game.legal(world)]

    def _act(self, world: S, action: int, views: list[int]) -> None:
        self._views.act(self._game, world, action, views, self._rng)
