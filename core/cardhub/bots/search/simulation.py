"""One iteration of a search: a world is played through what is known, then played out."""

from collections.abc import Iterable
from random import Random
from typing import Generic

from cardhub.bots.search.infosets import Edge, InfoSet, Offers, explore, imitate, take_turns
from cardhub.bots.search.playouts import Playout
from cardhub.bots.search.values import Values
from cardhub.bots.search.views import Views
from cardhub.game.game import Game, S
from cardhub.hidden.chance import draw_outcome
from cardhub.hidden.observation import Step
from cardhub.table.state import CHANCE, OVER

MOST = 100_000
"""With more information sets than this, what was learned before is forgotten."""

Path = list[tuple[Edge, int]]
"""The choices made in a world, and which seat made each."""


class Simulation(Generic[S]):
    """Learns, world by world, what choices of each seat lead to.

    Every seat has information sets of its own. The searching seat's choices are learned in the
    worlds it can be in. If the game has bluffs, those of its rivals are learned in worlds in which
    nobody's hidden cards are known, its own not either, and only imitated in the others; else a
    rival would always see through it.
    """

    def __init__(
        self, game: Game[S], seat: int, rng: Random, playout: Playout[S], *, is_flat: bool = False
    ) -> None:
        self._game = game
        self._seat = seat
        self._rng = rng
        self._playout = playout
        self._is_flat = is_flat
        self._views = Views(game)
        self._values = Values(lowest_wins=game.lowest_wins)
        self._imitates = bool(game.bluffs)
        self._root = seat
        self._own: dict[int, InfoSet] = {}
        self._rivals: dict[int, InfoSet] = {}

    @property
    def choices(self) -> InfoSet:
        """What is known of the position that worlds start from."""
        return self._own.setdefault(self._root, {})

    def forget(self) -> None:
        """Begin anew, at another position."""
        self._root = self._seat
        self._own.clear()
        self._rivals.clear()

    def follow(self, world: S, steps: Iterable[Step]) -> bool:
        """Go on with what is known by now, some steps later; `world` is as it was before them.

        Return False if nothing is known of what they led to.
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
        """Play a world in which the searching seat holds its own cards."""
        views = self._views.begin(world)
        views[self._seat] = self._root
        self._play(world, views, is_own=True)

    def learn_rivals(self, world: S) -> None:
        """Play a world in which all hidden cards were drawn anew."""
        self._play(world, self._views.begin(world), is_own=False)

    def _play(self, world: S, views: list[int], is_own: bool) -> None:
        path: Path = []
        while world.seat != OVER:
            if world.seat == CHANCE:
                self._act(world, draw_outcome(self._game, world, self._rng), views)
                continue
            known = len(path)
            action = self._choose(world, views[world.seat], is_own, path)
            if action is None:
                break
            self._act(world, action, views)
            if len(path) > known and not path[-1][0].visits:
                break
        self._playout(world)
        values = self._values.of(self._game.scores(world), world.seat == OVER)
        for edge, seat in path:
            edge.visits += 1
            edge.total += values[seat]

    def _choose(self, world: S, view: int, is_own: bool, path: Path) -> int | None:
        """Return the action of the seat to act; None where it is not known how that seat plays."""
        seat = world.seat
        offers = self.offers(world)
        if is_own and seat != self._seat and self._imitates:
            return imitate(self._rivals.get(view, {}), offers, self._rng)
        sets = self._own if is_own and seat == self._seat else self._rivals
        edges = sets.setdefault(view, {})
        if not self._is_flat:
            edge, action = explore(edges, offers, self._rng)
        elif not path:
            edge, action = take_turns(edges, offers)
        else:
            return None
        path.append((edge, seat))
        return action

    def offers(self, world: S) -> Offers:
        """Return the legal actions of the seat to act, with the keys of its choices."""
        key = self._views.key
        return [(key(world, action), action) for action in self._game.legal(world)]

    def _act(self, world: S, action: int, views: list[int]) -> None:
        self._views.act(self._game, world, action, views, self._rng)
