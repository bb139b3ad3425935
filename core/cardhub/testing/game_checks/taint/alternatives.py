"""Alternatives to the truth: other faces of hidden cards that a viewer takes for possible."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Generic

from cardhub.base.errors import DeterminizationError, HiddenFaceError
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.constraints.face_masks import mask_of
from cardhub.model.hidden.observation import Observation, observed_state
from cardhub.model.table.faces import blanked
from cardhub.model.table.rounds import asked_seats, hide_choices, is_in_round, turn_to
from cardhub.model.table.state import State

# Other faces, by token, of some cards that a viewer has not seen.
Alternative = Mapping[int, int]


class Alternatives(Generic[S]):
    """The alternatives to a step of a game, which its viewers cannot distinguish from the truth.

    `before` and `applied` are the states around the action.
    """

    def __init__(self, game: Game[S], before: S, action: int, applied: S) -> None:
        self._game = game
        self._before, self._applied, self._action = before, applied, action
        self._faces = blanked(before.face)
        self._past = _past_of_tokens(before)

    def swaps(self, viewer: int, tokens: Sequence[int]) -> Iterator[Alternative]:
        """Yield alternatives in which one of the tokens and another card have changed places.

        Faces with distant numbers come first.
        """
        partners = [self._partners(viewer, token, tokens) for token in tokens]
        for rank in range(max(map(len, partners), default=0)):
            for token, others in zip(tokens, partners, strict=True):
                if rank < len(others):
                    other = others[rank]
                    yield {token: self._faces[other], other: self._faces[token]}

    def samples(self, viewer: int, rng: Random, count: int) -> Iterator[Alternative]:
        """Yield determinizations of what a viewer has seen after the action, if there are any."""
        # Determinizations need the outcome of all shuffles.
        for _ in range(0 if self._applied.pending_shuffles else count):
            try:
                drawn = Observation(self._game, self._applied, viewer).determinize(rng)
            except (DeterminizationError, HiddenFaceError):
                return  # the check of determinizations reports it
            faces = enumerate(blanked(drawn.face))
            yield {token: face for token, face in faces if face != self._faces[token]}

    def is_possible(self, viewer: int, alternative: Alternative) -> bool:
        """Return whether the rules allow an alternative of a viewer, and the action in it.

        Rules need not bear a position that no game reaches: an alternative that they fail in is
        not possible.
        """
        if not self._is_allowed(viewer, alternative):
            return False
        try:
            state = self.state_in(alternative)
            return self._game.plausible(state) and self._is_legal(state)
        except Exception:  # noqa: BLE001  # it is the author's code, which may raise anything
            return False

    def state_in(self, alternative: Alternative) -> S:
        """Return the state of an alternative before the action."""
        state = self._before.clone()
        faces = self._faces[:]
        for token, face in alternative.items():
            faces[token] = face
        state.face = faces
        return state

    def _partners(self, viewer: int, token: int, tokens: Sequence[int]) -> list[int]:
        """Return the tokens to swap with one, each with another face."""
        before, faces = self._before, self._faces
        seen = _seen_by(before, self._applied)
        deck_of = self._game.cards.deck_of
        by_face: dict[int, int] = {}
        # Cards that the rules have not read come first: a sum over both would stay the same.
        for other in sorted(range(len(faces)), key=lambda other: other in tokens):
            if (
                not seen[other] >> viewer & 1
                and faces[other] != faces[token]
                and before.back[other] == before.back[token]
                and self._past[other] == self._past[token]
                # The deck of a token is public until decks are shuffled together.
                and (self._past[token] or deck_of[faces[other]] == deck_of[faces[token]])
            ):
                by_face.setdefault(faces[other], other)
        by_distance = sorted(by_face, key=lambda face: -abs(face - faces[token]))
        return [by_face[face] for face in by_distance]

    def _is_allowed(self, viewer: int, alternative: Alternative) -> bool:
        """Return whether `possible` and `allows` accept the other faces for a viewer."""
        for state in (self._before, self._applied):
            known = observed_state(state, viewer)
            for token, face in alternative.items():
                if not mask_of(self._game, known, token) >> face & 1:
                    return False
        return True

    def _is_legal(self, state: S) -> bool:
        """Return whether the action is legal, and all earlier choices of an open round."""
        if not is_in_round(state):
            return self._action in self._game.legal(state)
        choices = {**state.known_choices(), state.seat: self._action}
        start = state.clone()
        hide_choices(start, state.seats)
        for seat, choice in choices.items():
            if seat in asked_seats(start):
                turn_to(start, seat)
                if choice not in self._game.legal(start):
                    return False
        return True


def _past_of_tokens(state: State) -> list[list[int]]:
    """Return by token the numbers of the past shuffles that it was in.

    Only tokens with the same past can change their faces without another past.
    """
    past: list[list[int]] = [[] for _ in state.seen]
    for number, shuffle in enumerate(state.shuffle_log):
        for token in shuffle.tokens:
            past[token].append(number)
    return past


def hidden_tokens(before: State, applied: State) -> list[int]:
    """Return the tokens that some viewer has seen neither before an action nor after it."""
    everybody = before.everybody
    return [t for t, seen in enumerate(_seen_by(before, applied)) if seen & everybody != everybody]


def viewers_without(
    before: State, applied: State, tokens: Sequence[int]
) -> Iterator[tuple[int, list[int]]]:
    """Yield each viewer who has not seen some of the tokens, with these tokens."""
    seen = _seen_by(before, applied)
    for viewer in range(before.seats + 1):
        unseen = [token for token in tokens if not seen[token] >> viewer & 1]
        if unseen:
            yield viewer, unseen


def _seen_by(before: State, applied: State) -> list[int]:
    """Return by token the viewers who have seen it before an action or after it, as bits.

    There are further bits for looks that are secret.
    """
    return [old | new for old, new in zip(before.seen, applied.seen, strict=True)]
