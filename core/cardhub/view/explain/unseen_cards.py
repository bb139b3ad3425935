"""The faces that a viewer has not seen, by their back."""

from collections.abc import Sequence
from typing import Any

from cardhub.model.cards.cards import Cards
from cardhub.model.hidden.determinize import unseen_copies
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.faces import BLANK, blanked
from cardhub.view.explain.card_texts import capitalized


class UnseenLines:
    """The lines of one viewer at a table; those of backs with news are made again."""

    def __init__(self) -> None:
        self._known: list[int] = []
        self._left: list[int] = []  # the unseen copies of each face
        self._texts: list[str] = []  # by back, empty for one without unseen faces

    def of(self, observation: Observation[Any]) -> list[str]:
        """Return `unseen_lines` of an observation; all are of one game with its options."""
        known = blanked(observation.state.face)
        if known != self._known:
            self._update(observation, known)
        return [text for text in self._texts if text]

    def _update(self, observation: Observation[Any], known: list[int]) -> None:
        game, left = observation.game, self._left
        cards, backs = game.cards, set[int]()
        if not left:
            left += unseen_copies(game, observation.state, ())
            self._texts, self._known = [""] * len(cards.backs), [BLANK] * len(known)
            backs |= {*range(len(cards.backs))}
        for old, new in zip(self._known, known, strict=True):
            if old != new:
                for face, change in ((old, 1), (new, -1)):
                    if face != BLANK:
                        left[face] += change
                        backs.add(cards.back_of[face])
        self._known = known
        for back in backs:
            self._texts[back] = _line(cards, back, left)


def unseen_lines(observation: Observation[Any]) -> list[str]:
    """Return a line for each back with unseen faces: `Red card: R7 R8 2×R12`.

    Which faces are in play is public, so this follows from the cards that the viewer has seen.
    """
    game, state = observation.game, observation.state
    left = unseen_copies(game, state, blanked(state.face))
    lines = [_line(game.cards, back, left) for back in range(len(game.cards.backs))]
    return [line for line in lines if line]


def _line(cards: Cards, back: int, left: Sequence[int]) -> str:
    listed = [
        card.label if left[face] == 1 else f"{left[face]}×{card.label}"
        for face, card in enumerate(cards.faces)
        if left[face] > 0 and cards.back_of[face] == back
    ]
    return f"{_kind(cards.backs[back].title)}: {cards.separator.join(listed)}" if listed else ""


def _kind(title: str) -> str:
    """Return the title of a back, such as `a red card`, without its article."""
    first, _, rest = title.partition(" ")
    return capitalized(rest if first in ("a", "an") and rest else title)
