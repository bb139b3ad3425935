"""Determinizations: complete states that agree with all one seat knows."""

from random import Random
from typing import Generic

from cardhub.errors import DeterminizationError
from cardhub.game.game import Game, S
from cardhub.hidden.constraints.drawing import ContradictionError, Draw, FreeDraw, drawing
from cardhub.hidden.constraints.masks import FREE, hook, masks_of
from cardhub.hidden.explanation import explained
from cardhub.hidden.shuffles.drawing import piece_drawing
from cardhub.hidden.shuffles.history import History, Source, events, pieces
from cardhub.hidden.shuffles.past import drawn_past
from cardhub.hidden.unseen import copies, decks, kinds, unseen_faces
from cardhub.table.faces import BLANK, blanked

TRIES = 1000
"""How many draws may be refused as implausible for each that is not, over one observation."""


class Unseen(Generic[S]):
    """The unseen tokens of one observation, prepared for drawing their faces many times.

    Everything is computed from the observed state; `seed` is made of the observation as well.
    Raises DeterminizationError if no faces fit.
    """

    __slots__ = ("_draws", "_free", "_seed", "accepted", "drawn", "faces", "game", "state")

    def __init__(self, game: Game[S], state: S, seed: str) -> None:
        self.game = game
        self.state = state
        self.faces = blanked(state.face)
        self.drawn = self.accepted = 0
        self._seed = seed
        try:
            draws = self._shuffled() if state.shuffle_log else self._dealt()
        except ContradictionError as error:
            raise explained(game, state, error) from None
        # Apart, so that a draw without constraints needs no call for each kind of card.
        self._free = [draw for draw in draws if isinstance(draw, FreeDraw)]
        self._draws = [draw for draw in draws if not isinstance(draw, FreeDraw)]

    def draw(self, rng: Random) -> list[int]:
        """Return faces in token order: the known ones, and drawn ones on the unseen tokens."""
        faces = self.faces[:]
        random = rng.random
        for tokens, pool in self._free:
            # Sorting by random keys takes a third of the time of rng.shuffle.
            shared = sorted(pool, key=lambda _: random())
            for token, face in zip(tokens, shared, strict=True):
                faces[token] = face
        for draw in self._draws:
            draw.draw(rng, faces)
        return faces

    def whole(self, state: S, rng: Random) -> S:
        """Return a determinization with a past drawn to go with its faces."""
        if state.shuffle_log:
            state = state.clone()
            source, faces = self._source(), blanked(state.face)
            state.shuffle_log = drawn_past(self.state, faces, source, rng, self._seed)
        return state

    def _dealt(self) -> list[Draw]:
        """Prepare for sharing out by kind what has never been shuffled since the deal."""
        pools = unseen_faces(self.game, self.state, self.faces)
        unseen: list[list[int]] = [[] for _ in pools]
        for token, kind in enumerate(kinds(self.game, self.state, self.state.back)):
            if self.faces[token] == BLANK:
                unseen[kind].append(token)
        found = ((t, pool) for t, pool in zip(unseen, pools, strict=True) if t)
        if hook(self.game) is None:
            return [FreeDraw(tokens, pool) for tokens, pool in found]
        return [drawing(pool, t, masks_of(self.game, self.state, t)) for t, pool in found]

    def _shuffled(self) -> list[Draw]:
        unseen = [token for token, face in enumerate(self.faces) if face == BLANK]
        masks = [FREE] * len(self.faces)
        for token, mask in zip(unseen, masks_of(self.game, self.state, unseen), strict=True):
            masks[token] = mask
        history, now = History(self.state, self.faces, masks), len(self.state.shuffle_log)
        found = events(history, history.present, now, self._source())
        draws = [piece_drawing(piece, now, self._seed) for piece in pieces(found)]
        return [draw for draw in draws if draw is not None]

    def _source(self) -> Source:
        game = self.game
        by_token = decks(game, self.state) if len(game.cards.decks) > 1 else []
        return Source(by_token, copies(game, self.state), len(game.cards.backs))


def determinize(unseen: Unseen[S], rng: Random) -> S:
    """Return a complete state of the present, its past masked as in the observation.

    Raises DeterminizationError if the game finds hardly any plausible.
    """
    game = unseen.game
    tested = type(game).plausible is not Game.plausible
    while True:
        state = unseen.state.clone()
        state.face = unseen.draw(rng)
        if not tested:
            return state
        unseen.drawn += 1
        if game.plausible(state):
            unseen.accepted += 1
            return state
        if unseen.drawn >= TRIES * (unseen.accepted + 1):
            raise DeterminizationError(
                f"{game.name}: plausible() accepts too few determinizations: {unseen.accepted} of "
                f"{unseen.drawn} drawn. fix: rule out by allows() what one card cannot be"
            )
