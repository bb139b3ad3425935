"""Positions set up by hand, for tests of single rulings."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, Self

from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import initial_state, resolve_options
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.beats import Beat, LogSentence, Moments, apply_watched
from cardhub.model.table.settings import Value
from cardhub.view.explain.action_texts import logged


class ByHand(Generic[S]):
    """A position set up card by card and continued by actions in the notation of records.

    The state is that after the deal, with all zones empty: `take` cards and `put_all` them into
    zones of `state`. `left` are the tokens not taken yet, `beats` and `log_sentences` what the
    rules showed and logged in the last `act`.
    """

    def __init__(
        self, game: Game[S], seats: int, options: Mapping[str, Value] | None = None
    ) -> None:
        settings = resolve_options(game, options or {}, seats)
        self.game = game
        self.state = initial_state(game, settings, seats, game.pack(settings, seats))
        self.left = list(range(len(self.state.face)))
        self.beats: tuple[Beat, ...] = ()
        self.log_sentences: tuple[LogSentence, ...] = ()
        # Dealing has shown cards to seats that will not get them here.
        self.state.seen = [0] * len(self.left)
        for zone in self.state.zones:
            for pile in zone.piles(self.state):
                pile.clear()

    def take(self, names: str | Iterable[str]) -> list[int]:
        """Return tokens of the named cards, in order; raises LookupError if none of one is left."""
        return [self._take(name) for name in (names.split() if isinstance(names, str) else names)]

    def act(self, *actions: str) -> Self:
        """Apply legal actions in order; raises IllegalActionError."""
        self.beats, self.log_sentences = (), ()
        for text in actions:
            action = self._labels().parse(text, self.game.legal(self.state))
            moments = apply_watched(self.game, self.state, action)
            self.beats += tuple(moments.beats)
            self.log_sentences += tuple(moments.sentences)
        return self

    def legal(self) -> set[str]:
        """Return the notations of the legal actions, without numbers for equal cards."""
        names = self._labels().notations(self.game.legal(self.state))
        return {name.partition("#")[0] for name in names}

    def why_not(self, text: str) -> str | None:
        """Return the game's reason why an action is not legal, given in the same notation.

        The seat to act sees it. Raises IllegalActionError if it does not exist.
        """
        seen = self.observe(self.state.seat)
        labels = seen.labels()
        every = filter(labels.is_action, range(self.game.actions.size))
        action = self._labels().parse(text, list(every))
        return self.game.display.why_not(seen.state, action, labels)

    def log_lines(self, viewer: int, players: Sequence[str] = ()) -> list[str]:
        """Return the sentences of the last `act` for a viewer.

        `players`: the players' names by seat; default: `seat 0`, `seat 1` and so on.
        """
        seen = self.observe(viewer)
        return logged(seen, seen.labels(players), Moments([], [*self.log_sentences]))

    def cards(self, tokens: Iterable[int]) -> str:
        """Return the names of cards in the notation of records, in order."""
        return " ".join(map(self._labels().card_notation, tokens))

    def observe(self, viewer: int) -> Observation[S]:
        """Return the observation of a viewer."""
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
