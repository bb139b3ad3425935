"""Determinizing what shuffles have mixed up: every card's way through the tokens it has been."""

from random import Random
from typing import Any

from cardhub.errors import DeterminizationError
from cardhub.game.game import Game
from cardhub.hidden.matching import Rulings, match, rules_out
from cardhub.hidden.missing import kind_of, missing, missing_copies
from cardhub.hidden.pairing import pair
from cardhub.hidden.stretches import Passage, Stretches
from cardhub.table.faces import BLANK, Shuffle
from cardhub.table.state import State

Origins = dict[int, int]
"""For each target, the stretch in which its card was seen before, or in which it was dealt."""


class Trajectories:
    """Ways of all cards through all shuffles that agree with what one seat has seen of them."""

    def __init__(self, game: Game[Any], state: State) -> None:
        self._game = game
        self._state = state
        self._stretches = stretches = Stretches(game, state)
        self._rulings = Rulings(game, state)
        self._fresh = {target: self._dealt_unseen(target) for target in stretches.through}
        seen = stretches.faces[: stretches.dealt]
        self._unseen_copies = _numbered(missing_copies(game, state, seen))

    def draw(self, rng: Random) -> tuple[list[int], tuple[Shuffle, ...]] | None:
        """Return faces and past of a complete state; None if the ways drawn come to no good end."""
        origins = self._origins(rng)
        roots = None if origins is None else self._routed(origins, rng)
        if roots is None:
            return None
        stretches = self._stretches
        bears = [BLANK] * stretches.dealt
        for face, root in zip(stretches.faces, roots, strict=True):
            if face != BLANK:
                bears[root] = face
        ends = {roots[stretch]: token for token, stretch in enumerate(stretches.at[-1])}
        try:
            self._fill(bears, ends, rng)
            self._swap(bears, roots)
        except DeterminizationError:
            return None
        drawn = [[bears[roots[stretch]] for stretch in now] for now in stretches.at]
        return drawn[-1], tuple(map(_with_faces, self._state.past, drawn))

    def _origins(self, rng: Random) -> Origins | None:
        """Draw where each target's card comes from; copies of a face are limited."""
        faces = self._stretches.faces
        choices = {
            target: seen + (self._unseen_copies[faces[target]] if self._fresh[target] else [])
            for target, seen in self._stretches.origins.items()
        }
        origins = pair(choices, rng)
        if origins is None:
            return None
        fresh = [target for target, origin in origins.items() if origin < 0]
        dealt = pair({target: self._fresh[target] for target in fresh}, rng)
        return None if dealt is None else origins | dealt

    def _routed(self, origins: Origins, rng: Random) -> list[int] | None:
        """Return for every stretch the one in which its card was dealt."""
        stretches = self._stretches
        following = {origin: target for target, origin in origins.items()}
        roots = [*range(stretches.dealt), *[-1] * (len(stretches.faces) - stretches.dealt)]
        for passages in stretches.shuffles:
            for passage in passages:
                ways = self._pass(passage, following, rng)
                if ways is None:
                    return None
                for left, entered in ways.items():
                    roots[entered] = roots[left]
                    if left in following and following[left] != entered:
                        following[entered] = following[left]
        return roots

    def _pass(
        self, passage: Passage, following: dict[int, int], rng: Random
    ) -> dict[int, int] | None:
        """Return which stretch the card of each stretch left goes on to."""
        through, faces = self._stretches.through, self._stretches.faces
        choices: dict[int, list[int]] = {}
        for stretch in passage.left:
            target = following.get(stretch)
            if target is not None:
                on_way = through[target]
                fits = [s for s in passage.entered if on_way >> s & 1]
                choices[stretch] = [target] if target in fits else fits
        ways = pair(choices, rng)
        if ways is None:
            return None
        taken = set(ways.values())
        rest = [stretch for stretch in passage.entered if stretch not in taken]
        if any(faces[stretch] != BLANK for stretch in rest):
            return None
        rng.shuffle(rest)
        others = (stretch for stretch in passage.left if stretch not in ways)
        return ways | dict(zip(others, rest, strict=True))

    def _fill(self, bears: list[int], ends: dict[int, int], rng: Random) -> None:
        """Share out the missing faces among the cards never seen, by where they are now."""
        for kind, pool in enumerate(missing(self._game, self._state, bears)):
            unseen = [
                card
                for card, face in enumerate(bears)
                if face == BLANK and self._stretches.kinds[card] == kind
            ]
            rng.shuffle(pool)
            tokens = [ends[card] for card in unseen]
            shared = match(self._game.name, self._rulings.barred(tokens), pool)
            for card, face in zip(unseen, shared, strict=True):
                bears[card] = face

    def _swap(self, bears: list[int], roots: list[int]) -> None:
        """Have unseen cards that came out of one shuffle change places until the game allows them.

        A shuffle may have brought any of its cards to any of these tokens. Raises
        DeterminizationError if the game allows no way.
        """
        if not rules_out(self._game):
            return
        stretches = self._stretches
        token_of = {stretch: token for token, stretch in enumerate(stretches.at[-1])}
        for passage in (passage for passages in stretches.shuffles for passage in passages):
            unseen = [s for s in passage.entered if s in token_of and stretches.faces[s] == BLANK]
            cards: dict[int, list[int]] = {}
            for stretch in unseen:
                cards.setdefault(bears[roots[stretch]], []).append(roots[stretch])
            tokens = [token_of[stretch] for stretch in unseen]
            pool = [bears[roots[stretch]] for stretch in unseen]
            allowed = match(self._game.name, self._rulings.barred(tokens), pool)
            for stretch, face in zip(unseen, allowed, strict=True):
                roots[stretch] = cards[face].pop()

    def _dealt_unseen(self, target: int) -> list[int]:
        """Return the unseen stretches of the deal from which a target's card may come."""
        stretches, on_way = self._stretches, self._stretches.through[target]
        kind = kind_of(self._game, stretches.faces[target])
        return [s for s in range(stretches.dealt) if on_way >> s & 1 and stretches.kinds[s] == kind]


def _numbered(counts: list[int]) -> list[list[int]]:
    """Return that many negative numbers for each, all different."""
    numbered, last = [], 0
    for count in counts:
        numbered.append([last - 1 - number for number in range(count)])
        last -= count
    return numbered


def _with_faces(shuffle: Shuffle, before: list[int]) -> Shuffle:
    return shuffle._replace(faces=tuple(before[token] for token in shuffle.tokens))
