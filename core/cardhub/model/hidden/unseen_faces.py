"""The faces that are in play but not seen, by kind of card."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import split_decks
from cardhub.model.table.faces import BLANK
from cardhub.model.table.state import State


def kinds(game: Game[Any], state: State, backs: Sequence[int]) -> Sequence[int]:
    """Return the kind of every token as dealt: its deck and its back, both public.

    `backs` are those of the deal. Before the first shuffle a token has a face of its kind.
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
