"""Determinizations: full states that agree with an observation."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import repeat, starmap
from math import factorial, prod
from operator import itemgetter
from random import Random
from typing import Any, Generic, NamedTuple

from cardhub.base.errors import DeterminizationError
from cardhub.base.writing import listed
from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import split_decks
from cardhub.model.hidden.constraints.face_masks import FREE, faces_of, masks_of, possible_faces
from cardhub.model.hidden.constraints.sampler import (
    ConstrainedDraw,
    ContradictionError,
    Draw,
    FreeDraw,
    face_draw,
)
from cardhub.model.hidden.shuffles.segments import (
    DealtFaces,
    Segments,
    components,
    relevant_mixings,
)
from cardhub.model.hidden.shuffles.shuffle_filter import component_draw, sampled_log
from cardhub.model.table.faces import BLANK, blanked
from cardhub.model.table.state import State


def kinds(game: Game[Any], state: State, backs: Sequence[int]) -> Sequence[int]:
    """Return the kind of every token as dealt: its deck and its back, both public.

    `backs` are the backs in the deal. Before the first shuffle a token has a face of its kind.
    """
    if len(game.cards.decks) == 1:
        return backs
    # Two decks may share a back; tokens are numbered deck by deck, so the number gives the deck.
    number = len(game.cards.backs)
    dealt = decks(game, state)
    return [deck * number + back for deck, back in zip(dealt, backs, strict=True)]


def decks(game: Game[Any], state: State) -> list[int]:
    """Return the deck of every token."""
    deck_of = game.cards.deck_of
    return [deck_of[f] for deck in split_decks(game, state.settings, state.seats) for f in deck]


def unseen_faces(game: Game[Any], state: State, known: Sequence[int]) -> list[list[int]]:
    """Return by kind the faces in play that are not among the known ones."""
    pools: list[list[int]] = [[] for _ in range(len(game.cards.decks) * len(game.cards.backs))]
    for face, count in enumerate(unseen_copies(game, state, known)):
        pools[kind_of(game, face)] += [face] * count
    return pools


def copies(game: Game[Any], state: State) -> list[Counter[int]]:
    """Return by kind the faces in play with their numbers of copies."""
    return [Counter(faces) for faces in unseen_faces(game, state, ())]


def kind_of(game: Game[Any], face: int) -> int:
    """Return the kind of a face: its deck and its back."""
    return game.cards.deck_of[face] * len(game.cards.backs) + game.cards.back_of[face]


def unseen_copies(game: Game[Any], state: State, known: Iterable[int]) -> list[int]:
    """Return for every face its number of copies in play that are not among the known ones."""
    left = [0] * len(game.cards.faces)
    for face in game.pack(state.settings, state.seats):
        left[face] += 1
    for face in known:
        if face != BLANK:
            left[face] -= 1
    return left


def few_deals(game: Game[S], state: S, most: int) -> list[list[int]]:
    """Return the faces by token of all equally likely deals that agree with an observed state.

    Returns none if there may be more than `most`, or after a shuffle.
    """
    known = blanked(state.face)
    pools = [Counter(pool) for pool in unseen_faces(game, state, known)]
    sizes = [factorial(pool.total()) // prod(map(factorial, pool.values())) for pool in pools]
    if state.shuffle_log or prod(sizes) > most:
        return []
    deals = [known]
    for token, kind in enumerate(kinds(game, state, state.back)):
        if known[token] == BLANK:
            deals = [
                [*deal[:token], face, *deal[token + 1 :]]
                for deal in deals
                for face, count in pools[kind].items()
                if deal.count(face) - known.count(face) < count
            ]
    return [deal for deal in deals if _is_possible(game, state, deal)]


def _is_possible(game: Game[S], state: S, faces: list[int]) -> bool:
    masks = masks_of(game, state, range(len(faces)))
    if not all(mask >> face & 1 for mask, face in zip(masks, faces, strict=True)):
        return False
    whole = state.clone()
    whole.face = faces
    return game.plausible(whole)


# The allowed number of implausible samples per plausible one, over the whole observation. A game
# may have rare positions with rare cards, such as a hand of five that must be a full house.
TRIES = 20_000
# The number of cards that an error names.
MOST_NAMED = 12


def why_no_determinizations(game: Game[Any]) -> str:
    """Return why observations of a game have no determinizations, "" if they have some."""
    if not game.no_determinizations:
        return ""
    return (
        f"{game.name} has no determinizations: {game.no_determinizations}. fix: use bots that need "
        "none: random, cmd:, model: or policy:"
    )


class FacePlan(NamedTuple):
    """All that the draws of one observation's faces need, in numbers: C draws by it."""

    pools: list[tuple[list[int], list[int]]]
    """Tokens and their faces, of which every order is equally likely; they are drawn first."""
    tables: list[tuple[list[list[int]], list[int]]]
    """The tokens of each class, and the numbers of a counting table."""
    is_tested: bool
    """Whether the game then decides if the faces are plausible."""


class FaceSampler(Generic[S]):
    """A sampler of the unseen faces of one observation, prepared for many samples.

    It is computed from the observed state only, and so is `seed`. Raises DeterminizationError if
    no faces fit.
    """

    __slots__ = (
        "_draws",
        "_free",
        "_gather",
        "_key",
        "_known",
        "_pools",
        "_rng",
        "_seed",
        "accepted",
        "drawn",
        "faces",
        "game",
        "is_tested",
        "state",
    )

    def __init__(self, game: Game[S], state: S, seed: str) -> None:
        self.game = game
        self.state = state
        self.faces = blanked(state.face)
        self.drawn = self.accepted = 0
        self._seed = seed
        self._rng: Random | None = None
        try:
            draws = self._after_shuffles() if state.shuffle_log else self._after_deal()
        except ContradictionError as error:
            raise _explained(game, state, error) from None
        self.is_tested = type(game).plausible is not Game.plausible
        # Most games have free draws only: these are inlined in `draw`.
        free = [draw for draw in draws if isinstance(draw, FreeDraw)]
        self._draws = [draw for draw in draws if not isinstance(draw, FreeDraw)]
        self._free = free
        self._pools = [draw.pool for draw in free]
        self._arrange([t for draw in free for t, _ in zip(draw.tokens, draw.pool, strict=True)])

    def _arrange(self, members: list[int]) -> None:
        # Faces are drawn into one list, which ends with the faces of the pools' members;
        # `_gather` returns them by token.
        chosen = set(members)
        others = [token for token in range(len(self.faces)) if token not in chosen]
        self._known = [self.faces[token] for token in others]
        place_of = {token: place for place, token in enumerate([*others, *members])}
        places = [place_of[token] for token in range(len(self.faces))]
        # The fastest way to bring a list into another order; it returns no tuple for one item.
        self._gather = itemgetter(*places) if len(places) > 1 else tuple[int, ...]

    def plan(self) -> FacePlan | None:
        """Return the plan of the draws; None if draws can be rejected, or follow a shuffle."""
        constrained = [draw for draw in self._draws if isinstance(draw, ConstrainedDraw)]
        numbers = [draw.numbers() for draw in constrained]
        tables = [table for table in numbers if table is not None]
        if len(tables) < len(self._draws):
            return None
        return FacePlan([(draw.tokens, draw.pool) for draw in self._free], tables, self.is_tested)

    def draw(self, rng: Random) -> list[int]:
        """Return the faces by token: the known ones, and samples for the unseen tokens."""
        faces = self._drawn_from_pools(rng) if self._pools else self.faces[:]
        for draw in self._draws:
            draw.draw(rng, faces)
        return faces

    def _drawn_from_pools(self, rng: Random) -> list[int]:
        if rng is not self._rng:
            self._use(rng)
        in_order = self._known[:]
        for pool in self._pools:
            # Sorting by random keys takes a third of the time of rng.shuffle.
            shuffled = pool[:]
            shuffled.sort(key=self._key)
            in_order += shuffled
        return list(self._gather(in_order))

    def _use(self, rng: Random) -> None:
        # The sort key is the next of endless random numbers and ignores the element, so no function
        # written in Python is called. It is kept because making it takes a third of a sampling.
        self._rng = rng
        self._key: Callable[[int], float] = partial(next, starmap(rng.random, repeat(())))

    def determinization(self, rng: Random) -> S:
        """Return a determinization; its shuffle log is masked as observed.

        Raises DeterminizationError if too few samples are plausible.
        """
        game = self.game
        while True:
            state = self.state.clone()
            state.face = self.draw(rng)
            if not self.is_tested:
                return state
            self.drawn += 1
            if game.plausible(state):
                self.accepted += 1
                return state
            # The bound is a rate over all samples: a single unlucky series must not fail a search.
            if self.drawn >= TRIES * (self.accepted + 1):
                raise DeterminizationError(
                    f"{game.name}: plausible() accepts too few determinizations: {self.accepted} "
                    f"of {self.drawn} drawn. fix: rule out by allows() what one card cannot be"
                )

    def whole_determinization(self, rng: Random) -> S:
        """Return a determinization with a shuffle log that is sampled to fit its faces."""
        state = self.determinization(rng)
        if state.shuffle_log:
            state = state.clone()
            cards, faces = self._dealt_cards(), blanked(state.face)
            state.shuffle_log = sampled_log(self.state, faces, cards, rng, self._seed)
        return state

    def _after_deal(self) -> list[Draw]:
        # Before the first shuffle a token's deck and back are public, so kinds are independent.
        pools = unseen_faces(self.game, self.state, self.faces)
        unseen: list[list[int]] = [[] for _ in pools]
        for token, kind in enumerate(kinds(self.game, self.state, self.state.back)):
            if self.faces[token] == BLANK:
                unseen[kind].append(token)
        groups = ((t, pool) for t, pool in zip(unseen, pools, strict=True) if t)
        if possible_faces(self.game) is None:
            return [FreeDraw(tokens, pool) for tokens, pool in groups]
        return [face_draw(pool, t, masks_of(self.game, self.state, t)) for t, pool in groups]

    def _after_shuffles(self) -> list[Draw]:
        unseen = [token for token, face in enumerate(self.faces) if face == BLANK]
        masks = [FREE] * len(self.faces)
        for token, mask in zip(unseen, masks_of(self.game, self.state, unseen), strict=True):
            masks[token] = mask
        segments, now = Segments(self.state, self.faces, masks), len(self.state.shuffle_log)
        mixings = relevant_mixings(segments, segments.present, now, self._dealt_cards())
        draws = [component_draw(component, now, self._seed) for component in components(mixings)]
        return [draw for draw in draws if draw is not None]

    def _dealt_cards(self) -> DealtFaces:
        game = self.game
        by_token = decks(game, self.state) if len(game.cards.decks) > 1 else []
        return DealtFaces(by_token, copies(game, self.state), len(game.cards.backs))


def _explained(game: Game[Any], state: State, error: ContradictionError) -> DeterminizationError:
    # Made from the observation only, like the error itself: it may be shown to the seat.
    tokens = [f"{game.cards.backs[state.back[t]].unknown}#{t}" for t in sorted(error.tokens)]
    one = len(tokens) == 1
    cards = f"this card ({tokens[0]})" if one else f"these {len(tokens)} cards ({_some(tokens)})"
    if error.mask is None:
        shuffle = f"in shuffle {error.number + 1}" if error.number >= 0 else "from the deal"
        problem = (
            f"{cards} cannot have come {shuffle} if all that was seen before and after is true"
        )
    elif not error.mask:
        problem = f"{cards} cannot be any of the unseen cards"
    else:
        faces = [game.cards.faces[face].name for face in faces_of(error.mask)]
        problem = f"{cards} can only be {_some(faces, 'or')}, of which there are too few"
    return DeterminizationError(
        f"{game.name}: no determinization exists: {problem}. "
        "fix: allows() or possible() must never deny the truth"
    )


def _some(names: list[str], word: str = "and") -> str:
    more = len(names) - MOST_NAMED
    return listed([*names[:MOST_NAMED], f"{more} more"] if more > 0 else names, word)
