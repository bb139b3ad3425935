"""Hints for determinizations and search, the part of the contract that is optional for rules."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar

from cardhub.model.game.game_rules import Rules, S


class SearchHints(Rules[S]):
    """Information for determinizations and search, all of it optional.

    `allows`, `possible` and `plausible` restrict the determinizations to those that fit the public
    actions. The other methods and attributes improve the play of search bots.
    """

    levels: ClassVar[Mapping[str, str]] = {}
    """Bot specs for `easy`, `medium` and `hard`, instead of the defaults."""
    bluffs: ClassVar[Sequence[str]] = ()
    """Verbs of actions that may deceive; search samples among near-best ones of them."""
    face_classes: ClassVar[Sequence[int]] = ()
    """By face a number, equal for faces that count the same; empty: every face counts for itself.

    Search learns from faces with the same number together.
    """
    playout_depth: ClassVar[int] = 0
    """The number of turns after which search calls `evaluate`; 0: it plays to the end.

    At a table for one it is the number of actions.
    """

    no_determinizations: ClassVar[str] = ""
    """Why observations of the game have no determinizations, as a clause; empty: they have.

    Search, hints, reviews and the checks of games need them and are refused then.
    """

    def allows(self, state: S, token: int, face: int) -> bool:
        """Return whether an unseen token can have this face, given public information only.

        It concerns the token's present face. The core keeps the answers from before each shuffle.
        """
        return True

    def possible(self, state: S, token: int) -> int:
        """Return the faces that an unseen token can have, as the bits of an int.

        A faster form of `allows`: override it if the state has such bits. Bits of faces with
        another back are ignored.
        """
        back, mask = state.back[token], 0
        for face, other in enumerate(self.cards.back_of):
            if other == back and self.allows(state, token, face):
                mask |= 1 << face
        return mask

    def plausible(self, state: S) -> bool:
        """Return whether a determinization fits the public information on several cards at once.

        Rejected determinizations are sampled again, within a bound. The state is a present one:
        its shuffle log is masked.
        """
        return True

    def random_action(self, state: S, rng: Random) -> int:
        """Return a legal action, uniformly at random; override it to avoid building the list."""
        actions = self.legal(state)
        # Faster than rng.choice, which playouts would call at every step.
        return actions[int(rng.random() * len(actions))]

    def playout_action(self, state: S, rng: Random) -> int:
        """Return a legal action that a person might choose; used in playouts.

        It should not take longer than a few random actions.
        """
        return self.random_action(state, rng)

    def ends_playout(self, state: S) -> bool:
        """Return whether a playout ends in this state, as at `playout_depth`; default: never.

        For games of many deals: the end of a deal. Search asks it when the seat to act has changed.
        """
        return False

    def evaluate(self, state: S) -> Sequence[float]:
        """Return an evaluation of the position for every seat; default: the scores.

        The highest is best, or the lowest if `lowest_wins`. Search uses the margins. With
        `Goal.SCORE` or `COMMON` it is the expected final score, on the scale of `scores`.
        """
        return self.scores(state)

    def likelihood(self, state: S) -> float:
        """Return how likely the seats would have acted as they did with these faces, from 0 to 1.

        Search weights determinizations by it.
        """
        return 1.0
