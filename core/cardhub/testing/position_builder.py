"""Positions set up by hand, for tests that tell a ruling by example."""

from collections.abc import Iterable, Mapping
from typing import Generic, Self

from cardhub.game.game import Game, S
from cardhub.game.initial_state import initial_state, resolve_options
from cardhub.hidden.labels import Labels
from cardhub.hidden.observation import Observation
from cardhub.table.settings import Value


class ByHand(Generic[S]):
    """A position that is set up card by card, and acted on in the notation of records.

    It begins as after the deal, but with no card anywhere: `take` cards and `put_all` them where
    they should lie. `left` are the tokens not taken yet.
    """

    def __init__(
        self, game: Game[S], seats: int, options: Mapping[str, Value] | None = None
    ) -> None:
        settings = resolve_options(game, options or {}, seats)
        self.game = game
        self.state = initial_state(game, settings, seats, game.pack(settings, seats))
        self.left = list(range(len(self.state.face)))
        self.state.seen = [0] * len(self.left)
        for zone in self.state.zones:
            for pile in zone.piles(self.state):
                pile.clear()

    def take(self, names: str | Iterable[str]) -> list[int]:
        """Return tokens of the cards named, in order; raises LookupError if none is left of one."""
        return [self._take(name) for name in (names.split() if isinstance(names, str) else names)]

    def act(self, *actions: str) -> Self:
        """Carry out legal actions, one after the other; raises IllegalActionError."""
        for text in actions:
            action = self._labels().parse(text, self.game.legal(self.state))
            self.game.apply(self.state, action)
        return self

    def legal(self) -> set[str]:
        """Return the legal actions as records write them, without what tells twins apart."""
        names = self._labels().notations(self.game.legal(self.state))
        return {name.partition("#")[0] for name in names}

    def cards(self, tokens: Iterable[int]) -> str:
        """Return cards by name, in order."""
        return " ".join(map(self._labels().card, tokens))

    def observe(self, viewer: int) -> Observation[S]:
        """Return what a viewer knows."""
        return Observation(self.game, self.state, viewer)

    def _take(self, name: str) -> int:
        face = self.game.cards.face(name)
        token = next((token for token in self.left if self.state.face[token] == face), None)
        if token is None:
            raise LookupError(f"no {name} is left to take")
        self.left.remove(token)
        return token

    def _labels(self) -> Labels:
        return Labels(self.game, self.state.face, self.state.back)
